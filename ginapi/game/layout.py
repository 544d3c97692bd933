"""A seat's own cards laid out for its eyes: the best melds and what they leave, of those it may keep."""

from ginapi.game.cards import Mask, value_of
from ginapi.game.defence import union
from ginapi.game.melds import best_layout, deadwood_after
from ginapi.game.view import View


def own_layout(view: View) -> tuple[tuple[Mask, ...], int]:
    """Melds and deadwood of the seat's cards; with one too many, of the best that R5 lets it keep (R14)."""
    kept = view.cards
    if kept.bit_count() > view.rules.hand_size:
        may_shed = kept if view.just_taken is None else kept ^ 1 << view.just_taken
        after = deadwood_after(kept, may_shed)
        kept ^= 1 << min(after, key=after.__getitem__)
    melds = best_layout(kept)
    return melds, value_of(kept & ~union(melds))
