"""A knock: which layout to declare, and what it may come to."""

from ginapi.game.cards import Mask, value_of
from ginapi.game.defence import laid_onto, union
from ginapi.game.melds import best_layouts
from ginapi.players.prospects import UNIT

_MOST_LAYOUTS = 64


def layout_to_declare(kept: Mask, unseen: Mask, known: Mask) -> tuple[Mask, ...]:
    """Of the best layouts, the one that the other seat can be expected to lay off the least onto."""
    layouts = best_layouts(kept, limit=_MOST_LAYOUTS)
    if len(layouts) == 1:
        return layouts[0]

    def expected(layout: tuple[Mask, ...]) -> int:
        laid = [union(laid_onto(meld, unseen | known)) for meld in layout]
        return sum(100 * value_of(cards & known) + 30 * value_of(cards & unseen) + cards.bit_count() for cards in laid)

    return min(layouts, key=lambda layout: (expected(layout), layout))


def knock_figures(kept: Mask, unseen: Mask, known: Mask) -> tuple[int, ...]:
    """Eight figures of a knock with these ten cards."""
    layout = layout_to_declare(kept, unseen, known)
    left = value_of(kept & ~union(layout))
    laid = union(tuple(union(laid_onto(meld, unseen | known)) for meld in layout))
    return (
        left * 6,
        (laid & unseen).bit_count() * 12,
        value_of(laid & unseen) * 2,
        value_of(laid & known) * 4,
        value_of(unseen) * 6 // (unseen.bit_count() or 1),
        UNIT if left <= 5 else 0,
        value_of(known & ~laid) * 2,
        unseen.bit_count() * 2,
    )
