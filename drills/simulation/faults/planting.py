"""A planted fault: a patch applied to a copy of the package, and the simulation run on that."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).parents[3]
PATCHES = sorted(Path(__file__).parent.glob("*.patch"))
COPIED = ("ginapi", "drills", "tests/__init__.py", "tests/tally.py", "tests/referee.py")
LIMIT_S = 3_600


class Rotten(Exception):
    """A patch no longer fits what it was made for."""


@dataclass(frozen=True, slots=True)
class Finding:
    """By which check a fault was found, after how many simulated hours; None and all of them where it was not."""

    check: str | None
    told: str | None
    hours: float


def plant(patch: str, folder: Path) -> None:
    """Apply a unified diff, by paths from `folder` on. Raises Rotten unless each hunk fits in one place."""
    path, text = Path(), ""
    for name, old, new in _hunks(patch):
        if folder / name != path:
            path = folder / name
            text = path.read_text()
        if text.count(old) != 1:
            raise Rotten(f"A hunk fits {name} in {text.count(old)} places.")
        text = text.replace(old, new)
        path.write_text(text)


def _hunks(patch: str) -> Iterator[tuple[str, str, str]]:
    """File, old text and new text of each hunk."""
    name, old, new = "", "", ""
    for line in [*patch.splitlines(keepends=True), "@@"]:
        if line.startswith(("--- ", "@@")):
            if old:
                yield name, old, new
            old = new = ""
        elif line.startswith("+++ "):
            name = line[4:].strip()
        else:
            old += line[1:] if line[0] in " -" else ""
            new += line[1:] if line[0] in " +" else ""


def copy(folder: Path) -> None:
    """What the simulation needs, in a folder of its own."""
    for name in COPIED:
        source, target = TOP / name, folder / name
        target.parent.mkdir(exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy2(source, target)


def find(patch: Path, folder: Path, seeds: Sequence[str], hours: float) -> Finding:
    """Plant a fault in an empty folder and simulate there, one seed after the other until it is found."""
    copy(folder)
    plant(patch.read_text(), folder)
    given = [argument for seed in seeds for argument in ("--seed", seed)]
    command = [sys.executable, "-m", "drills.simulation", "--json", "--hours", str(hours), *given]
    # The folder's own package, and not the one that is installed.
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT_S)
    if ran.returncode not in (0, 1):
        raise RuntimeError(f"The simulation did not run with {patch.stem}:\n{ran.stderr}")
    told = [json.loads(line) for line in ran.stdout.splitlines()]
    return Finding(told[-1]["check"], told[-1]["found"], sum(one["hours"] for one in told))
