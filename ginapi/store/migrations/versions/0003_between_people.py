"""Tables between people: open seats, rematches, standing, webhooks, tickets and limits."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for column in (
        sa.Column("private", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.Column("invite", sa.String(32)),
        sa.Column("rematch_seat", sa.Integer),
        sa.Column("rematch_until_ms", sa.BigInteger),
        sa.Column("rematch_table_id", sa.String(32)),
        sa.Column("told", sa.Boolean, nullable=False, server_default=sa.false()),
    ):
        op.add_column("tables", column)
    public = sa.text("NOT private")
    op.create_index(
        "ix_tables_public",
        "tables",
        ["status", "created_ms", "id"],
        sqlite_where=public,
        postgresql_where=public,
    )
    op.create_table(
        "standings",
        sa.Column("account_id", sa.String(64), nullable=False),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("volatility", sa.Double, nullable=False),
        sa.Column("rated_ms", sa.BigInteger),
        sa.Column("rated_count", sa.Integer, nullable=False),
        sa.Column("played_count", sa.Integer, nullable=False),
        sa.Column("won_count", sa.Integer, nullable=False),
        sa.Column("left_count", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_standings_account_id"),
        sa.PrimaryKeyConstraint("account_id", name="pk_standings"),
    )
    rated = sa.text("rated_count > 0")
    op.create_index(
        "ix_standings_ranked",
        "standings",
        ["rating", "account_id"],
        sqlite_where=rated,
        postgresql_where=rated,
    )
    op.create_table(
        "tickets",
        sa.Column("hash", sa.LargeBinary(32), nullable=False),
        sa.Column("principal", sa.String(64), nullable=False),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("expires_ms", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_tickets_table_id"),
        sa.PrimaryKeyConstraint("hash", name="pk_tickets"),
    )
    op.create_index("ix_tickets_expires_ms", "tickets", ["expires_ms"])
    op.create_table(
        "webhooks",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("account_id", sa.String(64), nullable=False),
        sa.Column("url", sa.String(2000), nullable=False),
        sa.Column("secret", sa.LargeBinary(32), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_webhooks_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_webhooks"),
    )
    op.create_index("ix_webhooks_account_id_id", "webhooks", ["account_id", "id"])
    op.create_table(
        "deliveries",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("webhook_id", sa.String(32), nullable=False),
        sa.Column("event", sa.String(32), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("due_ms", sa.BigInteger, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhooks.id"], name="fk_deliveries_webhook_id"),
        sa.PrimaryKeyConstraint("id", name="pk_deliveries"),
    )
    op.create_index("ix_deliveries_due_ms", "deliveries", ["due_ms"])
    op.create_index("ix_deliveries_webhook_id", "deliveries", ["webhook_id"])
    op.create_table(
        "limits",
        sa.Column("caller", sa.LargeBinary(32), nullable=False),
        sa.Column("policy", sa.String(32), nullable=False),
        sa.Column("window_ms", sa.BigInteger, nullable=False),
        sa.Column("taken", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("caller", "policy", "window_ms", name="pk_limits"),
    )
    op.create_index("ix_limits_window_ms", "limits", ["window_ms"])
