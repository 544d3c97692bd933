"""Whether anybody could serve: a pulse each second, and the gap where there was none, which nobody's clock pays for.

While no worker could serve for more than `GAP_MS`, no player could move. Running deadlines, and the instants of next
deals, move by that gap, or by what was left of it as they were set: once, and before anything is settled.

A clock that is set forward looks the same, and is treated so: nobody loses time by it. One that is set back by more
than `GAP_MS` takes deadlines and all else that waits back with it, or nothing would fall due for as long.
"""

import logging

from sqlalchemy import Connection

from ginapi.service.house import House
from ginapi.store import deliveries, pulses

_log = logging.getLogger(__name__)

PULSE_EVERY_MS = 1_000
GAP_MS = 5_000


class ClocksBehind(Exception):
    """Nobody has been serving for a while, or the clock was set, and the deadlines do not know it yet."""


def is_gap(tx: Connection, now_ms: int) -> bool:
    """Whether the last pulse is too far from now. Where none was ever made nobody keeps it, and all is well."""
    last_ms = pulses.last(tx)
    return last_ms is not None and abs(now_ms - last_ms) > GAP_MS


def refuse_gap(tx: Connection, now_ms: int) -> None:
    """Raise ClocksBehind where the deadlines have to be moved first."""
    if is_gap(tx, now_ms):
        raise ClocksBehind


def beat(house: House) -> None:
    """Say that this process can serve; the first after a gap, or after the clock was set, moves the deadlines by it."""

    def work(tx: Connection) -> int:
        last_ms, database_ms = pulses.hold(tx)
        now_ms = house.at(database_ms)
        passed_ms = 0 if last_ms is None else now_ms - last_ms
        if last_ms is not None and passed_ms > GAP_MS:
            pulses.move_clocks(tx, last_ms, now_ms)
        if last_ms is not None and passed_ms < -GAP_MS:
            pulses.set_clocks_back(tx, last_ms, now_ms, GAP_MS)
            deliveries.set_back(tx, now_ms, -passed_ms)
        pulses.set_last(tx, now_ms)
        return passed_ms

    passed_ms = house.db.transact(work)
    if passed_ms > GAP_MS:
        _log.warning("nobody served: clocks moved", extra={"gap_ms": passed_ms})
    if passed_ms < -GAP_MS:
        _log.warning("the clock was set back: deadlines too", extra={"back_ms": -passed_ms})
