"""How much of a counted property runs, and from which seed: a share by default, all of it when GINAPI_TEST_FULL is 1."""

import os
import random
import secrets

FULL = os.environ.get("GINAPI_TEST_FULL") == "1"
SEED = os.environ.get("GINAPI_TEST_SEED") or secrets.token_hex(4)


def share(whole: int, part: int) -> int:
    """`whole` in a full run, else `part`."""
    return whole if FULL else part


def numbers(name: str) -> random.Random:
    """Chance for one property; the same for the same GINAPI_TEST_SEED, whichever other tests run."""
    print(f"GINAPI_TEST_SEED={SEED}")
    return random.Random(f"{SEED}/{name}")
