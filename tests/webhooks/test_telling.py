"""Whom is told of what, and with the move or not at all."""

import json
import re
from typing import Any

import pytest

from ginapi.service import hands, settling
from tests.accounts.people import refused, told
from tests.api.caller import Api, Player, deck, drawer
from tests.coins.seated import Sitter
from tests.online.pairs import Pair, open_online
from tests.webhooks.hooked import HAND, MATCH, TURN, BothTold, events, forget, hook, hooked, is_told, waiting

KNOCKS = ("7s 7h 7d 2c 3c 4c Ts Th Td Kd", "2s 2h 2d 9s 9h 9d 5c 6c Kh Qh")


def test_the_opener_is_told_as_the_second_player_sits_down(two: BothTold) -> None:
    assert two.news() == ([TURN], [])


def test_a_turn_is_told_to_the_other_seat_alone_and_a_move_within_a_turn_to_nobody(two: BothTold) -> None:
    two.news()
    hand = two.seats[0].move("draw", source="stock")
    assert two.news() == ([], [])
    two.seats[0].move("discard", card=hand["drawn_card"])
    (delivery,) = two.bodies()
    table = two.seats[1].table()
    assert delivery == {
        "type": TURN,
        "timestamp": "2026-09-21T14:13:20.000Z",
        "data": {
            "table_id": table["id"],
            "table_version": table["version"],
            "seat": 1,
            "hand_id": table["hand_id"],
            "number": 1,
            "version": 2,
            "phase": "draw",
            "scores": [0, 0],
            "deadline": table["clock"]["deadline"],
        },
    }
    assert two.news() == ([], [TURN])


def test_the_defender_is_told_of_a_knock_and_both_of_the_end_of_the_hand(fresh_api: Api) -> None:
    two = BothTold(fresh_api, private=True, deck=deck(*KNOCKS, up="Ks", stock="As"))
    two.news()
    two.seats[0].move("draw", source="stock")
    two.seats[0].move("knock", card="Kd")
    assert [one["data"]["phase"] for one in two.bodies()] == ["layoff"]
    assert two.news() == ([], [TURN])
    two.seats[1].look()
    two.seats[1].move("layoff")
    hand = two.seats[0].look()
    first, second = two.bodies()
    result = hand["result"]
    assert first["data"] == {
        "table_id": two.pair.id,
        "table_version": two.seats[0].table()["version"],
        "seat": first["data"]["seat"],
        "hand_id": hand["id"],
        "number": 1,
        "version": hand["version"],
        "scores": result["scores"],
        "kind": "knock",
        "winner": 0,
        "knocker": 0,
        "points": result["points"],
    }
    assert {first["data"].pop("seat"), second["data"].pop("seat")} == {0, 1}
    assert first == second
    assert two.news() == ([HAND], [HAND])
    assert two.seats[0].deal().status_code == 201
    assert two.news() == ([], [TURN])  # R2: the opener alternates.


def test_a_match_that_is_over_is_told_to_both_after_its_last_hand(fresh_api: Api) -> None:
    two = BothTold(fresh_api, private=True, target=1, seed="over soon")
    two.pair.play_match()
    table = two.seats[0].table()
    last = two.bodies()[-4:]
    assert [one["type"] for one in last] == [HAND, HAND, MATCH, MATCH]
    assert {one["data"].pop("seat") for one in last[2:]} == {0, 1}
    assert last[2]["data"] == {
        "table_id": table["id"],
        "table_version": table["version"],
        "winner": table["winner"],
        "ended": "target",
        "scores": [seat["score"] for seat in table["seats"]],
    }


def test_leaving_is_told_to_both(two: BothTold) -> None:
    two.news()
    two.seats[0].leave()
    assert [one["data"]["ended"] for one in two.bodies() if one["type"] == MATCH] == ["left", "left"]
    assert two.news() == ([HAND, MATCH], [HAND, MATCH])


def test_what_the_clock_does_is_told_at_the_instant_that_it_was_due(two: BothTold) -> None:
    two.news()
    api = two.api
    due_ms = api.clock.now_ms + 30_500
    api.clock.now_ms += 40_000
    settling.settle(api.house, two.pair.id)
    rows = waiting(api.database)
    assert [(row["event"], row["created_ms"], row["due_ms"]) for row in rows] == [(TURN, due_ms, due_ms)]
    # The clock drew for seat 0, which now has a discard to make.
    assert json.loads(rows[0]["body"])["data"]["seat"] == 0
    assert two.news() == ([TURN], [])


