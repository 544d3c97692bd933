"""What the database says to whoever watches the service: what is late, who settles, and how the ledger was found."""

from typing import NamedTuple

from ginapi.service.house import House
from ginapi.store import ledger_checks, pulses, tables


class Watched(NamedTuple):
    """As it stands; ages in milliseconds, None where it has not come to that yet."""

    overdue_ms: int
    """How long the table is overdue that is so longest; 0 where none is."""
    heartbeat_age_ms: int | None
    """Since a scheduler last settled."""
    ledger_faults: int
    """Accounts and tables that do not add up: in the last whole walk over them, or in this one if there are more."""
    ledger_age_ms: int | None
    """Since the last whole walk began: every account that was there then has been looked at after that."""


def watched(house: House) -> Watched:
    """How it stands, in reads that cost the same however much is stored. Raises Busy or Unavailable."""
    with house.db.read() as tx:
        now_ms = house.now_in(tx)
        due_ms = tables.first_due_ms(tx)
        beat_ms = pulses.last(tx, pulses.SETTLING)
        walk = ledger_checks.stands(tx)
    return Watched(
        overdue_ms=0 if due_ms is None else max(0, now_ms - due_ms),
        heartbeat_age_ms=None if beat_ms is None else now_ms - beat_ms,
        ledger_faults=max(walk.fault_count, walk.whole_fault_count or 0),
        ledger_age_ms=None if walk.whole_began_ms is None else now_ms - walk.whole_began_ms,
    )
