"""What a scheduler does when it is the database that cannot: nothing is held against the table that it had claimed."""

import logging
from types import SimpleNamespace
from typing import Any

import pytest

from ginapi import scheduler
from ginapi.service import settling
from ginapi.service.house import House
from ginapi.store import accounts
from ginapi.store.database import Database
from ginapi.store.faults import Busy, Deadlock, Unavailable
from tests.clock.clocked import FULL_MS, drawer
from tests.clock.stored import column, opened, records_of, seat
from tests.conftest import Databases
from tests.tables.matches import NOW_MS

LATE_MS = NOW_MS + FULL_MS


@pytest.fixture
def house(database: Database) -> House:
    return House(database, now_ms=lambda: LATE_MS, choose=drawer)


@pytest.mark.parametrize("fault", [Busy("held"), Deadlock("each other"), Unavailable("away")], ids=repr)
def test_a_fault_of_the_database_after_a_table_was_claimed_is_not_the_tables(
    house: House, fault: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    seat(house.db, opened(1, choose=drawer))

    def fail(*arguments: Any) -> None:
        raise fault

    with monkeypatch.context() as patch:
        patch.setattr(settling, "save", fail)
        with pytest.raises(type(fault)):
            settling.settle_next(house)
        with caplog.at_level(logging.DEBUG):
            assert scheduler.settle_due(house) == 0
    told = [(one.levelname, one.getMessage(), one.__dict__["fault"]) for one in caplog.records]
    assert told == [("WARNING", "settling stopped", type(fault).__name__)]
    assert (column(house.db, "attempts"), column(house.db, "not_before_ms")) == ({1: 0}, {1: 0})
    # Nothing has to be waited for: it is settled as soon as the database can.
    assert scheduler.settle_due(house) == 1
    assert [one.at_ms for one in records_of(house.db, 1)] == [NOW_MS, LATE_MS]


def test_while_a_database_is_away_that_is_logged_now_and_then_and_at_once_when_it_is_again(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now_s = 1_000.0
    is_away = [True, True, True, True, False, True, True]
    told = []

    def settle_next(house: House) -> bool:
        if is_away.pop(0):
            raise Unavailable("away")
        return False

    monkeypatch.setattr(settling, "settle_next", settle_next)
    monkeypatch.setattr(scheduler, "time", SimpleNamespace(monotonic=lambda: now_s))
    for passed_s in (0.0, 0.05, 9.9, 0.06, 0.05, 0.05, 0.05):
        now_s += passed_s
        caplog.clear()
        scheduler.settle_due(house)
        told.append(len(caplog.records))
    assert told == [1, 0, 0, 1, 0, 1, 0]


def test_an_account_that_another_holds_is_waited_for_by_no_more_than_its_lock(make_database: Databases) -> None:
    """On PostgreSQL alone: on SQLite nobody holds a row while another writes."""
    url = make_database("postgresql")
    waiting = House(
        Database(f"{url}{'&' if '?' in url else '?'}options=-c%20lock_timeout%3D50"),
        now_ms=lambda: LATE_MS + 10_000_000,
    )
    seat(waiting.db, opened(1, "coin", target=1))
    holder = Database(url)
    try:
        with holder.write() as tx:
            assert accounts.find(tx, f"account:{1:032x}", to_change=True) is not None
            with pytest.raises(Busy):
                while settling.settle_next(waiting):  # Until the match ends, and coins move.
                    pass
        assert (column(holder, "attempts"), column(holder, "not_before_ms")) == ({1: 0}, {1: 0})
        assert scheduler.settle_due(waiting) > 0
        assert column(holder, "status") == {1: "finished"}
    finally:
        waiting.db.close()
        holder.close()
        make_database.drop(url)
