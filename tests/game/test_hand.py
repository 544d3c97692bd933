"""A hand by the rules page, one test a clause, named by its number: R1 to R9."""

import pytest

from ginapi.errors import Reason, Refused
from ginapi.game.cards import card_text, texts
from ginapi.game.hand import Hand, check, deal, leave, legal_moves, play
from tests.game.spelled import card, cards, melds, spell, text_sets
from tests.game.stacked import OPENER, OTHER, move, played, spelled, stacked, start


def refusal(hand: Hand, seat: int, text: str) -> str | None:
    """The code with which the move is refused, None where it is not; `check` and `play` must say the same."""
    by_check = by_play = None
    try:
        check(hand, seat, move(text))
    except Refused as refused:
        by_check = refused.reason.value
        assert refused.detail.strip()
    try:
        play(hand, seat, move(text))
    except Refused as refused:
        by_play = refused.reason.value
    assert by_check == by_play
    return by_check


# R1


@pytest.mark.parametrize("opener", [0, 1])
def test_r1_ten_cards_each_one_face_up_and_thirty_one_in_the_stock(opener: int) -> None:
    hand = deal(stacked(up="5c", stock="6s"), opener)
    assert spell(hand.cards[opener]) == spell(cards(OPENER))
    assert spell(hand.cards[1 - opener]) == spell(cards(OTHER))
    assert texts(hand.pile) == ["5c"]
    assert hand.stock_count == 31
    assert card_text(hand.deal.deck[hand.stock_at]) == "6s"
    assert (hand.version, hand.phase, hand.turn, hand.just_taken, hand.drawn_card) == (0, "draw", opener, None, None)
    assert (hand.known, hand.pile_draws, hand.knock, hand.result) == ((0, 0), 0, None, None)


def test_r1_cards_go_out_one_at_a_time_the_opener_first() -> None:
    hand = deal(tuple(range(52)), 1)
    assert spell(hand.cards[1]) == "As 3s 5s 7s 9s Js Ks 2h 4h 6h"
    assert spell(hand.cards[0]) == "2s 4s 6s 8s Ts Qs Ah 3h 5h 7h"
    assert texts(hand.pile) == ["8h"]


@pytest.mark.parametrize("deck", [(), tuple(range(51)), (*range(51), 50), tuple(range(53)), tuple(range(1, 53))])
def test_r1_only_the_52_cards_each_once_are_a_deck(deck: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="deck"):
        deal(deck, 0)


# R3


def test_r3_the_opener_starts_a_turn_and_may_take_the_face_up_card() -> None:
    hand = start(up="5c")
    assert spelled(legal_moves(hand, 0)) == ["draw stock", "draw discard"]
    assert legal_moves(hand, 1) == ()
    taken = played(hand, "draw discard")
    assert spell(taken.cards[0] & ~hand.cards[0]) == "5c"
    assert (taken.turn, taken.phase, taken.pile) == (0, "discard", ())


# R4


def test_r4_a_turn_is_a_draw_from_the_stock_then_a_discard() -> None:
    drawn = played(start(up="5c", stock="6s"), "draw stock")
    assert (drawn.phase, drawn.turn, drawn.stock_count, texts(drawn.pile)) == ("discard", 0, 30, ["5c"])
    assert (drawn.drawn_card, drawn.just_taken, drawn.known) == (card("6s"), None, (0, 0))
    assert drawn.cards[0].bit_count() == 11
    shed = played(drawn, "discard Ks")
    assert (shed.phase, shed.turn, shed.stock_count, texts(shed.pile)) == ("draw", 1, 30, ["5c", "Ks"])
    assert (shed.drawn_card, shed.just_taken, shed.version) == (None, None, 2)
    assert shed.cards[0].bit_count() == 10


def test_r4_a_turn_may_take_the_top_discard_and_no_other() -> None:
    hand = played(start(up="5c", stock="6s"), "draw stock", "discard Ks", "draw discard")
    assert (hand.drawn_card, hand.just_taken, texts(hand.pile)) == (card("Ks"), card("Ks"), ["5c"])
    assert spell(hand.known[1]) == "Ks"
    assert hand.stock_count == 30


