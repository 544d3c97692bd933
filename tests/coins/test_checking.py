"""The ledger checked as the service runs: what a walk finds, in which steps, and that one walks for all."""

import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from ginapi import scheduler
from ginapi.service import checking
from ginapi.service.checking import STEP_EVERY_MS
from ginapi.service.house import House
from ginapi.service.watching import watched
from ginapi.store import ledger_checks
from ginapi.store.database import Database
from ginapi.store.ledger_checks import Walk
from tests.api.caller import BEGAN_MS, Api, Clock
from tests.coins.seated import Sitter
from tests.coins.test_audit import TAMPERINGS, original

__all__ = ["original"]

# What lies outside the accounts and their tables a walk does not see: that is for the audit.
BEYOND = {
    "an entry's balance",
    "a transfer's reason",
    "a transfer added",
    "an account paid twice",
    "a table won by the other",
    "a table's stake",
}


def stands(house: House) -> Walk:
    with house.db.read() as tx:
        return ledger_checks.stands(tx)


def walk(house: House, clock: Clock) -> int:
    """Walk to the end once; how many faults were found."""
    began_ms = clock.now_ms = clock.now_ms + STEP_EVERY_MS
    while (stands(house).whole_began_ms or 0) < began_ms:
        checking.check_next(house)
        clock.now_ms += STEP_EVERY_MS
    return watched(house).ledger_faults


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def kept(original: str, clock: Clock, tmp_path: Path) -> Iterator[House]:
    """A copy of the books to tamper with."""
    shutil.copy(original.removeprefix("sqlite:///"), tmp_path / "copy.db")
    house = House(Database(f"sqlite:///{tmp_path / 'copy.db'}"), now_ms=clock)
    yield house
    house.db.close()


def tamper(house: House, name: str) -> None:
    with house.db.write() as tx:
        for statement in TAMPERINGS[name]:
            tx.execute(text(statement))


def test_books_that_are_right_have_no_fault(fresh_api: Api) -> None:
    for _ in range(2):
        sitter = Sitter(fresh_api, stake=50)
        sitter.win()
        Sitter(fresh_api, sitter.token, 100).leave()
        Sitter(fresh_api, sitter.token, 250)
    assert walk(fresh_api.house, fresh_api.clock) == 0
    assert watched(fresh_api.house).ledger_age_ms == STEP_EVERY_MS


def test_it_finds_what_was_done_to_the_accounts_and_their_tables(
    kept: House, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    assert walk(kept, clock) == 0
    tamper(kept, "a balance")
    with caplog.at_level(logging.ERROR):
        assert walk(kept, clock) == 2
    told = [(one.getMessage(), one.__dict__["account_id"][:8]) for one in caplog.records]
    assert told == [("an account does not add up: see `ginapi audit`", "account:")] * 2


@pytest.mark.parametrize("name", sorted(set(TAMPERINGS) - BEYOND))
def test_a_tampering_is_found(kept: House, clock: Clock, name: str) -> None:
    tamper(kept, name)
    assert walk(kept, clock) > 0


def test_a_fault_is_shown_at_once_and_until_a_whole_walk_has_found_none(
    kept: House, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "ACCOUNTS_A_STEP", 1)
    assert walk(kept, clock) == 0
    with kept.db.write() as tx:
        first = "(SELECT min(id) FROM accounts)"
        tx.exec_driver_sql(f"UPDATE accounts SET balance_coins = balance_coins + 1 WHERE id = {first}")
    checking.check_next(kept)
    assert watched(kept).ledger_faults == 1
    with kept.db.write() as tx:
        tx.exec_driver_sql(f"UPDATE accounts SET balance_coins = balance_coins - 1 WHERE id = {first}")
    assert walk(kept, clock) == 0


def test_a_step_is_taken_by_one_and_no_more_often_than_it_is_to_be(
    kept: House, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "ACCOUNTS_A_STEP", 1)
    taken = []
    for after_ms in (0, 1, STEP_EVERY_MS - 1, STEP_EVERY_MS, STEP_EVERY_MS + 5_000, 2 * STEP_EVERY_MS):
        clock.now_ms = BEGAN_MS + after_ms
        scheduler.check_ledger(kept)
        taken.append(stands(kept).stepped_ms - BEGAN_MS)
    assert taken == [0, 0, 0, STEP_EVERY_MS, STEP_EVERY_MS, 2 * STEP_EVERY_MS]
    before = stands(kept)
    with kept.db.write() as tx:
        assert ledger_checks.move(tx, before, before._replace(stepped_ms=before.stepped_ms + 1))
        assert not ledger_checks.move(tx, before, before._replace(stepped_ms=before.stepped_ms + 2))


def test_the_first_step_of_all_is_taken_by_one(fresh_api: Api) -> None:
    house = fresh_api.house
    first = Walk("a", 1, 1, 0, None, None)
    for taken in (True, False):
        with house.db.write() as tx:
            assert ledger_checks.move(tx, Walk("", 0, 0, 0, None, None), first) is taken
    assert stands(house) == first


def test_whoever_has_walked_no_whole_way_says_so(kept: House) -> None:
    assert watched(kept).ledger_age_ms is None


def test_a_step_holds_up_nobody_who_writes(kept: House, monkeypatch: pytest.MonkeyPatch) -> None:
    step = ledger_checks.step

    def while_another_writes(reading: Connection, after: str, limit: int) -> ledger_checks.Step:
        with kept.db.write() as tx:
            tx.exec_driver_sql("UPDATE accounts SET refill_count = refill_count")
        return step(reading, after, limit)

    monkeypatch.setattr(ledger_checks, "step", while_another_writes)
    checking.check_next(kept)
    assert stands(kept).stepped_ms == BEGAN_MS
