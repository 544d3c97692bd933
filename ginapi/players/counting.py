"""What every player counts from its view: what each shed leaves, what the top discard would be good for."""

from ginapi.game.cards import DECK, Card, Mask
from ginapi.game.melds import MELDS, deadwood, deadwood_after
from ginapi.game.moves import Draw, Move, Pass
from ginapi.game.view import View

# Whatever meld a card is in, three cards of it are one already.
_OF_THREE = tuple(tuple(meld for meld in MELDS if meld.bit_count() == 3 and meld >> card & 1) for card in DECK)


def sheds(view: View) -> dict[Card, int]:
    """The cards that may be shed now and the least deadwood that each leaves (R5, R14)."""
    may_shed = view.cards if view.just_taken is None else view.cards ^ 1 << view.just_taken
    return deadwood_after(view.cards, may_shed)


def forms_meld(cards: Mask, card: Card) -> bool:
    """Whether a card makes any meld with the cards held."""
    cards |= 1 << card
    return any(meld & cards == meld for meld in _OF_THREE[card])


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
