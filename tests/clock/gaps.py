"""Tables of every kind under a clock, their clocks, and the gaps that were given back."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ginapi.game.moves import Draw
from ginapi.store import schema
from ginapi.store.database import Database
from ginapi.tables.table import play
from tests.clock.clocked import TERMS, drawer, drawn_card_of
from tests.clock.stored import column, opened, seat
from tests.tables.matches import NOW_MS

SERVED = ("deadline_ms", "next_hand_at_ms", "due_ms")
AT_ONCE = 5
RUNNING, BETWEEN, OVERDUE, OVER, STILL = 1, 2, 3, 4, 5


def clocks(db: Database) -> dict[int, tuple[int | None, ...]]:
    """Deadline, next deal and due time of each table, since the opening."""
    columns = [column(db, name) for name in SERVED]
    return {
        number: tuple(None if one[number] is None else one[number] - NOW_MS for one in columns) for number in columns[0]
    }


def gaps_in(db: Database) -> list[tuple[Any, ...]]:
    with db.read() as tx:
        return [tuple(row) for row in tx.execute(schema.gaps.select())]


def five_tables(db: Database) -> None:
    """One whose hand runs, one between hands, one that is overdue at second 50, one that is over, one with no clock."""
    running = opened(RUNNING, "coin", now_ms=NOW_MS + 10_000, choose=drawer)
    between = opened(BETWEEN, "coin", choose=drawer)
    table = between.table
    at_ms, records, finished = NOW_MS, between.records, between.finished
    while table.dealt.hand.phase != "finished":
        at_ms += 1_000
        move = drawn_card_of(table) if table.dealt.hand.phase == "discard" else Draw("stock")
        outcome = play(table, 0, move, at_ms, drawer)
        table, records, finished = outcome.table, records + outcome.records, finished + outcome.finished
    table = table._replace(clock=table.clock._replace(next_hand_at_ms=NOW_MS + 60_000))
    overdue = opened(OVERDUE, "coin", terms=TERMS._replace(move_ms=20_000), choose=drawer)
    over = opened(OVER, terms=TERMS._replace(move_ms=500), choose=drawer)
    still = opened(STILL, terms=None)
    seat(db, running, between._replace(table=table, records=records, finished=finished), overdue, over, still)
    with db.write() as tx:
        rows = schema.tables
        tx.execute(
            rows.update().where(rows.c.id == over.table.id).values(status="finished", due_ms=None, deadline_ms=None)
        )


def together(work: Callable[[int], None]) -> None:
    """Do `work(0)`, `work(1)` and so on at once, each in a thread; whatever one raises is raised."""
    gate = threading.Barrier(AT_ONCE)

    def run(at: int) -> None:
        gate.wait(10)
        work(at)

    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(run, range(AT_ONCE)))
