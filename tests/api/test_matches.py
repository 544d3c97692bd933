"""A practice table from its first hand to its last: who opens, how scores add up, how it ends."""

from typing import Any

import pytest

from ginapi.game.cards import cards_of, parse_card
from ginapi.game.moves import Discard, Draw, Knock, Move
from ginapi.game.view import View
from tests.api.caller import Api, Player, deck, drawer, keen, opens
from tests.shares import numbers, share


@pytest.mark.parametrize("opener", ["player", "computer"])
def test_a_match_is_played_to_its_target(api: Api, opener: str) -> None:
    chance = numbers("matches")
    for _ in range(share(20, 1)):
        level, target = chance.choice(["easy", "medium", "hard"]), chance.choice([1, 60, 100])
        player = Player(api, level=level, target=target, opener=opener)
        scores, lines = [0, 0], []
        for number in range(1, 200):
            hand = player.play_out(keen)
            result = hand["result"]
            if result["winner"] is not None:
                scores[result["winner"]] += result["points"]
            assert hand["number"] == number
            # R2: the opener alternates, hand by hand.
            assert hand["opener"] == (number - 1 + (opener == "computer")) % 2
            assert result["scores"] == hand["scores"] == scores
            assert opens(hand)
            lines.append(
                {"id": hand["id"], "number": number}
                | {name: result[name] for name in ("kind", "winner", "points")}
            )  # fmt: skip
            table = player.table()
            assert table["hands"] == lines
            assert [seat["score"] for seat in table["seats"]] == scores
            if max(scores) >= target:
                break
            assert (table["status"], table["winner"], table["ended"]) == ("playing", None, None)
            assert player.deal().status_code == 201
        assert (table["status"], table["winner"], table["ended"]) == ("finished", scores.index(max(scores)), "target")
        assert (table["hand_id"], table["payout"], table["rematch"]) == (hand["id"], None, [])
        for answer in (player.deal(), player.deal({"number": number + 1}), player.leave()):
            assert (answer.status_code, answer.json["code"]) == (409, "table_over")
        assert player.deal({"number": 1}).json["id"] == lines[0]["id"]


def test_a_practice_table_as_its_player_sees_it(api: Api) -> None:
    player = Player(api)
    table = player.table()
    assert {name: table[name] for name in table if name not in ("id", "version", "server_time", "seats")} == {
        "kind": "practice",
        "status": "playing",
        "fair": True,
        "rules": "house",
        "target": 100,
        "level": "medium",
        "private": True,
        "invite": None,
        "stake": 0,
        "leaving_fee": 0,
        "clock": None,
        "hand_id": player.hand["id"],
        "next_hand_at": None,
        "hands": [],
        "winner": None,
        "ended": None,
        "payout": None,
        "rematch": [],
        "rematch_table_id": None,
        "note": None,
    }


def test_the_log_counts_every_event_of_the_table(api: Api) -> None:
    player = Player(api, seed="log")
    assert player.table()["version"] == 1, "the deal"
    player.move("draw", source="stock")
    assert player.table()["version"] == 2
    player.leave()
    assert player.table()["version"] == 5, "the leaving, the result, the end of the match"
    assert player.see().json["version"] == 2


def washed(api: Api) -> Player:
    """A table whose first hand is a wash (R13): both seats draw from the stock and shed what they drew."""
    api.choose = drawer
    player = Player(api, seed="wash")
    while player.hand["phase"] != "finished":
        drawn = player.move("draw", source="stock")["drawn_card"]
        player.move("discard", card=drawn)
    return player


def test_a_wash_counts_as_a_hand_and_scores_nothing(api: Api) -> None:
    player = washed(api)
    result = player.hand["result"]
    assert (result["kind"], result["winner"], result["knocker"], result["points"]) == ("wash", None, None, 0)
    assert (result["scores"], player.hand["stock_count"]) == ([0, 0], 2)
    assert result["seats"][0]["deadwood"] == player.hand["deadwood"]
    assert opens(player.hand)
    assert player.table()["hands"][0]["kind"] == "wash"
    assert (player.deal().json["number"], player.hand["opener"]) == (2, 1)


def trader(level: str, view: View, draw_number: Any) -> Move:
    """A second seat that takes every discard and sheds another card."""
    if view.phase == "draw":
        return Draw("discard")
    return Discard(next(card for card in cards_of(view.cards) if card != view.just_taken))


def test_a_hand_of_forty_draws_from_the_pile_is_a_wash(api: Api) -> None:
    api.choose = trader
    player = Player(api, seed="pile")
    for turn in range(1, 21):
        assert player.hand["phase"] == "draw", turn
        player.move("draw", source="discard")
        player.move("discard", card=player.hand["legal_moves"][0]["card"])
    result = player.hand["result"]
    assert (result["kind"], result["points"], player.hand["stock_count"]) == ("wash", 0, 31)


