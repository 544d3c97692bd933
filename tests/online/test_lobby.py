"""Online tables while a seat is empty: opened, listed, joined, closed (R16, R21, R27, R28)."""

from typing import Any

import pytest

from tests.accounts.people import open_account, pointers, refused, told
from tests.api.caller import Api, deck
from tests.coins.seated import balances, faults
from tests.online.pairs import Pair, open_online

OPEN_MS = 600_000
INVITE = {"invite": "0" * 32}


def wallet(api: Api, token: str) -> tuple[int, int]:
    seen = told(api.get("/v1/wallet", token))
    return seen["balance"], seen["held"]


def test_an_open_table_has_a_clock_and_no_hand(api: Api) -> None:
    opened = open_online(api)
    assert opened["clock"] == {
        "move_ms": 30_000, "grace_ms": 500, "seat": None, "deadline": None, "remaining_ms": None,
        "missed_in_a_row": None, "pace": None,
    }  # fmt: skip
    assert (opened["private"], opened["invite"], opened["fair"], opened["version"]) == (False, None, True, 2)
    for number in ("0", "1"):
        assert refused(api.get(f"/v1/hands/{opened['id']}-{number}", opened["token"])) == (404, "not_found")
    for body in (None, {"number": 1}):
        assert refused(api.post(f"/v1/tables/{opened['id']}/hands", body, opened["token"])) == (409, "hand_running")


def test_r21_the_table_has_a_clock_of_its_own(api: Api) -> None:
    pair = Pair(api, clock={"move_ms": 5_000})
    assert pair.seats[0].hand["clock"]["move_ms"] == 5_000
    for wrong in (4_999, 120_001):
        answer = api.post("/v1/tables", {"kind": "online", "clock": {"move_ms": wrong}})
        assert pointers(answer) == ["/clock/move_ms"]


def test_sitting_down_deals_at_once_and_the_opener_begins(api: Api) -> None:
    pair = Pair(api)
    first, second = pair.seats[0].hand, pair.seats[1].hand
    assert (first["seat"], second["seat"], first["turn"], second["turn"]) == (0, 1, 0, 0)  # R2
    assert first["number"] == 1 and first["commitment"] == second["commitment"]
    assert set(first["cards"]).isdisjoint(second["cards"])
    assert second["legal_moves"] == [] and len(first["legal_moves"]) == 2
    assert [seat["kind"] for seat in pair.seats[0].table()["seats"]] == ["guest", "guest"]


def test_nobody_sits_down_twice_and_no_third_at_all(api: Api) -> None:
    opened = open_online(api)
    seats = f"/v1/tables/{opened['id']}/seats"
    assert refused(api.post(seats, None, opened["token"])) == (409, "already_seated")
    joined = told(api.post(seats), 201)
    assert refused(api.post(seats, None, joined["token"])) == (409, "already_seated")
    assert refused(api.post(seats)) == (409, "table_full")
    told(api.post(f"/v1/tables/{opened['id']}/leave", None, opened["token"]))
    assert refused(api.post(seats)) == (409, "table_over")
    assert refused(api.post(seats, None, joined["token"])) == (409, "table_over")


def test_a_private_table_is_there_only_for_whoever_brings_its_invite(api: Api) -> None:
    opened = open_online(api, private=True)
    assert len(opened["invite"]) == 32 and int(opened["invite"], 16)  # 128 bits
    stranger = told(api.post("/v1/hands"), 201)["token"]
    seats = f"/v1/tables/{opened['id']}/seats"
    for body in (None, INVITE, {"invite": ""}, {"invite": None}, {"invite": opened["invite"].upper() + "é"}):
        assert refused(api.post(seats, body, stranger)) == (404, "not_found")
        assert refused(api.post(seats, body)) == (401, "no_token")
    assert refused(api.get(f"/v1/tables/{opened['id']}", stranger)) == (404, "not_found")
    assert refused(api.get(f"/v1/tables/{opened['id']}")) == (401, "no_token")
    joined = told(api.post(seats, {"invite": opened["invite"]}), 201)
    assert joined["invite"] is None
    assert refused(api.post(seats, {"invite": opened["invite"]}, stranger)) == (409, "table_full")
    assert opened["id"] not in [one["id"] for one in told(api.get("/v1/tables", stranger))["items"]]


