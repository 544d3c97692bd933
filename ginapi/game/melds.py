"""Melds and the counting of a hand: least deadwood, best layouts, what each shed would leave.

The counting walks the ranks held in three or more suits for the sets, and reads what runs alone leave of each suit
from a table of its 8,192 possible holdings. Card counts are not limited to ten or eleven.
"""

from collections.abc import Iterator
from functools import cache

from ginapi.game.cards import SUIT_MASK, VALUES, Card, Mask, cards_of, value_of

_RUN_LENGTHS = range(3, 14)


def _run_bits(low: int, length: int) -> int:
    """Bits of `length` neighbouring ranks from the rank bit `low` up; the Ace is low only (R6)."""
    return (low << length) - low


def _table_of_runs() -> bytes:
    """The least deadwood of every holding of one suit, by runs alone."""
    least = bytearray(1 << 13)
    for bits in range(1, 1 << 13):
        low = bits & -bits
        best = VALUES[low.bit_length() - 1] + least[bits ^ low]
        for length in _RUN_LENGTHS:
            run = _run_bits(low, length)
            if run & bits != run:
                break
            best = min(best, least[bits ^ run])
        least[bits] = best
    return bytes(least)


_RUNS_LEAVE = _table_of_runs()


@cache
def _runs_of(bits: int) -> tuple[int, ...]:
    """A choice of runs of one suit that leaves the least deadwood, the longest where it is free."""
    runs: list[int] = []
    while bits:
        low = bits & -bits
        candidates = (_run_bits(low, length) for length in reversed(_RUN_LENGTHS))
        run = next((r for r in candidates if r & bits == r and _RUNS_LEAVE[bits ^ r] == _RUNS_LEAVE[bits]), 0)
        if run:
            runs.append(run)
        bits ^= run or low
    return tuple(runs)


def _all_melds() -> Iterator[Mask]:
    for rank in range(13):
        of_rank = [1 << 13 * suit + rank for suit in range(4)]
        yield sum(of_rank)
        yield from (sum(of_rank) - one for one in of_rank)
    for suit in range(4):
        for rank in range(11):
            for length in range(3, 14 - rank):
                yield _run_bits(1 << rank, length) << 13 * suit


MELDS: tuple[Mask, ...] = tuple(sorted(_all_melds()))
"""Every meld there is (R6): 65 sets and 264 runs."""
_IS_MELD = frozenset(MELDS)


def is_meld(mask: Mask) -> bool:
    """Whether these cards are one set or one run (R6)."""
    return mask in _IS_MELD


def is_run(meld: Mask) -> bool:
    """Whether a meld is a run; it is a set otherwise."""
    low = meld & -meld
    return bool(meld & low << 1)


def melds_in(mask: Mask) -> tuple[Mask, ...]:
    """Every meld that these cards hold, overlapping ones included."""
    return tuple(meld for meld in MELDS if meld & mask == meld)


def deadwood(mask: Mask) -> int:
    """The least deadwood over all the cards given (R7)."""
    s, h, d, c = mask & SUIT_MASK, mask >> 13 & SUIT_MASK, mask >> 26 & SUIT_MASK, mask >> 39
    least = _RUNS_LEAVE[s] + _RUNS_LEAVE[h] + _RUNS_LEAVE[d] + _RUNS_LEAVE[c]
    ranks = s & h & (d | c) | d & c & (s | h)
    return _least_with_sets(s, h, d, c, ranks, least) if ranks else least


def _least_with_sets(s: int, h: int, d: int, c: int, ranks: int, least: int) -> int:
    """The least deadwood of four suits where any of `ranks` may become a set, and `least` is what runs alone leave.

    Written out for speed: this is most of what a computer player does.
    """
    leave = _RUNS_LEAVE
    while ranks:
        low = ranks & -ranks
        ranks ^= low
        # The suits without this rank; a card that is not held is cleared for nothing.
        s_, h_, d_, c_ = s & ~low, h & ~low, d & ~low, c & ~low
        if low & s & h & d & c:
            for ws, wh, wd, wc in (
                (s_, h_, d_, c_),
                (s, h_, d_, c_),
                (s_, h, d_, c_),
                (s_, h_, d, c_),
                (s_, h_, d_, c),
            ):
                left = leave[ws] + leave[wh] + leave[wd] + leave[wc]
                if ranks:
                    left = _least_with_sets(ws, wh, wd, wc, ranks, left)
                if left < least:
                    least = left
        else:
            left = leave[s_] + leave[h_] + leave[d_] + leave[c_]
            if ranks:
                left = _least_with_sets(s_, h_, d_, c_, ranks, left)
            if left < least:
                least = left
    return least


def best_layout(mask: Mask) -> tuple[Mask, ...]:
    """Disjoint melds that leave the least deadwood: the same ones for the same cards, in ascending order."""
    s, h, d, c = mask & SUIT_MASK, mask >> 13 & SUIT_MASK, mask >> 26 & SUIT_MASK, mask >> 39
    ranks = s & h & (d | c) | d & c & (s | h)
    sets = _best_sets(mask, ranks, deadwood(mask)) if ranks else ()
    for one in sets or ():
        mask &= ~one
    runs = tuple(run << 13 * suit for suit in range(4) for run in _runs_of(mask >> 13 * suit & SUIT_MASK))
    return tuple(sorted((sets or ()) + runs))


def _best_sets(mask: Mask, ranks: int, goal: int) -> tuple[Mask, ...] | None:
    """Sets of the `ranks` that leave deadwood `goal` together with the runs of the rest, or None."""
    if deadwood_by_runs(mask) == goal:
        return ()
    while ranks:
        low = ranks & -ranks
        ranks ^= low
        of_rank = mask & (low | low << 13 | low << 26 | low << 39)
        for meld in melds_in_rank(of_rank):
            more = _best_sets(mask & ~meld, ranks, goal)
            if more is not None:
                return (meld, *more)
    return None


def melds_in_rank(of_rank: Mask) -> tuple[Mask, ...]:
    """The sets that cards of one rank hold, the largest first."""
    if of_rank.bit_count() < 4:
        return (of_rank,)
    return (of_rank, *(of_rank ^ 1 << card for card in cards_of(of_rank)))


def deadwood_by_runs(mask: Mask) -> int:
    """The least deadwood when no set is laid."""
    return (
        _RUNS_LEAVE[mask & SUIT_MASK]
        + _RUNS_LEAVE[mask >> 13 & SUIT_MASK]
        + _RUNS_LEAVE[mask >> 26 & SUIT_MASK]
        + _RUNS_LEAVE[mask >> 39]
    )


def best_layouts(mask: Mask, limit: int | None = None) -> tuple[tuple[Mask, ...], ...]:
    """Every set of disjoint melds that leaves the least deadwood, at most `limit` of them."""
    found: list[tuple[Mask, ...]] = []
    goal = value_of(mask) - deadwood(mask)
    melds = melds_in(mask)

    def extend(start: int, chosen: tuple[Mask, ...], free: Mask, missing: int) -> None:
        if missing == 0:
            found.append(chosen)
        for at in range(start, len(melds)):
            if limit is not None and len(found) >= limit:
                return
            meld = melds[at]
            if meld & free == meld:
                extend(at + 1, (*chosen, meld), free ^ meld, missing - value_of(meld))

    extend(0, (), mask, goal)
    return tuple(found)


def deadwood_after(mask: Mask, may_shed: Mask | None = None) -> dict[Card, int]:
    """The least deadwood that shedding each card would leave (R14), over the cards that may be shed."""
    return {card: deadwood(mask ^ 1 << card) for card in cards_of(mask if may_shed is None else may_shed)}
