"""How much of a counted property runs, a share or all of it (GINAPI_TEST_FULL=1), and from which seed."""

import os
import random
import secrets
from collections.abc import Sequence
from typing import TypeVar

_Row = TypeVar("_Row")

FULL = os.environ.get("GINAPI_TEST_FULL") == "1"
SEED = os.environ.get("GINAPI_TEST_SEED") or secrets.token_hex(4)


def share(whole: int, part: int) -> int:
    """`whole` in a full run, else `part`."""
    return whole if FULL else part


def on_both(rows: Sequence[_Row], one_of: int) -> list[tuple[str, _Row]]:
    """Each row with `sqlite`, and each, or in short one of so many, with `postgresql`: where they are asked little."""
    return [*(("sqlite", row) for row in rows), *(("postgresql", row) for row in rows[:: share(1, one_of)])]


def numbers(name: str) -> random.Random:
    """Chance for one property; the same for the same GINAPI_TEST_SEED, whichever other tests run."""
    print(f"GINAPI_TEST_SEED={SEED}")
    return random.Random(f"{SEED}/{name}")
