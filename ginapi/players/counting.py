"""What every player counts from its view: what each shed leaves, what the top discard would be good for."""

from ginapi.game.cards import DECK, SUIT_MASK, Card, Mask, mask_of
from ginapi.game.melds import deadwood, deadwood_after
from ginapi.game.moves import Draw, Move, Pass
from ginapi.game.view import View

_WHOLE_DECK = mask_of(DECK)
_NO_ACES = mask_of(card for card in DECK if card % 13 != 0)
_NO_KINGS = mask_of(card for card in DECK if card % 13 != 12)
_EACH_SUIT = 1 | 1 << 13 | 1 << 26 | 1 << 39


def unseen_by(view: View) -> Mask:
    """The cards that may lie in the stock or in the other hand."""
    return _WHOLE_DECK & ~(view.cards | view.opponent_known | mask_of(view.pile))


def sheds(view: View) -> dict[Card, int]:
    """The cards that may be shed now and the least deadwood that each leaves (R5, R14)."""
    may_shed = view.cards if view.just_taken is None else view.cards ^ 1 << view.just_taken
    return deadwood_after(view.cards, may_shed)


def completing(cards: Mask) -> Mask:
    """Every card, held or not, that makes a meld with at least two of the others held."""
    above = (cards & _NO_KINGS) << 1
    two_above = (above & _NO_KINGS) << 1
    below = (cards & _NO_ACES) >> 1
    two_below = (below & _NO_ACES) >> 1
    s, h, d, c = cards & SUIT_MASK, cards >> 13 & SUIT_MASK, cards >> 26 & SUIT_MASK, cards >> 39
    one, other = s ^ h, d ^ c
    pairs = s & h | d & c | one & other
    trios = s & h & (d | c) | d & c & (s | h)
    by_rank = (pairs * _EACH_SUIT & ~cards) | (trios * _EACH_SUIT & cards)
    return above & two_above | above & below | below & two_below | by_rank


def forms_meld(cards: Mask, card: Card) -> bool:
    """Whether a card makes any meld with the cards held."""
    return bool(completing(cards) >> card & 1)


def least_after_taking(view: View) -> int:
    """The least deadwood after taking the top discard and shedding another card (R5)."""
    cards = view.cards | 1 << view.pile[-1]
    return min(deadwood_after(cards, view.cards).values())


def is_worth_taking(view: View) -> bool:
    """Whether the top discard goes into a meld and lowers the least deadwood."""
    return forms_meld(view.cards, view.pile[-1]) and least_after_taking(view) < deadwood(view.cards)


def drawn(view: View, takes: bool) -> Move:
    """The draw, or the answer to an offer of the first face-up card: the top discard where it may be had (R3)."""
    if takes and not view.stock_only:
        return Draw("discard")
    return Pass() if view.phase == "offer" else Draw("stock")


def gin_in(after: dict[Card, int]) -> Card | None:
    """A card whose shedding leaves no deadwood, given what each shed leaves; None where there is none."""
    return next((card for card, left in after.items() if left == 0), None)
