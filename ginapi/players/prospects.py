"""What ten cards are worth by themselves, and what the next card of the unseen ones would make of them."""

from bisect import bisect_right

from ginapi.game.cards import DECK, VALUES, Card, Mask, cards_of
from ginapi.game.melds import deadwood
from ginapi.players.counting import completing

UNIT = 64
"""What stands for one whole in every figure here: whole numbers alone, so that all machines agree."""

_HALF_A_KNOCK, _KNOCK, _LOWEST = 5, 10, 7


def in_suit(card: Card, step: int) -> Mask:
    """The card so many steps up in suit, or nothing beyond Ace and King."""
    return 1 << card + step if 0 <= card % 13 + step < 13 else 0


OF_RANK = tuple(sum(1 << 13 * suit + card % 13 for suit in range(4)) & ~(1 << card) for card in DECK)
"""The other cards of each card's rank."""
NEAR = tuple(sum(in_suit(card, step) for step in (-2, -1, 1, 2)) for card in DECK)
"""The cards that a run of three may join to it."""
KIN = tuple(of_rank | near for of_rank, near in zip(OF_RANK, NEAR, strict=True))


def prospects(cards: Mask, unseen: Mask) -> tuple[int, ...]:
    """Seventeen figures of ten cards: what they leave now, and after the next draw and discard."""
    now = deadwood(cards)
    completed = completing(cards)
    loose, dearest, second, least_shed = _sheds_of(cards, completed, now)
    nexts, melding, melding_value = _nexts(cards, unseen, completed, now, least_shed)
    kin, paired = _kin_of(loose, cards, unseen)
    loose_count, count = len(loose), len(nexts) or 1
    return (
        min(now, 60) * 6,
        max(0, 10 - now) * 6,
        sum(nexts) * 6 // count,
        min(nexts.count(0) * 3 * UNIT // count, 96),
        bisect_right(nexts, _KNOCK) * UNIT // count,
        melding * 2 * UNIT // count,
        sum(nexts[:_LOWEST]) * 6 // _LOWEST,
        loose_count * 8,
        dearest * 6,
        second * 6,
        UNIT if loose_count <= 1 else 0,
        UNIT if loose_count == 2 else 0,
        min(least_shed, 60) * 6,
        min(kin * 6, 192),
        paired * 12,
        bisect_right(nexts, _HALF_A_KNOCK) * UNIT // count,
        melding_value * 6 // count,
    )


def next_deadwoods(cards: Mask, unseen: Mask) -> list[int]:
    """What the next draw and discard leave at the least, for each unseen card, in ascending order."""
    now, completed = deadwood(cards), completing(cards)
    return _nexts(cards, unseen, completed, now, _sheds_of(cards, completed, now)[-1])[0]


def _sheds_of(cards: Mask, completed: Mask, now: int) -> tuple[list[Card], int, int, int]:
    """The loose cards, what the two dearest of them are worth, and the least deadwood that shedding any card leaves."""
    # A card in no meld takes its whole value with it.
    loose = [*cards_of(cards & ~completed)]
    least = now
    for card in cards_of(cards & completed):
        left = deadwood(cards ^ 1 << card)
        if left < least:
            least = left
        if left == now - VALUES[card]:
            loose.append(card)
    values = sorted([VALUES[card] for card in loose], reverse=True)
    dearest, second = (*values, 0, 0)[:2]
    return loose, dearest, second, min(least, now - dearest)


def _kin_of(loose: list[Card], cards: Mask, unseen: Mask) -> tuple[int, int]:
    """For the loose cards: unseen ones of the same rank or near in suit, and how many have such a one in hand."""
    kin = paired = 0
    for card in loose:
        near = KIN[card]
        kin += (near & unseen).bit_count()
        paired += near & cards != 0
    return kin, paired


def _nexts(cards: Mask, unseen: Mask, completed: Mask, now: int, least_shed: int) -> tuple[list[int], int, int]:
    """The least deadwood after each unseen card, in ascending order; how many lower it by a meld, and their value."""
    # A card in no meld is shed again, or another for it.
    nexts: list[int] = []
    melding_none = unseen & ~completed
    for value, of_value in _BY_VALUE:
        count = (of_value & melding_none).bit_count()
        if count:
            nexts += [min(now, least_shed + value)] * count
    by_value = sorted(cards_of(cards), key=_DEARNESS.__getitem__)
    melding = melding_value = 0
    for card in cards_of(unseen & completed):
        left = _least_with(cards | 1 << card, by_value, now)
        if left < now:
            melding += 1
            melding_value += VALUES[card]
        nexts.append(left)
    nexts.sort()
    return nexts, melding, melding_value


def _least_with(eleven: Mask, by_value: list[Card], least: int) -> int:
    """The least deadwood of eleven cards once one is shed (R14), where shedding the one just drawn leaves `least`.

    Shedding takes at most a card's value off: with the dearest first, the rest need not be counted once none can win.
    """
    whole = deadwood(eleven)
    for card in by_value:
        if least <= whole - VALUES[card]:
            break
        left = deadwood(eleven ^ 1 << card)
        if left < least:
            least = left
    return least


_BY_VALUE = tuple((value, sum(1 << card for card in DECK if VALUES[card] == value)) for value in sorted({*VALUES}))
"""What cards are worth, the least first, and all that are worth as much."""
_DEARNESS = tuple(-value for value in VALUES)
