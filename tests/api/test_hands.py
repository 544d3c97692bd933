"""Hands over HTTP: what the contract says of opening, seeing, moving and looking back, as facts."""

import random
from typing import Any

import pytest

from ginapi.game.cards import parse_card, value_of
from ginapi.game.melds import deadwood, deadwood_after, is_meld
from ginapi.game.moves import Discard, Draw, Knock
from tests.api.caller import Api, Player, deck, drawer, keen, opens
from tests.game.spelled import mask
from tests.shares import numbers


def test_a_hand_opens_without_account_body_or_content_type(api: Api) -> None:
    answer = api.post("/v1/hands")
    hand = answer.json
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/v1/hands/{hand['id']}"
    assert answer.headers["Cache-Control"].startswith("private")
    assert "Authorization" in answer.headers["Vary"]
    assert hand["token"]
    assert (hand["number"], hand["version"], hand["seat"], hand["opener"]) == (1, 0, 0, 0)
    assert (hand["phase"], hand["turn"], hand["stock_count"]) == ("draw", 0, 31)
    assert len(hand["cards"]) == 10
    assert len(hand["discard_pile"]) == 1
    assert hand["opponent"] == {"cards_count": 10, "known_cards": []}
    assert hand["legal_moves"] == [{"action": "draw", "from": "stock"}, {"action": "draw", "from": "discard"}]
    nothing = ("clock", "knock", "result", "just_taken", "drawn_card", "next_hand_id", "next_hand_at")
    assert [hand[name] for name in nothing] == [None] * 7
    assert (hand["scores"], hand["target"], hand["played"]) == ([0, 0], 100, [])
    assert hand["server_time"] == "2026-09-21T14:13:20.000Z"


def test_an_empty_object_says_the_same_as_no_body(api: Api) -> None:
    assert api.post("/v1/hands", {}).status_code == 201


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_a_level_is_the_tables(api: Api, level: str) -> None:
    table = Player(api, level=level).table()
    assert (table["level"], table["fair"]) == (level, True)
    assert [(seat["seat"], seat["kind"], seat["you"]) for seat in table["seats"]] == [
        (0, "guest", True),
        (1, "computer", False),
    ]


def test_the_level_is_medium_where_none_is_said(api: Api) -> None:
    assert Player(api).table()["level"] == "medium"


def test_the_computer_opens_when_asked_and_has_moved_at_once(api: Api) -> None:
    hand = Player(api, opener="computer").hand
    assert (hand["seat"], hand["opener"]) == (0, 1)
    assert [(record["seat"], record["by"]) for record in hand["played"]] == [(1, "computer")] * len(hand["played"])
    assert [record["version"] for record in hand["played"]] == list(range(1, hand["version"] + 1))
    assert hand["version"] >= 2


def test_a_seed_gives_the_same_deals_and_marks_the_table(api: Api) -> None:
    first, second = (Player(api, seed="tuesday ☂") for _ in range(2))
    assert first.hand["cards"] == second.hand["cards"]
    assert first.hand["discard_pile"] == second.hand["discard_pile"]
    assert first.table()["fair"] is False
    for player in (first, second):
        player.play_out(keen)
    assert first.deal().json["cards"] == second.deal().json["cards"]
    other = Player(api, seed="wednesday")
    assert other.hand["cards"] != first.opened["cards"]


def test_a_deck_is_dealt_one_card_at_a_time_the_opener_first(api: Api) -> None:
    stack = random.Random(7).sample(deck(), 52)
    for opener, mine in (("player", stack[0:20:2]), ("computer", stack[1:20:2])):
        api.choose = drawer
        player = Player(api, deck=stack, opener=opener)
        assert set(player.hand["cards"]) == set(mine)
        assert player.table()["fair"] is False
        # What the drawer sheds is the top of the stock: the 22nd card.
        assert player.hand["discard_pile"] == (stack[20:21] if opener == "player" else stack[20:22])
        drawn = player.move("draw", source="stock")["drawn_card"]
        assert drawn == stack[21 if opener == "player" else 22]


def test_a_deck_may_be_written_in_any_spelling_and_is_shown_in_one(api: Api) -> None:
    written = [card.replace("T", "10").upper() for card in deck()]
    player = Player(api, deck=written)
    assert player.leave().status_code == 200
    assert player.see().json["result"]["deal"]["deck"] == deck()


