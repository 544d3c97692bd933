"""While nobody could serve no clock ran: what was running moves by the gap, once, and before anything is settled."""

import json
from pathlib import Path
from typing import Any

import pytest

from ginapi import scheduler
from ginapi.game.moves import Draw
from ginapi.service import serving, settling
from ginapi.service.house import House
from ginapi.store import schema, tables
from ginapi.store.database import Database
from ginapi.tables.table import play
from tests.api.caller import Api, Player
from tests.clock.clocked import FULL_MS, TERMS, Now, drawer
from tests.clock.gaps import AT_ONCE, BETWEEN, OVER, OVERDUE, RUNNING, STILL, clocks, five_tables, gaps_in, together
from tests.clock.stored import column, log_of, opened, records_of, seat
from tests.conftest import KINDS, Databases
from tests.served.playing import answered, connected
from tests.served.playing import opened as opened_over_http
from tests.served.server import Server
from tests.shares import FULL
from tests.tables.matches import NOW_MS


@pytest.mark.parametrize(("gap_ms", "moves"), [(1_000, 0), (5_000, 0), (5_001, 5_001), (60_000, 60_000)])
def test_a_gap_of_more_than_5_s_moves_what_was_running(house: House, now: Now, gap_ms: int, moves: int) -> None:
    five_tables(house.db)
    now.ms = 50_000
    serving.beat(house)
    before, log = clocks(house.db), {number: len(records_of(house.db, number)) for number in range(1, 6)}
    now.ms = 50_000 + gap_ms
    serving.beat(house)
    after = clocks(house.db)
    for number in (RUNNING, BETWEEN):
        assert after[number] == tuple(None if ms is None else ms + moves for ms in before[number])
        added = records_of(house.db, number)[log[number] :]
        assert [(one.event, one.at_ms - NOW_MS, json.loads(one.body)) for one in added] == (
            [("clock", 50_000 + gap_ms, {"moved_ms": moves})] if moves else []
        )
        assert column(house.db, "version")[number] == log[number] + len(added)
    for number in (OVERDUE, OVER, STILL):  # What was due before the gap is not moved; nor what is not due at all.
        assert after[number] == before[number]
        assert len(records_of(house.db, number)) == log[number]
    assert gaps_in(house.db) == ([(NOW_MS + 50_000, NOW_MS + 50_000 + gap_ms, 2)] if moves else [])


def test_a_gap_is_moved_by_once_also_when_several_start_at_once(database_url: str, now: Now) -> None:
    houses = [House(Database(database_url), now_ms=now) for _ in range(AT_ONCE)]
    five_tables(houses[0].db)
    now.ms = 50_000
    serving.beat(houses[0])
    before = clocks(houses[0].db)
    now.ms = 90_000
    together(lambda at: serving.beat(houses[at]))
    assert len(gaps_in(houses[0].db)) == 1
    assert clocks(houses[0].db)[RUNNING] == tuple(None if ms is None else ms + 40_000 for ms in before[RUNNING])
    assert [one.event for one in records_of(houses[0].db, RUNNING)].count("clock") == 1
    for each in houses:
        each.db.close()


def test_nothing_is_settled_before_the_clocks_are_moved(house: House, now: Now) -> None:
    five_tables(house.db)
    now.ms = 50_000
    serving.beat(house)
    now.ms = 500_000  # All that ran would long be due.
    before = log_of(house.db)
    assert scheduler.settle_due(house) == 0  # The scheduler alone settles nothing while nobody serves.
    assert log_of(house.db) == before
    scheduler.beat(house)
    assert clocks(house.db)[RUNNING][2] == 10_000 + FULL_MS + 450_000
    # What was due before the gap is played at its instant; the clock that follows stands still in the gap.
    assert scheduler.settle_due(house) == 1
    told = [(one.event, one.by, one.at_ms - NOW_MS) for one in records_of(house.db, OVERDUE)[1:]]
    assert told[0] == ("move", "clock", 20_500)
    assert told[-1] == ("clock", None, 500_000)


@pytest.mark.parametrize("how", ["on time", "off"])
def test_the_record_is_the_same_whether_it_was_settled_before_the_gap_or_after(
    house: House, now: Now, how: str
) -> None:
    """At 20.5 s a move is missed; nobody serves from 30 s to 130 s; the next is missed 100 s later than it would be."""
    seat(house.db, opened(1, terms=TERMS._replace(move_ms=20_000), choose=drawer))
    for now.ms in range(0, 31_000, 1_000):
        serving.beat(house)
        if how == "on time":
            scheduler.settle_due(house)
    now.ms = 130_000
    serving.beat(house)
    for now.ms in range(131_000, 150_000, 1_000):
        serving.beat(house)
    if how == "on time":
        scheduler.settle_due(house)
    else:
        settling.settle(house, opened(1).table.id)
    told = [(one.event, one.at_ms - NOW_MS) for one in records_of(house.db, 1) if one.event != "dealt"]
    assert told == [("move", 20_500), ("clock", 130_000), ("move", 141_000), ("move", 141_000), ("move", 141_000)]
    assert clocks(house.db)[1] == (161_000, None, 161_500)