def test_r4_the_card_drawn_from_the_stock_may_be_shed_at_once() -> None:
    hand = played(start(up="5c", stock="6s"), "draw stock", "discard 6s")
    assert (hand.turn, texts(hand.pile), hand.cards[0]) == (1, ["5c", "6s"], cards(OPENER))


def test_r4_a_knock_is_a_way_to_shed() -> None:
    hand = played(start(up="5c", stock="6s"), "draw stock")
    assert "knock Ks" in spelled(legal_moves(hand, 0))
    assert played(hand, "knock Ks").phase == "layoff"


# R5


def test_r5_the_card_just_taken_cannot_be_discarded() -> None:
    hand = played(start(up="5c"), "draw discard")
    assert refusal(hand, 0, "discard 5c") == "card_just_taken"
    assert "discard 5c" not in spelled(legal_moves(hand, 0))
    assert len([one for one in spelled(legal_moves(hand, 0)) if one.startswith("discard")]) == 10


def test_r5_the_card_just_taken_cannot_be_knocked_with() -> None:
    # Without the 5c the ten dealt would be deadwood 10, enough for a knock.
    hand = played(start(up="5c"), "draw discard")
    assert refusal(hand, 0, "knock 5c") == "card_just_taken"
    assert refusal(hand, 0, "knock 5c: 2s 3s 4s | 7h 8h 9h | Js Jd Jc") == "card_just_taken"
    assert "knock 5c" not in spelled(legal_moves(hand, 0))
    assert "knock Ks" in spelled(legal_moves(hand, 0))


def test_r5_ends_with_the_turn() -> None:
    hand = played(start(up="5c"), "draw discard", "discard Ks", "draw stock", "discard Kh", "draw stock")
    assert refusal(hand, 0, "discard 5c") is None
    assert spell(hand.known[0]) == "5c"
    shed = played(hand, "discard 5c")
    assert shed.known == (0, 0)


# R8


@pytest.mark.parametrize(
    ("loose", "left", "code"),
    [("4d 6c", 10, None), ("5d 6c", 11, "too_much_deadwood"), ("Ad Kc", 11, "too_much_deadwood")],
)
def test_r8_the_limit_is_ten(loose: str, left: int, code: str | None) -> None:
    # Two melds of four, two loose cards, and the drawn Th to shed.
    hand = start(f"7s 7h 7d 7c 9h 9d 9c 9s {loose}", "2s 3s 4s 5s Jd Jc Js Ks Kh Qh", up="2h", stock="Th")
    hand = played(hand, "draw stock")
    assert refusal(hand, 0, "knock Th") == code
    assert ("knock Th" in spelled(legal_moves(hand, 0))) is (code is None)
    if code is None:
        knock = played(hand, "knock Th").knock
        assert knock is not None
        assert (knock.deadwood, spell(knock.deadwood_cards)) == (left, spell(cards(loose)))


def test_r8_the_shed_card_goes_face_up_on_the_pile() -> None:
    hand = played(start(up="5c", stock="6s"), "draw stock", "knock Ks")
    assert texts(hand.pile) == ["5c", "Ks"]
    assert (hand.phase, hand.turn, hand.just_taken, hand.drawn_card) == ("layoff", 1, None, None)
    assert not hand.cards[0] & cards("Ks")


# R9


def test_r9_the_table_declares_a_best_layout_when_none_is_given() -> None:
    knock = played(start(up="5c", stock="6s"), "draw stock", "knock Ks").knock
    assert knock is not None
    assert (knock.seat, knock.deadwood, spell(knock.deadwood_cards)) == (0, 6, "6s")
    assert text_sets(knock.melds) == text_sets(melds("2s 3s 4s | 7h 8h 9h | Js Jd Jc"))