def test_the_target_is_the_tables(api: Api) -> None:
    player = Player(api, target=7)
    assert player.hand["target"] == player.table()["target"] == 7


def test_a_turn_as_both_seats_are_told_of_it(api: Api) -> None:
    api.choose = drawer
    stack = deck("2s 4h 6d 8c Ts Qh As 3h 5d 7c", "2d 4s 6h 8s Td Qc Ad 3s 5h 7d", up="9h", stock="Kd Kh 9c")
    player = Player(api, deck=stack)
    drawn = player.move("draw", source="stock")
    assert (drawn["drawn_card"], drawn["just_taken"], drawn["phase"], drawn["version"]) == ("Kd", None, "discard", 1)
    assert [one["card"] for one in drawn["legal_moves"]] == drawn["cards"]
    assert {one["action"] for one in drawn["legal_moves"]} == {"discard"}
    at = drawn["played"][0].pop("at")
    assert drawn["played"] == [
        {"version": 1, "seat": 0, "by": "player", "action": "draw", "from": "stock", "card": "Kd"}
    ]
    shed = player.move("discard", card="2s")
    for record in shed["played"]:
        assert record.pop("at") == at == shed["server_time"]
    assert shed["played"] == [
        {"version": 2, "seat": 0, "by": "player", "action": "discard", "card": "2s"},
        # What the computer drew from the stock is its own.
        {"version": 3, "seat": 1, "by": "computer", "action": "draw", "from": "stock"},
        {"version": 4, "seat": 1, "by": "computer", "action": "discard", "card": "Kh"},
    ]
    assert (shed["drawn_card"], shed["turn"], shed["phase"], shed["stock_count"]) == (None, 0, "draw", 29)
    assert shed["discard_pile"] == ["9h", "2s", "Kh"]
    taken = player.move("draw", source="discard")
    assert (taken["just_taken"], taken["drawn_card"], taken["stock_count"]) == ("Kh", "Kh", 29)
    assert taken["discard_pile"] == ["9h", "2s"]
    assert "Kh" in taken["cards"]
    assert "Kh" not in {one["card"] for one in taken["legal_moves"]}
    assert player.move("discard", card="Kd")["just_taken"] is None


def test_cards_that_the_opponent_took_are_known_for_as_long_as_it_holds_them(api: Api) -> None:
    from_pile = iter([Draw("discard"), Draw("stock"), Draw("stock")])
    sheds = iter(["Kh", "Kc", "2s"])

    def choose(level: str, view: Any, draw_number: Any) -> Any:
        return next(from_pile) if view.phase == "draw" else Discard(parse_card(next(sheds)))

    api.choose = choose
    stack = deck("2s 4h 6d 8c Ts Qh As 3h 5d 7c", "2d 4s 6h 8s Td Qc Ad 3s 5h Kh", up="9h", stock="Kd Ks Kc")
    player = Player(api, deck=stack)
    player.move("draw", source="stock")
    hand = player.move("discard", card="2s")
    assert hand["opponent"] == {"cards_count": 10, "known_cards": ["2s"]}
    assert hand["played"][1] == {**hand["played"][1], "from": "discard", "card": "2s"}
    player.move("draw", source="stock")
    hand = player.move("discard", card="Ks")
    assert hand["opponent"]["known_cards"] == ["2s"]
    player.move("draw", source="stock")
    assert player.move("discard", card="4h")["opponent"]["known_cards"] == []


def test_melds_and_deadwood_are_a_best_layout_of_what_may_be_kept(api: Api) -> None:
    chance = numbers("own layouts")
    for _ in range(30):
        player = Player(api, deck=chance.sample(deck(), 52))
        player.move("draw", source=chance.choice(["stock", "discard"]))
        hand = player.hand
        after = deadwood_after(mask(hand["cards"]), mask(set(hand["cards"]) - {hand["just_taken"]}))
        assert hand["deadwood"] == min(after.values())
        player.move("discard", card=chance.choice(hand["legal_moves"])["card"])
        hand = player.hand
        if hand["phase"] == "draw":
            assert hand["deadwood"] == deadwood(mask(hand["cards"]))
            assert all(is_meld(mask(meld)) for meld in hand["melds"])
            loose = set(hand["cards"]) - {card for meld in hand["melds"] for card in meld}
            assert value_of(mask(loose)) == hand["deadwood"]


