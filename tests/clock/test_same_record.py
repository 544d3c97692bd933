"""The record of a table is the same, byte for byte and times included, whoever settled it and whenever (R23)."""

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import func, select

from ginapi import scheduler
from ginapi.game.moves import Move
from ginapi.service import hands, tables
from ginapi.service.asking import Answer, Ask
from ginapi.service.house import House
from ginapi.store import schema
from ginapi.store.database import Database
from ginapi.tables.clock import ClockTerms
from ginapi.tables.table import Outcome
from tests.clock.stored import log_of, opened, seat, table_id, token_of
from tests.conftest import KINDS, Databases
from tests.shares import SEED, numbers, share
from tests.tables.matches import NOW_MS

HOUR_MS = 3_600_000
TERMS = [ClockTerms(90_000, 500, 667, 10_000), ClockTerms(5_000, 500, 667, 10_000), ClockTerms(20_000, 0, 100, 0)]
WAYS = ("off", "on", "late", "five at once")

Visit = tuple[int, int, int]
"""When somebody comes to a table: the time, the table's number, and a number by which it chooses what to do."""


class Now:
    """The time of every house in a test."""

    def __init__(self) -> None:
        self.ms = NOW_MS

    def __call__(self) -> int:
        return self.ms


class Evening:
    """Random tables, and when their people come to them."""

    def __init__(self, count: int) -> None:
        chance = numbers("the same record")
        self.opened: list[Outcome] = []
        self.visits: list[Visit] = []
        for number in range(1, count + 1):
            terms = chance.choice(TERMS)
            opened_ms = NOW_MS + chance.randrange(60_000)
            self.opened.append(
                opened(
                    number, chance.choice(["coin", "practice"]), opened_ms, terms, target=chance.choice([1, 50, 100])
                )
            )
            at_ms = opened_ms
            for _ in range(chance.choice([0, 2, 10, 40])):
                at_ms += chance.choice([1, 700, 3_000, 20_000, 3 * terms.move_ms])
                self.visits.append((at_ms, number, chance.getrandbits(30)))
        self.visits.sort()
        self.until_ms = NOW_MS + 3 * HOUR_MS

    def passed(self, url: str, way: str) -> dict[str, list[tuple[Any, ...]]]:
        """What the database holds after it, settled in one of the ways."""
        now = Now()
        house = House(Database(url), now_ms=now)
        seat(house.db, *self.opened)
        chance = random.Random(f"{SEED}/{way}")
        with five_schedulers(url, now, way == "five at once"):
            for at_ms, number, chosen in self.visits:
                pass_time(house, now, at_ms, way, chance)
                visit(house, number, random.Random(chosen))
            pass_time(house, now, self.until_ms, way, chance)
            for outcome in self.opened:  # One late read of each.
                hands.see(house, token_of(int(outcome.table.id, 16)), f"{outcome.table.id}-1")
        found = log_of(house.db)
        house.db.close()
        return found


def pass_time(house: House, now: Now, until_ms: int, way: str, chance: random.Random) -> None:
    """Let the time come, with a scheduler that looks at every due instant, now and then, or never."""
    if way == "on":
        while (due_ms := next_due_ms(house.db)) is not None and due_ms <= until_ms:
            now.ms = max(now.ms, due_ms)
            assert scheduler.settle_due(house)
    elif way == "late" and chance.random() < 0.2:
        now.ms = chance.randint(now.ms, max(now.ms, until_ms))
        scheduler.settle_due(house)
    now.ms = max(now.ms, until_ms)


@contextmanager
def five_schedulers(url: str, now: Now, wanted: bool) -> Iterator[None]:
    """Five schedulers on one database, each with its own connections, that look all the time."""
    over = threading.Event()

    def look() -> None:
        house = House(Database(url), now_ms=now)
        while not over.wait(0.002):
            scheduler.settle_due(house, over.is_set)
        house.db.close()

    threads = [threading.Thread(target=look) for _ in range(5 if wanted else 0)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def next_due_ms(db: Database) -> int | None:
    with db.read() as tx:
        due_ms: int | None = tx.execute(select(func.min(schema.tables.c.due_ms))).scalar_one()
        return due_ms


def visit(house: House, number: int, chance: random.Random) -> None:
    """Look at the table, and do something there that its state then allows, or leave it alone."""
    token, table = token_of(number), tables.see(house, token_of(number), table_id(number)).table
    if table.status == "finished":
        return
    seen = hands.see(house, token, table.dealt.id)
    if not seen.legal_moves:
        if chance.random() < 0.5:
            tables.deal_next(
                house, Ask(token, "POST", "", {}), table.id, lambda: None, lambda seen, played: Answer(201, {})
            )
        return
    move: Move = chance.choice(seen.legal_moves)
    hands.move(
        house, Ask(token, "POST", "", {}), seen.hand_id, lambda: move, None, lambda seen, played: Answer(200, {})
    )


@pytest.fixture(scope="module")
def evening() -> Evening:
    return Evening(share(200, 10))


@pytest.fixture(scope="module")
def settled_late(evening: Evening, make_database: Databases) -> dict[str, list[tuple[Any, ...]]]:
    """With the scheduler off, on SQLite: what all others are held against."""
    url = make_database("sqlite")
    found = evening.passed(url, "off")
    make_database.drop(url)
    assert len(found["tables"]) == len(evening.opened)
    return found


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_r23_the_record_is_the_same_whoever_settles_and_whenever(
    kind: str, way: str, evening: Evening, settled_late: dict[str, list[tuple[Any, ...]]], make_database: Databases
) -> None:
    url = make_database(kind)
    found = evening.passed(url, way)
    make_database.drop(url)
    for name, rows in settled_late.items():
        assert found[name] == rows, name
    assert {row[6] for row in found["records"]} >= {"clock", "computer"}


def test_the_scripts_reach_all_that_a_clock_does(
    evening: Evening, settled_late: dict[str, list[tuple[Any, ...]]]
) -> None:
    by = [row[6] for row in settled_late["records"]]
    assert min(by.count(one) for one in ("clock", "computer", "player")) >= 20
    assert {row[2] for row in settled_late["records"]} == {"dealt", "move", "result", "table"}
