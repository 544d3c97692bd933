"""What has been kept for long enough is forgotten; what coins, ratings or anybody's seat hang on is not."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from ginapi import scheduler
from ginapi.config import ACCOUNT_TOKEN_MS, GUEST_TOKEN_MS, LIMITS_KEPT_MS
from ginapi.service import forgetting
from ginapi.service.house import House
from ginapi.store import retention, schema
from ginapi.store.database import Database
from tests.accounts.people import open_account, told
from tests.api.caller import DAY_MS, Api, Player, keen
from tests.coins.seated import faults
from tests.conftest import Databases
from tests.online.pairs import Pair
from tests.waiting import wait_until

pytestmark = pytest.mark.usefixtures("cheap_passwords")
KEPT_MS = 30 * DAY_MS
OF_A_TABLE = ("records", "hands", "seats", "tickets", "tables")


def ids(api: Api, name: str = "tables") -> set[str]:
    at = 0 if name == "tables" else list(schema.metadata.tables[name].c.keys()).index("table_id")
    return {row[at] for row in api.rows()[name]}


def all_forgotten(api: Api) -> int:
    """Forget all that is to be forgotten, which no audit misses; how many tables and tokens went."""
    before = api.rows()
    scheduler.forget_old(api.house)
    assert scheduler.forget_old(api.house) == 0
    assert faults(api) == []
    after = api.rows()
    return sum(len(before[name]) - len(after[name]) for name in ("tables", "tokens"))


def finished(api: Api, token: str | None = None, **terms: Any) -> Player:
    player = Player(api, token, target=1, **terms)
    player.play_out(keen)
    while player.table()["status"] != "finished":
        assert player.deal().status_code == 201
        player.play_out(keen)
    return player


def test_practice_that_is_over_is_forgotten_after_30_days_and_not_before(fresh_api: Api) -> None:
    token = open_account(fresh_api)
    table = finished(fresh_api, token).hand["table_id"]
    assert told(fresh_api.post(f"/v1/tables/{table}/tickets", None, token), 201)
    fresh_api.clock.now_ms += KEPT_MS
    with fresh_api.database.write() as tx:  # A ticket of before, that another would have forgotten.
        tx.execute(schema.tickets.update().values(expires_ms=fresh_api.clock.now_ms + DAY_MS))
    all_forgotten(fresh_api)
    assert ids(fresh_api) == {table}
    fresh_api.clock.now_ms += 1
    assert all_forgotten(fresh_api) == 1
    for name in OF_A_TABLE:
        assert ids(fresh_api, name) == set()
    assert fresh_api.get(f"/v1/tables/{table}", token).status_code == 404


def test_practice_that_runs_waits_for_whoever_can_come_back(fresh_api: Api) -> None:
    token = open_account(fresh_api)
    mine, guests = Player(fresh_api, token), Player(fresh_api)
    for _ in range(5):
        fresh_api.clock.now_ms += 6 * DAY_MS
        assert guests.see().status_code == 200  # Which notes that its token is used.
    fresh_api.clock.now_ms += DAY_MS
    assert all_forgotten(fresh_api) == 0
    assert ids(fresh_api) == {mine.hand["table_id"], guests.hand["table_id"]}
    fresh_api.clock.now_ms += GUEST_TOKEN_MS
    assert all_forgotten(fresh_api) == 2  # Its token, and its table.
    assert ids(fresh_api) == {mine.hand["table_id"]}
    assert mine.move("draw", source="stock")["version"] == 1
    assert guests.see().status_code == 401


def test_what_happened_lately_at_an_old_table_keeps_it(fresh_api: Api) -> None:
    token = open_account(fresh_api)
    player = Player(fresh_api, token)
    fresh_api.clock.now_ms += KEPT_MS + DAY_MS
    player.leave()
    assert all_forgotten(fresh_api) == 0
    fresh_api.clock.now_ms += KEPT_MS + 1
    assert all_forgotten(fresh_api) == 1


def test_coins_ratings_and_the_ledger_stay(fresh_api: Api) -> None:
    tokens = open_account(fresh_api), open_account(fresh_api)
    rated = Pair(fresh_api, tokens, stake=100, private=False)
    rated.play_hand()
    rated.seats[0].leave()
    coins = told(fresh_api.post("/v1/tables", {"kind": "coin", "stake": 100}, tokens[0]), 201)["id"]
    told(fresh_api.post(f"/v1/tables/{coins}/leave", None, tokens[0]))
    unstaked = Pair(fresh_api)
    unstaked.seats[1].leave()
    finished(fresh_api, tokens[1])
    before = fresh_api.rows()
    fresh_api.clock.now_ms += ACCOUNT_TOKEN_MS + DAY_MS
    all_forgotten(fresh_api)
    after = fresh_api.rows()
    assert ids(fresh_api) == {rated.id, coins, unstaked.id}
    assert after["tokens"] == []
    for name in ("accounts", "transfers", "entries", "standings"):
        assert after[name] == before[name] != []


@pytest.mark.parametrize(("kind", "lasts_ms"), [("guest", GUEST_TOKEN_MS), ("account", ACCOUNT_TOKEN_MS)])
def test_a_token_is_forgotten_once_it_has_lapsed(fresh_api: Api, kind: str, lasts_ms: int) -> None:
    token = open_account(fresh_api) if kind == "account" else Player(fresh_api).token
    path = "/v1/tables?mine=true"
    fresh_api.clock.now_ms += lasts_ms
    all_forgotten(fresh_api)
    assert len(fresh_api.rows()["tokens"]) == 1
    fresh_api.clock.now_ms += 1
    refused = fresh_api.get(path, token)
    assert refused.status_code == 401
    assert all_forgotten(fresh_api) >= 1
    assert fresh_api.rows()["tokens"] == []
    again = fresh_api.get(path, token)
    assert (again.status_code, again.json["detail"]) == (401, refused.json["detail"])


def test_windows_of_limits_are_forgotten_after_a_day(fresh_api: Api) -> None:
    row = {"caller": b"x" * 32, "taken": 1}
    ages_ms = {"older": LIMITS_KEPT_MS + 1, "as old": LIMITS_KEPT_MS, "younger": LIMITS_KEPT_MS - 1}
    began_ms = {name: fresh_api.clock.now_ms - age_ms for name, age_ms in ages_ms.items()}
    with fresh_api.database.write() as tx:
        tx.execute(schema.limits.insert(), [{**row, "name": name, "began_ms": began_ms[name]} for name in ages_ms])
    scheduler.forget_old(fresh_api.house)
    with fresh_api.database.read() as tx:
        assert sorted(tx.execute(text("SELECT name FROM limits WHERE taken = 1")).scalars()) == ["as old", "younger"]


def test_a_great_many_go_some_a_transaction(fresh_api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forgetting, "ROWS_AT_ONCE", 2)
    monkeypatch.setattr(forgetting, "TABLES_AT_ONCE", 2)
    token = open_account(fresh_api)
    for _ in range(5):
        Player(fresh_api).leave()
        Player(fresh_api, token)  # These stay, and hold nothing up.
    fresh_api.clock.now_ms += KEPT_MS + 1
    told_at_once = list(forgetting.forget(fresh_api.house))
    assert max(told_at_once) == 2 and sum(told_at_once) == 10
    assert len(ids(fresh_api)) == 5


@pytest.fixture
def postgresql(make_database: Databases) -> Iterator[Api]:
    """The service where not all is held at once, as SQLite is, so that whoever forgets does not wait its turn."""
    url = make_database("postgresql")
    opened = Api(url)
    yield opened
    opened.close()
    make_database.drop(url)


def test_a_table_that_somebody_holds_is_left_for_the_next_time(postgresql: Api) -> None:
    held, other = Player(postgresql), Player(postgresql)
    for player in (held, other):
        player.leave()
    postgresql.clock.now_ms += KEPT_MS + 1
    with postgresql.database.write() as tx:
        tx.execute(text("SELECT id FROM tables WHERE id = :id FOR NO KEY UPDATE"), {"id": held.hand["table_id"]})
        scheduler.forget_old(postgresql.house)
        assert ids(postgresql) == {held.hand["table_id"]}
    assert all_forgotten(postgresql) == 1


def test_one_process_at_a_time_forgets(postgresql: Api) -> None:
    Player(postgresql).leave()
    postgresql.clock.now_ms += KEPT_MS + 1
    with postgresql.database.write() as tx:
        assert retention.hold(tx)
        assert list(forgetting.forget(postgresql.house)) == []
    assert all_forgotten(postgresql) == 2


@pytest.fixture
def others(fresh_api: Api) -> Iterator[list[House]]:
    """More processes on the same database."""
    databases = [Database(fresh_api.database.url.render_as_string(hide_password=False)) for _ in range(3)]
    yield [replace(fresh_api.house, db=database) for database in databases]
    for database in databases:
        database.close()


def test_several_at_once_forget_while_somebody_plays(fresh_api: Api, others: list[House]) -> None:
    for _ in range(12):
        Player(fresh_api).leave()
    fresh_api.clock.now_ms += KEPT_MS + 1
    threads = [threading.Thread(target=scheduler.forget_old, args=[house]) for house in others]
    for thread in threads:
        thread.start()
    playing = Player(fresh_api)
    playing.play_out(keen)
    for thread in threads:
        thread.join()
    all_forgotten(fresh_api)
    assert len(fresh_api.rows()["tokens"]) == 1
    assert ids(fresh_api) == {playing.hand["table_id"]}


def test_a_rematch_that_is_forgotten_is_not_looked_for(fresh_api: Api) -> None:
    token = open_account(fresh_api)
    player = Player(fresh_api, token)
    player.leave()
    rematch = told(fresh_api.post(f"{player.table_path}/rematch", None, token), 201)["id"]
    told(fresh_api.post(f"/v1/tables/{rematch}/leave", None, token))
    with fresh_api.database.write() as tx:
        assert retention.forget_practice(tx, [rematch], fresh_api.clock.now_ms + 1) == 1
    answer = fresh_api.post(f"{player.table_path}/rematch", None, token)
    assert (answer.status_code, answer.json["code"]) == (409, "table_over")


def test_whoever_settles_forgets(fresh_api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    Player(fresh_api).leave()
    fresh_api.clock.now_ms += KEPT_MS + 1
    monkeypatch.setattr(scheduler, "FORGET_EVERY_MS", 50)
    running = scheduler.start(fresh_api.house, settles=True, serves=False)
    try:
        wait_until(lambda: ids(fresh_api) == set())
    finally:
        running.shutdown()
