"""Counting what is done at tables once it is committed: what is rolled back was never done."""

from sqlalchemy import Connection

from ginapi.metrics import counted
from ginapi.store.database import once_committed
from ginapi.tables.values import Outcome

_NO_MOVES = ("leave", "void")
"""What breaks a hand off stands among the records of its moves, and is none."""


def count_moves(tx: Connection, outcome: Outcome) -> None:
    """Count the moves that a call has made."""
    made_by = [record.by for record in outcome.records if record.event == "move" and record.action not in _NO_MOVES]
    if made_by:
        once_committed(tx, lambda: counted.count_moves(made_by))


def count_late(tx: Connection, settled: Outcome, now_ms: int) -> None:
    """Count how late the automatic moves are that a settling at `now_ms` has made."""
    late_ms = [now_ms - record.at_ms for record in settled.played if record.by == "clock"]
    if late_ms:
        once_committed(tx, lambda: counted.count_late(late_ms))
