"""Where chance comes from: `secrets` in two places, the seeded recipe everywhere else."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "ginapi"
# The house gives each table its seed; a request's id is no part of any game.
MAY_DRAW = {"service/house.py", "api/logs.py"}
SOURCES = {"random", "secrets", "uuid", "numpy", "getrandom", "urandom", "randbytes", "SystemRandom", "RAND_bytes"}


def called(call: ast.Call) -> str:
    """The last name of what is called."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def drawn_from(source: str) -> set[str]:
    """The sources of chance that this code names: imported, or reached through something imported."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {part for alias in node.names for part in alias.name.split(".")}
        elif isinstance(node, ast.ImportFrom):
            found |= {*(node.module or "").split("."), *(alias.name for alias in node.names)}
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Call) and called(node) in ("__import__", "import_module"):
            found |= {str(argument.value) for argument in node.args if isinstance(argument, ast.Constant)}
    return found & SOURCES


@pytest.mark.parametrize("module", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nothing_draws_but_secrets_where_it_may(module: Path) -> None:
    name = module.relative_to(PACKAGE).as_posix()
    assert drawn_from(module.read_text()) == ({"secrets"} if name in MAY_DRAW else set())


@pytest.mark.parametrize(
    "source",
    [
        "import random",
        "def deal():\n    from random import shuffle",
        "import numpy.random as chance",
        "from uuid import uuid4",
        "import os\nos.urandom(8)",
        "from os import urandom",
        "import ssl\nssl.RAND_bytes(8)",
        "__import__('random')",
        "import importlib\nimportlib.import_module('secrets')",
    ],
)
def test_each_source_of_chance_is_seen(source: str) -> None:
    assert drawn_from(source)
