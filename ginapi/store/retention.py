"""What has been kept for long enough, as rows: found by an index, some at a time, and forgotten.

Only what nothing else is made of: never a table for coins or between people, an account, or the ledger.
"""

from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, func, or_, select, text, tuple_

from ginapi.store.schema import hands, records, seats, tables, tickets, tokens

_LOCK_KEY = 0x67696E66  # "ginf", in PostgreSQL's one space of advisory locks
_COUNTED = {"preserve_rowcount": True}

_LAPSED = (
    select(tokens.c.hash)
    .where(tokens.c.kind == bindparam("of_kind"), tokens.c.used_ms < bindparam("before_ms"))
    .order_by(tokens.c.used_ms)
    .limit(bindparam("most"))
)
_FORGET_TOKENS = delete(tokens).where(tokens.c.hash.in_(_LAPSED))
_PRACTICE = (
    select(tables.c.created_ms, tables.c.id)
    # As the index says it: another way to say so would not find it.
    .where(text("tables.kind = 'practice'"), tables.c.created_ms < bindparam("before_ms"))
    .where(tuple_(tables.c.created_ms, tables.c.id) > tuple_(bindparam("after_ms"), bindparam("after_id")))
    .order_by(tables.c.created_ms, tables.c.id)
    .limit(bindparam("most"))
)
_CAN_COME_BACK = exists().where(
    seats.c.table_id == tables.c.id,
    or_(seats.c.kind == "account", exists().where(tokens.c.principal == seats.c.principal)),
)
# Held as whoever moves there holds it; where somebody does, it is not to go.
_TO_FORGET = (
    select(tables.c.id)
    .where(tables.c.id.in_(bindparam("table_ids", expanding=True)), tables.c.changed_ms < bindparam("before_ms"))
    .where(or_(tables.c.status == "finished", ~_CAN_COME_BACK))
    .with_for_update(skip_locked=True, of=tables)
)
_FORGET_TABLES = [
    delete(of_table).where(column.in_(bindparam("table_ids", expanding=True)))
    for of_table, column in (
        (tickets, tickets.c.table_id),
        (records, records.c.table_id),
        (hands, hands.c.table_id),
        (seats, seats.c.table_id),
        (tables, tables.c.id),
    )
]


class Place(NamedTuple):
    """Where a walk over practice tables, the oldest first, has come to."""

    created_ms: int
    table_id: str


BEGINNING = Place(0, "")


def hold(tx: Connection) -> bool:
    """Whether this transaction alone forgets, until it ends; False where another is at it."""
    if tx.dialect.name != "postgresql":  # SQLite is held as a whole.
        return True
    held: bool = tx.execute(select(func.pg_try_advisory_xact_lock(_LOCK_KEY))).scalar_one()
    return held


def forget_tokens(tx: Connection, kind: str, before_ms: int, most: int) -> int:
    """Forget some of the tokens of a kind that were last used before a time; how many."""
    wanted = {"of_kind": kind, "before_ms": before_ms, "most": most}
    return tx.execute(_FORGET_TOKENS, wanted, execution_options=_COUNTED).rowcount


def practice_after(tx: Connection, after: Place, before_ms: int, most: int) -> list[Place]:
    """The next practice tables that were opened before a time."""
    wanted = {"after_ms": after.created_ms, "after_id": after.table_id, "before_ms": before_ms, "most": most}
    return [Place(*row) for row in tx.execute(_PRACTICE, wanted)]


def forget_practice(tx: Connection, table_ids: list[str], before_ms: int) -> int:
    """Forget those of some practice tables where nothing has happened since a time and nothing can; how many.

    That is where the match is over, or nobody who sits there can come back: a guest whose token is forgotten.
    """
    found = list(tx.execute(_TO_FORGET, {"table_ids": table_ids, "before_ms": before_ms}).scalars())
    if found:
        for statement in _FORGET_TABLES:
            tx.execute(statement, {"table_ids": found})
    return len(found)
