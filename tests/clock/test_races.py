"""A move against its deadline, between real processes and over real time: one winner each, and nothing lost."""

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import select

from ginapi.service.house import wall_clock_ms
from ginapi.store import schema
from ginapi.store.database import Database
from ginapi.tables.clock import ClockTerms
from tests.clock.stored import opened, seat
from tests.served.scheduling import is_up, start_scheduler
from tests.served.server import environment
from tests.shares import numbers, share
from tests.waiting import wait_until

WITHIN_MS = 50
RACERS, SCHEDULERS = 2, 2
AT_ONCE = 60
"""Races of one batch, at as many tables."""
APART_MS = 20
# So long that nothing else falls due meanwhile: the tables are opened so long ago that the first move is due now.
TERMS = ClockTerms(600_000, 20, 667, 10_000)

Told = dict[str, Any]


class Racers:
    """Processes that move when they are told to."""

    def __init__(self, url: str) -> None:
        program = [sys.executable, "-m", "tests.clock.racing", url]
        self._processes = [
            subprocess.Popen(
                program, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
            for _ in range(RACERS)
        ]
        for process in self._processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"

    def run(self, races: list[tuple[int, int, bool]]) -> list[Told]:
        """How these races went; each process runs its share of them, one after the other."""
        told: list[Told] = []
        for at, process in enumerate(self._processes):
            assert process.stdin is not None
            process.stdin.write(json.dumps(races[at::RACERS]) + "\n")
            process.stdin.flush()
        for process in self._processes:
            assert process.stdout is not None
            for line in iter(process.stdout.readline, "done\n"):
                assert line, "a racer has ended"
                told.append(json.loads(line))
        return told

    def close(self) -> None:
        for process in self._processes:
            process.communicate(timeout=30)
            assert process.returncode == 0


@contextmanager
def schedulers(url: str, folder: Path) -> Iterator[None]:
    """Schedulers of their own processes on one database."""
    running = [start_scheduler(url, folder / f"scheduler-{at}.log") for at in range(SCHEDULERS)]
    try:
        for process in running:
            wait_until(lambda process=process: is_up(process.pid))
        yield
    finally:
        for process in running:
            process.terminate()
        statuses = [process.wait(120) for process in running]
    assert statuses == [0] * SCHEDULERS
    logs = [(folder / f"scheduler-{at}.log").read_text() for at in range(SCHEDULERS)]
    assert not any("Traceback" in log for log in logs), logs


def test_r23_of_a_move_and_its_deadline_one_wins(database_url: str, tmp_path: Path) -> None:
    chance, wanted = numbers("deadline races"), share(10_000, 150)
    codes: Counter[str] = Counter()
    with (
        closing(Database(database_url)) as db,
        closing(Racers(database_url)) as racers,
        schedulers(database_url, tmp_path),
    ):
        for batch in range(4 * wanted // AT_ONCE + 4):
            told, due = one_batch(db, racers, chance, batch)
            time.sleep(max(0.0, (max(due.values()) + 200 - wall_clock_ms()) / 1000))
            check(db, told, due)
            # A busy machine lets a racer come late; those races are held to the rules too, and not counted.
            codes.update(one["code"] for one in told if abs(one["sent_ms"] - due[one["number"]]) <= WITHIN_MS + 5)
            if codes.total() >= wanted:
                break
    assert codes.keys() == {"made", "too_late"}
    assert codes.total() >= wanted, codes
    assert min(codes.values()) > wanted / 20, codes


def one_batch(db: Database, racers: Racers, chance: random.Random, batch: int) -> tuple[list[Told], dict[int, int]]:
    """How the races at some new tables went, and when each table's first move was due."""
    first = batch * AT_ONCE + 1
    began_ms = wall_clock_ms() + 150
    tables = [
        opened(first + at, now_ms=began_ms + at * APART_MS - TERMS.move_ms - TERMS.grace_ms + 100, terms=TERMS)
        for at in range(AT_ONCE)
    ]
    due: dict[int, int] = {}
    for at, outcome in enumerate(tables):
        assert outcome.table.due_ms is not None
        due[first + at] = outcome.table.due_ms
    seat(db, *tables)
    races = [
        (number, at_ms + chance.randint(-WITHIN_MS, WITHIN_MS), chance.random() < 0.5) for number, at_ms in due.items()
    ]
    return racers.run(sorted(races, key=lambda one: one[1])), due


def check(db: Database, told: list[Told], due: dict[int, int]) -> None:
    """Hold what the racers were told against what is recorded."""
    with db.read() as tx:
        records = schema.records
        rows = tx.execute(
            select(records)
            .where(records.c.table_id.in_([f"{number:020x}" for number in due]))
            .order_by(records.c.table_id, records.c.number)
        )
        logs: dict[int, list[Any]] = {}
        for row in rows:
            logs.setdefault(int(row.table_id, 16), []).append(row)
    assert len(told) == len(due)
    for one in told:
        log = logs[one["number"]]
        due_ms = due[one["number"]]
        assert [row.number for row in log] == list(range(1, len(log) + 1))
        moves = [row for row in log if row.event == "move"]
        assert [row.version for row in moves] == list(range(1, len(moves) + 1))
        first = moves[0]
        if one["code"] == "made":
            # The move stands where the answer said, before it was due; the clock's comes no earlier than its own due.
            assert (first.by, first.action, first.at_ms) == ("player", "draw", one["at_ms"]), one
            assert first.at_ms < due_ms
            assert [row.by for row in moves].count("player") == 1
        else:
            assert one["code"] == "too_late", one
            assert (first.by, first.at_ms) == ("clock", due_ms)
            assert one["done_ms"] >= due_ms
            assert "player" not in [row.by for row in moves]
            # The answer shows what was played.
            assert (one["version"], one["phase"], one["drawn"]) == (1, "discard", True)


def looks_before(db: Database, due: dict[int, int]) -> int:
    """Look at tables until all are due; how often one was seen that was not, and was untouched."""
    seen = 0
    while wall_clock_ms() < max(due.values()):
        with db.read() as tx:
            versions = list(tx.execute(select(schema.tables.c.id, schema.tables.c.version)))
        read_ms = wall_clock_ms()
        for table_id, version in versions:
            if read_ms < due.get(int(table_id, 16), 0):
                assert version == 1
                seen += 1
        time.sleep(0.003)
    return seen


def test_nobody_sees_a_move_before_it_is_due(database_url: str, tmp_path: Path) -> None:
    """A read that has ended before the due time sees the table untouched, however busily schedulers look."""
    seen, first = 0, 1
    with closing(Database(database_url)) as db, schedulers(database_url, tmp_path):
        while seen <= 100:  # On a machine that is busy most may be due before they are looked at.
            numbered = range(first, first + 50)
            now_ms = wall_clock_ms() + 300
            at_ms = {number: now_ms + (number - first) * 10 for number in numbered}
            seat(db, *(opened(at, now_ms=at_ms[at] - TERMS.move_ms, terms=TERMS) for at in numbered))
            seen += looks_before(db, {number: due_ms + TERMS.grace_ms for number, due_ms in at_ms.items()})
            first += 50
