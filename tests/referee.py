"""The counting of gin rummy by brute force, on sets of card texts: what the core is held against.

It is written from the rules page alone and shares nothing with ginapi. Every meld of the deck is listed once, every
set of disjoint melds is tried, and lay-offs are searched one card at a time in every order; nothing is pruned, so
there is little to get wrong.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

RANKS = "A23456789TJQK"
SUITS = "shdc"
DECK = [rank + suit for suit in SUITS for rank in RANKS]
VALUE = {card: min(RANKS.index(card[0]) + 1, 10) for card in DECK}

Cards = frozenset[str]
LaidOff = tuple[str, int]


def _every_meld() -> list[Cards]:
    sets = [
        frozenset(rank + suit for suit in suits)
        for rank in RANKS
        for size in (3, 4)
        for suits in combinations(SUITS, size)
    ]
    runs = [
        frozenset(rank + suit for rank in RANKS[first : last + 1])
        for suit in SUITS
        for first in range(13)
        for last in range(first + 2, 13)
    ]
    return sets + runs


MELDS = _every_meld()
_MELDS = set(MELDS)


def weight(cards: Iterable[str]) -> int:
    """The sum of the values, melded or not (R7)."""
    return sum(VALUE[card] for card in cards)


def is_meld(cards: Iterable[str]) -> bool:
    return frozenset(cards) in _MELDS


def melds_in(cards: Iterable[str]) -> list[Cards]:
    """Every set and run that can be made of these cards, long runs in every part of them."""
    held = frozenset(cards)
    return [meld for meld in MELDS if meld <= held]


def layouts(cards: Iterable[str]) -> Iterator[tuple[tuple[Cards, ...], int]]:
    """Every set of disjoint melds, each once and the empty one too, with the deadwood it leaves."""
    held = frozenset(cards)
    yield from _layouts((), held, melds_in(held))


def _layouts(chosen: tuple[Cards, ...], rest: Cards, melds: Sequence[Cards]) -> Iterator[tuple[tuple[Cards, ...], int]]:
    yield chosen, weight(rest)
    for index, meld in enumerate(melds):
        if meld <= rest:
            yield from _layouts((*chosen, meld), rest - meld, melds[index + 1 :])


def deadwood(cards: Iterable[str]) -> int:
    """The least deadwood of all these cards together, nothing shed."""
    return min(left for _, left in layouts(cards))


def best_layouts(cards: Iterable[str]) -> set[frozenset[Cards]]:
    """Every set of disjoint melds that reaches the least deadwood."""
    tried = list(layouts(cards))
    least = min(left for _, left in tried)
    return {frozenset(melds) for melds, left in tried if left == least}


def sheds(eleven: Iterable[str]) -> dict[str, int]:
    """R14: what is left at least after shedding each card."""
    held = frozenset(eleven)
    return {card: deadwood(held - {card}) for card in held}


def is_layout(cards: Iterable[str], melds: Iterable[Iterable[str]]) -> bool:
    """Are these melds, each of them valid, no card twice, all of them from these cards? (R6)"""
    laid = [card for meld in melds for card in meld]
    return all(is_meld(meld) for meld in melds) and len(laid) == len(set(laid)) and set(laid) <= set(cards)


def deadwood_of(cards: Iterable[str], melds: Iterable[Iterable[str]]) -> int:
    """What a given layout leaves."""
    return weight(set(cards) - {card for meld in melds for card in meld})


def lay_off(table: tuple[Cards, ...], card: str, onto: int) -> tuple[Cards, ...] | None:
    """The declared melds with one card more, or None where it does not fit (R11)."""
    # A fourth card of a set and a card at either end of a run are what keeps a meld a meld.
    grown = table[onto] | {card}
    if card in table[onto] or grown not in _MELDS:
        return None
    return (*table[:onto], grown, *table[onto + 1 :])


def laid_off_states(
    cards: Iterable[str], declared: Sequence[Iterable[str]]
) -> dict[tuple[Cards, ...], tuple[LaidOff, ...]]:
    """Every state that the declared melds can be brought to, with one sequence of lay-offs that does it."""
    start = tuple(frozenset(meld) for meld in declared)
    reached: dict[tuple[Cards, ...], tuple[LaidOff, ...]] = {start: ()}
    waiting = [start]
    while waiting:
        table = waiting.pop()
        on_table = frozenset().union(*table)
        for card in frozenset(cards) - on_table:
            for onto in range(len(table)):
                grown = lay_off(table, card, onto)
                if grown is not None and grown not in reached:
                    reached[grown] = (*reached[table], (card, onto))
                    waiting.append(grown)
    return reached


class Answer(NamedTuple):
    """One way to answer a knock: what is laid off in which order, and the deadwood left at least."""

    layoffs: tuple[LaidOff, ...]
    deadwood: int


def answers(
    cards: Iterable[str], declared: Sequence[Iterable[str]], melds: Sequence[Iterable[str]] | None = None
) -> list[Answer]:
    """One answer for each way to lay cards off; `melds` are kept, and no others, where they are given."""
    held = frozenset(cards)
    kept = frozenset(card for meld in melds or () for card in meld)
    left_by: dict[Cards, int] = {}
    found = []
    for layoffs in laid_off_states(held - kept, declared).values():
        rest = held - kept - {card for card, _ in layoffs}
        if rest not in left_by:
            left_by[rest] = deadwood(rest) if melds is None else weight(rest)
        found.append(Answer(layoffs, left_by[rest]))
    return found


def best_defence(
    cards: Iterable[str], declared: Sequence[Iterable[str]], melds: Sequence[Iterable[str]] | None = None
) -> int:
    """R11: the least deadwood over own melds and lay-offs together."""
    return min(answer.deadwood for answer in answers(cards, declared, melds))


def answer_left(
    cards: Iterable[str], declared: Sequence[Iterable[str]], melds: Sequence[Iterable[str]], layoffs: Sequence[LaidOff]
) -> int | None:
    """The deadwood of an answer given card by card, or None where it breaks R6 or R11."""
    if not is_layout(cards, melds):
        return None
    loose = set(cards) - {card for meld in melds for card in meld}
    table: tuple[Cards, ...] | None = tuple(frozenset(meld) for meld in declared)
    for card, onto in layoffs:
        if card not in loose or not 0 <= onto < len(declared):
            return None
        loose.remove(card)
        table = lay_off(table, card, onto)
        if table is None:
            return None
    return weight(loose)


class Showdown(NamedTuple):
    """How a knock ended, in the words of the case files."""

    kind: str
    winner: str
    points: int
    knocker_deadwood: int
    defender_deadwood: int


def showdown(knocker: Iterable[str], declared: Sequence[Iterable[str]], defender: Iterable[str]) -> Showdown:
    """R10 and R12, the other seat answering at its best."""
    mine = deadwood_of(knocker, declared)
    if mine == 0:
        theirs = deadwood(defender)
        return Showdown("gin", "knocker", 25 + theirs, 0, theirs)
    theirs = best_defence(defender, declared)
    if theirs <= mine:
        return Showdown("undercut", "defender", 25 + mine - theirs, mine, theirs)
    return Showdown("knock", "knocker", theirs - mine, mine, theirs)
