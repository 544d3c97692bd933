"""How long the levels think: the CPU time of each decision as it comes in play, on one core.

Run as `python -m bench.decisions hard`.
"""

import argparse
import time
from collections import defaultdict
from functools import partial

from bench.mirrored import always, play_pair_of
from bench.rounds import at, last_core, stay_on
from bench.yardsticks import Choose, Lookahead
from ginapi.game.moves import Move
from ginapi.game.rules import RULES
from ginapi.game.shuffle import DrawNumber
from ginapi.game.view import View
from ginapi.players import LEVELS

Times = dict[str, list[float]]
"""The seconds of the decisions of each phase."""


def timed(choose: Choose, times: Times, view: View, draw_number: DrawNumber) -> Move:
    """What the player chooses, its time noted."""
    start = time.process_time()
    move = choose(view, draw_number)
    times[view.phase].append(time.process_time() - start)
    return move


def report(level: str, times: Times) -> None:
    """A line a phase, and one for all decisions."""
    print(f"{level}: milliseconds of CPU a decision")
    every = [one for phase in times.values() for one in phase]
    for name, taken in [*times.items(), ("all", every)]:
        ranked = sorted(1000 * one for one in taken)
        spread = f"median {at(ranked, 0.5):.3f}, p99 {at(ranked, 0.99):.3f}, longest {ranked[-1]:.3f}"
        print(f"  {name:8} {len(ranked):7,} decisions: {spread}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("levels", nargs="+", choices=LEVELS)
    parser.add_argument("--rules", choices=RULES, default="house")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seed", default="decisions")
    chosen = parser.parse_args()
    stay_on(last_core())
    for level in chosen.levels:
        times: Times = defaultdict(list)
        player = always(partial(timed, LEVELS[level], times))
        for number in range(chosen.matches // 2):
            play_pair_of((player, Lookahead), RULES[chosen.rules], chosen.seed, number)
        report(level, times)


if __name__ == "__main__":
    main()
