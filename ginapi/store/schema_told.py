"""The tables of the database about what accounts are told: webhooks, and what waits to be sent there."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, LargeBinary, String, Table, Text

from ginapi.store.schema_names import metadata

# Where an account wants to be told. The secret has to be readable: each delivery is signed with it.
webhooks = Table(
    "webhooks",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("account_id", String(64), ForeignKey("accounts.id"), nullable=False),
    Column("url", String(2000), nullable=False),
    Column("secret", LargeBinary(32), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("free_ms", BigInteger, nullable=False),  # until when it is left alone: one delivery at a time, and pauses
    Column("failures", Integer, nullable=False),  # tries that failed, in a row
    Column("disabled_ms", BigInteger),  # when it said that it is gone for good
    Index(None, "account_id", "id"),
)

# What is to be told, written with the move; gone once it has been taken, or given up.
deliveries = Table(
    "deliveries",
    metadata,
    Column("id", String(32), primary_key=True),  # the same however often it is sent
    Column("webhook_id", String(32), ForeignKey("webhooks.id"), nullable=False),
    Column("event", String(32), nullable=False),
    Column("number", Integer, nullable=False),  # of the record at its table that it tells of
    Column("body", Text, nullable=False),  # as JSON
    Column("created_ms", BigInteger, nullable=False),
    Column("due_ms", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    Index(None, "due_ms"),
    Index(None, "webhook_id"),
)
