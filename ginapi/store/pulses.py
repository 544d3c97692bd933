"""The pulses of those who serve and of those who settle as rows; clocks moved by a gap, or set back with the time."""

from sqlalchemy import Connection, bindparam, case, delete, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from ginapi.store import clock, log
from ginapi.store.schema import gaps, pulses, tables
from ginapi.tables.clock import Gap
from ginapi.tables.records import clock_moved

SERVING = "serving"
SETTLING = "settling"
_LAST = select(pulses.c.at_ms).where(pulses.c.name == bindparam("of_name"))
_HOLD = _LAST.with_for_update()
_SET = {
    "sqlite": sqlite.insert(pulses).on_conflict_do_update(
        index_elements=["name"], set_={"at_ms": bindparam("new_at_ms")}
    ),
    "postgresql": postgresql.insert(pulses).on_conflict_do_update(
        index_elements=["name"], set_={"at_ms": bindparam("new_at_ms")}
    ),
}


_RUNS = (tables.c.due_ms > bindparam("began_ms"), tables.c.status == "playing")
_MOVED = (
    update(tables)
    .values(
        version=tables.c.version + 1,
        deadline_ms=tables.c.deadline_ms + bindparam("gap_ms"),
        next_hand_at_ms=tables.c.next_hand_at_ms + bindparam("gap_ms"),
        due_ms=tables.c.due_ms + bindparam("gap_ms"),
        changed_ms=bindparam("ended_ms"),
    )
    .returning(tables.c.id, tables.c.version)
)
# What ran before the gap, in one statement: a move that comes between would be counted twice, or not at all.
_MOVE = _MOVED.where(*_RUNS, tables.c.changed_ms <= bindparam("began_ms"))
# Before the first pulse after a freeze somebody may be served already: the clock that starts then has stood still for
# the rest of the gap, and not for all of it.
_STARTED_WITHIN = (
    select(tables.c.id, tables.c.changed_ms)
    .where(*_RUNS, tables.c.changed_ms > bindparam("began_ms"), tables.c.changed_ms < bindparam("ended_ms"))
    .order_by(tables.c.id)
    .with_for_update(key_share=True)
)
_MOVE_ONE = _MOVED.where(tables.c.id == bindparam("table_id"))
# All that runs, overdue or not, and offers of a rematch: none of it can have been settled since. What was changed about
# now, by the clock as it goes now, began after that was set, or else about as long ago as it was set back by, and its
# player has at most the full time again. Nothing is to fall due early.
_SET_BACK = (
    update(tables)
    .values(
        version=tables.c.version + 1,
        deadline_ms=tables.c.deadline_ms - bindparam("back_ms"),
        next_hand_at_ms=tables.c.next_hand_at_ms - bindparam("back_ms"),
        due_ms=tables.c.due_ms - bindparam("back_ms"),
        rematch_until_ms=tables.c.rematch_until_ms - bindparam("back_ms"),
        not_before_ms=tables.c.not_before_ms - bindparam("back_ms"),
        changed_ms=tables.c.changed_ms - bindparam("back_ms"),
        # How long a table waits for its second player goes by when it was opened.
        created_ms=case(
            (tables.c.status == "open", tables.c.created_ms - bindparam("back_ms")), else_=tables.c.created_ms
        ),
    )
    .where(
        tables.c.due_ms.is_not(None),
        ~tables.c.changed_ms.between(bindparam("from_ms"), bindparam("until_ms")),
    )
    .returning(tables.c.id, tables.c.version, tables.c.due_ms)
)
# A heartbeat by the time as it was; whoever settles may have left one by the new time already.
_SETTLED_BACK = (
    update(pulses)
    .values(at_ms=pulses.c.at_ms - bindparam("back_ms"))
    .where(pulses.c.name == SETTLING, pulses.c.at_ms > bindparam("until_ms"))
)
_TAKE_GAPS = delete(gaps).returning(gaps.c.began_ms, gaps.c.ended_ms, gaps.c.table_count)
_GAPS = select(gaps.c.began_ms, gaps.c.ended_ms).where(gaps.c.began_ms >= bindparam("since_ms")).order_by("began_ms")


def last(tx: Connection, name: str = SERVING) -> int | None:
    """When somebody last said that it serves, or settles; None where nobody ever did."""
    at_ms: int | None = tx.execute(_LAST, {"of_name": name}).scalar_one_or_none()
    return at_ms


def hold(tx: Connection) -> tuple[int | None, int | None]:
    """The last pulse of those who serve, held until the transaction ends, and PostgreSQL's time (None on SQLite)."""
    at_ms: int | None = tx.execute(_HOLD, {"of_name": SERVING}).scalar_one_or_none()
    return at_ms, clock.now_ms(tx)


def set_last(tx: Connection, now_ms: int, name: str = SERVING) -> None:
    """Somebody serves now, or settles."""
    tx.execute(_SET[tx.dialect.name], {"name": name, "at_ms": now_ms, "new_at_ms": now_ms})


def move_clocks(tx: Connection, began_ms: int, ended_ms: int) -> None:
    """Move each clock by as much of the gap as it ran in; its table's log says so. What was due before it stays."""
    gap = {"began_ms": began_ms, "ended_ms": ended_ms}
    whole = list(tx.execute(_MOVE, {**gap, "gap_ms": ended_ms - began_ms}))
    for table_id, version in whole:
        log.append_record(tx, table_id, clock_moved(version, began_ms, ended_ms))
    within = list(tx.execute(_STARTED_WITHIN, gap))
    for table_id, started_ms in within:
        one = {"table_id": table_id, "ended_ms": ended_ms, "gap_ms": ended_ms - started_ms}
        version = tx.execute(_MOVE_ONE, one).one().version
        log.append_record(tx, table_id, clock_moved(version, started_ms, ended_ms))
    tx.execute(insert(gaps), {**gap, "table_count": len(whole) + len(within)})


def set_clocks_back(tx: Connection, last_ms: int, now_ms: int, about_ms: int) -> None:
    """Take each running clock back as far as the time was set back; its table's log says so.

    Not those that started within `about_ms` of now: they may go by the time as it is.
    """
    back_ms = last_ms - now_ms
    about = {"from_ms": now_ms - about_ms, "until_ms": now_ms + about_ms}
    for table_id, version, due_ms in list(tx.execute(_SET_BACK, {"back_ms": back_ms, **about})):
        # Before what is overdue there: a log's times step back here alone.
        at_ms = min(now_ms, due_ms)
        log.append_record(tx, table_id, clock_moved(version, at_ms + back_ms, at_ms))
    tx.execute(_SETTLED_BACK, {"back_ms": back_ms, "until_ms": now_ms + about_ms})
    # The gaps too: what is overdue since before one is still to be told of it, and no two begin at once.
    found = [
        {"began_ms": began_ms - back_ms, "ended_ms": ended_ms - back_ms, "table_count": count}
        for began_ms, ended_ms, count in tx.execute(_TAKE_GAPS)
    ]
    if found:
        tx.execute(insert(gaps), found)


def gaps_since(tx: Connection, since_ms: int) -> tuple[Gap, ...]:
    """The gaps that began at a time or later, in order."""
    return tuple(Gap(*row) for row in tx.execute(_GAPS, {"since_ms": since_ms}))
