"""Where the walk over the ledger stands."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ledger_checks",
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("after", sa.String(64), nullable=False),
        sa.Column("began_ms", sa.BigInteger, nullable=False),
        sa.Column("stepped_ms", sa.BigInteger, nullable=False),
        sa.Column("fault_count", sa.Integer, nullable=False),
        sa.Column("whole_began_ms", sa.BigInteger),
        sa.Column("whole_fault_count", sa.Integer),
        sa.PrimaryKeyConstraint("name", name="pk_ledger_checks"),
    )
