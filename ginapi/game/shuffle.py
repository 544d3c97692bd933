"""Chance by a published recipe: a seed to numbers, a deck, a salt; and the commitment to a deal.

Every number is drawn for a purpose, not from a running stream: block `i` of a purpose is HMAC-SHA-256 with the seed's
UTF-8 bytes as key over the text `<purpose>|<i>`, i from 0, and gives eight 32-bit big-endian words in turn. A number
below `n` is the next word modulo n, where words from the largest multiple of n up are passed over. So the same seed
gives the same deck on every machine and every version of Python.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterator, Sequence

from ginapi.game.cards import DECK, Card, card_text

DrawNumber = Callable[[int], int]
"""Draws the next number of a purpose: `draw(n)` is uniform over 0 … n-1, n up to 2**32."""

_WORD = 1 << 32


def _words(seed: str, purpose: str) -> Iterator[int]:
    key = seed.encode()
    block = 0
    while True:
        digest = hmac.digest(key, f"{purpose}|{block}".encode(), "sha256")
        yield from (int.from_bytes(digest[at : at + 4]) for at in range(0, 32, 4))
        block += 1


def numbers(seed: str, purpose: str) -> DrawNumber:
    """What draws the numbers of this purpose, from its first."""
    words = _words(seed, purpose)

    def draw(n: int) -> int:
        fair = _WORD - _WORD % n
        return next(word for word in words if word < fair) % n

    return draw


def deck_from_seed(seed: str, number: int) -> tuple[Card, ...]:
    """The deck of hand `number`, counted from 1.

    The cards in ascending order, shuffled by Fisher and Yates: for i from 51 down to 1, the card at i changes places
    with the one at a drawn number below i + 1. The purpose is `deck|<number>`.
    """
    draw = numbers(seed, f"deck|{number}")
    deck = list(DECK)
    for i in range(51, 0, -1):
        j = draw(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)


def salt_from_seed(seed: str, number: int) -> str:
    """The salt of hand `number`'s commitment: 64 hex digits, of the purpose `salt|<number>`."""
    return hmac.digest(seed.encode(), f"salt|{number}".encode(), "sha256").hex()


def commitment(hand_id: str, salt: str, deck: Sequence[Card]) -> str:
    """SHA-256, in hex, of the text `<hand id>|<salt>|<the 52 cards, one space between>`."""
    return hashlib.sha256(f"{hand_id}|{salt}|{' '.join(map(card_text, deck))}".encode()).hexdigest()
