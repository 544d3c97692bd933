"""What one process hands out: without a statement while any is in hand, to many at once, and without a database."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import event, func, select

from ginapi.limits import Limit
from ginapi.service.house import House
from ginapi.service.limiting import Limiting
from ginapi.store import schema
from ginapi.store.database import Database
from ginapi.store.faults import Busy

ANA, BO = b"a" * 32, b"b" * 32
NOW_MS = 1_790_000_000_000
Made = Callable[..., Limiting]


@pytest.fixture
def made(database: Database) -> Iterator[Made]:
    """Makes the limits of one worker of four; the time stands still."""

    def make(quota: int, **given: Any) -> Limiting:
        house = House(database, now_ms=lambda: NOW_MS)
        return Limiting(house, [Limit("requests", quota, 60_000, "caller", "")], workers=4, **given)

    yield make


def sent_by(database: Database, work: Callable[[], object]) -> list[str]:
    """The statements that `work` sends, besides BEGIN and COMMIT."""
    with database.read() as tx:
        engine = tx.engine
    sent: list[str] = []

    def note(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        sent.append(statement.split()[0])

    event.listen(engine, "before_cursor_execute", note)
    work()
    event.remove(engine, "before_cursor_execute", note)
    return sent


def rows(database: Database) -> int:
    with database.read() as tx:
        return tx.execute(select(func.count()).select_from(schema.limits)).scalar_one()


def test_nothing_is_sent_while_any_is_in_hand(database: Database, made: Made) -> None:
    limiting = made(4_000)  # 10 in advance, 20 at a time

    def ask(times: int) -> list[str]:
        return sent_by(database, lambda: [limiting.take("requests", ANA) for _ in range(times)])

    assert ask(10) == []
    assert rows(database) == 0
    assert ask(1) == ["INSERT", "DELETE"], "the first of a window makes room for itself"
    assert ask(19) == []
    assert ask(1) == ["INSERT"]
    assert rows(database) == 1
    with database.read() as tx:
        assert tx.execute(select(schema.limits.c.taken)).scalar_one() == 50
    while limiting.take("requests", ANA):
        pass
    assert ask(100) == []
    assert limiting.left("requests", ANA) == (0, 60_000)
    assert limiting.left("requests", BO) == (4_000, 60_000)


def test_many_at_once_get_just_what_there_is(made: Made) -> None:
    limiting = made(100)
    gate = threading.Barrier(12)
    taken: list[int] = []

    def work() -> None:
        gate.wait(60)
        taken.append(sum(limiting.take("requests", ANA) for _ in range(20)))

    threads = [threading.Thread(target=work) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(taken) == 100


def test_two_processes_share_one_quota(made: Made) -> None:
    one, other = made(1_000), made(1_000)
    taken = sum(one.take("requests", ANA) + other.take("requests", ANA) for _ in range(700))
    assert 950 <= taken <= 1_050
    assert not one.take("requests", ANA) and not other.take("requests", ANA)


def test_without_its_database_nobody_is_turned_away(
    database: Database, made: Made, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    limiting = made(1_000)

    def fail(*asked: object) -> None:
        raise Busy("The database did not grant a lock in time.")

    with monkeypatch.context() as patched:
        patched.setattr(Database, "transact", fail)
        assert all(limiting.take("requests", ANA) for _ in range(1_500))
    assert 0 < len(caplog.records) <= 1_500 / 5, "not each of them tries again"
    taken = sum(limiting.take("requests", ANA) for _ in range(100))
    assert taken < 10, "what was handed out meanwhile is owed"


def test_a_process_keeps_so_many_and_the_longest_unasked_goes_first(made: Made) -> None:
    limiting = made(4, kept=3)
    for caller in (ANA, BO, ANA, b"c" * 32, b"d" * 32):
        assert limiting.take("requests", caller)
    assert limiting.left("requests", ANA) == (2, 60_000)
    assert limiting.left("requests", BO) == (4, 60_000), "forgotten here"
    assert limiting.take("requests", BO)
    assert limiting.left("requests", BO) == (2, 60_000), "but kept in its row"


def test_nothing_is_kept_of_one_who_turned_out_to_be_nobody(database: Database, made: Made) -> None:
    limiting = made(4_000)
    limiting.take("requests", ANA)
    limiting.give_up("requests", ANA)
    limiting.give_up("requests", BO)
    assert limiting.left("requests", ANA) == (4_000, 60_000)
    assert rows(database) == 0
