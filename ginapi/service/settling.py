"""What is overdue at a table, settled and committed before anything is judged; and the coins that an end moves."""

import logging
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from ginapi.metrics.counted import count_unsettled
from ginapi.service import counting, serving, standing, telling
from ginapi.service.house import House
from ginapi.store import ledger, pulses, tables
from ginapi.store.faults import Busy, Unavailable
from ginapi.tables import coins
from ginapi.tables import table as at_table
from ginapi.tables.clock import Gap
from ginapi.tables.values import Outcome, Table

_log = logging.getLogger(__name__)
_Answer = TypeVar("_Answer")

PUT_OFF_MS = 1_000
"""For so long, and by as much longer after each further failure, a table that cannot be settled is left alone."""


class Overdue(Exception):
    """Something at the table has fallen due by itself: settle it first, then ask again."""

    def __init__(self, table_id: str) -> None:
        super().__init__(table_id)
        self.table_id = table_id


def is_overdue(table: Table, now_ms: int) -> bool:
    """Whether the table should have acted by itself by now."""
    due_ms = table.due_ms
    return due_ms is not None and due_ms <= now_ms


def refuse_overdue(tx: Connection, table: Table, now_ms: int) -> None:
    """Raise Overdue where the table should have acted by itself by now, or goes by a time that was set back since."""
    is_ahead = table.due_ms is not None and table.changed_ms - now_ms > serving.GAP_MS
    if is_overdue(table, now_ms) or (is_ahead and serving.is_gap(tx, now_ms)):
        raise Overdue(table.id)


def save(tx: Connection, before: Table, outcome: Outcome) -> None:
    """The table as a call has made it, and its records; where the match ended, it is counted, and its coins move.

    Whom to tell of it is written down with it.
    """
    tables.save(tx, outcome, before.version)
    counting.count_moves(tx, outcome)
    after = outcome.table
    if after.status == "finished" and before.status != "finished":
        # Before the coins, which may move for one of two accounts alone: both are held in the order of their ids.
        standing.count(tx, after)
        if after.stake:
            ledger.post(tx, at_table.settlement(after, purses(tx, after)), after.changed_ms, after.id)
    if after.told:
        telling.tell(tx, outcome)


def purses(tx: Connection, table: Table) -> tuple[str, str]:
    """Where the seats' coins come from and go to."""
    principals = {seat.seat: seat.principal for seat in tables.find_seats(tx, table.id)}
    return coins.purse_of(principals.get(0)), coins.purse_of(principals.get(1))


def until_settled(house: House, work: Callable[[], _Answer]) -> _Answer:
    """What `work` answers, once nothing that it looks at is overdue."""
    while True:
        try:
            return work()
        except Overdue as overdue:
            settle(house, overdue.table_id)


def settle(house: House, table_id: str) -> None:
    """Settle a table, a bounded number of moves in each transaction, until nothing at it is overdue."""
    more = True
    while more:
        try:
            more = house.db.transact(lambda tx: _settle_some(house, tx, table_id))
        except serving.ClocksBehind:
            serving.beat(house)  # Somebody asks, so somebody serves again.


def _settle_some(house: House, tx: Connection, table_id: str) -> bool:
    found = tables.find_to_write(tx, table_id)
    if found is None:
        return False
    now_ms = house.at(found.now_ms)
    serving.refuse_gap(tx, now_ms)
    return flag(house, tx, found.table, now_ms)


def flag(house: House, tx: Connection, table: Table, now_ms: int) -> bool:
    """Settle what is overdue at a table that is held; whether there is more."""
    outcome = at_table.flag(table, now_ms, house.choose, _gaps_at(tx, table, now_ms))
    if not outcome.records:
        return False
    save(tx, table, outcome)
    counting.count_late(tx, outcome, now_ms)
    return is_overdue(outcome.table, now_ms)


def _gaps_at(tx: Connection, table: Table, now_ms: int) -> tuple[Gap, ...]:
    """The gaps that a table which is so long overdue has not seen: those that ran were moved as each gap ended."""
    if table.due_ms is None or now_ms - table.due_ms <= serving.GAP_MS:
        return ()
    return pulses.gaps_since(tx, table.changed_ms)


def settle_next(house: House) -> bool:
    """Settle the table that is overdue longest, in one transaction; whether there was one.

    A table that cannot be settled is put off and logged, so that it keeps no other from it. Raises Busy or Unavailable
    where it is the database that could not: the table is then as good as any.
    """
    if house.db.is_sqlite:
        # A look that waits for nobody: on SQLite a claim would hold every writer up.
        with house.db.read() as tx:
            if not tables.is_any_due(tx, house.now_ms()):
                return False
    claimed: list[str] = []

    def work(tx: Connection) -> bool:
        found = tables.find_due(tx, house.now_ms() if house.db.is_sqlite else house.own_ms)
        if found is None:
            return False
        claimed.append(found.table.id)
        now_ms = house.at(found.now_ms)
        serving.refuse_gap(tx, now_ms)
        flag(house, tx, found.table, now_ms)
        return True

    try:
        return house.db.transact(work)
    except serving.ClocksBehind:
        return False
    except tables.Unreadable as error:
        _put_off(house, error.table_id, error)
        return True
    except (Busy, Unavailable):
        raise
    except Exception as error:
        if not claimed:
            raise
        _put_off(house, claimed[-1], error)
        return True


def _put_off(house: House, table_id: str, error: Exception) -> None:
    # The fault's name alone: what it says may be of the cards.
    _log.error("a table cannot be settled", extra={"table_id": table_id, "fault": type(error).__name__})
    count_unsettled()
    with house.db.write() as tx:
        tables.put_off(tx, table_id, house.now_in(tx), PUT_OFF_MS)
