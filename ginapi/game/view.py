"""What one seat may see of a hand, built by naming what is shown."""

from typing import NamedTuple

from ginapi.game.cards import Card, Mask
from ginapi.game.position import Declared, Hand, Phase
from ginapi.game.rules import Rules
from ginapi.game.score import Result


class View(NamedTuple):
    """A hand as one seat sees it: the whole of what a computer player knows, and a client is told."""

    seat: int
    opener: int
    version: int
    phase: Phase
    turn: int | None
    cards: Mask
    just_taken: Card | None
    drawn_card: Card | None
    opponent_cards_count: int
    opponent_known: Mask
    """Cards that the opponent took from the pile and still holds."""
    own_known: Mask
    """Cards that this seat took from the pile and still holds: the opponent saw them."""
    stock_count: int
    pile: tuple[Card, ...]
    pile_draws: int
    stock_only: bool
    """Whether a draw has to come from the stock: both seats have left the first face-up card (R3)."""
    knock: Declared | None
    result: Result | None
    scores: tuple[int, int]
    rules: Rules


def view(hand: Hand, seat: int, scores: tuple[int, int] = (0, 0)) -> View:
    """The hand as `seat` sees it, beside the match's scores."""
    mine = hand.turn == seat
    return View(
        seat=seat,
        opener=hand.deal.opener,
        version=hand.version,
        phase=hand.phase,
        turn=hand.turn,
        cards=hand.cards[seat],
        just_taken=hand.just_taken,  # Taken face up: both seats saw it.
        drawn_card=hand.drawn_card if mine else None,
        opponent_cards_count=hand.cards[1 - seat].bit_count(),
        opponent_known=hand.known[1 - seat],
        own_known=hand.known[seat],
        stock_count=hand.stock_count,
        pile=hand.pile,
        pile_draws=hand.pile_draws,
        stock_only=hand.stock_only,
        knock=hand.knock,
        result=hand.result,
        scores=scores,
        rules=hand.deal.rules,
    )