def test_the_next_hand_is_dealt_once_whoever_asks(api: Api) -> None:
    player = washed(api)
    first, second = player.hand["id"], player.deal({"number": 2})
    assert (second.status_code, second.json["number"]) == (201, 2)
    assert second.headers["Location"] == f"/v1/hands/{second.json['id']}"
    assert second.headers["ETag"] == player.see().headers["ETag"]
    # The computer opens hand 2 and has moved; the player has not.
    assert [record["by"] for record in second.json["played"]] == ["computer"] * 2
    before = api.rows()
    for body in (None, {}, {"number": 2}):
        again = player.deal(body)
        assert again.status_code == 201
        assert again.json == {**second.json, "played": []}
    earlier = api.post(f"{player.table_path}/hands", {"number": 1}, player.token)
    assert (earlier.status_code, earlier.json["id"], earlier.json["next_hand_id"]) == (201, first, second.json["id"])
    for body in ({"number": 3},):
        answer = player.deal(body)
        assert (answer.status_code, answer.json["code"]) == (409, "hand_running")
    assert player.deal({"number": 4}).json["code"] == "invalid_request"
    assert api.rows() == before
    player.move("draw", source="stock")
    running = player.deal()
    assert (running.status_code, running.json["code"]) == (409, "hand_running")
    assert player.deal({"number": 2}).json["version"] == player.hand["version"]


def test_an_untouched_first_hand_is_given_again_too(api: Api) -> None:
    for opener in ("player", "computer"):
        player = Player(api, opener=opener)
        hand = player.deal()
        assert (hand.status_code, hand.json["id"], hand.json["version"]) == (
            201, player.opened["id"], player.opened["version"],
        )  # fmt: skip


def test_a_hand_that_waits_for_the_players_first_lay_off_is_given_too(api: Api) -> None:
    knock = Knock(parse_card("As"))
    api.choose = lambda level, view, draw_number: Draw("stock") if view.phase == "draw" else knock
    knocker, other = "7s 7h 7d 2c 3c 4c Ts Th Td 5d", "2s 2h 2d 9s 9h 9d 6c 8c Kh Qh"
    player = Player(api, deck=deck(knocker, other, up="Ks", stock="As"), opener="computer")
    assert player.hand["phase"] == "layoff"
    given = player.deal()
    assert (given.status_code, given.json["id"]) == (201, player.opened["id"])
    player.move("layoff")
    assert player.deal().json["number"] == 2


def test_leaving_in_the_middle_of_a_hand_ends_it_and_the_match(api: Api) -> None:
    player = Player(api, seed="leave")
    player.move("draw", source="stock")
    answer = player.leave()
    assert answer.status_code == 200
    assert (answer.json["forfeited"], answer.json["fee"]) == (0, 0)
    table = answer.json["table"]
    assert (table["status"], table["winner"], table["ended"]) == ("finished", 1, "left")
    hand = player.see().json
    assert (hand["phase"], hand["turn"], hand["just_taken"], hand["legal_moves"]) == ("finished", None, None, [])
    result = hand["result"]
    assert (result["kind"], result["winner"], result["knocker"], result["points"]) == ("left", 1, None, 0)
    assert [len(seat["cards"]) for seat in result["seats"]] == [11, 10], "both hands are shown"
    assert result["seats"][0]["cards"] == hand["cards"]
    assert opens(hand)
    assert table["hands"] == [{"id": hand["id"], "number": 1, "kind": "left", "winner": 1, "points": 0}]
    last = api.get(f"{player.hand_path}/moves", player.token).json["items"][-1]
    assert (last["action"], last["seat"], last["by"], last["version"]) == ("leave", 0, "player", 2)
    assert "leave" in api.get(f"{player.hand_path}/record", player.token).text
    for refused in (player.leave(), player.deal()):
        assert (refused.status_code, refused.json["code"]) == (409, "table_over")


def test_leaving_between_hands_gives_the_match_to_the_other_seat(api: Api) -> None:
    player = Player(api, seed="between", target=1000)
    scores = player.play_out(keen)["scores"]
    table = player.leave().json["table"]
    assert (table["status"], table["winner"], table["ended"]) == ("finished", 1, "left")
    assert [seat["score"] for seat in table["seats"]] == scores
    assert len(table["hands"]) == 1
    hand: dict[str, Any] = player.see().json
    assert hand["result"]["kind"] == table["hands"][0]["kind"] != "left"
    assert opens(hand)
    assert player.deal().json["code"] == "table_over"
