"""Moves that are refused: each code where it belongs, the earlier of two, and the hand as it stands beside it."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import update
from werkzeug.test import TestResponse

from ginapi.game.cards import parse_card
from ginapi.game.moves import Draw, Knock
from ginapi.store import schema
from tests.api.caller import Api, Player, deck, drawer
from tests.game.spelled import melds

MINE = "7s 7h 7d 2c 3c 4c Ts Th 9d Kd"
THEIRS = "2s 2h 2d 6s 6h 6d 5c 8c Kh Qh"
DRAW = {"action": "draw", "from": "stock"}


def refused(player: Player, move: Any, **given: Any) -> TestResponse:
    """The refusal of a move; everything is as before, and the refusal shows it."""
    before, seen = player.api.rows(), player.see()
    answer = player.post(move, **given)
    assert answer.status_code >= 400, answer.text
    assert player.api.rows() == before
    if answer.status_code in (409, 412, 422):
        assert answer.json["hand"] == seen.json
        assert answer.headers["ETag"] == seen.headers["ETag"]
    else:
        assert "hand" not in answer.json
    return answer


def code(player: Player, move: Any, **given: Any) -> tuple[int, str]:
    answer = refused(player, move, **given)
    return answer.status_code, answer.json["code"]


def to_draw(api: Api) -> Player:
    return Player(api, deck=deck(MINE, THEIRS, up="Ks", stock="As"))


def drawn(api: Api) -> Player:
    player = to_draw(api)
    player.move("draw", source="stock")
    return player


def taken(api: Api) -> Player:
    player = Player(api, deck=deck(MINE, THEIRS, up="Td", stock="As"))
    player.move("draw", source="discard")
    return player


def laying_off(api: Api) -> Player:
    """The computer has knocked with three sets and a 5c."""
    declared = Knock(parse_card("Kh"), melds("2s 2h 2d | 6s 6h 6d | Ah Ad Ac"))
    api.choose = lambda level, view, draw_number: Draw("stock") if view.phase == "draw" else declared
    stack = deck("2s 2h 2d 6s 6h 6d 5c Ah Ad Kh", "2c 9s 9h 9d 6c 7c 8c Ks Kd Qs", up="Jd", stock="Ac")
    player = Player(api, deck=stack, opener="computer")
    assert (player.hand["phase"], player.hand["knock"]["deadwood"]) == ("layoff", 5)
    return player


def finished(api: Api) -> Player:
    player = drawn(api)
    player.leave()
    player.hand = player.see().json
    return player


AT: dict[str, Any] = {f.__name__: f for f in (to_draw, drawn, taken, laying_off, finished)}


def knock(card: str, *declared: str) -> dict[str, Any]:
    return {"action": "knock", "card": card, "melds": [meld.split() for meld in declared]}


def layoff(own_meld: str | None, *laid: tuple[str, int]) -> dict[str, Any]:
    own = {} if own_meld is None else {"melds": [own_meld.split()]}
    return {"action": "layoff", **own, "layoffs": [{"card": card, "onto": onto} for card, onto in laid]}


SEVENS, LOW = "7s 7h 7d", "2c 3c 4c"
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("to_draw", {"action": "discard", "card": "Kd"}, "wrong_phase"),
    ("to_draw", {"action": "discard", "card": "Ac"}, "wrong_phase"),
    ("to_draw", knock("Kd"), "wrong_phase"),
    ("to_draw", layoff(None), "wrong_phase"),
    ("drawn", DRAW, "wrong_phase"),
    ("drawn", {"action": "layoff"}, "wrong_phase"),
    ("drawn", {"action": "discard", "card": "Kh"}, "card_not_in_hand"),
    ("drawn", {"action": "knock", "card": "Kh"}, "card_not_in_hand"),
    ("drawn", knock("Kh", "7s 7h"), "card_not_in_hand"),
    ("drawn", {"action": "knock", "card": "Kd"}, "too_much_deadwood"),
    ("drawn", knock("Kd", SEVENS, LOW), "too_much_deadwood"),
    ("drawn", knock("Kd"), "too_much_deadwood"),
    ("drawn", knock("Kd", "7s 7h"), "bad_melds"),
    ("drawn", knock("Kd", "7s"), "bad_melds"),
    ("drawn", knock("Kd", "7s 7h 7c"), "bad_melds"),
    ("drawn", knock("Kd", "2c 3c 7h"), "bad_melds"),
    ("drawn", knock("Kd", SEVENS, "As 2c 3c"), "bad_melds"),
    ("drawn", knock("Kd", "2h 2d 2s"), "bad_melds"),
    ("taken", {"action": "discard", "card": "Td"}, "card_just_taken"),
    ("taken", {"action": "knock", "card": "Td"}, "card_just_taken"),
    ("taken", knock("Td", "7s 7h"), "card_just_taken"),
    ("laying_off", DRAW, "wrong_phase"),
    ("laying_off", {"action": "discard", "card": "Ks"}, "wrong_phase"),
    ("laying_off", layoff("9s 9h"), "bad_melds"),
    ("laying_off", layoff("9s 9h 9c"), "bad_melds"),
    ("laying_off", layoff("9s 9h", ("Ks", 0)), "bad_melds"),
    ("laying_off", layoff(None, ("Ks", 0)), "bad_layoff"),
    ("laying_off", layoff(None, ("2c", 1)), "bad_layoff"),
    ("laying_off", layoff(None, ("2c", 2)), "bad_layoff"),
    ("laying_off", layoff(None, ("3c", 0)), "bad_layoff"),
    ("laying_off", layoff("6c 7c 8c", ("Qs", 0)), "bad_layoff"),
    ("laying_off", layoff("6c 7c 8c", ("6c", 1)), "invalid_request"),
    ("finished", DRAW, "hand_over"),
    ("finished", {"action": "discard", "card": "Ac"}, "hand_over"),
    ("finished", {"action": "layoff"}, "hand_over"),
]


@pytest.mark.parametrize("row", range(len(REFUSED)), ids=lambda row: f"{REFUSED[row][0]}-{REFUSED[row][2]}")
def test_a_move_is_refused_with_the_first_code_that_holds(api: Api, row: int) -> None:
    at, move, wanted = REFUSED[row]
    player = AT[at](api)
    status = 422 if wanted == "invalid_request" else 409
    assert code(player, move) == (status, wanted)
    assert code(player, move, key=f"refused-{row}") == (status, wanted)
    # Every version but the one that stands is refused before the move is.
    stale = (412, "stale_version") if status == 409 else (422, "invalid_request")
    assert code(player, move, if_match='"99"') == stale
    assert code(player, move, if_match=f'"{player.hand["version"] + 1}"') == stale


@pytest.fixture
def opponents(api: Api) -> Iterator[tuple[Player, Player]]:
    """Two people at one table, as online tables will have them: a guest sits down in the computer's seat."""
    mine, theirs = Player(api, deck=deck(MINE, THEIRS, up="Ks", stock="As Ad")), Player(api)
    with api.database.write() as tx:
        at = schema.seats.c.table_id == mine.hand["table_id"]
        guest = tx.execute(
            schema.seats.select().where(schema.seats.c.table_id == theirs.hand["table_id"], schema.seats.c.seat == 0)
        ).one()
        tx.execute(update(schema.seats).where(at, schema.seats.c.seat == 1).values(principal=guest.principal))
        tx.execute(update(schema.tables).where(schema.tables.c.id == mine.hand["table_id"]).values(level=None))
    theirs.hand = api.get(mine.hand_path, theirs.token).json
    yield mine, theirs


