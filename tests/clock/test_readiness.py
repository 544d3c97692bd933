"""Whether the service can play: what `/readyz` says of the database, of the schema, and of who settles."""

import time
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import select

from ginapi import scheduler
from ginapi.api import current
from ginapi.service import readiness, serving, settling
from ginapi.service.house import House
from ginapi.service.readiness import HEARTBEAT_EVERY_MS, LATE_MS, SILENT_MS, Checks, Heart
from ginapi.store import schema
from ginapi.store.database import Database
from ginapi.store.faults import Busy, Unavailable
from tests.api.caller import Api
from tests.clock.clocked import FULL_MS, Now, drawer
from tests.clock.spoiled import spoil
from tests.clock.stored import opened, seat
from tests.tables.matches import NOW_MS

LONG_MS = 86_400_000
ALL_WELL = {"status": "ok", "database": "ok", "schema": "ok", "scheduler": "ok"}


def checked(house: House, up_ms: int = LONG_MS, settles: bool = True) -> Checks:
    return readiness.check(house, settles=settles, up_ms=up_ms)


def test_a_scheduler_that_has_settled_just_now_is_well(house: House, now: Now) -> None:
    heart = Heart(house)
    now.ms = 1_000_000
    scheduler.settle_due(house, beat=heart.beat)
    for now.ms in (1_000_000, 1_000_000 + SILENT_MS):
        assert checked(house) == ("ok", "ok", "ok")
    now.ms += 1
    said = checked(house)
    assert said.faults == ("No scheduler has settled anything for 30 s: is one running?",)
    assert said == ("ok", "ok", said.scheduler)
    scheduler.settle_due(house, beat=heart.beat)
    assert checked(house).faults == ()


def test_where_none_ever_settled_that_is_found_out_as_soon_as_whoever_asks_has_waited_for_it(
    house: House, now: Now
) -> None:
    now.ms = SILENT_MS
    assert checked(house, up_ms=SILENT_MS).faults == ()
    assert len(checked(house, up_ms=SILENT_MS + 1).faults) == 1


def test_one_that_looks_and_leaves_a_table_overdue_does_not_settle(house: House, now: Now) -> None:
    seat(house.db, opened(1, choose=drawer))
    for now.ms in (FULL_MS, FULL_MS + LATE_MS):
        Heart(house).beat()
        assert checked(house).faults == ()
    now.ms = FULL_MS + LATE_MS + 1
    assert checked(house).faults == (
        "A table has been overdue for 120 s: the scheduler does not keep up, or does not work.",
    )
    # Whoever has just begun has not waited for it yet: there may be much to do after a time in which nobody did.
    assert checked(house, up_ms=LATE_MS).faults == ()


def test_a_table_that_cannot_be_settled_is_not_held_against_the_scheduler(house: House, now: Now) -> None:
    seat(house.db, opened(1, choose=drawer))
    spoil(house.db, 1, "no JSON")
    now.ms = FULL_MS
    scheduler.settle_due(house)
    now.ms = FULL_MS + 2 * LATE_MS
    Heart(house).beat()
    assert checked(house).faults == ()


def test_where_nobody_is_to_settle_nobody_is_missed(house: House, now: Now) -> None:
    seat(house.db, opened(1, choose=drawer))
    now.ms = FULL_MS + 2 * LATE_MS
    assert checked(house, settles=False) == ("ok", "ok", "off")


