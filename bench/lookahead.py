"""The yardstick `lookahead`: the shape of the strongest published player without search."""

from ginapi.game.cards import DECK, VALUES, Card, Mask, mask_of, value_of
from ginapi.game.defence import best_defence, union
from ginapi.game.melds import best_layouts, deadwood
from ginapi.game.moves import Discard, Knock, LayOff, Move
from ginapi.game.shuffle import DrawNumber
from ginapi.game.view import View
from ginapi.players.counting import drawn, forms_meld, least_after_taking, sheds, unseen_by
from ginapi.players.prospects import next_deadwoods

WITHIN = 5
"""How far a candidate may be from the dearest card and from the least deadwood."""
LOWEST = 7
"""How many of the next deadwoods count."""
EAGER_TURNS = 3
"""Its own turns in which it knocks with deadwood; later with gin alone."""

_FULL: Mask = (1 << len(DECK)) - 1
_OF_RANK = tuple(sum(1 << 13 * suit + card % 13 for suit in range(4)) & ~(1 << card) for card in DECK)


class Lookahead:
    """A player for one hand; it counts its own turns."""

    def __init__(self) -> None:
        self._turn = 0

    def __call__(self, view: View, draw_number: DrawNumber) -> Move:
        """Scores each candidate to shed by what it leaves, what may come of it, and what it gives away."""
        if view.phase in ("offer", "draw"):
            return drawn(view, _takes(view))
        if view.phase == "layoff":
            return LayOff()
        self._turn += 1
        after = sheds(view)
        least = min(after.values())
        if least == 0 or (least <= view.rules.knock_limit and self._turn <= EAGER_TURNS):
            card = min(after, key=after.__getitem__)
            return Knock(card, _fewest_layoffs(view, view.cards ^ 1 << card))
        scores = self._scores(view, after)
        best = min(scores.values())
        choices = [card for card, score in scores.items() if score == best]
        return Discard(choices[draw_number(len(choices))])

    def _scores(self, view: View, after: dict[Card, int]) -> dict[Card, float]:
        """The score of each candidate; the lower, the better."""
        hope, unseen = 18 * 0.9 ** (self._turn - 1), unseen_by(view)
        return {
            card: after[card] + hope * _next_deadwood(view.cards ^ 1 << card, unseen) + _danger(view, card, unseen)
            for card in _candidates(view, after)
        }


def _takes(view: View) -> bool:
    """Whether the face-up card is melded in the chosen layout of eleven and lowers the least deadwood."""
    top = view.pile[-1]
    if not forms_meld(view.cards, top):
        return False
    melded = union(best_layouts(view.cards | 1 << top, limit=1)[0])
    return bool(melded >> top & 1) and least_after_taking(view) < deadwood(view.cards)


def _candidates(view: View, after: dict[Card, int]) -> list[Card]:
    """Cards in no meld of some best layout, near the dearest such, that leave nearly the least deadwood."""
    whole, least = deadwood(view.cards), min(after.values())
    loose = [card for card, left in after.items() if left == whole - VALUES[card]]
    dearest = max((VALUES[card] for card in loose), default=0)
    found = [card for card in loose if VALUES[card] >= dearest - WITHIN and after[card] <= least + WITHIN]
    return found or [card for card, left in after.items() if left <= least + WITHIN]


def _next_deadwood(cards: Mask, unseen: Mask) -> float:
    """The mean of the lowest deadwoods that the next draw and discard may leave, over all unseen cards."""
    lowest = next_deadwoods(cards, unseen)[:LOWEST]
    return sum(lowest) / len(lowest) if lowest else float(deadwood(cards))


def _danger(view: View, card: Card, unseen: Mask) -> float:
    """What the other seat may want with the card: its neighbours in suit and rank, dead, unseen or known to be held."""
    held, dead = view.opponent_known, _FULL & ~(unseen | view.opponent_known)
    danger = 0.0
    for step, one_dead, both_dead, one_held, both_held in ((1, -5, -10, 5, 20), (2, -3, -3, 3, 3)):
        beside = _beside(card, step)
        danger += _of(beside, dead | ~_FULL, one_dead, both_dead) + _of(beside, held, one_held, both_held)
    dead_count, held_count = (_OF_RANK[card] & dead).bit_count(), (_OF_RANK[card] & held).bit_count()
    danger += {3: -10, 2: -4}.get(dead_count, 0)
    return danger + (20 if held_count >= 2 else 0)


def _beside(card: Card, step: int) -> tuple[int, int]:
    """Bits of the cards so far below and above in suit; one beyond the deck where there is none."""
    rank, none = card % 13, len(DECK)
    return 1 << (card - step if rank >= step else none), 1 << (card + step if rank + step < 13 else none)


def _of(beside: tuple[int, int], cards: int, one: float, both: float) -> float:
    count = sum(bool(bit & cards) for bit in beside)
    return (0.0, one, both)[count]


def _fewest_layoffs(view: View, kept: Mask) -> tuple[Mask, ...]:
    """The best layout onto which the other seat is to be expected to lay off the least."""
    unseen = unseen_by(view)

    def expected(layout: tuple[Mask, ...]) -> int:
        certain, possible = (_laid_value(cards, layout) for cards in (view.opponent_known, unseen))
        return 3 * certain + possible

    return min(best_layouts(kept), key=lambda layout: (expected(layout), layout))


def _laid_value(cards: Mask, layout: tuple[Mask, ...]) -> int:
    """The value of all that could be laid off from these cards."""
    return value_of(mask_of(laid.card for laid in best_defence(cards, layout, melds=()).layoffs))
