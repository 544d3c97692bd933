"""Cards as text and as bits of one int, what they are worth, and the deck.

A card is an int from 0 to 51: 13 times its suit (spades, hearts, diamonds, clubs) plus its rank (Ace first). A set of
cards is one int with the bit `1 << card` set for each: a *mask*.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

Card = int
Mask = int
_Value = TypeVar("_Value")

SUITS = "shdc"
RANKS = "A23456789TJQK"
DECK: tuple[Card, ...] = tuple(range(52))
SUIT_MASK = 0x1FFF
"""The thirteen bits of one suit, Ace lowest."""

CARD_TEXTS: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
VALUES: tuple[int, ...] = tuple(min(rank + 1, 10) for _ in SUITS for rank in range(13))
"""What each card is worth (R7): Ace 1, face cards 10, the others their number."""

# Every spelling is listed: lower() would also make a k of U+212A, the sign for kelvin.
_BY_TEXT: dict[str, Card] = {
    spelled_rank + spelled_suit: 13 * SUITS.index(suit) + RANKS.index(rank)
    for suit in SUITS
    for rank in RANKS
    for spelled_rank in {rank, rank.lower(), "10" if rank == "T" else rank}
    for spelled_suit in (suit, suit.upper())
}


def parse_card(text: str) -> Card:
    """The card that `text` names: `Ts`, also `ts` and `10s`. Raises ValueError for any other text."""
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise ValueError(f"{text!r} is not a card: write a rank of A23456789TJQK, then a suit of shdc.") from None


def card_text(card: Card) -> str:
    """Two characters, rank then suit."""
    return CARD_TEXTS[card]


def mask_of(cards: Iterable[Card]) -> Mask:
    """The set of these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def for_each_holding(of_suit: Sequence[_Value]) -> list[tuple[_Value, ...]]:
    """For every holding of one suit, as its thirteen bits, the values that stand for its cards, Ace first."""
    holdings: list[tuple[_Value, ...]] = [()]
    for value in of_suit:
        holdings += [(*holding, value) for holding in holdings]
    return holdings


_SPADES, _HEARTS, _DIAMONDS, _CLUBS = (for_each_holding(DECK[at : at + 13]) for at in (0, 13, 26, 39))


def cards_of(mask: Mask) -> tuple[Card, ...]:
    """The cards of a set, in ascending order: suit by suit, Ace first."""
    return (
        _SPADES[mask & SUIT_MASK]
        + _HEARTS[mask >> 13 & SUIT_MASK]
        + _DIAMONDS[mask >> 26 & SUIT_MASK]
        + _CLUBS[mask >> 39]
    )


def texts(cards: Mask | Iterable[Card]) -> list[str]:
    """The texts of a set's cards in ascending order, or of a sequence's in its own."""
    return [CARD_TEXTS[card] for card in (cards_of(cards) if isinstance(cards, int) else cards)]


_SUIT_VALUES: tuple[int, ...] = tuple(
    sum(min(rank + 1, 10) for rank in range(13) if bits >> rank & 1) for bits in range(1 << 13)
)


def value_of(mask: Mask) -> int:
    """The sum of the values of a set's cards (R7)."""
    return (
        _SUIT_VALUES[mask & SUIT_MASK]
        + _SUIT_VALUES[mask >> 13 & SUIT_MASK]
        + _SUIT_VALUES[mask >> 26 & SUIT_MASK]
        + _SUIT_VALUES[mask >> 39]
    )