def test_only_a_private_unstaked_table_takes_deals_of_ones_own(api: Api) -> None:
    stacked = deck()
    for terms in ({"seed": "tuesday"}, {"deck": stacked}, {"target": 50}):
        assert pointers(api.post("/v1/tables", {"kind": "online", **terms})) == [f"/{next(iter(terms))}"]
        pair = Pair(api, private=True, **terms)
        assert pair.seats[0].table()["fair"] is ("target" in terms)
    pair = Pair(api, private=True, deck=stacked)
    assert sorted(pair.seats[0].hand["cards"]) == sorted(stacked[0:20:2])


@pytest.mark.parametrize("field", ["level", "opener"])
def test_what_is_the_computers_is_not_taken(api: Api, field: str) -> None:
    assert pointers(api.post("/v1/tables", {"kind": "online", field: "medium"})) == [f"/{field}"]


def test_leaving_before_the_deal_is_free(fresh_api: Api) -> None:
    api, token = fresh_api, open_account(fresh_api)
    opened = open_online(api, token, stake=100)
    assert wallet(api, token) == (890, 110)
    left = told(api.post(f"/v1/tables/{opened['id']}/leave", None, token))
    assert (left["forfeited"], left["fee"]) == (0, 0)
    assert (left["table"]["status"], left["table"]["ended"], left["table"]["winner"]) == ("finished", "closed", None)
    assert wallet(api, token) == (1_000, 0)
    assert refused(api.post(f"/v1/tables/{opened['id']}/leave", None, token)) == (409, "table_over")
    assert faults(api) == []


def test_a_table_that_nobody_joins_closes_by_itself_and_gives_the_stake_back(fresh_api: Api) -> None:
    api, token = fresh_api, open_account(fresh_api)
    opened = open_online(api, token, stake=500)
    path = f"/v1/tables/{opened['id']}"
    api.clock.now_ms += OPEN_MS - 1
    assert told(api.get(path, token))["status"] == "open"
    api.clock.now_ms += 1
    late = open_account(api)
    assert refused(api.post(f"{path}/seats", None, late)) == (409, "table_over")
    closed = told(api.get(path, token))
    assert (closed["status"], closed["ended"], closed["hands"]) == ("finished", "closed", [])
    assert (wallet(api, token), wallet(api, late)) == ((1_000, 0), (1_000, 0))
    assert not any(purse.startswith("table:") for purse in balances(api))
    assert faults(api) == []


def test_r27_both_put_up_and_the_winner_is_paid(fresh_api: Api) -> None:
    api = fresh_api
    tokens = open_account(api), open_account(api)
    pair = Pair(api, tokens, stake=100)
    assert [wallet(api, token) for token in tokens] == [(890, 110), (890, 110)]
    over = pair.play_match()
    assert over["ended"] == "target" and over["payout"] == 200
    paid = [(1_100, 0), (900, 0)] if over["winner"] == 0 else [(900, 0), (1_100, 0)]
    assert [wallet(api, token) for token in tokens] == paid
    assert faults(api) == []


@pytest.mark.parametrize("leaver", [0, 1])
def test_r28_leaving_costs_the_stake_and_a_tenth(fresh_api: Api, leaver: int) -> None:
    api = fresh_api
    tokens = open_account(api), open_account(api)
    pair = Pair(api, tokens, stake=100)
    left = told(pair.seats[leaver].leave())
    assert (left["forfeited"], left["fee"], left["table"]["winner"]) == (100, 10, 1 - leaver)
    wallets = [wallet(api, token)[0] for token in tokens]
    assert (wallets[leaver], wallets[1 - leaver]) == (890, 1_100)
    assert refused(pair.seats[1 - leaver].leave()) == (409, "table_over")
    assert faults(api) == []


