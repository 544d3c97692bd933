"""The scheduler as it runs: never early, past what cannot be settled, in the process that it is told to run in."""

import logging
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from ginapi import scheduler
from ginapi.errors import Refused
from ginapi.service import tables
from ginapi.service.house import House, wall_clock_ms
from ginapi.store import schema
from ginapi.store.database import Database
from tests.clock.clocked import FULL_MS, Now, drawer
from tests.clock.spoiled import BROKEN, SECRET_CARD, spoil
from tests.clock.stored import column, opened, records_of, seat, table_id
from tests.conftest import KINDS, Databases
from tests.served.playing import opened as opened_over_http
from tests.served.scheduling import ended, is_up, start_scheduler
from tests.served.server import Server
from tests.shares import FULL, numbers, share
from tests.tables.matches import NOW_MS
from tests.waiting import wait_until


def share_of(whole: list[Any], part: list[Any]) -> list[Any]:
    """`whole` in a full run, else `part`."""
    return whole if FULL else part


def test_nothing_is_settled_a_millisecond_early_and_the_longest_overdue_goes_first(house: House, now: Now) -> None:
    seat(house.db, *(opened(number, now_ms=NOW_MS + number * 10, choose=drawer) for number in (3, 1, 2)))
    settled = []
    for now.ms in range(FULL_MS - 5, FULL_MS + 40):
        for _ in range(scheduler.settle_due(house)):
            settled.append(now.ms)
    assert settled == [FULL_MS + 10, FULL_MS + 20, FULL_MS + 30]
    now.ms = 10 * FULL_MS
    with house.db.read() as tx:
        before = len(list(tx.execute(select(schema.records))))
    assert scheduler.settle_due(house) >= 3
    with house.db.read() as tx:
        ends = list(tx.execute(select(schema.records.c.table_id).order_by(schema.records.c.at_ms)))
    assert len(ends) > before


def test_a_long_backlog_is_settled_some_records_a_transaction(house: House, now: Now) -> None:
    seat(house.db, opened(1, choose=drawer))
    now.ms = 10_000_000
    assert scheduler.settle_due(house) > 2
    assert column(house.db, "status")[1] == "finished"


