"""How much of a counted property runs, a share or all of it (GINAPI_TEST_FULL=1), and from which seed."""

import os
import random
import secrets
from collections.abc import Callable, Iterator

FULL = os.environ.get("GINAPI_TEST_FULL") == "1"
SEED = os.environ.get("GINAPI_TEST_SEED") or secrets.token_hex(4)


def share(whole: int, part: int) -> int:
    """`whole` in a full run, else `part`."""
    return whole if FULL else part


def rounds(whole: int, part: int, is_enough: Callable[[], bool]) -> Iterator[int]:
    """So many rounds of chance as `share` says; of a share as many more as it takes until it was enough.

    What is rare may well be missing from a share, and that is no fault.
    """
    for number in range(whole):
        if number >= share(whole, part) and is_enough():
            return
        yield number


def numbers(name: str) -> random.Random:
    """Chance for one property; the same for the same GINAPI_TEST_SEED, whichever other tests run."""
    print(f"GINAPI_TEST_SEED={SEED}")
    return random.Random(f"{SEED}/{name}")