def test_a_stake_needs_an_account_and_enough_coins(api: Api) -> None:
    guest, poor = told(api.post("/v1/hands"), 201)["token"], open_account(api)
    body = {"kind": "online", "stake": 100}
    for path, sent in (("/v1/tables", body), ("/v1/tables/quick", {"stake": 100})):
        assert refused(api.post(path, sent)) == (401, "no_token")
        assert refused(api.post(path, sent, guest)) == (403, "not_allowed")
        assert refused(api.post(path, {**sent, "stake": 70}, poor)) == (409, "stake_not_offered")
        assert refused(api.post(path, {**sent, "stake": 1_000}, poor)) == (409, "not_enough_coins")
    opened = open_online(api, open_account(api), stake=500)
    seats = f"/v1/tables/{opened['id']}/seats"
    assert refused(api.post(seats)) == (401, "no_token")
    assert refused(api.post(seats, None, guest)) == (403, "not_allowed")
    open_online(api, poor, stake=500)
    assert refused(api.post(seats, None, poor)) == (409, "not_enough_coins")
    assert told(api.get(f"/v1/tables/{opened['id']}"))["status"] == "open"


def ids(answer: Any) -> list[str]:
    return [one["id"] for one in told(answer)["items"]]


def test_the_lobby_shows_public_tables_to_anybody_running_ones_first(fresh_api: Api) -> None:
    api = fresh_api
    opened = [open_online(api)["id"] for _ in range(2)]
    api.clock.now_ms += 1
    playing = Pair(api)
    private = open_online(api, private=True)
    practice = told(api.post("/v1/hands"), 201)
    assert set(ids(api.get("/v1/tables"))) == {*opened, playing.id}
    assert ids(api.get("/v1/tables"))[0] == playing.id
    assert set(ids(api.get("/v1/tables?status=open"))) == set(opened)
    assert ids(api.get("/v1/tables?kind=practice")) == []
    assert ids(api.get("/v1/tables?mine=true", practice["token"])) == [practice["table_id"]]
    assert ids(api.get("/v1/tables?mine=true", private["token"])) == [private["id"]]
    assert set(ids(api.get("/v1/tables", private["token"]))) == {*opened, playing.id, private["id"]}
    assert refused(api.get("/v1/tables?mine=true")) == (401, "no_token")
    found, cursor = [], ""
    while cursor is not None:
        page = told(api.get(f"/v1/tables?limit=1{cursor}", private["token"]))
        found += [one["id"] for one in page["items"]]
        cursor = page["next"] and f"&cursor={page['next']}"
    assert len(found) == 4 and set(found) == {*opened, playing.id, private["id"]}


def test_quick_sits_down_at_the_table_that_waits_longest(fresh_api: Api) -> None:
    api = fresh_api
    private, slow = open_online(api, private=True), open_online(api, clock={"move_ms": 60_000})
    api.clock.now_ms += 1_000
    first = open_online(api)
    api.clock.now_ms += 1_000
    second = open_online(api)
    joined = [told(api.post("/v1/tables/quick", {"stake": 0}), 201) for _ in range(3)]
    assert [one["id"] for one in joined] == [first["id"], second["id"], slow["id"]]
    assert all(one["status"] == "playing" and one["token"] for one in joined)
    opened = told(api.post("/v1/tables/quick", {"stake": 0}), 201)
    assert opened["status"] == "open" and opened["private"] is False
    again = told(api.post("/v1/tables/quick", {"stake": 0}, opened["token"]), 201)
    assert (again["id"], again["status"]) == (opened["id"], "open")
    assert told(api.get(f"/v1/tables/{private['id']}", private["token"]))["status"] == "open"


def test_quick_passes_over_a_table_that_has_waited_too_long(fresh_api: Api) -> None:
    api = fresh_api
    old = open_online(api)
    api.clock.now_ms += OPEN_MS
    assert told(api.post("/v1/tables/quick", {"stake": 0}), 201)["id"] != old["id"]


def test_at_most_so_many_tables_each(api: Api) -> None:
    token = open_online(api)["token"]
    for _ in range(99):
        open_online(api, token)
    other = open_online(api)
    for path, body in ((f"/v1/tables/{other['id']}/seats", None), ("/v1/tables", {"kind": "online"})):
        assert refused(api.post(path, body, token)) == (409, "too_many_tables")
