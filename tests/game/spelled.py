"""Cards, melds and lay-offs spelled as short text, so that a test reads as a fact."""

from collections.abc import Iterable

from ginapi.game.cards import Card, Mask, mask_of, parse_card, texts
from ginapi.game.moves import LaidOff


def card(text: str) -> Card:
    return parse_card(text)


def cards(text: str) -> Mask:
    """`As 2s` as a set."""
    return mask_of(parse_card(one) for one in text.split())


def melds(text: str) -> tuple[Mask, ...]:
    """`7s 7h 7d | 2c 3c 4c` as two melds in that order; nothing between bars is none."""
    return tuple(cards(part) for part in text.split("|") if part.strip())


def laid(text: str) -> tuple[LaidOff, ...]:
    """`5c>1 6c>1` as lay-offs onto the knocker's second meld, in that order."""
    return tuple(LaidOff(parse_card(one.split(">")[0]), int(one.split(">")[1])) for one in text.split())


def spell(mask: Mask) -> str:
    return " ".join(texts(mask))


def mask(card_texts: Iterable[str]) -> Mask:
    return mask_of(parse_card(text) for text in card_texts)


def masks(melds: Iterable[Iterable[str]]) -> tuple[Mask, ...]:
    """Melds of card texts as masks, in their order."""
    return tuple(mask(meld) for meld in melds)


def text_set(mask: Mask) -> frozenset[str]:
    return frozenset(texts(mask))


def text_sets(melds: Iterable[Mask]) -> frozenset[frozenset[str]]:
    """Melds as a set of sets of texts, for comparing whatever their order."""
    return frozenset(text_set(meld) for meld in melds)