def test_whose_turn_it_is_not_has_no_legal_moves_and_is_refused(opponents: tuple[Player, Player]) -> None:
    mine, theirs = opponents
    assert (theirs.hand["seat"], theirs.hand["turn"], theirs.hand["legal_moves"]) == (1, 0, [])
    assert set(theirs.hand["cards"]) == set(THEIRS.split())
    for move in (DRAW, {"action": "discard", "card": "As"}, {"action": "layoff"}, knock("7s", "7h 7d")):
        assert code(theirs, move) == (409, "not_your_turn")
    mine.move("draw", source="stock")
    seen = theirs.see().json
    assert (seen["drawn_card"], seen["just_taken"], seen["version"]) == (None, None, 1)
    assert seen["opponent"]["cards_count"] == 11
    mine.move("discard", card="Kd")
    assert mine.hand["turn"] == 1
    assert code(mine, DRAW) == (409, "not_your_turn")
    assert theirs.move("draw", source="discard")["just_taken"] == "Kd"


def test_a_move_may_say_the_version_that_it_was_decided_on(api: Api) -> None:
    player = drawn(api)
    etag = player.see().headers["ETag"]
    assert player.hand["version"] == 1
    for stale in ('"0"', 'W/"0"', "0", '"0-s0"', 'W/"0-s0"', '"0", "2"', '"11"', '"1', "x1", '"x"', "", '""', "1.0"):
        assert code(player, {"action": "discard", "card": "Kd"}, if_match=stale) == (412, "stale_version"), stale
    api.choose = drawer
    forms = [etag, f"W/{etag}", '"{}"', 'W/"{}"', "{}", '"0", "{}"', 'W/"0" , W/"{}"', '"{}-s1"']
    for turn, form in enumerate(forms):
        card = player.hand["legal_moves"][turn % 2]["card"]
        sent = form.format(player.hand["version"])
        if turn in (0, 1):
            sent = form if turn == 0 else f"W/{player.see().headers['ETag']}"
        player.hand = player.post({"action": "discard", "card": card}, if_match=sent).json
        assert player.hand["phase"] == "draw", sent
        player.move("draw", source="stock")


