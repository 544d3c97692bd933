"""A knock: which layout to declare, and what it may come to."""

from ginapi.game.cards import Mask, value_of
from ginapi.game.defence import union
from ginapi.game.melds import best_layouts, is_run
from ginapi.players.prospects import UNIT

_MOST_LAYOUTS = 64


def laid_onto(meld: Mask, cards: Mask) -> Mask:
    """All of these cards that could be laid off onto a meld, one after the other (R11)."""
    rank = (meld.bit_length() - 1) % 13
    if not is_run(meld):
        return cards & ~meld & (1 << rank | 1 << 13 + rank | 1 << 26 + rank | 1 << 39 + rank)
    found = 0
    highest, lowest = meld.bit_length() - 1, (meld & -meld).bit_length() - 1
    for card in range(highest + 1, highest - rank + 13):
        if not cards >> card & 1:
            break
        found |= 1 << card
    for card in range(lowest - 1, lowest - lowest % 13 - 1, -1):
        if not cards >> card & 1:
            break
        found |= 1 << card
    return found


def layout_to_declare(kept: Mask, unseen: Mask, known: Mask) -> tuple[Mask, ...]:
    """Of the best layouts, the one that the other seat can be expected to lay off the least onto."""
    layouts = best_layouts(kept, limit=_MOST_LAYOUTS)
    if len(layouts) == 1:
        return layouts[0]

    def expected(layout: tuple[Mask, ...]) -> int:
        laid = [laid_onto(meld, unseen | known) for meld in layout]
        return sum(100 * value_of(cards & known) + 30 * value_of(cards & unseen) + cards.bit_count() for cards in laid)

    return min(layouts, key=lambda layout: (expected(layout), layout))


def knock_figures(kept: Mask, unseen: Mask, known: Mask) -> tuple[int, ...]:
    """Eight figures of a knock with these ten cards."""
    layout = layout_to_declare(kept, unseen, known)
    left = value_of(kept & ~union(layout))
    laid = union(tuple(laid_onto(meld, unseen | known) for meld in layout))
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
