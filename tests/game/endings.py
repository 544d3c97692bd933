"""What an ended hand came to, and what a move is refused with."""

from ginapi.errors import Refused
from ginapi.game.hand import Hand, check, legal_moves
from tests.game.stacked import move


def code(hand: Hand, seat: int, text: str) -> str | None:
    """The code with which the move is refused, None where it is not."""
    try:
        check(hand, seat, move(text))
    except Refused as refused:
        return refused.reason.value
    return None


def ending(hand: Hand) -> tuple[str, int | None, int | None, int]:
    """Kind, winner, knocker, points; and a finished hand is nobody's turn."""
    assert hand.result is not None
    assert (hand.phase, hand.turn, hand.just_taken, hand.drawn_card) == ("finished", None, None, None)
    assert legal_moves(hand, 0) == legal_moves(hand, 1) == ()
    return hand.result.kind, hand.result.winner, hand.result.knocker, hand.result.points
