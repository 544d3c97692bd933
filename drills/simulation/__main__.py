"""Run one simulation, or several by their seeds, and say how each ended: `python -m drills.simulation --hours 24`.

Of several the first that finds a promise broken is the last that runs.
"""

import argparse
import json
import sys

from drills.simulation.running import simulate


def main() -> int:
    """1 where a promise was found broken."""
    parser = argparse.ArgumentParser(description="A seeded simulation over the real store.")
    parser.add_argument("--seed", action="append", help="what everything follows from; several times for several runs")
    parser.add_argument(
        "--hours", type=float, default=24.0, help="simulated hours, to which the tables' ends are added"
    )
    parser.add_argument("--json", action="store_true", help="one line of JSON a run")
    given = parser.parse_args()
    for seed in given.seed or ["1"]:
        outcome = simulate(seed, given.hours)
        told = {
            "seed": outcome.seed,
            "hours": round(outcome.hours, 2),
            "times real": round(outcome.times_real),
            "times processor": round(outcome.times_cpu),
            "check": None if outcome.found is None else outcome.found.check,
            "found": None if outcome.found is None else outcome.found.told,
            "digest": outcome.digest,
            **outcome.counts,
        }
        if given.json:
            print(json.dumps(told), flush=True)
        else:
            print("\n".join(f"{name:22}{value}" for name, value in told.items()), flush=True)
        if outcome.found is not None:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
