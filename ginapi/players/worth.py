"""What a move is worth in deadwood, counted from one seat's view, and in a sentence why one may make it."""

from typing import NamedTuple

from ginapi.game.cards import CARD_TEXTS, Card, Mask, cards_of, value_of
from ginapi.game.defence import best_defence, union
from ginapi.game.melds import deadwood, deadwood_after
from ginapi.game.moves import Discard, Draw, Knock, LayOff, Move, Pass
from ginapi.game.view import View
from ginapi.players.counting import completing, least_after_taking, unseen_by

_DECIMALS = 2


class Worth(NamedTuple):
    """The deadwood that a move leaves, and why it may be made.

    After a discard it is the least that the cards kept leave; after a knock what was declared; after a lay-off what is
    left of the answer. A card taken from the pile counts by the least that can be kept with it; a draw from the stock,
    and a pass, by the mean of that over all cards that the seat has not seen.
    """

    deadwood: float
    why: str


def worth_of(view: View, move: Move) -> Worth:
    """What a move that is legal by the view is worth."""
    match move:
        case Discard(card):
            return _of_discard(view, card)
        case Knock(card, melds):
            return _of_knock(view, card, melds)
        case Draw("discard"):
            return _of_taking(view)
        case Draw() | Pass():
            return _of_stock(view)
        case LayOff():
            return _of_layoff(view, move)


def counted(count: int, thing: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _of_discard(view: View, card: Card) -> Worth:
    kept = view.cards ^ 1 << card
    left = deadwood(kept)
    count = (completing(kept) & unseen_by(view)).bit_count()
    completes = "completes" if count == 1 else "complete"
    return Worth(left, f"Leaves {left} deadwood and {counted(count, 'unseen card')} that {completes} a meld.")


def _of_knock(view: View, card: Card, melds: tuple[Mask, ...] | None) -> Worth:
    kept = view.cards ^ 1 << card
    left = deadwood(kept) if melds is None else value_of(kept & ~union(melds))
    if left == 0:
        return Worth(0, f"Gin: {view.rules.gin_bonus} points and all of the other seat's deadwood.")
    return Worth(left, f"Leaves {left} deadwood, and {view.rules.knock_limit} is enough to knock.")


def _of_taking(view: View) -> Worth:
    left, now = least_after_taking(view), deadwood(view.cards)
    return Worth(left, f"With the {CARD_TEXTS[view.pile[-1]]} you can come from {now} deadwood to {left}.")


def _of_stock(view: View) -> Worth:
    cards, now = view.cards, deadwood(view.cards)
    leaves = [min(deadwood_after(cards | 1 << card).values()) for card in cards_of(unseen_by(view))]
    count = sum(left < now for left in leaves)
    lower = "lowers" if count == 1 else "lower"
    why = f"{count} of the {len(leaves)} unseen cards {lower} your {now} deadwood"
    if not view.stock_only:
        why += f"; the {CARD_TEXTS[view.pile[-1]]} would leave {least_after_taking(view)}"
    return Worth(round(sum(leaves) / len(leaves), _DECIMALS), f"{why}.")


def _of_layoff(view: View, move: LayOff) -> Worth:
    assert view.knock is not None
    answer = best_defence(view.cards, view.knock.melds, move.melds, move.layoffs)
    laid = counted(len(answer.layoffs), "card")
    theirs = view.knock.deadwood
    undercut = ", which is an undercut" if answer.deadwood <= theirs else ""
    return Worth(answer.deadwood, f"Lays off {laid} and leaves {answer.deadwood} deadwood against {theirs}{undercut}.")
