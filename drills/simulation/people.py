"""Tempers: how fast people decide, how they send what they decided, and how they take their leave."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Temper:
    """A kind of person; shares are of the times that there was occasion."""

    name: str
    think_ms: tuple[int, int]
    level: str
    """The computer player that decides for it."""
    keys: float = 0.6
    """Sends an idempotency key."""
    doubles: float = 0.05
    """Sends again what was answered already, under the same key."""
    stale: float = 0.02
    """Decides on a version that no longer stands."""
    wrong: float = 0.03
    """Sends what the rules refuse."""
    wanders: float = 0.01
    """Goes away for long, without a word."""
    leaves: float = 0.002
    """Gets up from the table."""
    rematches: float = 0.4
    """Plays on with the same."""


PROMPT = Temper("prompt", (1_000, 12_000), "medium")
SLOW = Temper("slow", (8_000, 70_000), "easy")
HASTY = Temper("hasty", (300, 4_000), "easy", keys=0.9, doubles=0.3, stale=0.1, wrong=0.15)
ABSENT = Temper("absent", (2_000, 25_000), "medium", wanders=0.25)
FICKLE = Temper("fickle", (1_000, 20_000), "easy", leaves=0.05, rematches=0.8)

TEMPERS = (PROMPT, PROMPT, SLOW, HASTY, ABSENT, FICKLE)

REST_MS = 60 * 60_000
"""How long people stay away between two visits, at the mean."""
AWAY_MS = (2 * 60_000, 80 * 60_000)
"""How long whoever went away without a word does."""
AGAIN_MS = (200, 20_000)
"""After how long what was not answered is sent again."""
WAIT_MS = (4_000, 40_000)
"""Between two looks at a table where another is to move, or to come."""
MOST_TABLES = 3
STAKES = (50, 50, 50, 50, 100)
