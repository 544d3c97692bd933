"""The time set back or forward: what runs goes with it, once, before anything is settled, and never early."""

import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from ginapi import scheduler
from ginapi.service import house as houses
from ginapi.service import serving, settling, wallets
from ginapi.service.house import House
from ginapi.store import schema
from ginapi.store.database import Database
from tests.api.caller import Api, Player
from tests.clock.clocked import FULL_MS, TERMS, Now, drawer
from tests.clock.gaps import AT_ONCE, BETWEEN, OVER, OVERDUE, RUNNING, STILL, clocks, five_tables, gaps_in, together
from tests.clock.stored import column, log_of, opened, records_of, seat, table_id, token_of
from tests.conftest import Databases
from tests.shares import numbers, share
from tests.tables.matches import NOW_MS

HOUR_MS = 3_600_000


@pytest.mark.parametrize(
    ("back_ms", "moves"), [(1_000, 0), (5_000, 0), (5_001, 5_001), (60_000, 60_000), (HOUR_MS, HOUR_MS)]
)
def test_what_runs_goes_back_with_the_time(house: House, now: Now, back_ms: int, moves: int) -> None:
    five_tables(house.db)
    now.ms = 50_000
    serving.beat(house)
    before, log = clocks(house.db), {number: len(records_of(house.db, number)) for number in range(1, 6)}
    now.ms = 50_000 - back_ms
    serving.beat(house)
    serving.beat(house)
    after = clocks(house.db)
    for number in (RUNNING, BETWEEN, OVERDUE):  # What is overdue too: else it would wait as long again.
        assert after[number] == tuple(None if ms is None else ms - moves for ms in before[number])
        added = records_of(house.db, number)[log[number] :]
        at_ms = (20_500 if number == OVERDUE else 50_000) - back_ms  # Before what is played there at its own instant.
        assert [(one.event, one.at_ms - NOW_MS, json.loads(one.body)) for one in added] == (
            [("clock", at_ms, {"moved_ms": -moves})] if moves else []
        )
        assert column(house.db, "version")[number] == log[number] + len(added)
    for number in (OVER, STILL):
        assert after[number] == before[number]
        assert len(records_of(house.db, number)) == log[number]
    assert gaps_in(house.db) == []


def test_it_is_moved_by_once_also_when_several_see_it_at_once(database_url: str, now: Now) -> None:
    several = [House(Database(database_url), now_ms=now) for _ in range(AT_ONCE)]
    db = several[0].db
    five_tables(db)
    now.ms = 50_000
    serving.beat(several[0])
    before = clocks(db)
    now.ms -= HOUR_MS
    together(lambda at: serving.beat(several[at]))
    assert clocks(db)[RUNNING] == tuple(None if ms is None else ms - HOUR_MS for ms in before[RUNNING])
    assert [one.event for one in records_of(db, RUNNING)].count("clock") == 1
    for each in several:
        each.db.close()


@pytest.mark.parametrize("late_ms", [-4_900, 0, 4_900])
def test_a_clock_that_started_by_the_new_time_stays(house: House, now: Now, late_ms: int) -> None:
    """On PostgreSQL a table may be told a later time than the pulse that it is in the same breath with."""
    serving.beat(house)
    started_ms = late_ms - HOUR_MS
    seat(house.db, opened(1, now_ms=NOW_MS + started_ms, choose=drawer), opened(2, choose=drawer))
    now.ms = -HOUR_MS
    serving.beat(house)
    assert [clocks(house.db)[number][2] for number in (1, 2)] == [started_ms + FULL_MS, FULL_MS - HOUR_MS]


def test_who_moves_before_anybody_saw_that_the_time_was_set_back_gives_the_next_its_full_time(fresh_api: Api) -> None:
    fresh_api.choose = drawer
    player = Player(fresh_api, clock={"move_ms": 90_000}, seed="back")
    fresh_api.clock.now_ms += 80_000
    serving.beat(fresh_api.house)
    fresh_api.clock.now_ms -= HOUR_MS
    assert player.move("draw", source="stock")["clock"]["remaining_ms"] == 90_000
    serving.beat(fresh_api.house)
    assert player.see().json["clock"]["remaining_ms"] == 90_000


def test_a_table_that_waits_for_its_second_player_closes_when_it_would_have(house: House, now: Now) -> None:
    seat(house.db, opened(1, "waiting"))
    now.ms = 100_000
    serving.beat(house)
    now.ms -= HOUR_MS
    serving.beat(house)
    for now.ms in range(104_500 - HOUR_MS, 599_500 - HOUR_MS, 4_500):
        serving.beat(house)
    assert scheduler.settle_due(house) == 0
    now.ms = 600_000 - HOUR_MS
    assert scheduler.settle_due(house) == 1
    assert column(house.db, "ended")[1] == "closed"


