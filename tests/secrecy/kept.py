"""A whole database as rows, so that one request can be answered in two worlds, each as if for the first time."""

from typing import Any

from sqlalchemy import delete, insert, select

from ginapi.store import schema
from ginapi.store.database import Database
from tests.fixed import Fixed, Request, Told
from tests.secrecy.worlds import World, put

Rows = dict[str, list[dict[str, Any]]]


def kept(database: Database) -> Rows:
    """Everything that is stored."""
    with database.read() as tx:
        return {
            table.name: [dict(row._mapping) for row in tx.execute(select(table))]
            for table in schema.metadata.sorted_tables
        }


def restore(database: Database, rows: Rows) -> None:
    """Store this and nothing else."""
    with database.write() as tx:
        for table in reversed(schema.metadata.sorted_tables):
            tx.execute(delete(table))
        for table in schema.metadata.sorted_tables:
            if rows[table.name]:
                tx.execute(insert(table), rows[table.name])


def in_both(fixed: Fixed, there: World, request: Request, token: str | None) -> tuple[Told, Told]:
    """What a request is answered with as things stand, and in the other world; nothing of either stays.

    Both draw the same ids and tokens.
    """
    before, drawn = kept(fixed.database), fixed.drawn.copy()
    told = []
    for world in (None, there):
        if world is not None:
            put(fixed.database, world)
        told.append(fixed.ask(request, token))
        restore(fixed.database, before)
        fixed.drawn = drawn.copy()
    return told[0], told[1]
