"""What operators do, accounts that are banned, and indexes for what is forgotten in time."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "acts",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("act", sa.String(32), nullable=False),
        sa.Column("subject", sa.String(64), nullable=False),
        sa.Column("why", sa.String(200), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_acts"),
    )
    op.create_index("ix_acts_subject_number", "acts", ["subject", "number"])
    op.add_column("accounts", sa.Column("banned_ms", sa.BigInteger))
    op.create_index("ix_tokens_kind_used_ms", "tokens", ["kind", "used_ms"])
    practice = sa.text("kind = 'practice'")
    op.create_index(
        "ix_tables_practice",
        "tables",
        ["created_ms", "id"],
        sqlite_where=practice,
        postgresql_where=practice,
    )
