"""What a finished hand is worth, and why it ended."""

from dataclasses import dataclass
from typing import Literal

from ginapi.game.cards import Card, Mask, value_of
from ginapi.game.defence import Defence, union
from ginapi.game.melds import best_layout, deadwood, deadwood_after
from ginapi.game.moves import LaidOff
from ginapi.game.rules import HOUSE, Rules

Kind = Literal["gin", "knock", "undercut", "wash", "left", "void"]


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat's cards at the end, laid off ones included, how they lay, and the deadwood that counted."""

    cards: Mask
    melds: tuple[Mask, ...]
    layoffs: tuple[LaidOff, ...]
    deadwood: int


@dataclass(frozen=True, slots=True)
class Result:
    """Why a hand ended and what it scores; `winner` and `knocker` are None where there is none."""

    kind: Kind
    winner: int | None
    knocker: int | None
    points: int
    seats: tuple[SeatResult, SeatResult]


def showdown(
    knocker: int,
    knocker_cards: Mask,
    declared: tuple[Mask, ...],
    defender_cards: Mask,
    defence: Defence | None = None,
    rules: Rules = HOUSE,
) -> Result:
    """What a knock comes to; `defence` is the other seat's answer, and None on gin (R10, R12)."""
    theirs = value_of(knocker_cards & ~union(declared))
    kind: Kind
    if theirs == 0:
        defence = Defence(best_layout(defender_cards), (), deadwood(defender_cards))  # R10: no lay-offs on gin.
        kind, winner, points = "gin", knocker, rules.gin_bonus + defence.deadwood
    elif defence is None:
        raise ValueError("A knock that is not gin is answered before it is scored.")
    elif defence.deadwood <= theirs:
        kind, winner, points = "undercut", 1 - knocker, rules.undercut_bonus + theirs - defence.deadwood  # R12
    else:
        kind, winner, points = "knock", knocker, defence.deadwood - theirs  # R12
    ours = (
        SeatResult(knocker_cards, declared, (), theirs),
        SeatResult(defender_cards, defence.melds, defence.layoffs, defence.deadwood),
    )
    return Result(kind, winner, knocker, points, ours if knocker == 0 else (ours[1], ours[0]))


def unscored(
    kind: Kind,
    winner: int | None,
    cards: tuple[Mask, Mask],
    rules: Rules = HOUSE,
    knocker: int | None = None,
    just_taken: Card | None = None,
) -> Result:
    """A hand that ends without a showdown (R13, R28): no points, both seats shown in their best layouts.

    A seat that held one card more, between draw and discard, is shown with all of them and the deadwood that its best
    shed would have left; `just_taken` could not have been shed (R5).
    """
    first, second = (_shown(held, rules, just_taken) for held in cards)
    return Result(kind, winner, knocker, 0, (first, second))


def _shown(cards: Mask, rules: Rules, just_taken: Card | None) -> SeatResult:
    melds, left = layout_kept(cards, rules, just_taken)
    return SeatResult(cards, melds, (), left)


def layout_kept(cards: Mask, rules: Rules, just_taken: Card | None) -> tuple[tuple[Mask, ...], int]:
    """Melds and deadwood of a seat's cards; with one too many, of the best that R5 lets it keep (R14)."""
    if cards.bit_count() > rules.hand_size:
        after = deadwood_after(cards, cards if just_taken is None else cards & ~(1 << just_taken))
        cards ^= 1 << min(after, key=after.__getitem__)
    melds = best_layout(cards)
    return melds, value_of(cards & ~union(melds))