def test_what_cannot_be_found_out_is_unknown(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    with house.db.write() as tx:
        tx.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
    behind = checked(house)
    assert "run `ginapi migrate`" in behind.schema and behind == ("ok", behind.schema, "unknown")
    for fault in (Busy("All 32 connections were in use."), Unavailable("The database cannot be reached.")):

        def fail(*given: Any, fault: Exception = fault) -> None:
            raise fault

        with monkeypatch.context() as patch:
            patch.setattr(Database, "read", fail)
            assert checked(house) == (str(fault), "unknown", "unknown")


def heartbeat(db: Database) -> int | None:
    with db.read() as tx:
        return tx.execute(select(schema.pulses.c.at_ms).where(schema.pulses.c.name == "settling")).scalar_one_or_none()


def test_a_heart_writes_no_more_often_than_it_has_to_and_on_though_the_clock_is_set_back(
    house: House, now: Now
) -> None:
    heart = Heart(house)
    written = []
    for now.ms in (0, 50, HEARTBEAT_EVERY_MS - 1, HEARTBEAT_EVERY_MS, HEARTBEAT_EVERY_MS + 50, -3_600_000):
        heart.beat()
        written.append(heartbeat(house.db))
    first, second, third = NOW_MS, NOW_MS + HEARTBEAT_EVERY_MS, NOW_MS - 3_600_000
    assert written == [first, first, first, second, second, third]


@pytest.mark.parametrize("settles_on", [True, False], ids=["goes on", "has ended"])
def test_a_scheduler_is_missed_as_soon_though_the_clock_is_set_back(house: House, now: Now, settles_on: bool) -> None:
    heart = Heart(house)
    now.ms = 10_000
    serving.beat(house)
    heart.beat()
    now.ms -= 3_600_000
    if settles_on:
        heart.beat()
    serving.beat(house)
    now.ms += SILENT_MS
    assert checked(house).faults == ()
    if settles_on:
        heart.beat()
    now.ms += 1
    assert bool(checked(house).faults) is not settles_on


def test_whoever_has_much_to_settle_shows_it_on_the_way(house: House, now: Now) -> None:
    seat(house.db, *(opened(number, choose=drawer) for number in (1, 2, 3)))
    now.ms = FULL_MS
    seen: list[int | None] = []
    heart = Heart(house)

    def beat() -> None:
        seen.append(heartbeat(house.db))
        heart.beat()
        now.ms += HEARTBEAT_EVERY_MS

    assert scheduler.settle_due(house, beat=beat) >= 3
    assert seen[:3] == [None, NOW_MS + FULL_MS, NOW_MS + FULL_MS + HEARTBEAT_EVERY_MS]


def test_one_that_fails_leaves_no_heartbeat(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(house: House) -> bool:
        raise Unavailable("away")

    monkeypatch.setattr(settling, "settle_next", fail)
    assert scheduler.settle_due(house, beat=Heart(house).beat) == 0
    assert heartbeat(house.db) is None


def test_readyz_says_which_of_the_three_fails(fresh_api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    api = fresh_api
    assert api.get("/readyz").json == ALL_WELL
    up_s = (SILENT_MS + 1) / 1000
    monkeypatch.setattr(current, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + up_s))
    answer = api.get("/readyz")
    said = "No scheduler has settled anything for 30 s: is one running?"
    assert (answer.status_code, answer.json["code"], answer.json["detail"]) == (503, "unavailable", said)
    assert answer.json["checks"] == {"database": "ok", "schema": "ok", "scheduler": said}
    assert answer.headers["Retry-After"] == "1"
    Heart(api.house).beat()
    assert api.get("/readyz").json == ALL_WELL
    with api.database.write() as tx:
        tx.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")
    checks = api.get("/readyz").json["checks"]
    assert (checks["database"], checks["scheduler"]) == ("ok", "unknown") and "0001" in checks["schema"]

    def fail(*given: object) -> None:
        raise Unavailable("The database cannot be reached.")

    monkeypatch.setattr(Database, "read", fail)
    assert api.get("/readyz").json["checks"] == {
        "database": "The database cannot be reached.",
        "schema": "unknown",
        "scheduler": "unknown",
    }


def test_readyz_misses_no_scheduler_where_the_settings_have_none(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = Api(database_url, GINAPI_SCHEDULER="off")
    monkeypatch.setattr(current, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + LONG_MS))
    assert api.get("/readyz").json == {**ALL_WELL, "scheduler": "off"}
    api.close()
