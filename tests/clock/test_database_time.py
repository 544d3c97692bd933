"""On PostgreSQL the time that comes with a row is told after the row is held: a move that waited is not punctual."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Connection, text

from ginapi.service import house, settling, wallets
from ginapi.service.house import House
from ginapi.store import clock, pulses, tables, tokens
from ginapi.store.database import Database
from tests.clock.stored import opened, seat, table_id, token_of
from tests.conftest import Databases

HELD_MS = 120
TOLD = text("SELECT floor(extract(epoch from clock_timestamp()) * 1000)::bigint")


@pytest.fixture
def db(make_database: Databases) -> Iterator[Database]:
    url = make_database("postgresql")
    made = Database(url)
    seat(made, opened(1))
    with made.write() as tx:
        pulses.set_last(tx, 1)
    yield made
    made.close()
    make_database.drop(url)


def told_after_a_wait(
    db: Database, hold: str, ask: Callable[[Connection], Any], changes: str | None
) -> tuple[Any, int]:
    """What `ask` answers once the row that another holds is let go, and when that was."""

    def asked() -> Any:
        with db.write() as tx:
            return ask(tx)

    with ThreadPoolExecutor(1) as threads:
        with db.write() as holder:
            holder.execute(text(hold))
            if changes:
                holder.execute(text(changes))
            waiting = threads.submit(asked)
            until_waiting(db)
            holder.execute(text(f"SELECT pg_sleep({HELD_MS / 1000})"))
            released_ms = int(holder.execute(TOLD).scalar_one())
        return waiting.result(10), released_ms


def until_waiting(db: Database) -> None:
    """Return once a connection waits for a lock."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        with db.read() as tx:
            if tx.execute(text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).scalar_one():
                return
    raise AssertionError("nobody waited")


def find_to_write(tx: Connection) -> int | None:
    found = tables.find_to_write(tx, table_id(1))
    assert found is not None
    return found.now_ms


def find_seated(tx: Connection) -> int | None:
    found = tables.find_seated(tx, tokens.hash_of(token_of(1)), table_id(1), to_write=True)
    assert found is not None
    return found.now_ms


def pulse(tx: Connection) -> int | None:
    return pulses.hold(tx)[1]


TABLE_HELD = "SELECT id FROM tables FOR UPDATE"
CHANGED = "UPDATE tables SET attempts = attempts + 1"


@pytest.mark.parametrize("changes", [None, CHANGED], ids=["only held", "changed too"])
@pytest.mark.parametrize(
    ("hold", "ask"),
    [(TABLE_HELD, find_to_write), (TABLE_HELD, find_seated), ("SELECT name FROM pulses FOR UPDATE", pulse)],
    ids=["find_to_write", "find_seated", "hold"],
)
def test_the_time_is_told_after_the_lock_was_granted(
    db: Database, hold: str, ask: Callable[[Connection], int | None], changes: str | None
) -> None:
    told_ms, released_ms = told_after_a_wait(db, hold, ask, changes)
    assert told_ms is not None
    assert told_ms >= released_ms


def test_in_one_plain_select_it_would_be_told_before(db: Database) -> None:
    """Why the row is held in a part of the statement that comes first."""
    plain = text("SELECT floor(extract(epoch from clock_timestamp()) * 1000)::bigint FROM tables FOR NO KEY UPDATE")
    told_ms, released_ms = told_after_a_wait(db, TABLE_HELD, lambda tx: int(tx.execute(plain).scalar_one()), None)
    assert told_ms <= released_ms - HELD_MS


def test_whoever_claims_what_is_due_passes_over_what_another_holds(db: Database) -> None:
    with db.write() as holder:
        holder.execute(text("UPDATE tables SET due_ms = 1"))
    with db.write() as holder:
        holder.execute(text(TABLE_HELD))
        with db.write() as tx:
            assert tables.find_due(tx, None) is None
            now_ms = int(tx.execute(TOLD).scalar_one())
    with db.write() as tx:
        found = tables.find_due(tx, None)
        assert found is not None and found.now_ms is not None and found.now_ms >= now_ms


def test_a_host_whose_clock_is_ahead_judges_by_the_database_what_is_overdue_at_an_accounts_tables(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its own it would have a table settled that is not due, and ask again, until it is."""
    with db.read() as tx:
        now_ms = clock.now_ms(tx)
    assert now_ms is not None
    seat(db, opened(2, "coin", now_ms=now_ms))
    monkeypatch.setattr(house, "time", SimpleNamespace(time_ns=lambda: (now_ms + 3_600_000) * 1_000_000))
    monkeypatch.setattr(settling, "settle", lambda *_: pytest.fail("Nothing is due."))
    assert wallets.see(House(db), token_of(2)) == wallets.Wallet(945, 55)
