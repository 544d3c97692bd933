"""Whether the service can play: its database answers, at the schema that is needed, and somebody settles what is due.

That a scheduler runs proves nothing: its thread may have died, or be held up. So each leaves a heartbeat once it has
settled, and the table that is overdue longest is looked at.
"""

from typing import NamedTuple

from sqlalchemy import Connection

from ginapi.service.house import House
from ginapi.store import pulses, tables
from ginapi.store.faults import Busy, Unavailable
from ginapi.store.migrate import schema_fault

HEARTBEAT_EVERY_MS = 5_000
SILENT_MS = 30_000
"""After so long without a heartbeat no scheduler settles: one that is restarted is back before."""
LATE_MS = 120_000
"""A scheduler that lives and leaves a table for so long does not settle either; one with much to do is not so late."""

OK = "ok"
OFF = "off"
UNKNOWN = "unknown"


class Heart:
    """The heartbeat of a process that settles: written down now and then, however often it is told to beat."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._last_ms: int | None = None

    def beat(self) -> None:
        """Say that what was due has been looked at."""
        now_ms = self._house.now_ms()
        # Either way: a clock that was set back must not silence it.
        if self._last_ms is not None and abs(now_ms - self._last_ms) < HEARTBEAT_EVERY_MS:
            return
        with self._house.db.write() as tx:
            pulses.set_last(tx, self._house.now_in(tx), pulses.SETTLING)
        self._last_ms = now_ms


class Checks(NamedTuple):
    """What was looked at, each `ok`, `off` (nobody's duty), `unknown` (not to be found out), or a sentence."""

    database: str
    schema: str
    scheduler: str

    @property
    def faults(self) -> tuple[str, ...]:
        return tuple(told for told in self if told not in (OK, OFF, UNKNOWN))


def check(house: House, *, settles: bool, up_ms: int) -> Checks:
    """How it stands. `settles` says whether a scheduler is to run here.

    `up_ms` is how long whoever asks has been up, whatever the clock says: for what may take a while it waits that while
    itself.
    """
    try:
        behind = schema_fault(house.db)
        if behind is not None:
            return Checks(OK, behind, UNKNOWN)
        if not settles:
            return Checks(OK, OK, OFF)
        with house.db.read() as tx:
            return Checks(OK, OK, _scheduler_fault(house, tx, up_ms) or OK)
    except (Busy, Unavailable) as error:
        return Checks(str(error), UNKNOWN, UNKNOWN)


def _scheduler_fault(house: House, tx: Connection, up_ms: int) -> str | None:
    now_ms = house.now_in(tx)
    silent_ms = min(now_ms - (pulses.last(tx, pulses.SETTLING) or 0), up_ms)
    if silent_ms > SILENT_MS:
        return f"No scheduler has settled anything for {silent_ms // 1000} s: is one running?"
    due_ms = tables.first_due_ms(tx)
    late_ms = 0 if due_ms is None else min(now_ms - due_ms, up_ms)
    if late_ms > LATE_MS:
        return f"A table has been overdue for {late_ms // 1000} s: the scheduler does not keep up, or does not work."
    return None