def test_nothing_is_settled_before_the_clocks_have_gone_back(house: House, now: Now) -> None:
    five_tables(house.db)
    now.ms = 50_000
    serving.beat(house)
    now.ms = 30_000  # By the new time, too, one is overdue.
    before = log_of(house.db)
    assert scheduler.settle_due(house) == 0
    assert log_of(house.db) == before
    scheduler.beat(house)
    assert scheduler.settle_due(house) == 1
    told = [(one.event, one.by, one.at_ms - NOW_MS) for one in records_of(house.db, OVERDUE)[1:]]
    assert told[:2] == [("clock", None, 500), ("move", "clock", 500)]


def test_whoever_asks_first_finds_the_clock_set_back(house: House, now: Now) -> None:
    five_tables(house.db)
    now.ms = 50_000
    serving.beat(house)
    now.ms = 30_000
    settling.settle(house, table_id(OVERDUE))
    assert [one.event for one in records_of(house.db, RUNNING)] == ["dealt", "clock"]


def test_what_stood_still_in_a_gap_before_does_so_after_the_time_was_set_back(house: House, now: Now) -> None:
    """At 20.5 s a move is missed; nobody serves from 30 s to 130 s; the time goes back by an hour; none was settled."""
    seat(house.db, opened(1, terms=TERMS._replace(move_ms=20_000), choose=drawer))
    for now.ms in range(0, 31_000, 1_000):
        serving.beat(house)
    now.ms = 130_000
    serving.beat(house)
    now.ms = 130_000 - HOUR_MS
    serving.beat(house)
    for now.ms in range(131_000 - HOUR_MS, 150_000 - HOUR_MS, 1_000):
        serving.beat(house)
    settling.settle(house, table_id(1))
    told = [(one.event, one.at_ms - NOW_MS + HOUR_MS) for one in records_of(house.db, 1)[2:]]
    assert told == [("move", 20_500), ("clock", 130_000), ("move", 141_000), ("move", 141_000), ("move", 141_000)]


@pytest.mark.parametrize("way", ["on time", "late"])
def test_whatever_the_time_is_set_to_nobody_is_moved_for_early_or_never(way: str, database: Database) -> None:
    """In real time each missed move takes its full time, and at most the time between two pulses more each time."""
    chance = numbers(f"time set, {way}")
    for number in range(1, share(40, 2) + 1):
        now = Now()
        house = House(database, now_ms=now, choose=drawer)
        seat(database, opened(number, choose=drawer))
        set_at_ms = {chance.randrange(1_000, 270_000): chance.choice([-1, 1]) * HOUR_MS for _ in range(3)}
        offset_ms, seen, missed_at_ms = 0, 0, [0]
        for at_ms in range(0, 310_000, 500):
            offset_ms += sum(by_ms for when_ms, by_ms in set_at_ms.items() if at_ms - 500 < when_ms <= at_ms)
            now.ms = at_ms + offset_ms
            if at_ms % 1_000 == 0:
                serving.beat(house)
            if way == "on time":
                scheduler.settle_due(house)
            elif at_ms % 30_000 == 0:
                settling.settle(house, table_id(number))
            missed = sum(one.by == "clock" for one in records_of(database, number))
            if missed > seen:
                missed_at_ms += [at_ms] * (missed - seen)
                seen = missed
            if seen >= 3:
                break
        assert seen >= 3, set_at_ms
        took_ms = [after - before for before, after in pairwise(missed_at_ms[:4])]
        late_ms = 1_500 * len(set_at_ms) + (30_000 if way == "late" else 0)
        if way == "on time":
            assert all(FULL_MS <= each + 500 <= FULL_MS + late_ms + 1_000 for each in took_ms), (took_ms, set_at_ms)
        assert 3 * FULL_MS <= sum(took_ms) + 500 <= 3 * FULL_MS + late_ms + 1_000, (took_ms, set_at_ms)
        with database.write() as tx:
            for table in reversed(schema.metadata.sorted_tables):
                tx.execute(table.delete())


def test_a_database_whose_time_is_behind_the_process_is_the_one_that_is_asked(
    make_database: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the process's own time all would be overdue, and settling it would find nothing to settle, again and again."""
    db = Database(make_database("postgresql"))
    now_ms = houses.wall_clock_ms()
    house = House(db)
    seat(db, opened(1, "coin", now_ms=now_ms, choose=drawer))
    ahead_ns = (now_ms + HOUR_MS) * 1_000_000
    monkeypatch.setattr(houses.time, "time_ns", lambda: ahead_ns)
    monkeypatch.setattr(settling, "settle", lambda house, table_id: pytest.fail("nothing is overdue there"))
    assert wallets.see(house, token_of(1)).held == 55
    db.close()


def test_a_job_of_the_scheduler_does_not_wait_for_a_time_that_was_set_back(house: House) -> None:
    running = scheduler.start(house, settles=True, serves=True)
    try:
        running.pause()
        now = datetime.now(UTC)
        for job in running.get_jobs():
            job.modify(next_run_time=now + timedelta(hours=1))
        scheduler.bring_forward(running)
        assert all(job.next_run_time - now < timedelta(minutes=1) for job in running.get_jobs())
        held = {job.id: job.next_run_time for job in running.get_jobs()}
        scheduler.bring_forward(running)
        assert {job.id: job.next_run_time for job in running.get_jobs()} == held
    finally:
        running.shutdown()