@pytest.mark.parametrize("how", BROKEN)
def test_a_table_that_cannot_be_settled_is_put_off_and_keeps_no_other_from_it(
    house: House, now: Now, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    seat(house.db, *(opened(number, now_ms=NOW_MS + number, choose=drawer) for number in (1, 2, 3)))
    spoil(house.db, 1, how)
    now.ms = FULL_MS + 10
    with caplog.at_level(logging.DEBUG):
        assert scheduler.settle_due(house) == 3
    assert [len(records_of(house.db, number)) for number in (1, 2, 3)] == [1, 2, 2]
    told = [record for record in caplog.records if record.name == "ginapi.service.settling"]
    assert [(record.getMessage(), record.__dict__["table_id"]) for record in told] == [
        ("a table cannot be settled", table_id(1))
    ]
    assert SECRET_CARD not in repr([record.__dict__ for record in caplog.records])
    assert not [record for record in told if record.exc_info]
    # Then it is tried again, each time after a longer while.
    tries = []
    for now.ms in range(FULL_MS + 10, FULL_MS + 8_000, 100):
        if scheduler.settle_due(house):
            tries.append(now.ms - FULL_MS - 10)
    assert tries == [1_000, 3_000, 6_000]
    assert column(house.db, "attempts")[1] == 4


def test_a_table_that_is_mended_is_settled_as_if_nothing_had_been(house: House, now: Now) -> None:
    seat(house.db, opened(1, choose=drawer))
    with house.db.read() as tx:
        hand = tx.execute(select(schema.tables.c.hand)).scalar_one()
    spoil(house.db, 1, "no JSON")
    now.ms = FULL_MS + 10
    scheduler.settle_due(house)
    with house.db.write() as tx:
        tx.execute(schema.tables.update().values(hand=hand))
    now.ms = FULL_MS + 1_010
    assert scheduler.settle_due(house) == 1
    assert [one.at_ms - NOW_MS for one in records_of(house.db, 1)] == [0, FULL_MS]
    assert (column(house.db, "attempts"), column(house.db, "not_before_ms")) == ({1: 0}, {1: 0})


@pytest.mark.parametrize("number", share_of([signal.SIGTERM, signal.SIGINT], [signal.SIGTERM]))
def test_a_scheduler_that_is_told_to_stop_ends_at_once_and_leaves_no_table_half_settled(
    database_url: str, number: int, tmp_path: Path
) -> None:
    count = share(1_500, 800)
    db = Database(database_url)
    long_ago_ms = wall_clock_ms() - 100 * FULL_MS
    seat(db, *(opened(number, now_ms=long_ago_ms) for number in range(1, count + 1)))
    process = start_scheduler(database_url, tmp_path / "log")
    try:
        wait_until(lambda: len([1 for version in column(db, "version").values() if version > 1]) > 3)
        status, took_s = ended(process, number)
        assert (status, took_s < 5) == (0, True), (tmp_path / "log").read_text()
        versions = column(db, "version")
        assert len([1 for version in versions.values() if version > 1]) > 3
        with db.read() as tx:
            rows = [tuple(row) for row in tx.execute(select(schema.records.c.table_id, schema.records.c.number))]
        numbers: dict[int, list[int]] = {}
        for of_table, number_in_log in sorted(rows):
            numbers.setdefault(int(of_table, 16), []).append(number_in_log)
        assert numbers == {at: list(range(1, version + 1)) for at, version in versions.items()}
        assert "Traceback" not in (tmp_path / "log").read_text()
        # On with it, later: what was left is overdue still.
        assert any(due_ms is not None for due_ms in column(db, "due_ms").values())
    finally:
        process.kill()
        process.wait()
        db.close()


def test_a_scheduler_that_is_told_to_stop_as_it_starts_does_so(make_database: Databases, tmp_path: Path) -> None:
    """Whatever it is about to do: the end that it was told of is not slept through."""
    url, chance = make_database("sqlite"), numbers("stopped as it starts")
    for _ in range(share(200, 8)):
        process = start_scheduler(url, tmp_path / "log")
        try:
            wait_until(lambda process=process: is_up(process.pid))
            time.sleep(chance.uniform(0, 0.05))  # the moment is what varies: nothing is waited for
            assert ended(process, signal.SIGTERM)[0] == 0
        finally:
            process.kill()
            process.wait()
    assert (tmp_path / "log").read_text() == ""
    make_database.drop(url)


MODES = [(mode, kind) for mode in ("worker", "process", "off") for kind in KINDS]


@pytest.mark.parametrize(
    ("mode", "kind"), share_of(MODES, [("worker", "postgresql"), ("process", "sqlite"), ("off", "postgresql")])
)
def test_who_settles_is_who_was_told_to(mode: str, kind: str, make_database: Databases, tmp_path: Path) -> None:
    url = make_database(kind, migrated=False)
    settings = {"WEB_CONCURRENCY": "2", "GINAPI_DATABASE_URL": url, "GINAPI_SCHEDULER": mode, "GINAPI_GRACE_MS": "0"}
    server = Server(tmp_path, settings)
    db = Database(url)
    beside: subprocess.Popen[bytes] | None = None
    try:
        caller, hand = opened_over_http(server.url, clock={"move_ms": 500})
        caller.close()
        number, due_ms = int(hand["table_id"], 16), column(db, "due_ms")[int(hand["table_id"], 16)]
        if mode != "worker":
            wait_until(lambda: wall_clock_ms() > due_ms + 400)
            assert column(db, "version")[number] == 1
        if mode == "process":
            beside = start_scheduler(url, tmp_path / "scheduler.log")
        if mode != "off":
            wait_until(lambda: column(db, "version")[number] > 1)
            assert records_of(db, number)[1].at_ms == due_ms
        if beside is not None:
            assert ended(beside, signal.SIGTERM)[0] == 0
        began = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - began < 8
        assert "Traceback" not in server.log()
    finally:
        if beside is not None:
            beside.kill()
            beside.wait()
        server.kill()
        db.close()
        make_database.drop(url)


def test_workers_with_a_backlog_end_as_soon_as_they_are_told_to(make_database: Databases, tmp_path: Path) -> None:
    url = make_database("postgresql")
    db = Database(url)
    seat(db, *(opened(number, now_ms=wall_clock_ms() - 100 * FULL_MS) for number in range(1, 2_001)))
    server = Server(tmp_path, {"WEB_CONCURRENCY": "2", "GINAPI_DATABASE_URL": url})
    try:
        wait_until(lambda: any(version > 1 for version in column(db, "version").values()))
        began = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - began < 8
        assert "Traceback" not in server.log()
        assert any(version == 1 for version in column(db, "version").values())
    finally:
        server.kill()
        db.close()
        make_database.drop(url)


def test_a_match_that_is_called_off_is_settled_first(house: House, now: Now) -> None:
    seat(house.db, *(opened(number, "coin", choose=drawer, target=1) for number in (1, 2)))
    now.ms = FULL_MS
    assert tables.void(house, table_id(1), "a test").table.ended == "void"
    told = [(one.event, one.by, one.at_ms - NOW_MS) for one in records_of(house.db, 1)]
    assert told[1:3] == [("move", "clock", FULL_MS), ("move", "house", FULL_MS)]
    spared = House(house.db, now_ms=now)
    now.ms = 10_000_000  # Long won by somebody, but nobody has looked.
    with pytest.raises(Refused) as caught:
        tables.void(spared, table_id(2), "a test")
    assert caught.value.reason.value == "table_over"
    assert column(house.db, "ended")[2] == "target"
