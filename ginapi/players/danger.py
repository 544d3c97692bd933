"""What a discard may be worth to the other seat, as far as this one can tell."""

from ginapi.game.cards import DECK, VALUES, Card, Mask
from ginapi.game.view import View
from ginapi.players.prospects import NEAR, OF_RANK, UNIT, in_suit
from ginapi.players.signs import shed_in_turn

_PARTNERS = tuple(
    tuple(
        (in_suit(card, one), in_suit(card, other))
        for one, other in ((-2, -1), (-1, 1), (1, 2))
        if in_suit(card, one) and in_suit(card, other)
    )
    for card in DECK
)
"""The pairs that make a run of three with it."""
_KINSHIP = tuple(
    {
        other: (int(other % 13 == card % 13), 3 - abs(other - card) if NEAR[card] >> other & 1 else 0)
        for other in DECK
        if (OF_RANK[card] | NEAR[card]) >> other & 1
    }
    for card in DECK
)
"""How a card seen in the pile bears on another: of its rank, and how near in suit, 2 for a neighbour."""


def danger(view: View, card: Card, kept: Mask, unseen: Mask) -> tuple[int, ...]:
    """Thirteen figures of shedding a card and keeping the ten others."""
    of_rank, known = OF_RANK[card], view.opponent_known
    possible = (of_rank & unseen).bit_count()
    pairs, certain = _runs(card, unseen, known)
    theirs_of_rank, theirs_near, own_of_rank, own_near = _in_pile(view, card)
    return (
        VALUES[card] * 6,
        possible * 20,
        (of_rank & known).bit_count() * 32,
        possible * (possible - 1) // 2 * 20,
        pairs * 20,
        certain * 32,
        theirs_of_rank * 32,
        theirs_near * 16,
        own_of_rank * 32,
        own_near * 16,
        (of_rank & kept).bit_count() * 20,
        (NEAR[card] & kept).bit_count() * 16,
        UNIT if possible >= 2 and pairs else 0,
    )


def _runs(card: Card, unseen: Mask, known: Mask) -> tuple[int, int]:
    """Pairs of unseen cards that make a run with it; and cards known to be held that do, with another that may be."""
    pairs = certain = 0
    possible = unseen | known
    for one, other in _PARTNERS[card]:
        if one & possible and other & possible:
            held = bool(one & known) + bool(other & known)
            certain += held
            pairs += not held
    return pairs, certain


def _in_pile(view: View, card: Card) -> tuple[int, int, int, int]:
    """Cards of its rank, and how near those in suit are, among what the other seat shed and among its own."""
    kinship = _KINSHIP[card]
    found = [0, 0, 0, 0]
    for at, shed in enumerate(shed_in_turn(view)):
        if shed in kinship:
            of_rank, near = kinship[shed]
            found[at % 2 * 2] += of_rank
            found[at % 2 * 2 + 1] += near
    return found[0], found[1], found[2], found[3]