def test_a_dead_scheduler_alone_gives_no_credit(house: House, now: Now) -> None:
    seat(house.db, opened(1, "coin", choose=drawer))
    for now.ms in range(0, 3 * FULL_MS, 1_000):
        serving.beat(house)
    assert gaps_in(house.db) == []
    settling.settle(house, opened(1).table.id)
    told = [one.at_ms - NOW_MS for one in records_of(house.db, 1) if one.by == "clock"]
    assert told == [FULL_MS, 2 * FULL_MS]


def test_where_nobody_ever_kept_the_pulse_what_is_due_is_settled(house: House, now: Now) -> None:
    seat(house.db, opened(1, "coin", choose=drawer))
    now.ms = FULL_MS
    assert scheduler.settle_due(house) == 1


def test_whoever_asks_after_a_gap_finds_the_clock_moved(fresh_api: Api) -> None:
    fresh_api.choose = drawer
    player = Player(fresh_api, clock={"move_ms": 10_000}, seed="gap")
    fresh_api.clock.now_ms = NOW_MS + 4_000
    serving.beat(fresh_api.house)
    before = player.see()
    fresh_api.clock.now_ms = NOW_MS + 64_000
    after = player.see()
    assert after.json["clock"]["remaining_ms"] == 6_000 == before.json["clock"]["remaining_ms"]
    assert after.headers["ETag"] != before.headers["ETag"]
    assert after.json["version"] == before.json["version"] == 0
    assert player.move("draw", source="stock")["played"][0]["by"] == "player"


def test_moves_meanwhile_lose_nothing_and_are_lost_by_nothing(database_url: str, now: Now) -> None:
    """A move is made in the same breath as the clocks are moved: each table's log counts on without a gap."""
    houses = [House(Database(database_url), now_ms=now, choose=drawer) for _ in range(AT_ONCE)]
    db = houses[0].db
    seat(db, *(opened(number, choose=drawer) for number in range(1, 41)))
    serving.beat(houses[0])
    made = []

    def work(at: int) -> None:
        if at == 0:
            serving.beat(houses[0])
            return
        for number in range(at, 41, AT_ONCE - 1):
            made.append(houses[at].db.transact(lambda tx, number=number: _draw(houses[at], tx, number)))

    now.ms = 60_000
    together(work)
    assert len(made) == 40
    for number in range(1, 41):
        records = records_of(db, number)
        assert [one.number for one in records] == list(range(1, len(records) + 1))
        # The clock that a move started as the gap ended did not run in it.
        assert [one.event for one in records] in (["dealt", "clock", "move"], ["dealt", "move"])
        assert column(db, "version")[number] == len(records)
        assert clocks(db)[number] == (60_000 + TERMS.move_ms, None, 60_000 + FULL_MS)
    for each in houses:
        each.db.close()


def _draw(house: House, tx: Any, number: int) -> None:
    found = tables.find_to_write(tx, opened(number).table.id)
    assert found is not None
    settling.save(tx, found.table, play(found.table, 0, Draw("stock"), house.now_ms(), drawer))


@pytest.mark.parametrize("kind", KINDS if FULL else ["postgresql"])
def test_a_server_that_was_killed_and_comes_back_gives_the_time_back(
    kind: str, make_database: Databases, tmp_path: Path
) -> None:
    url = make_database(kind, migrated=False)
    server = Server(tmp_path, {"WEB_CONCURRENCY": "3", "GINAPI_DATABASE_URL": url})
    db = Database(url)
    try:
        caller, hand = opened_over_http(server.url, clock={"move_ms": 4_000})
        with caller:
            server.kill()
            with db.write() as tx:  # As if it had been gone for a minute.
                pulses, rows = schema.pulses, schema.tables
                tx.execute(pulses.update().values(at_ms=pulses.c.at_ms - 60_000))
                tx.execute(
                    rows.update().values(
                        {name: rows.c[name] - 60_000 for name in ("deadline_ms", "due_ms", "changed_ms")}
                    )
                )
            number = int(hand["table_id"], 16)
            before, dealt_ms = clocks(db)[number][2], column(db, "changed_ms")[number]
            server.start()
            seen = answered(caller.get(f"/v1/hands/{hand['id']}"))
            assert seen["version"] == 0
            [gap] = gaps_in(db)
            assert 60_000 <= gap[1] - gap[0] < 75_000
            # The hand may have been dealt after the last pulse: its clock has not run in all of the gap then.
            assert clocks(db)[number][2] == before + gap[1] - max(gap[0], dealt_ms)
            assert 0 < seen["clock"]["remaining_ms"] <= 4_000
            assert answered(caller.get(f"/v1/tables/{hand['table_id']}"))["version"] == 2
            log = [json.loads(line) for line in server.log().splitlines() if line.startswith("{")]
            assert [line["gap_ms"] for line in log if line["message"] == "nobody served: clocks moved"] == [
                gap[1] - gap[0]
            ]
        with connected(server.url) as anybody:
            assert anybody.get("/healthz").status_code == 200
        assert server.stop() == 0
    finally:
        server.kill()
        db.close()
