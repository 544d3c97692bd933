"""Hands that nobody wins: R13 and R13b."""

from ginapi.game.hand import Hand, legal_moves
from tests.game.endings import code, ending
from tests.game.spelled import cards, spell
from tests.game.stacked import played, spelled, start

# R13


def run_down(hand: Hand, stock_left: int) -> Hand:
    """Both seats draw from the stock and shed what they drew."""
    while hand.stock_count > stock_left:
        drawn = played(hand, "draw stock")
        hand = played(drawn, f"discard {spell(1 << (drawn.drawn_card or 0))}")
    return hand


def test_r13_the_hand_is_a_wash_as_soon_as_a_turn_would_begin_with_two_in_the_stock() -> None:
    last = run_down(start(), 3)
    assert (last.phase, last.turn) == ("draw", 0)
    drawn = played(last, "draw stock")
    assert (drawn.stock_count, drawn.phase, drawn.turn) == (2, "discard", 0)
    over = played(drawn, "discard Ks")
    assert ending(over) == ("wash", None, None, 0)
    # Before the discard could be taken.
    assert code(over, 1, "draw discard") == "hand_over"
    assert over.stock_count == 2


def test_r13_the_last_turn_can_still_knock() -> None:
    drawn = played(run_down(start(), 3), "draw stock")
    assert drawn.stock_count == 2
    assert "knock Ks" in spelled(legal_moves(drawn, 0))
    knocked_last = played(drawn, "knock Ks")
    assert (knocked_last.phase, knocked_last.turn) == ("layoff", 1)
    kind, winner, _, _ = ending(played(knocked_last, "layoff"))
    assert (kind, winner) in {("knock", 0), ("undercut", 1)}


def test_r13_the_last_turn_can_still_be_gin() -> None:
    # The 5s is the card before the last two of the deck.
    stock = "As Ah 2h 3h 4h 5h 6h Th Jh Qh Ad 5d 6d 7d 8d 9d Td Kd Ac 2c 3c 4c 5c 6c Tc 6s 7s 8s 5s"
    drawn = played(run_down(start(stock=stock), 3), "draw stock")
    assert (spell(1 << (drawn.drawn_card or 0)), drawn.stock_count) == ("5s", 2)
    assert ending(played(drawn, "knock Ks"))[:2] == ("gin", 0)


def test_r13_with_three_left_the_discard_may_be_taken_and_the_hand_goes_on() -> None:
    hand = run_down(start(), 3)
    hand = played(hand, "draw discard", "discard Ks")
    assert (hand.stock_count, hand.phase, hand.turn) == (3, "draw", 1)


def test_r13_the_wash_shows_both_seats_and_scores_nothing() -> None:
    over = played(run_down(start(), 3), "draw stock", "discard Ks")
    assert over.result is not None
    assert [one.cards for one in over.result.seats] == list(over.cards)
    assert [one.layoffs for one in over.result.seats] == [(), ()]


# R13b


def trade(hand: Hand, pile_draws: int) -> Hand:
    """Both seats take the top discard and shed their tenth card, the one that was taken the turn before."""
    while hand.pile_draws < pile_draws:
        taken = played(hand, "draw discard")
        assert hand.turn is not None
        nine = cards(OPENER_NINE if hand.turn == 0 else OTHER_NINE)
        loose = taken.cards[hand.turn] & ~nine & ~(1 << (taken.just_taken or 0))
        hand = played(taken, f"discard {spell(loose)}")
    return hand


OPENER_NINE = "2s 3s 4s 7h 8h 9h Jd Jc Js"
OTHER_NINE = "2d 3d 4d 7c 8c 9c Qd Qc Qs"


def test_r13b_a_wash_as_the_turn_after_the_fortieth_draw_from_the_pile_would_begin() -> None:
    hand = trade(start(), 39)
    assert (hand.phase, hand.turn, hand.pile_draws, hand.stock_count) == ("draw", 1, 39, 31)
    taken = played(hand, "draw discard")
    assert (taken.phase, taken.turn, taken.pile_draws) == ("discard", 1, 40)
    over = trade(hand, 40)
    assert ending(over) == ("wash", None, None, 0)
    assert code(over, 0, "draw discard") == code(over, 0, "draw stock") == "hand_over"


def test_r13b_the_fortieth_taker_may_still_knock() -> None:
    taken = played(trade(start(), 39), "draw discard")
    assert taken.pile_draws == 40
    knocks = [text for text in spelled(legal_moves(taken, 1)) if text.startswith("knock")]
    assert knocks
    knocked_last = played(taken, knocks[-1])
    assert (knocked_last.phase, knocked_last.turn) == ("layoff", 0)
    assert ending(played(knocked_last, "layoff"))[0] in {"knock", "undercut"}


def test_r13b_a_draw_from_the_stock_begins_the_count_again() -> None:
    hand = trade(start(), 39)
    drawn = played(hand, "draw stock")
    assert drawn.pile_draws == 0
    hand = played(drawn, f"discard {spell(1 << (drawn.drawn_card or 0))}")
    hand = trade(hand, 39)
    assert (hand.phase, hand.stock_count) == ("draw", 30)
    assert ending(trade(hand, 40)) == ("wash", None, None, 0)
