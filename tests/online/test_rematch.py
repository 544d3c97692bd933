"""A rematch: both ask, one new table, stakes taken anew, the other seat opening."""

import pytest

from ginapi.service import serving
from tests.accounts.people import open_account, refused, told
from tests.api.caller import Api, Player
from tests.coins.seated import Sitter, faults
from tests.online.pairs import Pair, open_online
from tests.online.test_lobby import wallet


def rematch(pair: Pair, seat: int, status: int) -> dict:
    return told(pair.api.post(f"/v1/tables/{pair.id}/rematch", None, pair.seats[seat].token), status)


def test_both_ask_and_there_is_one_new_table(fresh_api: Api) -> None:
    api = fresh_api
    tokens = open_account(api), open_account(api)
    pair = Pair(api, tokens, stake=100, clock={"move_ms": 7_000})
    assert refused(api.post(f"/v1/tables/{pair.id}/rematch", None, tokens[0])) == (409, "hand_running")
    told(pair.seats[0].leave())
    asked = rematch(pair, 1, 202)
    assert (asked["id"], asked["rematch"], asked["rematch_table_id"]) == (pair.id, [1], None)
    assert rematch(pair, 1, 202)["version"] == asked["version"]
    assert pair.seats[0].table()["rematch"] == [1]
    assert (wallet(api, tokens[0]), wallet(api, tokens[1])) == ((890, 0), (1_100, 0))
    new = rematch(pair, 0, 201)
    assert (new["status"], new["stake"], new["clock"]["move_ms"], new["fair"]) == ("playing", 100, 7_000, True)
    hand = told(api.get(f"/v1/hands/{new['hand_id']}", tokens[0]))
    assert (hand["opener"], hand["turn"], hand["seat"]) == (1, 1, 0)
    assert (wallet(api, tokens[0]), wallet(api, tokens[1])) == ((780, 110), (990, 110))
    for seat in (0, 1):
        assert rematch(pair, seat, 201)["id"] == new["id"]
        over = pair.seats[seat].table()
        assert (over["rematch"], over["rematch_table_id"]) == ([0, 1], new["id"])
    assert faults(api) == []


def test_an_offer_lapses_after_a_minute(api: Api) -> None:
    pair = Pair(api)
    told(pair.seats[0].leave())
    before = rematch(pair, 0, 202)["version"]
    api.clock.now_ms += 59_999
    assert pair.seats[1].table()["rematch"] == [0]
    api.clock.now_ms += 1
    lapsed = pair.seats[1].table()
    assert (lapsed["rematch"], lapsed["version"]) == ([], before + 1)
    assert rematch(pair, 1, 202)["rematch"] == [1]
    assert rematch(pair, 0, 201)["status"] == "playing"


def test_an_offer_lapses_as_long_after_it_was_made_where_the_clock_was_set_back(fresh_api: Api) -> None:
    api = fresh_api
    pair = Pair(api)
    told(pair.seats[0].leave())
    rematch(pair, 0, 202)
    for passed_ms in (40_000, -3_600_000):
        api.clock.now_ms += passed_ms
        serving.beat(api.house)
    assert pair.seats[1].table()["rematch"] == [0]
    for _ in range(5):
        api.clock.now_ms += 4_000
        serving.beat(api.house)
    assert pair.seats[1].table()["rematch"] == []
    assert faults(api) == []


def test_nobody_can_ask_who_does_not_sit_there_or_sat_alone(api: Api) -> None:
    pair, alone = Pair(api), open_online(api)
    told(pair.seats[0].leave())
    path = f"/v1/tables/{pair.id}/rematch"
    assert refused(api.post(path)) == (401, "no_token")
    assert refused(api.post(path, None, alone["token"])) == (403, "not_allowed")
    path = f"/v1/tables/{alone['id']}/rematch"
    assert refused(api.post(path, None, alone["token"])) == (409, "hand_running")
    told(api.post(f"/v1/tables/{alone['id']}/leave", None, alone["token"]))
    assert refused(api.post(path, None, alone["token"])) == (409, "table_over")


def test_a_rematch_needs_the_coins_of_both(fresh_api: Api) -> None:
    api = fresh_api
    tokens = open_account(api), open_account(api)
    pair = Pair(api, tokens, stake=500)
    told(pair.seats[0].leave())
    assert wallet(api, tokens[0]) == (450, 0)
    assert refused(api.post(f"/v1/tables/{pair.id}/rematch", None, tokens[0])) == (409, "not_enough_coins")
    rematch(pair, 1, 202)
    assert refused(api.post(f"/v1/tables/{pair.id}/rematch", None, tokens[0])) == (409, "not_enough_coins")
    assert (wallet(api, tokens[0]), wallet(api, tokens[1])) == ((450, 0), (1_500, 0))