def test_an_open_table_that_closes_is_told_to_who_waited(fresh_api: Api) -> None:
    token, webhook = hooked(fresh_api)
    opened = open_online(fresh_api, token)
    assert waiting(fresh_api.database) == []
    fresh_api.clock.now_ms += 600_000
    settling.settle(fresh_api.house, opened["id"])
    (row,) = waiting(fresh_api.database, webhook["id"])
    facts = json.loads(row["body"])["data"]
    assert (row["event"], facts["ended"], facts["winner"], facts["seat"]) == (MATCH, "closed", None, 0)


def test_a_rematch_is_told_to_its_opener(two: BothTold) -> None:
    two.seats[0].leave()
    two.news()
    path = f"/v1/tables/{two.pair.id}/rematch"
    told(two.api.post(path, None, two.first), 202)
    assert two.news() == ([], [])
    new = told(two.api.post(path, None, two.second), 201)
    assert is_told(two.api.database, new["id"])
    assert [one["data"]["table_id"] for one in two.bodies()] == [new["id"]]
    assert two.news() == ([], [TURN])


def test_at_a_coin_table_the_caller_is_told_of_what_it_did_not_ask_for(fresh_api: Api) -> None:
    """The computer answers in the same request; the clock does not."""
    api = fresh_api
    api.choose = drawer
    token, webhook = hooked(api)
    sitter = Sitter(api, token)
    hand = sitter.move("draw", source="stock")
    sitter.move("discard", card=hand["drawn_card"])
    assert waiting(api.database) == []
    api.clock.now_ms += 90_500
    settling.settle(api.house, sitter.id)
    assert events(api.database, webhook["id"]) == [TURN]
    forget(api.database)
    sitter.leave()
    assert events(api.database, webhook["id"]) == [HAND, MATCH]


@pytest.mark.parametrize("terms", [{}, {"clock": {"move_ms": 500}}])
def test_of_a_practice_table_nobody_is_told(fresh_api: Api, terms: Any) -> None:
    token, _ = hooked(fresh_api)
    player = Player(fresh_api, token, **terms)
    hook(fresh_api, token)
    fresh_api.clock.now_ms += 60_000
    player.table()
    player.leave()
    assert waiting(fresh_api.database) == []
    assert not is_told(fresh_api.database, player.hand["table_id"])


def test_whoever_has_two_webhooks_is_told_at_both_each_with_an_id_of_its_own(fresh_api: Api) -> None:
    token, first = hooked(fresh_api)
    second = hook(fresh_api, token)
    Pair(fresh_api, (token, None))
    rows = waiting(fresh_api.database)
    assert {row["webhook_id"] for row in rows} == {first["id"], second["id"]}
    assert len({row["id"] for row in rows}) == 2
    assert rows[0]["body"] == rows[1]["body"]
    assert all(re.fullmatch("msg_[0-9a-f]{28}", row["id"]) for row in rows)


# With the move or not at all.


def test_a_move_that_is_refused_tells_nobody(two: BothTold) -> None:
    two.news()
    before = two.api.rows()
    assert refused(two.seats[0].post({"action": "discard", "card": "As"}))[0] == 409
    assert refused(two.seats[1].post({"action": "draw", "from": "stock"})) == (409, "not_your_turn")
    assert two.api.rows() == before


def test_a_move_that_is_rolled_back_tells_nobody(two: BothTold, monkeypatch: pytest.MonkeyPatch) -> None:
    hand = two.seats[0].move("draw", source="stock")
    before = two.api.rows()

    def broken(*given: Any) -> Any:
        raise RuntimeError("after it was written down")

    monkeypatch.setattr(hands, "seen_after", broken)
    answer = two.seats[0].post({"action": "discard", "card": hand["drawn_card"]})
    assert answer.status_code == 500
    assert two.api.rows() == before


def test_a_retry_tells_once(two: BothTold) -> None:
    hand = two.seats[0].move("draw", source="stock")
    two.news()
    for _ in range(3):
        two.seats[0].post({"action": "discard", "card": hand["drawn_card"]}, key="once")
    assert two.news() == ([], [TURN])
