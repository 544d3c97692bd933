"""Accounts, coins, and the clock of a table."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for column in (
        sa.Column("stake", sa.Integer, nullable=False, server_default="0"),
        sa.Column("move_ms", sa.Integer),
        sa.Column("grace_ms", sa.Integer),
        sa.Column("computer_turn_ms", sa.Integer),
        sa.Column("deal_after_ms", sa.Integer),
        sa.Column("missed_0", sa.Integer, nullable=False, server_default="0"),
        sa.Column("missed_1", sa.Integer, nullable=False, server_default="0"),
        sa.Column("acted_0", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("acted_1", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("deadline_ms", sa.BigInteger),
        sa.Column("next_hand_at_ms", sa.BigInteger),
        sa.Column("due_ms", sa.BigInteger),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("not_before_ms", sa.BigInteger, nullable=False, server_default="0"),
    ):
        op.add_column("tables", column)
    op.add_column("requests", sa.Column("token_kind", sa.String(16)))
    where = sa.text("due_ms IS NOT NULL")
    op.create_index("ix_tables_due_ms", "tables", ["due_ms"], sqlite_where=where, postgresql_where=where)
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("name_key", sa.String(512), nullable=False),
        sa.Column("password_hash", sa.String(200), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("balance_coins", sa.BigInteger, nullable=False),
        sa.Column("entry_count", sa.Integer, nullable=False),
        sa.Column("refill_count", sa.Integer, nullable=False),
        sa.Column("refilled_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("name_key", name="uq_accounts_name_key"),
        sa.CheckConstraint("balance_coins >= 0", name=op.f("ck_accounts_balance")),
    )
    op.create_table(
        "transfers",
        sa.Column("id", sa.String(128), nullable=False),
        sa.Column("debit", sa.String(80), nullable=False),
        sa.Column("credit", sa.String(80), nullable=False),
        sa.Column("coins", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("table_id", sa.String(32)),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_transfers"),
        sa.CheckConstraint("coins > 0", name=op.f("ck_transfers_coins")),
    )
    op.create_index("ix_transfers_table_id", "transfers", ["table_id"])
    op.create_table(
        "entries",
        sa.Column("account_id", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("transfer_id", sa.String(128), nullable=False),
        sa.Column("coins", sa.BigInteger, nullable=False),
        sa.Column("balance_coins", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_entries_account_id"),
        sa.ForeignKeyConstraint(["transfer_id"], ["transfers.id"], name="fk_entries_transfer_id"),
        sa.PrimaryKeyConstraint("account_id", "number", name="pk_entries"),
    )
    op.create_table(
        "pulses",
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_pulses"),
    )
    op.create_table(
        "gaps",
        sa.Column("began_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        sa.Column("table_count", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("began_ms", name="pk_gaps"),
    )
