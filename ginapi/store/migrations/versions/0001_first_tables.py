"""The first tables: tables, seats, hands, records, tokens, requests."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("fair", sa.Boolean, nullable=False),
        sa.Column("target", sa.Integer, nullable=False),
        sa.Column("level", sa.String(16)),
        sa.Column("opener", sa.Integer, nullable=False),
        sa.Column("seed", sa.String(256), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("winner", sa.Integer),
        sa.Column("ended", sa.String(16)),
        sa.Column("hand", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("changed_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
    )
    op.create_table(
        "seats",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("principal", sa.String(64)),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_seats_table_id"),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_seats"),
    )
    op.create_index("ix_seats_principal_table_id", "seats", ["principal", "table_id"])
    op.create_table(
        "hands",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("winner", sa.Integer),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_hands_table_id"),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_hands"),
    )
    op.create_table(
        "records",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("event", sa.String(16), nullable=False),
        sa.Column("hand_number", sa.Integer),
        sa.Column("version", sa.Integer),
        sa.Column("seat", sa.Integer),
        sa.Column("by", sa.String(16)),
        sa.Column("action", sa.String(16)),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_records_table_id"),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_records"),
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.LargeBinary(32), nullable=False),
        sa.Column("principal", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("used_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_tokens"),
    )
    op.create_index("ix_tokens_principal", "tokens", ["principal"])
    op.create_table(
        "requests",
        sa.Column("principal", sa.String(64), nullable=False),
        sa.Column("method", sa.String(8), nullable=False),
        sa.Column("path", sa.String(255), nullable=False),
        sa.Column("key_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("fingerprint", sa.LargeBinary(32), nullable=False),
        sa.Column("status", sa.Integer),
        sa.Column("headers", sa.Text),
        sa.Column("body", sa.LargeBinary),
        sa.Column("salt", sa.LargeBinary(32)),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("principal", "method", "path", "key_hash", name="pk_requests"),
    )
    op.create_index("ix_requests_created_ms", "requests", ["created_ms"])


def downgrade() -> None:
    for table in ("requests", "tokens", "records", "hands", "seats", "tables"):
        op.drop_table(table)
