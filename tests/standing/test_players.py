"""`GET /v1/players/{name}` and the leaderboard: what anybody is told, without a token."""

from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import insert, text

from ginapi.store import schema, standings
from ginapi.tables.rating import Rating
from ginapi.tables.standing import Standing
from tests.accounts.people import refused, told
from tests.api.caller import BEGAN_MS, DAY_MS, Api
from tests.conftest import Databases
from tests.standing.met import LOST, NEW, WON, accounts, leaders, met, player

pytestmark = pytest.mark.usefixtures("cheap_passwords")


def test_a_player_is_shown_by_name_in_any_case(fresh_api: Api) -> None:
    met(fresh_api, "Ana Bolt", "ben").seats[1].leave()
    shown = player(fresh_api, "Ana Bolt")
    assert shown == {
        "name": "Ana Bolt",
        "since": "2026-09-21T14:13:20.000Z",
        "rating": WON,
        "record": {"played": 1, "won": 1, "lost": 0, "left": 0},
    }
    for name in ("ana bolt", "ANA BOLT", "%41na%20Bolt"):
        assert player(fresh_api, name) == shown


def test_a_player_who_has_played_nobody_is_new(fresh_api: Api) -> None:
    accounts(fresh_api, "ana")
    shown = player(fresh_api, "ana")
    assert (shown["rating"], shown["record"]) == (NEW, {"played": 0, "won": 0, "lost": 0, "left": 0})


@pytest.mark.parametrize("name", ["a/b", "a//b", "ab?c=d", "a%b", "Ünïcödé", "ɐnɐ", "a.b.c", "...", "#12"])
def test_whatever_name_can_be_chosen_can_be_looked_up(fresh_api: Api, name: str) -> None:
    accounts(fresh_api, name)
    assert player(fresh_api, quote(name, safe=""))["name"] == name


@pytest.mark.parametrize(
    "name",
    ["nobody", "an", "a" * 25, "a" * 2000, "%00", "a%00na", "%ff%fe%fd", "%ed%a0%80abc", "%20ana", "ana%20", "☂"],
)
def test_a_name_that_no_account_has_is_not_found(api: Api, name: str) -> None:
    assert refused(api.get(f"/v1/players/{name}")) == (404, "not_found")


def test_a_closed_account_is_nobody(fresh_api: Api) -> None:
    pair = met(fresh_api, "ana", "ben")
    pair.seats[1].leave()
    assert leaders(fresh_api) == ["ana", "ben"]
    with fresh_api.database.read() as tx:
        account_id = tx.execute(text("SELECT id FROM accounts WHERE name = 'ana'")).scalar_one()
    assert fresh_api.ask("DELETE", "/v1/me", token=pair.seats[0].token).status_code == 204
    for name in ("ana", account_id, ""):
        assert refused(fresh_api.get(f"/v1/players/{quote(name)}")) == (404, "not_found")
    assert leaders(fresh_api) == ["ben"]
    assert player(fresh_api, "ben")["rating"] == LOST


def test_a_name_that_is_free_again_begins_anew(fresh_api: Api) -> None:
    pair = met(fresh_api, "ana", "ben")
    pair.seats[1].leave()
    fresh_api.ask("DELETE", "/v1/me", token=pair.seats[0].token)
    accounts(fresh_api, "ana")
    assert player(fresh_api, "ana")["rating"] == NEW


def test_a_query_is_refused_by_name_once_there_is_such_a_player(fresh_api: Api) -> None:
    accounts(fresh_api, "ana")
    assert refused(fresh_api.get("/v1/players/ana?full=1")) == (422, "invalid_request")
    assert refused(fresh_api.get("/v1/players/ben?full=1")) == (404, "not_found")


def test_a_token_is_neither_needed_nor_looked_at(fresh_api: Api) -> None:
    accounts(fresh_api, "ana")
    for path in ("/v1/players/ana", "/v1/leaderboard"):
        assert fresh_api.get(path, "no-token-of-ours").status_code == 200
        assert fresh_api.get(path).headers["Cache-Control"] == "no-cache"


