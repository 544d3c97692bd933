"""Rows that the tests of the store begin with."""

from sqlalchemy import select

from ginapi.store import schema
from ginapi.store.database import Database

TABLE_ID = "a" * 20


def table_row(table_id: str) -> dict[str, object]:
    """A practice table that has just been opened."""
    return {
        "id": table_id, "kind": "practice", "status": "playing", "fair": True, "target": 100, "opener": 0, "seed": "s",
        "version": 0, "hand": "{}", "created_ms": 1, "changed_ms": 1,
    }  # fmt: skip


def version_of(database: Database) -> int:
    """The version of the only table."""
    with database.read() as tx:
        return tx.execute(select(schema.tables.c.version)).scalar_one()
