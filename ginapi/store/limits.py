"""Limits as rows: what all workers together have taken of each, for each caller, in its newest window of time."""

from typing import Any

from sqlalchemy import Connection, bindparam, case, delete, or_, select, tuple_
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import ReturningInsert

from ginapi.store.schema import limits

_FORGOTTEN_AT_ONCE = 20  # by whoever begins another window
_KEY = ("caller", "name")

# Also where its beginning lies more than a window ahead: the clock was set back, and nobody is to wait for it.
_IS_OVER = or_(limits.c.began_ms <= bindparam("over_ms"), limits.c.began_ms >= bindparam("ahead_ms"))


def _take(dialect: type[sqlite.Insert] | type[postgresql.Insert]) -> ReturningInsert[Any]:
    """In one statement, and so one worker after another: what is left of a window is never read and then written."""
    insert = dialect(limits)
    return insert.on_conflict_do_update(
        index_elements=_KEY,
        set_={
            "began_ms": case((_IS_OVER, insert.excluded.began_ms), else_=limits.c.began_ms),
            "taken": case((_IS_OVER, insert.excluded.taken), else_=limits.c.taken + insert.excluded.taken),
        },
    ).returning(limits.c.began_ms, limits.c.taken)


_TAKE = {"sqlite": _take(sqlite.Insert), "postgresql": _take(postgresql.Insert)}
# What others forget at this moment is left to them, so that nobody waits.
_FORGET = delete(limits).where(
    tuple_(limits.c.caller, limits.c.name).in_(
        select(limits.c.caller, limits.c.name)
        .where(limits.c.began_ms < bindparam("before_ms"))
        .order_by(limits.c.began_ms)
        .limit(bindparam("most"))
        .with_for_update(skip_locked=True)
    )
)


def take(
    tx: Connection, caller: bytes, name: str, count: int, began_ms: int, window_ms: int, now_ms: int
) -> tuple[int, int]:
    """Take so many requests, whether or not that many are left.

    Answers when the window began and what has been taken since, these included. Where none was running, one began at
    `began_ms`.
    """
    row = {"caller": caller, "name": name, "began_ms": began_ms, "taken": count}
    window = {"over_ms": now_ms - window_ms, "ahead_ms": now_ms + window_ms}
    began_ms, taken = tx.execute(_TAKE[tx.dialect.name], row | window).one()
    return began_ms, taken


def forget(tx: Connection, before_ms: int, most: int = _FORGOTTEN_AT_ONCE) -> int:
    """Forget some of the windows that began before that time, the oldest first; how many."""
    wanted = {"before_ms": before_ms, "most": most}
    return tx.execute(_FORGET, wanted, execution_options={"preserve_rowcount": True}).rowcount
