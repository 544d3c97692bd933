"""The record of a table is the same, byte for byte and times included, whoever settled it and whenever (R23)."""

import hashlib
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import orjson
import pytest
from sqlalchemy import func, select

from ginapi import scheduler
from ginapi.game.moves import Move
from ginapi.service import hands, rematches, tables
from ginapi.service.asking import Answer, Ask
from ginapi.service.house import House
from ginapi.store import schema
from ginapi.store.database import Database
from ginapi.tables.clock import ClockTerms
from ginapi.tables.values import Outcome, Table
from tests.clock.stored import log_of, opened, seat, table_id, token_of
from tests.conftest import KINDS, Databases
from tests.shares import SEED, numbers, share
from tests.tables.matches import NOW_MS

HOUR_MS = 3_600_000
TERMS = [ClockTerms(90_000, 500, 667, 10_000), ClockTerms(5_000, 500, 667, 10_000), ClockTerms(20_000, 0, 100, 0)]
WAYS = ("off", "on", "late", "five at once")

KINDS_OF_TABLE = ("coin", "practice", "online", "staked", "waiting")
BETWEEN_PEOPLE = ("online", "staked", "waiting")

Visit = tuple[int, int, int]
"""When somebody comes to a table: the time, the table's number, and a number by which it chooses what to do."""


class Now:
    """The time of every house in a test, and what it draws then: the same however often a transaction is tried."""

    def __init__(self) -> None:
        self.ms = NOW_MS
        self.visited = 0

    def __call__(self) -> int:
        return self.ms

    def random_hex(self, count: int) -> str:
        return hashlib.shake_256(f"{self.ms}|{self.visited}|{count}".encode()).hexdigest(count)


class Evening:
    """Random tables, and when their people come to them."""

    def __init__(self, count: int) -> None:
        chance = numbers("the same record")
        self.opened: list[Outcome] = []
        self.visits: list[Visit] = []
        for number in range(1, count + 1):
            terms = chance.choice(TERMS)
            opened_ms = NOW_MS + chance.randrange(60_000)
            # Each kind in turn, so that every evening has all of them.
            kind = KINDS_OF_TABLE[number % len(KINDS_OF_TABLE)]
            self.opened.append(opened(number, kind, opened_ms, terms, target=chance.choice([1, 50, 100])))
            at_ms = opened_ms
            for _ in range(chance.choice([0, 2, 10, 40])):
                at_ms += chance.choice([1, 700, 3_000, 20_000, 3 * terms.move_ms])
                self.visits.append((at_ms, number, chance.getrandbits(30)))
        self.visits.sort()
        self.until_ms = NOW_MS + 3 * HOUR_MS

    def passed(self, url: str, way: str) -> dict[str, list[tuple[Any, ...]]]:
        """What the database holds after it, settled in one of the ways."""
        now = Now()
        house = House(Database(url), now_ms=now, random_hex=now.random_hex)
        seat(house.db, *self.opened)
        chance = random.Random(f"{SEED}/{way}")
        with five_schedulers(url, now, way == "five at once"):
            for at_ms, number, chosen in self.visits:
                pass_time(house, now, at_ms, way, chance)
                now.visited = number
                visit(house, number, random.Random(chosen))
            pass_time(house, now, self.until_ms, way, chance)
            for outcome in self.opened:  # One late read of each, and of those that it was played on at.
                newest(house, token_of(int(outcome.table.id, 16)), outcome.table.id)
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


def newest(house: House, token: str, table_id: str) -> Table:
    """The table, or the one where both play on; all on the way are looked at."""
    table = tables.see(house, token, table_id).table
    return table if table.rematch_table_id is None else newest(house, token, table.rematch_table_id)


def visit(house: House, number: int, chance: random.Random) -> None:
    """Look at the table, and do something there that its state then allows, or leave it alone."""
    kind = KINDS_OF_TABLE[number % len(KINDS_OF_TABLE)]
    if kind in BETWEEN_PEOPLE and chance.random() < 0.3:
        tables.see(house, None, table_id(number))  # An onlooker.
    seat = chance.randrange(2) if kind in ("online", "staked") else 0
    token = token_of(number, seat)
    table = newest(house, token, table_id(number))
    ask = Ask(token, "POST", "", {})
    if kind in BETWEEN_PEOPLE and table.status != "finished" and chance.random() < 0.03:
        tables.leave(house, ask, table.id, lambda: None, lambda seen: Answer(200, {}))
    elif table.status == "finished":
        if kind in ("online", "staked") and chance.random() < 0.5:
            rematches.ask_for(house, ask, table.id, lambda: None, lambda tx, seated, is_new: Answer(201, {}))
    elif table.status == "playing":
        play_there(house, ask, table.dealt.id, chance)


def play_there(house: House, ask: Ask, hand_id: str, chance: random.Random) -> None:
    """Make a move, or ask for the next hand."""
    seen = hands.see(house, ask.token, hand_id)
    if seen.view.phase == "finished":
        if chance.random() < 0.5:
            tables.deal_next(house, ask, seen.table_id, lambda: None, lambda seen, played: Answer(201, {}))
    elif seen.legal_moves:
        move: Move = chance.choice(seen.legal_moves)
        hands.move(house, ask, seen.hand_id, lambda: move, None, lambda seen, played: Answer(200, {}))


@pytest.fixture(scope="module")
def evening() -> Evening:
    return Evening(share(200, 20))


@pytest.fixture(scope="module")
def settled_late(evening: Evening, make_database: Databases) -> dict[str, list[tuple[Any, ...]]]:
    """With the scheduler off, on SQLite: what all others are held against."""
    url = make_database("sqlite")
    found = evening.passed(url, "off")
    make_database.drop(url)
    assert len(found["tables"]) >= len(evening.opened)
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
    records = settled_late["records"]
    by = [row[6] for row in records]
    assert min(by.count(one) for one in ("clock", "computer", "player")) >= 20
    assert {row[2] for row in records} == {"dealt", "move", "result", "seat", "table"}
    assert {seat for _, _, event, *_, seat, by in (row[:7] for row in records) if by == "clock"} == {0, 1}
    said = [orjson.loads(row[9]) for row in records if row[2] == "table"]
    assert {one["ended"] for one in said if one.get("status") == "finished"} >= {"target", "closed"}
