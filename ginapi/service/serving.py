"""Whether anybody could serve: a pulse each second, and the gap where there was none, which nobody's clock pays for.

While no worker could serve for more than `GAP_MS`, no player could move. Running deadlines, and the instants of next
deals, move by that gap, or by what was left of it as they were set: once, and before anything is settled.
"""

import logging

from sqlalchemy import Connection

from ginapi.service.house import House
from ginapi.store import pulses

_log = logging.getLogger(__name__)

PULSE_EVERY_MS = 1_000
GAP_MS = 5_000


class Gap(Exception):
    """Nobody has been serving for a while, and the clocks do not know it yet."""


def refuse_gap(tx: Connection, now_ms: int) -> None:
    """Raise Gap where the last pulse is too long ago. Where none was ever made nobody keeps it, and all is well."""
    last_ms = pulses.last(tx)
    if last_ms is not None and now_ms - last_ms > GAP_MS:
        raise Gap


def beat(house: House) -> None:
    """Say that this process can serve; the first after a gap moves the clocks by it."""

    def work(tx: Connection) -> int | None:
        last_ms, database_ms = pulses.hold(tx)
        now_ms = house.at(database_ms)
        gap_ms = None if last_ms is None or now_ms - last_ms <= GAP_MS else now_ms - last_ms
        if gap_ms is not None:
            assert last_ms is not None
            pulses.move_clocks(tx, last_ms, now_ms)
        pulses.set_last(tx, now_ms)
        return gap_ms

    gap_ms = house.db.transact(work)
    if gap_ms is not None:
        _log.warning("nobody served: clocks moved", extra={"gap_ms": gap_ms})
