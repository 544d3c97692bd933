"""The simulation finds nothing in the service, everything that was planted in it, and comes to the same end again."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from drills.simulation.faults.planting import PATCHES, TOP, Rotten, find, plant
from drills.simulation.running import simulate
from tests.shares import FULL

HOURS = 8.0 if FULL else 0.4
SOON = ("credit-without-record", "turn-at-one-deadline", "winner-opens-next")
"""Those that come to light within minutes: the others take up to hours of the simulated time."""
PLANTED = [patch for patch in PATCHES if FULL or patch.stem in SOON]
SEEDS = [f"faults {number}" for number in range(4)]
BY = {
    "answer-kept-apart": {"doubled", "replayed", "taken"},
    "credit-without-record": {"log"},
    "fee-stays-in-escrow": {"coins"},
    "late-move-taken": {"clock"},
    "paid-twice": {"coins"},
    "settled-by-a-jumped-clock": {"early"},
    "turn-at-one-deadline": {"clock"},
    "undercut-without-bonus": {"rules"},
    "whole-gap-for-all": {"gap"},
    "winner-opens-next": {"rules"},
}
"""By which check each fault may come to light: another would say that it came to light by chance."""


def test_nothing_is_found_and_the_same_seed_gives_the_same_end_in_another_process() -> None:
    ended = simulate("the same", HOURS)
    assert ended.found is None
    assert ended.hours >= HOURS
    assert min(ended.counts[name] for name in ("tables", "hands", "acknowledged moves", "crashes")) > 0
    command = [sys.executable, "-m", "drills.simulation", "--json", "--hours", str(HOURS), "--seed", "the same"]
    # Where a set of texts is gone through in its own order, that order is another in each process.
    ran = subprocess.run(
        command, cwd=TOP, env={**os.environ, "PYTHONHASHSEED": "17"}, capture_output=True, text=True, check=True
    )
    again = json.loads(ran.stdout)
    assert again["digest"] == ended.digest
    assert {name: again[name] for name in ended.counts} == ended.counts


def test_another_seed_gives_another_end() -> None:
    assert len({simulate(seed, 0.02).digest for seed in ("one", "another")}) == 2


def test_ten_faults_are_planted() -> None:
    assert {patch.stem for patch in PATCHES} == set(BY)
    assert len(BY) == 10


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.stem)
def test_a_fault_still_applies(patch: Path, tmp_path: Path) -> None:
    shutil.copytree(TOP / "ginapi", tmp_path / "ginapi", ignore=shutil.ignore_patterns("__pycache__", "web"))
    plant(patch.read_text(), tmp_path)


@pytest.mark.parametrize("line", ["gone\n", "twice\n"])
def test_a_patch_that_fits_nowhere_or_in_two_places_is_not_applied(line: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("once\ntwice\ntwice\n")
    with pytest.raises(Rotten):
        plant(f"--- file\n+++ file\n@@ -1,1 +1,1 @@\n-{line}+other\n", tmp_path)


@pytest.mark.parametrize("patch", PLANTED, ids=lambda patch: patch.stem)
def test_a_planted_fault_is_found(patch: Path, tmp_path: Path) -> None:
    finding = find(patch, tmp_path, SEEDS, 6.0)
    assert finding.check in BY[patch.stem], finding