def test_what_is_told_grows_less_sure_with_time(fresh_api: Api) -> None:
    met(fresh_api, "ana", "ben").seats[1].leave()
    told_of = []
    for days in (0, 30, 100, 4000):
        fresh_api.clock.now_ms = BEGAN_MS + days * DAY_MS
        shown = player(fresh_api, "ana")["rating"]
        assert shown == told(fresh_api.get("/v1/leaderboard"))["items"][0]["rating"]
        told_of.append(shown["deviation"])
    assert told_of == sorted(set(told_of)) and told_of[-1] == 350


def ranked(api: Api, *ratings: float, deviation: float = 60.0) -> None:
    """Accounts `no 0`, `no 1`, … with these ratings."""
    with api.database.write() as tx:
        for at, points in enumerate(ratings):
            account = {
                "id": f"account:{at * 0x1234567890ABCDEF:032x}", "name": f"no {at}", "name_key": f"no {at}",
                "password_hash": "", "created_ms": BEGAN_MS, "balance_coins": 0, "entry_count": 0, "refill_count": 0,
            }  # fmt: skip
            tx.execute(insert(schema.accounts), [account])
            standings.save(tx, {account["id"]: Standing(Rating(points, deviation, 0.06), BEGAN_MS, 5, 7, 4, 1)})


def pages(api: Api, limit: int) -> list[list[dict[str, Any]]]:
    found, cursor = [], None
    while True:
        query = {"limit": limit} | ({} if cursor is None else {"cursor": cursor})
        page = told(api.get("/v1/leaderboard", query_string=query))
        found.append(page["items"])
        cursor = page["next"]
        if cursor is None:
            return found


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8, 9, 100])
def test_the_leaderboard_has_everybody_once_best_first(fresh_api: Api, limit: int) -> None:
    """Alike ratings too, ones that differ in their last bit, and ones below nothing."""
    third = 1 / 3
    ranked(fresh_api, 1500, 1700.5, 1500, 1500 + third, -20.25, 1500, 0, 1500 + third + 1e-12)
    found = pages(fresh_api, limit)
    assert all(len(page) == limit for page in found[:-1]) and found[-1]
    items = [item for page in found for item in page]
    assert [item["place"] for item in items] == list(range(1, 9))
    assert [item["name"] for item in items] == [f"no {at}" for at in (1, 7, 3, 5, 2, 0, 6, 4)]
    assert items[0]["rating"] == {
        "rating": 1700, "deviation": 60, "volatility": 0.06, "rated_count": 5, "provisional": False
    }  # fmt: skip
    assert items[0]["record"] == {"played": 7, "won": 4, "lost": 3, "left": 1}


def test_a_leaderboard_of_nobody_is_empty(fresh_api: Api) -> None:
    accounts(fresh_api, "ana")
    assert told(fresh_api.get("/v1/leaderboard")) == {"items": [], "next": None}


@pytest.mark.parametrize(("deviation", "provisional"), [(109.9, False), (110.1, True)])
def test_a_rating_that_is_not_sure_yet_is_provisional(fresh_api: Api, deviation: float, provisional: bool) -> None:
    ranked(fresh_api, 1600, deviation=deviation)
    assert player(fresh_api, "no 0")["rating"]["provisional"] is provisional


def test_a_page_reads_no_more_than_the_index_gives(make_database: Databases) -> None:
    """SQLite says how it goes about it, however little there is: it sorts nothing."""
    api = Api(make_database("sqlite"))
    after = standings.Place(1600.0, "account:0")
    with api.statements() as sent, api.database.read() as tx:
        standings.list_ranked(tx, 2, None)
        standings.list_ranked(tx, 2, after)
    for statement, values in zip(sent, ((2, 0), (*after, 2, 0)), strict=True):
        with api.database.read() as tx:
            plan = " ".join(str(row[3]) for row in tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values))
        assert "ix_standings_ranked" in plan and "TEMP B-TREE" not in plan, plan
    api.close()
