"""A gap at tables between people: the rows that are moved, and the value that is flagged with it, come to the same."""

import pytest

from ginapi import scheduler
from ginapi.service import serving, settling
from ginapi.service.house import House
from ginapi.store import schema, tables
from ginapi.store.database import Database
from ginapi.tables import online
from ginapi.tables.clock import Gap
from ginapi.tables.records import Record
from ginapi.tables.table import flag, leave
from ginapi.tables.values import Outcome, Table
from tests.clock.clocked import ONLINE, Now, drawer, flagged_at_due
from tests.clock.stored import opened, records_of, seat
from tests.shares import numbers, share
from tests.tables.matches import NOW_MS

LATER_MS = 900_000
WAITING, RUNNING, BETWEEN, OFFERED = 1, 2, 3, 4


def four_tables(target: int) -> list[Outcome]:
    """One that waits, one whose hand runs, one between hands, one over with a rematch offered: each 0 to 60 s old."""
    terms = ONLINE._replace(move_ms=20_000)
    waiting = opened(WAITING, "waiting", terms=terms)
    running = opened(RUNNING, "online", NOW_MS + 3_000, terms, target=target)
    between = opened(BETWEEN, "staked", terms=terms, target=1_000)
    while between.table.dealt.hand.phase != "finished":
        between = _then(between, flagged_at_due(between.table, drawer))
    clock = between.table.clock
    assert clock is not None
    # The hand is long over: as if it had been played in no time.
    between = between._replace(
        table=between.table._replace(changed_ms=NOW_MS, clock=clock._replace(next_hand_at_ms=NOW_MS + 60_000))
    )
    offered = opened(OFFERED, "online", terms=terms)
    offered = _then(offered, leave(offered.table, 1, NOW_MS + 1_000))
    offered = _then(offered, online.offer_rematch(offered.table, 0, NOW_MS + 2_000))
    return [waiting, running, between, offered]


def _then(before: Outcome, after: Outcome) -> Outcome:
    return Outcome(after.table, before.records + after.records, before.finished + after.finished)


def flagged(table: Table, gap: Gap) -> list[tuple[int, str, int]]:
    """What the value comes to by itself, told of the gap where it has not seen it."""
    records: list[Record] = []
    while table.due_ms is not None and table.due_ms <= NOW_MS + LATER_MS:
        gaps = (gap,) if gap.began_ms >= table.changed_ms else ()
        outcome = flag(table, NOW_MS + LATER_MS, drawer, gaps)
        table, records = outcome.table, [*records, *outcome.records]
    return [(one.number, one.event, one.at_ms) for one in records]


@pytest.mark.parametrize("way", ["on time", "late"])
def test_rows_and_values_agree_on_what_a_gap_moves(way: str, database: Database) -> None:
    chance = numbers(f"gap between people, {way}")
    for _ in range(share(60, 4)):
        now = Now()
        house = House(database, now_ms=now, choose=drawer)
        _empty(database)
        outcomes = four_tables(chance.choice([1, 100]))
        seat(database, *outcomes)
        # None of the tables begins within the gap: of those `test_freeze` tells.
        began_ms, length_ms = chance.randrange(3_001, 90_000), chance.randrange(5_001, 700_000)
        _serve(house, now, range(0, began_ms, 1_000), way)
        now.ms = began_ms
        serving.beat(house)
        now.ms = began_ms + length_ms
        serving.beat(house)
        _serve(house, now, range(now.ms + 1, LATER_MS, 4_000), way)
        now.ms = LATER_MS
        serving.beat(house)
        gap = Gap(NOW_MS + began_ms, NOW_MS + began_ms + length_ms)
        for number, outcome in enumerate(outcomes, 1):
            settling.settle(house, outcome.table.id)
            stored = records_of(database, number)[len(outcome.records) :]
            found = [(one.number, one.event, one.at_ms) for one in stored]
            assert found == flagged(outcome.table, gap), (number, gap)
            with database.read() as tx:
                table = tables.find_table(tx, outcome.table.id)
            assert table is not None
            if number == WAITING:
                assert (table.ended, table.changed_ms) == ("closed", NOW_MS + 600_000)
            if number == OFFERED:
                assert found == [(outcome.table.version + 1, "table", NOW_MS + 62_000)]


def _serve(house: House, now: Now, moments: range, way: str) -> None:
    for now.ms in moments:
        serving.beat(house)
        if way == "on time":
            scheduler.settle_due(house)


def _empty(database: Database) -> None:
    with database.write() as tx:
        for table in reversed(schema.metadata.sorted_tables):
            tx.execute(table.delete())
