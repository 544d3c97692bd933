"""The tables of the database, as SQLAlchemy Core knows them.

Whatever changes here needs a migration beside it; a test compares the two. Times are epoch milliseconds: SQLite gives
datetimes back without their zone.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

# Every constraint has a name that does not depend on the database, so that a later migration can drop it.
metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    }
)

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
    Column("version", Integer, nullable=False),
    Column("winner", Integer),
    Column("ended", String(16)),
    Column("hand", Text, nullable=False),  # the running or newest hand and the scores before it, as JSON
    Column("created_ms", BigInteger, nullable=False),
    Column("changed_ms", BigInteger, nullable=False),
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
    Column("event", String(16), nullable=False),  # dealt, move, result, seat or table
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
    Column("created_ms", BigInteger, nullable=False),
    Index(None, "created_ms"),
)
