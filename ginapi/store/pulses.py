"""The pulse of those who serve as a row, and running clocks moved by a gap in it."""

import orjson
from sqlalchemy import (
    BigInteger,
    Connection,
    String,
    bindparam,
    insert,
    literal,
    null,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from ginapi.store import clock
from ginapi.store.schema import gaps, pulses, records, tables

_SERVING = "serving"
_LAST = select(pulses.c.at_ms).where(pulses.c.name == _SERVING)
_HOLD = _LAST.with_for_update()
_SET = {
    "sqlite": sqlite.insert(pulses).on_conflict_do_update(
        index_elements=["name"], set_={"at_ms": bindparam("new_at_ms")}
    ),
    "postgresql": postgresql.insert(pulses).on_conflict_do_update(
        index_elements=["name"], set_={"at_ms": bindparam("new_at_ms")}
    ),
}


def last(tx: Connection) -> int | None:
    """When somebody last said that it serves; None where nobody ever did."""
    at_ms: int | None = tx.execute(_LAST).scalar_one_or_none()
    return at_ms


def hold(tx: Connection) -> tuple[int | None, int | None]:
    """The last pulse, held until the transaction ends, and then PostgreSQL's time (None on SQLite)."""
    at_ms: int | None = tx.execute(_HOLD).scalar_one_or_none()
    return at_ms, clock.now_ms(tx)


def set_last(tx: Connection, now_ms: int) -> None:
    """Somebody serves now."""
    tx.execute(_SET[tx.dialect.name], {"name": _SERVING, "at_ms": now_ms, "new_at_ms": now_ms})


def move_clocks(tx: Connection, began_ms: int, ended_ms: int) -> None:
    """Move what was running when the gap began, by its length; each table's log says so. What was due by then stays."""
    gap_ms = ended_ms - began_ms
    running = tables.c.due_ms > began_ms
    body = orjson.dumps({"moved_ms": gap_ms}).decode()
    said = select(
        tables.c.id,
        tables.c.version + 1,
        literal("clock", String),
        null(),
        null(),
        literal(ended_ms, BigInteger),
        literal(body, String),
    ).where(running)
    tx.execute(
        insert(records).from_select(
            ["table_id", "number", "event", "hand_number", "version", "at_ms", "body"], said, include_defaults=False
        )
    )
    moved = tx.execute(
        update(tables)
        .where(running)
        .values(
            version=tables.c.version + 1,
            deadline_ms=tables.c.deadline_ms + gap_ms,
            next_hand_at_ms=tables.c.next_hand_at_ms + gap_ms,
            due_ms=tables.c.due_ms + gap_ms,
        )
    )
    row = {"began_ms": began_ms, "ended_ms": ended_ms, "table_count": moved.rowcount}
    tx.execute(insert(gaps), row)
