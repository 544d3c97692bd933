"""Limits as rows: windows that begin, end and are forgotten, and many who take at once."""

import threading

from sqlalchemy import func, select

from ginapi.store import limits, schema
from ginapi.store.database import Database

ANA, BO = b"a" * 32, b"b" * 32
NOW_MS, WINDOW_MS = 1_790_000_000_000, 60_000


def take(database: Database, caller: bytes, count: int, now_ms: int, began_ms: int | None = None) -> tuple[int, int]:
    """Take some, of a window that begins now where nothing else is said."""
    with database.write() as tx:
        return limits.take(tx, caller, "requests", count, now_ms if began_ms is None else began_ms, WINDOW_MS, now_ms)


def test_a_window_goes_on_until_its_end_and_the_next_begins_where_it_is_said_to(database: Database) -> None:
    assert take(database, ANA, 5, NOW_MS) == (NOW_MS, 5)
    assert take(database, ANA, 7, NOW_MS + 10) == (NOW_MS, 12)
    assert take(database, BO, 1, NOW_MS + 20) == (NOW_MS + 20, 1)
    last_ms = NOW_MS + WINDOW_MS - 1
    assert take(database, ANA, 1, last_ms) == (NOW_MS, 13)
    assert take(database, ANA, 3, last_ms + 5, last_ms + 1) == (last_ms + 1, 3)
    assert take(database, ANA, 1, last_ms + 6) == (last_ms + 1, 4)


def test_each_limit_has_a_window_of_its_own(database: Database) -> None:
    take(database, ANA, 5, NOW_MS)
    with database.write() as tx:
        assert limits.take(tx, ANA, "openings", 1, NOW_MS + 1, WINDOW_MS, NOW_MS + 1) == (NOW_MS + 1, 1)


def test_a_host_whose_clock_is_ahead_shares_the_window_and_one_set_back_begins_another(database: Database) -> None:
    take(database, ANA, 5, NOW_MS)
    assert take(database, ANA, 5, NOW_MS - WINDOW_MS + 1) == (NOW_MS, 10)
    assert take(database, ANA, 5, NOW_MS - WINDOW_MS) == (NOW_MS - WINDOW_MS, 5)


def test_old_windows_are_forgotten_some_at_a_time_the_oldest_first(database: Database) -> None:
    for number in range(50):
        take(database, bytes([number]) * 32, 1, NOW_MS + number)
    kept = []
    for _ in range(4):
        with database.write() as tx:
            limits.forget(tx, NOW_MS + 45)
        with database.read() as tx:
            kept.append(tx.execute(select(func.count(), func.min(schema.limits.c.began_ms) - NOW_MS)).one())
    assert [tuple(one) for one in kept] == [(30, 20), (10, 40), (5, 45), (5, 45)]


def test_none_is_given_twice_to_many_who_take_at_once(database: Database) -> None:
    told: list[int] = []
    gate = threading.Barrier(8)

    def work() -> None:
        gate.wait(60)
        for _ in range(10):
            told.append(take(database, ANA, 3, NOW_MS)[1])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == list(range(3, 3 * 80 + 1, 3))