def test_r9_a_declared_layout_need_not_be_the_best() -> None:
    # Kept: three melds and the 5s, which fits the run 2s 3s 4s: gin by the best layout, deadwood 5 as declared.
    hand = played(start(stock="5s"), "draw stock", "knock Ks: 2s 3s 4s | 7h 8h 9h | Js Jd Jc")
    assert hand.knock is not None
    assert (hand.phase, hand.knock.deadwood, spell(hand.knock.deadwood_cards)) == ("layoff", 5, "5s")
    assert hand.knock.melds == melds("2s 3s 4s | 7h 8h 9h | Js Jd Jc")
    # It is the declared deadwood that is scored: Kh is left.
    ended = played(hand, "layoff")
    assert ended.result is not None
    assert (ended.result.kind, ended.result.winner, ended.result.points) == ("knock", 0, 5)
    assert ended.result.seats[0].deadwood == 5


def test_r9_declared_melds_keep_their_order_for_the_lay_offs_onto_them() -> None:
    hand = played(start(stock="6s"), "draw stock", "knock Ks: Js Jd Jc | 7h 8h 9h | 2s 3s 4s")
    assert hand.knock is not None
    assert hand.knock.melds == melds("Js Jd Jc | 7h 8h 9h | 2s 3s 4s")


@pytest.mark.parametrize(
    ("declared", "why"),
    [
        ("2s 3s 4s | 7h 8h 9h | Js Jd Jc Ks", "no meld"),
        ("2s 3s | 7h 8h 9h | Js Jd Jc", "two cards"),
        ("2s 3s 4s | 7h 8h 9h | Js Jd Jh", "a card not held"),
        ("2s 3s 4s | 2s 3s 4s | 7h 8h 9h | Js Jd Jc", "a meld twice"),
        ("4s 5s 6s | 4s 3s 2s | 7h 8h 9h | Js Jd Jc", "a card in two melds"),
    ],
)
def test_r9_a_declared_layout_must_be_valid(declared: str, why: str) -> None:
    hand = played(start(stock="6s"), "draw stock")
    assert refusal(hand, 0, f"knock Ks: {declared}") == "bad_melds", why


def test_r9_the_shed_card_is_in_no_declared_meld() -> None:
    hand = played(start(stock="5s"), "draw stock")
    assert refusal(hand, 0, "knock 5s: 2s 3s 4s 5s | 7h 8h 9h | Js Jd Jc") == "bad_melds"
    assert refusal(hand, 0, "knock 5s: 2s 3s 4s | 7h 8h 9h | Js Jd Jc") is None


def test_r9_a_valid_layout_over_ten_is_refused_though_the_best_would_do() -> None:
    hand = played(start(stock="6s"), "draw stock")
    assert refusal(hand, 0, "knock Ks: 2s 3s 4s | 7h 8h 9h") == "too_much_deadwood"
    assert refusal(hand, 0, "knock Ks:") == "too_much_deadwood"
    assert refusal(hand, 0, "knock Ks") is None


# Refusals in their order


TOO_EARLY = start(up="5c", stock="6s")
TAKEN = played(TOO_EARLY, "draw discard")
DRAWN = played(TOO_EARLY, "draw stock")
KNOCKED = played(DRAWN, "knock Ks: 2s 3s 4s | 7h 8h 9h | Js Jd Jc")
OVER = played(KNOCKED, "layoff")
WIDE = played(start("As 3s 5s 7h 9h Jh Kd Qc 8c 6c", "2d 3d 4d 7c 9c Td Qd Ac Qs Kh", up="5c"), "draw discard")

