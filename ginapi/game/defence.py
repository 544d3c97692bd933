"""The answer to a knock: own melds and lay-offs together, exactly (R11)."""

from dataclasses import dataclass
from itertools import product

from ginapi.game.cards import Card, Mask, cards_of, mask_of, value_of
from ginapi.game.melds import best_layout, deadwood, is_meld, is_run
from ginapi.game.moves import LaidOff


@dataclass(frozen=True, slots=True)
class Defence:
    """Own melds, lay-offs in an order in which they can be made, and the deadwood that is left."""

    melds: tuple[Mask, ...]
    layoffs: tuple[LaidOff, ...]
    deadwood: int


def best_defence(
    cards: Mask,
    declared: tuple[Mask, ...],
    melds: tuple[Mask, ...] | None = None,
    layoffs: tuple[LaidOff, ...] | None = None,
) -> Defence:
    """The answer with the least deadwood to `declared` melds, and where each card goes (R11).

    `melds` or `layoffs` that are given stay as they are, and are taken to be valid; the other part is the best beside
    them. Among equal answers the one with the fewest lay-offs is taken, whatever the order of the declared melds.
    """
    if layoffs is None:
        free = cards if melds is None else cards & ~union(melds)
        if melds is None:
            laid = min(_layable(free, declared), key=lambda laid: (deadwood(free ^ laid), laid.bit_count(), laid))
        else:
            laid = max(_layable(free, declared), key=lambda laid: (value_of(laid), laid))
        layoffs = _placed(laid, declared)
    left = cards & ~mask_of(laid.card for laid in layoffs)
    if melds is None:
        melds = best_layout(left)
    return Defence(melds, layoffs, value_of(left & ~union(melds)))


def can_be_laid(declared: tuple[Mask, ...], layoffs: tuple[LaidOff, ...]) -> bool:
    """Whether these lay-offs can be made in this order: each must leave a meld a meld (R11)."""
    table = list(declared)
    for laid in layoffs:
        if not 0 <= laid.onto < len(table):
            return False
        table[laid.onto] |= 1 << laid.card
        if not is_meld(table[laid.onto]):
            return False
    return True


def union(melds: tuple[Mask, ...]) -> Mask:
    """All the cards of these melds."""
    cards = 0
    for meld in melds:
        cards |= meld
    return cards


def _layable(free: Mask, declared: tuple[Mask, ...]) -> set[Mask]:
    """Every set of free cards that can be laid off, the empty one included.

    Any union of what single melds take is one: where two melds would take the same card, either of them takes all that
    the other needed it for.
    """
    choices = [taken for taken in (_taken_by(meld, free) for meld in declared) if len(taken) > 1]
    return {union(taken) for taken in product(*choices)}


def _taken_by(meld: Mask, free: Mask) -> list[Mask]:
    """The sets of free cards that can be built onto one meld."""
    if is_run(meld):
        below, above = _below(meld, free), _above(meld, free)
        return [union(below[:a]) | union(above[:b]) for a in range(len(below) + 1) for b in range(len(above) + 1)]
    return [0, *laid_onto(meld, free)]


def _below(run: Mask, free: Mask) -> tuple[Mask, ...]:
    """The free cards that continue a run downwards, nearest first."""
    return _continued(run, free, -1)


def _above(run: Mask, free: Mask) -> tuple[Mask, ...]:
    """The free cards that continue a run upwards, nearest first."""
    return _continued(run, free, 1)


def _continued(run: Mask, free: Mask, step: int) -> tuple[Mask, ...]:
    cards = cards_of(run)
    card: Card = (cards[-1] if step > 0 else cards[0]) + step
    found: list[Mask] = []
    # A neighbour in another suit makes no meld, so the walk ends at Ace and King (R6).
    while card >= 0 and free >> card & 1 and is_meld(run | 1 << card):
        run |= 1 << card
        found.append(1 << card)
        card += step
    return tuple(found)


def laid_onto(meld: Mask, free: Mask) -> tuple[Mask, ...]:
    """All the free cards that can be laid off onto a meld, in an order in which they can."""
    if is_run(meld):
        return _below(meld, free) + _above(meld, free)
    return tuple(1 << card for card in cards_of(free) if is_meld(meld | 1 << card))


def _placed(laid: Mask, declared: tuple[Mask, ...]) -> tuple[LaidOff, ...]:
    """Where each card of a layable set goes, in an order that can be played: runs take what they can, then sets."""
    layoffs: list[LaidOff] = []
    for onto, meld in sorted(enumerate(declared), key=lambda pair: (not is_run(pair[1]), pair[1])):
        taken = laid_onto(meld, laid)
        layoffs += [LaidOff(card.bit_length() - 1, onto) for card in taken]
        laid &= ~union(taken)
    return tuple(layoffs)
