"""The picture of the project, held against its imports: each part knows only what stands to its left."""

import ast
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
PACKAGE = TOP / "ginapi"

# From left to right; parts that share a place do not know each other. The cli stands right of the two that it starts.
# The web table knows nobody: it speaks to the service over HTTP, as any other client does.
PICTURE = (
    {"errors", "web"},
    {"game"},
    {"players"},
    {"tables"},
    {"limits"},
    {"settings"},
    {"config"},
    {"logs", "metrics"},
    {"store"},
    {"service"},
    {"api", "scheduler"},
    {"cli"},
    {"gunicorn_settings", "wsgi"},
)
PLACES = {part: place for place, parts in enumerate(PICTURE) for part in parts}

# No I/O, no clock, no chance: what these say follows from what they are told.
PURE = {"errors", "game", "players", "tables", "limits"}
NOT_PURE = {
    *("datetime", "io", "logging", "os", "pathlib", "random", "secrets", "socket", "subprocess", "sys", "threading"),
    *("time", "uuid", "flask", "sqlalchemy"),
}

MODULES = sorted([*PACKAGE.rglob("*.py"), *TOP.glob("wsgi.py")])


def part_of(module: Path) -> str:
    """The part that a file belongs to: `game` for ginapi/game/melds.py, `cli` for ginapi/cli.py, "" for the package."""
    inside = module.relative_to(PACKAGE if PACKAGE in module.parents else TOP)
    first = inside.parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


def imported(source: str) -> set[str]:
    """Every dotted name that may be a module, wherever in the file it is imported; `from a import b` may be `a.b`."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written out in full"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def faults(part: str, source: str) -> list[str]:
    """What in this source of this part does not fit the picture."""
    found = []
    for name in sorted(imported(source)):
        first, *rest = name.split(".")
        other = first if first == "wsgi" else rest[0] if first == "ginapi" and rest else ""
        if other in PLACES and other != part and PLACES[other] >= PLACES.get(part, -1):
            found.append(f"{part} imports {name}, which does not stand to its left")
        if part in PURE and first in NOT_PURE:
            found.append(f"{part} is pure and imports {name}")
        if first == "random":
            found.append(f"{part} imports random: a deal comes from `secrets` or from the published recipe")
    return found


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(TOP)))
def test_imports_point_left(module: Path) -> None:
    part = part_of(module)
    assert part in PLACES or part == "", f"{part} has no place in the picture"
    assert faults(part, module.read_text()) == []


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(TOP)))
def test_a_file_has_fewer_than_300_lines(module: Path) -> None:
    assert len(module.read_text().splitlines()) < 300


@pytest.mark.parametrize(
    ("part", "source"),
    [
        ("game", "from ginapi.store import tables"),
        ("game", "def deal():\n    import ginapi.players.choose"),
        ("tables", "from ginapi import config"),
        ("store", "import ginapi.service.play"),
        ("api", "from ginapi.scheduler import start"),
        ("scheduler", "from ginapi.api import create_app"),
        ("cli", "from wsgi import app"),
        ("", "from ginapi import api"),
        ("errors", "import flask.json"),
        ("web", "from ginapi.errors import Reason"),
        ("game", "from os import path"),
        ("players", "import random"),
        ("tables", "from datetime import UTC"),
        ("store", "from random import choice"),
    ],
)
def test_what_points_right_or_is_not_pure_is_seen(part: str, source: str) -> None:
    assert faults(part, source)


@pytest.mark.parametrize(
    ("part", "source"),
    [
        ("game", "from ginapi.game.cards import Card\nfrom ginapi.errors import Refused\nimport hashlib, hmac"),
        ("store", "from ginapi import __version__, config, tables\nimport sqlalchemy, secrets, time"),
        ("cli", "from ginapi.api import create_app"),
        ("wsgi", "from ginapi.api import create_app"),
    ],
)
def test_what_points_left_is_not(part: str, source: str) -> None:
    assert faults(part, source) == []
