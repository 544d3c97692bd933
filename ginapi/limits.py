"""What a caller may ask within a time: the limits, and the arithmetic by which workers hand them out in batches.

A worker takes a batch of a limit from the database and hands it out itself, so that few requests cost a statement. The
first few of a window it hands out before it has asked, and owes them: most callers never ask for more, and cost none.
"""

from dataclasses import dataclass
from typing import Literal

_WORKERS_LEAST = 4  # a server is taken to have as many: it may be started with another number than is set
# Of a quota, by all workers of a server together: what they hand out before they take it, and what they leave unused.
_ADVANCE_PART = 100
_UNUSED_PART = 50


@dataclass(frozen=True, slots=True)
class Limit:
    """So many requests in a window of time, which begins with the first of them. Each is of a caller or an address."""

    name: str
    quota: int
    window_ms: int
    by: Literal["caller", "address"]
    counts: str
    """What it counts, as callers read it."""


LIMITS = (
    Limit(
        "requests",
        36_000,
        60_000,
        "caller",
        "Every request of a token; of an address where none is sent or needed. Not a move that is taken or a hand that "
        "is dealt: those are never refused for it.",
    ),
    Limit("openings", 12_000, 60_000, "address", "Opening a table, or sitting down at one, without a token."),
    Limit("passwords", 600, 60_000, "address", "Opening an account, or asking for a token by name and password."),
    Limit("advice", 600, 60_000, "address", "Asking for a hint, or for a page of a review."),
)
"""Meant to stop floods and no use: far more than a person or a bot asks for, and than a suite of tests does."""


@dataclass(frozen=True, slots=True)
class Portion:
    """What one worker hands out before it has taken it, and how much it takes at a time."""

    in_advance: int
    batch: int

    @classmethod
    def of(cls, limit: Limit, workers: int) -> "Portion":
        """Small enough that all workers of a server together stay within 1 % above the quota and 2 % below."""
        count = max(workers, _WORKERS_LEAST)
        return cls(limit.quota // (_ADVANCE_PART * count), max(1, limit.quota // (_UNUSED_PART * count)))


class Allowance:
    """What one worker has in hand of one limit for one caller. Times are those of the caller's requests."""

    __slots__ = ("_began_ms", "_in_hand", "_is_used_up", "_left", "_limit", "_owed", "_portion")

    def __init__(self, limit: Limit, portion: Portion, now_ms: int) -> None:
        self._limit = limit
        self._portion = portion
        self._begin(now_ms)

    def _begin(self, now_ms: int) -> None:
        self._began_ms = now_ms
        self._in_hand = self._portion.in_advance
        self._owed = self._portion.in_advance
        self._left = self._limit.quota - self._portion.in_advance
        self._is_used_up = False

    def is_over(self, now_ms: int) -> bool:
        """Whether the window has ended, or the clock was set back by more than one."""
        return not -self._limit.window_ms < now_ms - self._began_ms < self._limit.window_ms

    def take(self, now_ms: int) -> bool | None:
        """Whether the caller may; None where that has to be asked for with `wanted` and `given`."""
        if self.is_over(now_ms):
            self._begin(now_ms)
        if self._in_hand:
            self._in_hand -= 1
            return True
        return False if self._is_used_up else None

    def wanted(self) -> tuple[int, int]:
        """When the window began, as far as this worker knows, and how much to take: a batch, and what it owes."""
        return self._began_ms, self._owed + self._portion.batch

    def given(self, began_ms: int, taken: int) -> None:
        """The window as it is kept for all workers, and how much of it they have taken now, this batch included."""
        missing = max(0, taken - self._limit.quota)
        self._began_ms = began_ms
        self._owed = 0
        self._in_hand += max(0, self._portion.batch - missing)
        self._left = max(0, self._limit.quota - taken)
        self._is_used_up = self._left == 0

    def not_told(self) -> None:
        """Nobody could be asked: hand out another batch and owe it. Whatever stops the database stops the request."""
        self._in_hand += self._portion.batch
        self._owed += self._portion.batch

    def left(self, now_ms: int) -> tuple[int, int]:
        """How many requests are left, as far as this worker knows, and milliseconds until the window ends."""
        if self.is_over(now_ms):
            return self._limit.quota, self._limit.window_ms
        return self._left + self._in_hand, self._began_ms + self._limit.window_ms - now_ms