REFUSALS = [
    # the hand, the seat, the move, the fault named, the fault that it comes before
    (OVER, 0, "draw stock", "hand_over", "not_your_turn"),
    (OVER, 1, "discard As", "hand_over", "wrong_phase"),
    (OVER, 1, "layoff", "hand_over", "wrong_phase"),
    (TOO_EARLY, 1, "draw stock", "not_your_turn", None),
    (TOO_EARLY, 1, "discard As", "not_your_turn", "wrong_phase"),
    (DRAWN, 1, "discard As", "not_your_turn", "card_not_in_hand"),
    (DRAWN, 1, "draw stock", "not_your_turn", "wrong_phase"),
    (KNOCKED, 0, "layoff 2s 3s / 5c>9", "not_your_turn", "bad_melds"),
    (TOO_EARLY, 0, "discard Ks", "wrong_phase", None),
    (TOO_EARLY, 0, "discard As", "wrong_phase", "card_not_in_hand"),
    (TOO_EARLY, 0, "knock Ks", "wrong_phase", "too_much_deadwood"),
    (TOO_EARLY, 0, "layoff", "wrong_phase", None),
    (DRAWN, 0, "draw stock", "wrong_phase", None),
    (DRAWN, 0, "draw discard", "wrong_phase", None),
    (DRAWN, 0, "layoff 2s 3s / 5c>9", "wrong_phase", "bad_melds"),
    (KNOCKED, 1, "draw discard", "wrong_phase", None),
    (KNOCKED, 1, "discard As", "wrong_phase", "card_not_in_hand"),
    (KNOCKED, 1, "knock Kh", "wrong_phase", "too_much_deadwood"),
    (DRAWN, 0, "discard As", "card_not_in_hand", None),
    (DRAWN, 0, "knock As", "card_not_in_hand", None),
    (DRAWN, 0, "knock 2d: 2s 3s", "card_not_in_hand", "bad_melds"),
    (WIDE, 0, "knock 2d", "card_not_in_hand", "too_much_deadwood"),
    (TAKEN, 0, "discard 5c", "card_just_taken", None),
    (TAKEN, 0, "knock 5c: 2s 3s", "card_just_taken", "bad_melds"),
    (WIDE, 0, "knock 5c", "card_just_taken", "too_much_deadwood"),
    (DRAWN, 0, "knock Ks: 2s 3s", "bad_melds", "too_much_deadwood"),
    (KNOCKED, 1, "layoff 2d 3d / 5c>9", "bad_melds", "bad_layoff"),
    (KNOCKED, 1, "layoff 2d 3d / ?", "bad_melds", None),
    (KNOCKED, 1, "layoff ? / Kh>0", "bad_layoff", None),
    (WIDE, 0, "knock Kd", "too_much_deadwood", None),
    (WIDE, 0, "knock Kd:", "too_much_deadwood", None),
]


@pytest.mark.parametrize(
    ("hand", "seat", "text", "code", "before"), REFUSALS, ids=[f"{r[3]}-{r[4]}-{r[2]}" for r in REFUSALS]
)
def test_of_two_faults_the_earlier_is_named(hand: Hand, seat: int, text: str, code: str, before: str | None) -> None:
    assert refusal(hand, seat, text) == code
    order = [reason.value for reason in Reason]
    assert before is None or order.index(code) < order.index(before)


def test_every_reason_of_a_move_in_the_contract_is_in_its_order() -> None:
    contract = (
        "hand_over too_late not_your_turn wrong_phase card_not_in_hand "
        "card_just_taken bad_melds bad_layoff too_much_deadwood"
    )
    order = [reason.value for reason in Reason]
    assert [code for code in order if code in contract.split()] == contract.split()
    # The clock's is not the core's; every other is named above.
    assert {row[3] for row in REFUSALS} == set(contract.split()) - {"too_late"}


def test_a_refused_move_changes_nothing() -> None:
    before = tuple(DRAWN)
    with pytest.raises(Refused):
        play(DRAWN, 0, move("knock As"))
    assert tuple(DRAWN) == before


# Leaving


@pytest.mark.parametrize("hand", [TOO_EARLY, DRAWN, TAKEN, KNOCKED], ids=["draw", "drawn", "taken", "layoff"])
@pytest.mark.parametrize("seat", [0, 1])
def test_leaving_ends_the_hand_in_any_phase_for_the_other_seat_without_points(hand: Hand, seat: int) -> None:
    left = leave(hand, seat)
    assert (left.phase, left.turn, left.version, left.just_taken) == ("finished", None, hand.version + 1, None)
    assert left.result is not None
    assert (left.result.kind, left.result.winner, left.result.points) == ("left", 1 - seat, 0)
    assert [one.cards for one in left.result.seats] == list(hand.cards)
    assert legal_moves(left, 0) == legal_moves(left, 1) == ()


def test_a_hand_that_is_over_cannot_be_left() -> None:
    with pytest.raises(Refused) as refused:
        leave(OVER, 0)
    assert refused.value.reason is Reason.HAND_OVER