def test_any_version_is_no_version(api: Api) -> None:
    for sent in ("*", " * "):
        answer = refused(to_draw(api), DRAW, if_match=sent)
        assert (answer.status_code, answer.json["code"]) == (422, "invalid_request")
        assert answer.json["errors"][0]["pointer"] == "/If-Match"


def test_a_refusal_says_what_was_tried_and_what_holds(api: Api) -> None:
    answer = refused(drawn(api), {"action": "knock", "card": "Kd"})
    assert answer.json["detail"] == "Deadwood would be 30; the knock limit is 10."
    assert {"action": "discard", "card": "Kd"} in answer.json["hand"]["legal_moves"]


def test_the_checks_stand_in_their_order(api: Api) -> None:
    player, stranger = drawn(api), Player(api)
    used, wrong, stale = "used-before", {"action": "discard", "card": "Kh"}, '"99"'
    assert api.post("/v1/hands", {}, player.token, key=used).status_code == 201
    path, not_json = f"{player.hand_path}/moves", {"data": b"{", "content_type": "application/json"}

    def told(**given: Any) -> tuple[int, str]:
        answer = api.ask("POST", given.pop("path", path), **{"key": used, "if_match": stale, **given})
        return answer.status_code, answer.json["code"]

    assert told(data=b"{" * 20_000, content_type="text/plain", token="x") == (413, "too_large")
    assert told(data=b"{", content_type="text/plain", token="x") == (415, "unsupported_media_type")
    assert told(**not_json, token="x") == (400, "bad_json")
    assert told(**not_json) == (400, "bad_json")
    assert told(body=[], token="x") == (401, "bad_token")
    assert told(body=[]) == (401, "no_token")
    assert told(body=[], token=stranger.token) == (404, "not_found")
    assert told(body=[], token=player.token) == (422, "invalid_request")
    # The same key for another request at this address.
    key = "this-address"
    player.move("discard", card="Kd")
    player.hand = player.post(DRAW, key=key).json
    assert told(body=[], token=player.token, key=key) == (422, "invalid_request")
    assert told(body=wrong, token=player.token, key=key) == (422, "key_reused")
    assert told(body=wrong, token=player.token, key=None) == (412, "stale_version")
    assert told(body=wrong, token=player.token, key=None, if_match=None) == (409, "card_not_in_hand")