@pytest.mark.parametrize("offers_before", [True, False])
def test_no_rematch_with_one_whose_account_is_closed(fresh_api: Api, offers_before: bool) -> None:
    api = fresh_api
    tokens = open_account(api), open_account(api)
    pair = Pair(api, tokens)
    told(pair.seats[0].leave())
    if offers_before:
        rematch(pair, 0, 202)
    assert api.ask("DELETE", "/v1/me", token=tokens[0]).status_code == 204
    assert refused(api.post(f"/v1/tables/{pair.id}/rematch", None, tokens[1])) == (409, "table_over")


@pytest.mark.parametrize("opener", ["player", "computer"])
def test_against_the_computer_a_rematch_is_dealt_at_once(api: Api, opener: str) -> None:
    player = Player(api, level="easy", opener=opener, target=30, clock={"move_ms": 9_000}, seed="x")
    path = f"{player.table_path}/rematch"
    assert refused(api.post(path, None, player.token)) == (409, "hand_running")
    told(player.leave())
    new = told(api.post(path, None, player.token), 201)
    assert (new["level"], new["target"], new["clock"]["move_ms"], new["fair"]) == ("easy", 30, 9_000, True)
    assert told(api.get(f"/v1/hands/{new['hand_id']}", player.token))["opener"] == (opener == "computer")
    assert told(api.post(path, None, player.token), 201)["id"] == new["id"]
    assert player.table()["rematch_table_id"] == new["id"]


def test_a_coin_table_takes_the_stake_anew(fresh_api: Api) -> None:
    sitter = Sitter(fresh_api, stake=250)
    told(sitter.leave())
    path = f"/v1/tables/{sitter.id}/rematch"
    new = told(fresh_api.post(path, None, sitter.token), 201)
    assert (new["kind"], new["stake"], sitter.wallet()) == ("coin", 250, (1_000 - 2 * 275, 275))
    assert told(fresh_api.post(path, None, sitter.token), 201)["id"] == new["id"]
    assert sitter.wallet() == (1_000 - 2 * 275, 275)
    assert faults(fresh_api) == []


def test_of_the_other_one_is_not_told_how_many_coins_it_has(fresh_api: Api) -> None:
    api = fresh_api
    tokens = open_account(api), open_account(api)
    pair = Pair(api, tokens, stake=100)
    told(pair.seats[1].leave())  # 890 are left to it.
    rematch(pair, 1, 202)
    open_online(api, tokens[1], stake=500)
    open_online(api, tokens[1], stake=250)
    answer = api.post(f"/v1/tables/{pair.id}/rematch", None, tokens[0])
    assert refused(answer) == (409, "not_enough_coins")
    assert answer.json["detail"].startswith("The other player has too few coins for a stake of 100. Coins have no")
    assert str(wallet(api, tokens[1])[0]) not in answer.json["detail"]


def test_of_the_other_one_is_not_told_where_else_it_sits(api: Api) -> None:
    pair = Pair(api)
    told(pair.seats[0].leave())
    rematch(pair, 1, 202)
    for _ in range(100):
        open_online(api, pair.seats[1].token)
    answer = api.post(f"/v1/tables/{pair.id}/rematch", None, pair.seats[0].token)
    assert refused(answer) == (409, "too_many_tables")
    assert answer.json["detail"].startswith("The other player")


def test_coins_that_came_back_by_themselves_are_there_for_a_rematch(fresh_api: Api) -> None:
    api = fresh_api
    tokens = open_account(api), open_account(api)
    pair = Pair(api, tokens, stake=100)
    told(pair.seats[0].leave())
    told(Pair(api, (tokens[1], tokens[0]), stake=500).seats[0].leave())
    open_online(api, tokens[1], stake=500)
    assert wallet(api, tokens[1]) == (0, 550)
    path = f"/v1/tables/{pair.id}/rematch"
    assert refused(api.post(path, None, tokens[1])) == (409, "not_enough_coins")
    api.clock.now_ms += 600_000  # Nobody joined: the stake is given back by the time that it is asked for.
    assert told(api.post(path, None, tokens[1]), 202)["rematch"] == [1]
    assert wallet(api, tokens[1]) == (550, 0)
    assert faults(api) == []
