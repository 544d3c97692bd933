"""What a walk over the ledger leaves, as a table of the database."""

from sqlalchemy import BigInteger, Column, Integer, String, Table

from ginapi.store.schema_names import metadata

# How far the walk over all accounts has come that holds them against the ledger, and what the last whole one found.
ledger_checks = Table(
    "ledger_checks",
    metadata,
    Column("name", String(16), primary_key=True),  # there is one: `accounts`
    Column("after", String(64), nullable=False),  # the account that it has come to
    Column("began_ms", BigInteger, nullable=False),
    Column("stepped_ms", BigInteger, nullable=False),  # when somebody last took a step of it
    Column("fault_count", Integer, nullable=False),  # found since it began
    Column("whole_began_ms", BigInteger),  # of the last one that came to the end
    Column("whole_fault_count", Integer),
)