MINE = "7s 7h 7d 2c 3c 4c Ts Th Td Kd"
THEIRS = "2s 2h 2d 9s 9h 9d 5c 6c Kh Qh"


def test_a_knock_at_the_computer_is_answered_at_the_same_instant(api: Api) -> None:
    player = Player(api, deck=deck(MINE, THEIRS, up="Ks", stock="As"))
    drawn = player.move("draw", source="stock")
    assert {"action": "knock", "card": "Kd"} in drawn["legal_moves"]
    over = player.move("knock", card="Kd", melds=[["2c", "3c", "4c"], ["7s", "7h", "7d"], ["Ts", "Th", "Td"]])
    assert (over["phase"], over["turn"], over["clock"], over["just_taken"]) == ("finished", None, None, None)
    assert over["legal_moves"] == []
    assert over["discard_pile"] == ["Ks", "Kd"]
    assert over["knock"] == {
        "seat": 0,
        "melds": [["2c", "3c", "4c"], ["7s", "7h", "7d"], ["Ts", "Th", "Td"]],
        "deadwood_cards": ["As"],
        "deadwood": 1,
    }
    assert [(one["action"], one["by"], one["version"]) for one in over["played"]] == [
        ("knock", "player", 2),
        ("layoff", "computer", 3),
    ]
    result = over["result"]
    assert (result["kind"], result["winner"], result["knocker"]) == ("knock", 0, 0)
    assert (result["points"], result["scores"]) == (19, [19, 0])
    mine, theirs = result["seats"]
    assert (mine["deadwood"], theirs["deadwood"]) == (1, 20)
    assert theirs["layoffs"] == [{"card": "5c", "onto": 0}, {"card": "6c", "onto": 0}]
    assert set(theirs["cards"]) == set(THEIRS.split()), "cards laid off stay listed"
    assert result["deal"]["deck"] == deck(MINE, THEIRS, up="Ks", stock="As")
    assert over["scores"] == [19, 0]
    assert opens(over)


def test_a_person_lays_off_after_a_knock_and_never_after_gin(api: Api) -> None:
    api.choose = lambda level, view, draw_number: Draw("stock") if view.phase == "draw" else Knock(parse_card("Kd"))
    for drawn, phase in (("As", "layoff"), ("5c", "finished")):
        stack = deck(MINE, THEIRS.replace("5c", "8c"), up="Ks", stock=drawn)
        player = Player(api, deck=stack, opener="computer")
        assert player.hand["phase"] == phase
        if phase == "finished":
            assert player.hand["result"]["kind"] == "gin"
            assert player.hand["scores"] == [0, 25 + 8 + 6 + 20]
            assert [seat["layoffs"] for seat in player.hand["result"]["seats"]] == [[], []]
            continue
        assert player.hand["legal_moves"] == [{"action": "layoff"}]
        assert player.hand["knock"]["seat"] == 1
        assert player.hand["turn"] == 0
        assert opens(player.play_out(keen))


def test_an_empty_list_of_melds_or_layoffs_means_none(api: Api) -> None:
    api.choose = lambda level, view, draw_number: Draw("stock") if view.phase == "draw" else Knock(parse_card("Kd"))
    points = {}
    for name, move in {
        "best": {},
        "no melds": {"melds": []},
        "no layoffs": {"layoffs": []},
        "neither": {"melds": [], "layoffs": []},
    }.items():
        player = Player(api, deck=deck(MINE, THEIRS, up="Ks", stock="As"), opener="computer")
        points[name] = player.move("layoff", **move)["result"]["points"]
    assert points == {"best": 19, "no melds": 19 + 6 + 27, "no layoffs": 30, "neither": 63}


def test_the_next_hand_is_named_once_it_is_dealt(api: Api) -> None:
    player = Player(api, seed="next")
    player.play_out(keen)
    first = player.hand_path
    before = api.get(first, player.token)
    assert before.json["next_hand_id"] is None
    second = player.deal().json
    after = api.get(first, player.token)
    assert after.json["next_hand_id"] == second["id"]
    assert after.headers["ETag"] != before.headers["ETag"]
    assert second["next_hand_id"] is None
    assert (second["number"], second["opener"], second["table_id"]) == (2, 1, player.opened["table_id"])
    refused = api.post(f"{first}/moves", {"action": "draw", "from": "stock"}, player.token)
    assert (refused.status_code, refused.json["code"]) == (409, "hand_over")
    assert refused.json["hand"]["id"] == before.json["id"]
