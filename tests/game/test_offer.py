"""The offer of the first face-up card, by the rules of contests: R3, a test a clause."""

import pytest

from ginapi.errors import Refused
from ginapi.game.hand import Hand, check, legal_moves
from ginapi.game.rules import CONTEST, HOUSE, RULES, Rules
from ginapi.game.view import view
from tests.game.endings import code, ending
from tests.game.spelled import card
from tests.game.stacked import move, played, spelled, start


def offered(up: str = "Kc", stock: str = "As Ac") -> Hand:
    return start(up=up, stock=stock, rules=CONTEST)


def refused(hand: Hand, text: str) -> tuple[str, str]:
    assert hand.turn is not None
    with pytest.raises(Refused) as caught:
        check(hand, hand.turn, move(text))
    return caught.value.reason.value, caught.value.detail


def test_the_opener_is_offered_the_face_up_card_to_take_or_to_pass() -> None:
    hand = offered()
    assert (hand.phase, hand.turn, hand.version) == ("offer", 0, 0)
    assert spelled(legal_moves(hand, 0)) == ["draw discard", "pass"]
    assert legal_moves(hand, 1) == ()


def test_who_takes_it_sheds_another_card_as_always_and_the_turn_goes_on() -> None:
    taken = played(offered(), "draw discard")
    assert (taken.phase, taken.turn, taken.just_taken) == ("discard", 0, card("Kc"))
    assert code(taken, 0, "discard Kc") == "card_just_taken"  # R5
    after = played(taken, "discard Ks")
    assert (after.phase, after.turn) == ("draw", 1)
    assert spelled(legal_moves(after, 1)) == ["draw stock", "draw discard"]
    assert view(after, 1).opponent_known == 1 << card("Kc")


def test_who_takes_it_may_knock_at_once() -> None:
    hand = played(start("2s 3s 4s 7h 8h 9h Jd Jc Ks Ah", up="Js", rules=CONTEST), "draw discard")
    assert "knock Ks" in spelled(legal_moves(hand, 0))
    assert played(hand, "knock Ks").phase == "layoff"


def test_where_the_opener_passes_the_other_seat_is_offered_it() -> None:
    hand = played(offered(), "pass")
    assert (hand.phase, hand.turn, hand.version) == ("offer", 1, 1)
    assert spelled(legal_moves(hand, 1)) == ["draw discard", "pass"]
    taken = played(hand, "draw discard", "discard Kh")
    assert (taken.phase, taken.turn) == ("draw", 0)
    assert spelled(legal_moves(taken, 0)) == ["draw stock", "draw discard"]


def test_where_both_pass_the_opener_has_to_draw_from_the_stock() -> None:
    hand = played(offered(), "pass", "pass")
    assert (hand.phase, hand.turn, hand.version) == ("draw", 0, 2)
    assert spelled(legal_moves(hand, 0)) == ["draw stock"]
    assert refused(hand, "draw discard") == (
        "wrong_phase",
        "Both seats have passed the face-up card: draw from the stock.",
    )
    assert played(hand, "draw stock").drawn_card == card("As")


def test_from_then_on_any_top_of_the_pile_may_be_taken() -> None:
    hand = played(offered(), "pass", "pass", "draw stock", "discard Ks")
    assert spelled(legal_moves(hand, 1)) == ["draw stock", "draw discard"]
    assert played(hand, "draw discard", "discard Qd").pile == (card("Kc"), card("Qd"))


def test_each_seat_sees_whether_a_draw_has_to_come_from_the_stock() -> None:
    told = []
    hand = offered()
    for text in ("pass", "pass", "draw stock", "discard Ks", ""):
        told.append((view(hand, 0).stock_only, view(hand, 1).stock_only))
        hand = played(hand, text) if text else hand
    assert told == [(False, False), (False, False), (True, True), (False, False), (False, False)]


@pytest.mark.parametrize("text", ["draw stock", "discard Ks", "knock Ks", "layoff"])
def test_an_offer_is_answered_before_anything_else(text: str) -> None:
    for hand in (offered(), played(offered(), "pass")):
        assert refused(hand, text)[0] == "wrong_phase"
        assert "take the face-up card or pass" in refused(hand, text)[1]
        assert code(hand, 1 - (hand.turn or 0), text) == "not_your_turn"


def test_there_is_nothing_to_pass_but_an_offer() -> None:
    both = played(offered(), "pass", "pass")
    house = start(up="Kc", rules=HOUSE)
    for hand in (both, played(both, "draw stock"), played(both, "draw stock", "discard Ks"), house):
        assert refused(hand, "pass")[0] == "wrong_phase"
    assert refused(house, "pass")[1] == "You cannot pass now: it is time to draw."
    over = played(start(stock="5s"), "draw stock", "knock Ks")
    assert code(over, 0, "pass") == "hand_over"


def test_the_house_offers_nothing() -> None:
    hand = start(up="Kc")
    assert (hand.phase, spelled(legal_moves(hand, 0))) == ("draw", ["draw stock", "draw discard"])


def test_r13_a_hand_of_contest_rules_is_a_wash_as_any_other() -> None:
    hand = played(offered(), "pass", "pass")
    while hand.turn is not None:
        hand = played(hand, "draw stock")
        assert hand.turn is not None and hand.drawn_card is not None
        hand = played(hand, next(text for text in spelled(legal_moves(hand, hand.turn)) if text.startswith("discard")))
    assert ending(hand) == ("wash", None, None, 0)
    assert hand.stock_count == 2


def test_all_else_is_as_at_every_table() -> None:
    assert RULES == {"house": HOUSE, "contest": CONTEST}
    assert Rules() == HOUSE
    assert Rules(upcard_offer=True, wash_keeps_opener=True, name="contest") == CONTEST
