"""How strong a player is: whole matches in mirrored pairs against others, printed as a table for bench/STRENGTH.md.

How many matches and from which seeds is said beforehand: `python -m bench.strength hard simple --matches 5000`.
"""

import argparse
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from math import sqrt
from multiprocessing import Pool
from typing import NamedTuple

from bench.mirrored import MAKERS, Meeting, Pair, play_pair
from ginapi.game.rules import RULES

Z_95 = 1.959964
"""Standard errors to either side of a mean that hold it 95 times in a hundred."""
ENDINGS = ("gin", "knock", "undercut")
HEAD = (
    "| player | against | protocol | seed | matches | won | 95 % | gin | knock | undercut | wash |",
    "|---|---|---|---|---|---|---|---|---|---|---|",
)


class Tally(NamedTuple):
    """What the pairs of a meeting come to."""

    pairs: int
    share: float
    """Of the matches, what the player won."""
    error: float
    """Half the width of the 95 % interval over pairs."""
    endings: Counter[str]


def pairs_of(meeting: Meeting, count: int, processes: int) -> Iterator[Pair]:
    """The pairs of a meeting, numbered from 0, on so many processes; the same whatever their number."""
    if processes == 1:
        yield from map(partial(play_pair, meeting), range(count))
        return
    with Pool(processes) as pool:
        yield from pool.imap(partial(play_pair, meeting), range(count), chunksize=4)


def add_up(pairs: Iterable[Pair]) -> Tally:
    """The share of matches won, its interval over pairs, and the mix of endings."""
    shares: list[float] = []
    endings: Counter[str] = Counter()
    for pair in pairs:
        shares.append(pair.won / 2)
        endings += pair.endings
    count = len(shares)
    share = sum(shares) / count
    variance = sum((one - share) ** 2 for one in shares) / max(count - 1, 1)
    return Tally(count, share, Z_95 * sqrt(variance / count), endings)


def row(meeting: Meeting, tally: Tally) -> str:
    """The meeting as a line of the table; of the endings, those that the player won stand first."""
    percent, error = 100 * tally.share, 100 * tally.error
    mix = " | ".join(f"{tally.endings[kind]:,} : {tally.endings['-' + kind]:,}" for kind in ENDINGS)
    return (
        f"| {meeting.player} | {meeting.opponent} | {meeting.rules.name} | {meeting.seed} | {2 * tally.pairs:,} "
        f"| {percent:.1f} % | {percent - error:.1f}–{percent + error:.1f} | {mix} | {tally.endings['wash']:,} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("player", choices=MAKERS)
    parser.add_argument("opponent", choices=MAKERS, nargs="+")
    parser.add_argument("--rules", choices=RULES, default="contest")
    parser.add_argument("--seeds", nargs="+", default=["1", "2"])
    parser.add_argument("--matches", type=int, default=1_000, help="for each seed; even, as a pair is two")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args()
    if chosen.matches < 2 or chosen.matches % 2:
        parser.error("--matches is an even number, and not zero")
    print(*HEAD, sep="\n")
    for opponent in chosen.opponent:
        every: list[Pair] = []
        meeting = Meeting(chosen.player, opponent, RULES[chosen.rules], "")
        for seed in chosen.seeds:
            pairs = list(pairs_of(meeting._replace(seed=seed), chosen.matches // 2, chosen.processes))
            print(row(meeting._replace(seed=seed), add_up(pairs)), flush=True)
            every += pairs
        if len(chosen.seeds) > 1:
            print(row(meeting._replace(seed=" + ".join(chosen.seeds)), add_up(every)), flush=True)


if __name__ == "__main__":
    main()
