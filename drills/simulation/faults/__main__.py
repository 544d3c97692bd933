"""Plant each fault and say by which check it is found, and how soon: `python -m drills.simulation.faults`."""

import argparse
import sys
import tempfile
from pathlib import Path

from drills.simulation.faults.planting import PATCHES, Rotten, find

SEEDS = 4


def main() -> int:
    """1 where a fault is not found, or its patch no longer applies."""
    parser = argparse.ArgumentParser(description="Plant faults, and have the simulation find them.")
    parser.add_argument("fault", nargs="*", help="the faults by name; all where none is named")
    parser.add_argument("--hours", type=float, default=6.0, help=f"simulated for each of {SEEDS} seeds, at the most")
    parser.add_argument("--seed", default="faults", help="what the seeds begin with")
    given = parser.parse_args()
    missed = 0
    for patch in PATCHES:
        if given.fault and patch.stem not in given.fault:
            continue
        seeds = [f"{given.seed} {number}" for number in range(SEEDS)]
        with tempfile.TemporaryDirectory() as folder:
            try:
                finding = find(patch, Path(folder), seeds, given.hours)
            except Rotten as rotten:
                print(f"{patch.stem:26}does not apply: {rotten}", flush=True)
                missed += 1
                continue
        missed += finding.check is None
        by = "NOT FOUND" if finding.check is None else f"by {finding.check}"
        print(f"{patch.stem:26}{by:18}{finding.hours:6.2f} h  {finding.told or ''}", flush=True)
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
