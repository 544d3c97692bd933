"""Practice by the rules of contests over HTTP: the offer of the first face-up card, and who opens after a wash."""

from typing import Any

import pytest

from ginapi.game.moves import Discard, Draw, Pass
from ginapi.game.notation import read, replay
from ginapi.game.rules import CONTEST
from ginapi.service import audit
from tests.api.caller import Api, Player, deck, drawer, keen
from tests.api.test_hands import MINE, THEIRS
from tests.game.stacked import OTHER

TAKE, PASS = {"action": "draw", "from": "discard"}, {"action": "pass"}
STOCK = {"action": "draw", "from": "stock"}


def passer(level: str, view: Any, draw_number: Any) -> Any:
    """A second seat that passes an offer, and else sheds what it drew from the stock."""
    return Pass() if view.phase == "offer" else drawer(level, view, draw_number)


def contest(api: Api, up: str = "Ks", **terms: Any) -> Player:
    return Player(api, deck=deck(MINE, THEIRS, up=up, stock="Qs Jd As"), rules="contest", **terms)


def test_the_opener_is_offered_the_face_up_card(api: Api) -> None:
    hand = contest(api).hand
    assert (hand["rules"], hand["phase"], hand["turn"], hand["version"]) == ("contest", "offer", 0, 0)
    assert hand["legal_moves"] == [TAKE, PASS]


def test_a_pass_that_the_computer_answers_with_another_leaves_the_stock_alone(api: Api) -> None:
    api.choose = passer
    player = contest(api)
    hand = player.move("pass")
    assert [(one["seat"], one["by"], one["action"]) for one in hand["played"]] == [
        (0, "player", "pass"),
        (1, "computer", "pass"),
    ]
    assert set(hand["played"][0]) == {"version", "seat", "by", "action", "at"}
    assert (hand["phase"], hand["turn"], hand["legal_moves"]) == ("draw", 0, [STOCK])
    refused = player.post(TAKE)
    assert (refused.status_code, refused.json["code"]) == (409, "wrong_phase")
    assert refused.json["hand"]["legal_moves"] == [STOCK]
    assert player.move("draw", source="stock")["drawn_card"] == "Qs"


def test_what_is_taken_is_shed_by_another_and_play_goes_on_by_any_top(api: Api) -> None:
    api.choose = passer
    player = contest(api)
    taken = player.move("draw", source="discard")
    assert (taken["phase"], taken["just_taken"]) == ("discard", "Ks")
    hand = player.move("discard", card="Kd")
    assert hand["legal_moves"] == [STOCK, TAKE]


def test_the_computer_takes_what_the_person_passed_or_is_offered_it_first(api: Api) -> None:
    def taker(level: str, view: Any, draw_number: Any) -> Any:
        if view.phase == "discard":
            return Discard(next(card for card in range(52) if view.cards >> card & 1 and card != view.just_taken))
        return Draw("discard")

    api.choose = taker
    passed = contest(api).move("pass")
    assert [one["action"] for one in passed["played"]] == ["pass", "draw", "discard"]
    assert passed["opponent"]["known_cards"] == ["Ks"]
    first = contest(api, opener="computer").hand
    assert [(one["seat"], one["action"]) for one in first["played"]] == [(1, "draw"), (1, "discard")]
    assert (first["phase"], first["legal_moves"]) == ("draw", [STOCK, TAKE])


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_a_whole_match_replays_and_holds_in_an_audit(level: str, fresh_api: Api) -> None:
    player = Player(fresh_api, level=level, rules="contest", target=60)
    actions = set()
    while True:
        hand = player.play_out(keen)
        text = fresh_api.get(f"{player.hand_path}/record", player.token).text
        assert text.splitlines()[2] == "rules contest"
        record = read(text)
        assert record.rules == CONTEST
        assert replay(record).version == hand["version"]
        actions |= {one["action"] for one in fresh_api.get(f"{player.hand_path}/moves", player.token).json["items"]}
        if max(hand["scores"]) >= 60:
            break
        assert player.deal().status_code == 201
    assert actions >= {"draw", "discard"}
    table = player.table()
    assert (table["rules"], table["status"]) == ("contest", "finished")
    whole = fresh_api.get(f"{player.table_path}/record", player.token)
    assert whole.text.count("rules contest") == hand["number"]
    assert [fault for one in audit.audit(fresh_api.house) for fault in one.faults] == []


@pytest.mark.parametrize(("rules", "second"), [("contest", 0), ("house", 1)])
def test_r2_who_opened_a_wash_opens_again_by_the_rules_of_contests(api: Api, rules: str, second: int) -> None:
    def idle(hand: dict[str, Any]) -> dict[str, Any]:
        legal: list[dict[str, Any]] = hand["legal_moves"]
        if hand["phase"] == "discard":
            return {"action": "discard", "card": hand["drawn_card"]}
        return next(move for move in legal if move in (STOCK, PASS))

    api.choose = passer
    player = Player(api, deck=deck(MINE, OTHER, up="Kc"), rules=rules)
    assert player.play_out(idle)["result"]["kind"] == "wash"
    player.deal()
    assert (player.hand["opener"], player.hand["rules"]) == (second, rules)


def test_a_rematch_is_by_the_same_rules(api: Api) -> None:
    player = contest(api)
    player.leave()
    rematch = api.post(f"{player.table_path}/rematch", None, player.token)
    assert (rematch.status_code, rematch.json["rules"]) == (201, "contest")


def test_a_hand_that_only_passed_the_other_seat_by_is_dealt_again_as_it_is(api: Api) -> None:
    """The computer's pass is no move of the caller's: the hand that runs is returned; its own pass is one."""
    api.choose = passer
    player = contest(api, opener="computer")
    assert [one["action"] for one in player.hand["played"]] == ["pass"]
    assert player.deal().status_code == 201
    player.move("pass")
    assert player.deal().status_code == 409


def test_other_tables_are_the_houses(api: Api) -> None:
    assert Player(api).hand["rules"] == Player(api, rules="house").hand["rules"] == "house"
    online = api.post("/v1/tables", {"kind": "online"})
    assert online.json["rules"] == "house"


def test_the_log_of_a_table_says_a_pass_as_any_move(api: Api) -> None:
    api.choose = passer
    player = contest(api)
    player.move("pass")
    player.leave()
    stream = api.get(f"{player.table_path}/events", player.token)
    assert stream.text.count('"action":"pass"') == 2
