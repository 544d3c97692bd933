"""The tables of the database, as SQLAlchemy Core knows them.

Whatever changes here needs a migration beside it; a test compares the two. Times are epoch milliseconds: SQLite gives
datetimes back without their zone.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    false,
    text,
    true,
)

from ginapi.store.schema_checks import ledger_checks as ledger_checks
from ginapi.store.schema_names import metadata as metadata
from ginapi.store.schema_told import deliveries as deliveries
from ginapi.store.schema_told import webhooks as webhooks

# One row a table: what a move reads and writes. `version` is the number of its newest record. No index on what a move
# changes: PostgreSQL can then rewrite the row where it stands.
tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("status", String(16), nullable=False),  # open, playing or finished
    Column("fair", Boolean, nullable=False),
    Column("target", Integer, nullable=False),
    Column("level", String(16)),
    Column("opener", Integer, nullable=False),  # the seat that opens hand 1
    Column("seed", String(256), nullable=False),  # secret: every deck and every number drawn comes from it
    Column("stake", Integer, nullable=False, server_default="0"),  # coins that each seat put up
    # The clock's lengths, as the table was opened with them; all null at a table without one.
    Column("move_ms", Integer),
    Column("grace_ms", Integer),
    Column("computer_turn_ms", Integer),
    Column("deal_after_ms", Integer),
    Column("missed_0", Integer, nullable=False, server_default="0"),
    Column("missed_1", Integer, nullable=False, server_default="0"),
    Column("acted_0", Boolean, nullable=False, server_default=false()),
    Column("acted_1", Boolean, nullable=False, server_default=false()),
    Column("deadline_ms", BigInteger),
    Column("next_hand_at_ms", BigInteger),
    Column("due_ms", BigInteger),  # when the table acts by itself: the deadline with its grace, or the next deal
    Column("attempts", Integer, nullable=False, server_default="0"),  # to settle it that failed, in a row
    Column("not_before_ms", BigInteger, nullable=False, server_default="0"),  # until when it is left alone after one
    Column("version", Integer, nullable=False),
    Column("winner", Integer),
    Column("ended", String(16)),
    Column("hand", Text, nullable=False),  # the running or newest hand and the scores before it, as JSON
    Column("created_ms", BigInteger, nullable=False),
    Column("changed_ms", BigInteger, nullable=False),
    Column("private", Boolean, nullable=False, server_default=true()),  # for those alone who sit there
    Column("invite", String(32)),  # what lets a second player sit at a private table
    Column("rematch_seat", Integer),  # which seat offers a rematch, and until when
    Column("rematch_until_ms", BigInteger),
    Column("rematch_table_id", String(32)),  # where both play on
    Column("told", Boolean, nullable=False, server_default=false()),  # whether somebody there has a webhook
    Index(
        "ix_tables_due_ms",
        "due_ms",
        sqlite_where=text("due_ms IS NOT NULL"),
        postgresql_where=text("due_ms IS NOT NULL"),
    ),
    Index(
        "ix_tables_public",
        "status",
        "created_ms",
        "id",
        sqlite_where=text("NOT private"),
        postgresql_where=text("NOT private"),
    ),
    # Of when it was opened, which no move changes.
    Index(
        "ix_tables_practice",
        "created_ms",
        "id",
        sqlite_where=text("kind = 'practice'"),
        postgresql_where=text("kind = 'practice'"),
    ),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),  # guest, account or computer
    Column("name", String(64), nullable=False),
    Column("principal", String(64)),
    Index(None, "principal", "table_id"),
)

# Finished hands; the running one stands in its table's row.
hands = Table(
    "hands",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("winner", Integer),
    Column("points", Integer, nullable=False),
    Column("state", Text, nullable=False),  # as JSON
    Column("ended_ms", BigInteger, nullable=False),
)

# The log of a table: never changed, only added to. `version` is that of the hand after the record.
records = Table(
    "records",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("event", String(16), nullable=False),  # dealt, move, result, clock, seat or table
    Column("hand_number", Integer),
    Column("version", Integer),
    Column("seat", Integer),
    Column("by", String(16)),
    Column("action", String(16)),
    Column("at_ms", BigInteger, nullable=False),
    Column("body", Text, nullable=False),  # as JSON
)

# Who a bearer token speaks for. The token itself is not stored.
tokens = Table(
    "tokens",
    metadata,
    Column("hash", LargeBinary(32), primary_key=True),  # SHA-256
    Column("principal", String(64), nullable=False),
    Column("kind", String(16), nullable=False),  # guest or account
    Column("created_ms", BigInteger, nullable=False),
    Column("used_ms", BigInteger, nullable=False),
    Index(None, "principal"),
    Index(None, "kind", "used_ms"),
)

# Answers kept for idempotency keys. The key itself is not stored; `principal` is '' for a caller without a token.
requests = Table(
    "requests",
    metadata,
    Column("principal", String(64), primary_key=True),
    Column("method", String(8), primary_key=True),
    Column("path", String(255), primary_key=True),
    Column("key_hash", LargeBinary(32), primary_key=True),
    Column("fingerprint", LargeBinary(32), nullable=False),
    Column("status", Integer),
    Column("headers", Text),  # as JSON
    Column("body", LargeBinary),
    Column("salt", LargeBinary(32)),
    Column("token_kind", String(16)),  # of the new token in the answer, where there was one
    Column("created_ms", BigInteger, nullable=False),
    Index(None, "created_ms"),
)

# Balances follow from the transfers; they stand here too, so that a stake is judged under one row's lock.
accounts = Table(
    "accounts",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("name", String(24), nullable=False),
    # The name without case: two cannot look alike in it. One character may come to eighteen there.
    Column("name_key", String(512), nullable=False, unique=True),
    Column("password_hash", String(200), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("balance_coins", BigInteger, nullable=False),  # without what is held
    Column("entry_count", Integer, nullable=False),
    Column("refill_count", Integer, nullable=False),
    Column("refilled_ms", BigInteger),
    Column("banned_ms", BigInteger),  # when its operator banned it; it has no tokens then, and is given none
    CheckConstraint("balance_coins >= 0", name="balance"),
)

# Coins from one purse to another: never changed. The id is made of the cause, so that none is posted twice.
transfers = Table(
    "transfers",
    metadata,
    Column("id", String(128), primary_key=True),
    Column("debit", String(80), nullable=False),
    Column("credit", String(80), nullable=False),
    Column("coins", BigInteger, nullable=False),
    Column("reason", String(200), nullable=False),
    Column("table_id", String(32)),
    Column("at_ms", BigInteger, nullable=False),
    CheckConstraint("coins > 0", name="coins"),
    Index(None, "table_id"),
)

# A transfer as an account's statement has it.
entries = Table(
    "entries",
    metadata,
    Column("account_id", String(64), ForeignKey("accounts.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("transfer_id", String(128), ForeignKey("transfers.id"), nullable=False),
    Column("coins", BigInteger, nullable=False),  # below zero where the account paid
    Column("balance_coins", BigInteger, nullable=False),  # after it
)

# What an operator did: never changed, only added to. What was done last to a subject is how it stands.
acts = Table(
    "acts",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("act", String(32), nullable=False),
    Column("subject", String(64), nullable=False),  # an account's id, or what else it was done to
    Column("why", String(200), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Index(None, "subject", "number"),
)

# When somebody last could serve, or settle, and the gaps in which nobody
# could serve: running deadlines were moved by each, once.
pulses = Table(
    "pulses",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
)
gaps = Table(
    "gaps",
    metadata,
    Column("began_ms", BigInteger, primary_key=True),
    Column("ended_ms", BigInteger, nullable=False),
    Column("table_count", Integer, nullable=False),
)

# How an account has done at tables between people, and its rating (Glicko-2).
standings = Table(
    "standings",
    metadata,
    Column("account_id", String(64), ForeignKey("accounts.id"), primary_key=True),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("rated_ms", BigInteger),  # when the last match ended that moved the rating
    Column("rated_count", Integer, nullable=False),
    Column("played_count", Integer, nullable=False),
    Column("won_count", Integer, nullable=False),
    Column("left_count", Integer, nullable=False),
    Index(
        "ix_standings_ranked",
        "rating",
        "account_id",
        sqlite_where=text("rated_count > 0"),
        postgresql_where=text("rated_count > 0"),
    ),
)

# What opens one stream, once, where a browser cannot send its token. Neither of the two is stored.
tickets = Table(
    "tickets",
    metadata,
    Column("hash", LargeBinary(32), primary_key=True),  # SHA-256
    Column("token_hash", LargeBinary(32), nullable=False),  # of the token that it speaks for, while that is there
    Column("table_id", String(32), ForeignKey("tables.id"), nullable=False),
    Column("expires_ms", BigInteger, nullable=False),
    Index(None, "expires_ms"),
)

# What a caller has taken of a limit in its newest window of time; workers take from it in batches.
limits = Table(
    "limits",
    metadata,
    Column("caller", LargeBinary(32), primary_key=True),  # SHA-256 of the token, or of the address
    Column("name", String(32), primary_key=True),
    Column("began_ms", BigInteger, nullable=False),  # with the first request after the window before
    Column("taken", Integer, nullable=False),
    Index(None, "began_ms"),
)
