"""The simulated world: its true time, the clock on its wall, its chance, and what is to happen when."""

import heapq
import random
from collections.abc import Callable

START_MS = 1_790_000_000_000
HOUR_MS = 3_600_000

Act = Callable[[], None]


class Found(Exception):
    """A promise was broken: by which `check` it was found, and how."""

    def __init__(self, check: str, told: str) -> None:
        super().__init__(f"{check}: {told}")
        self.check = check
        self.told = told


class World:
    """Time passes from one thing that happens to the next; nothing waits.

    All processes of one SQLite file run on one machine: they share the clock on its wall, which may be set forward and
    back while the true time goes on.
    """

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(seed)
        self.true_ms = 0
        self.offset_ms = 0
        """What the clock on the wall is ahead of the true time."""
        self.unserved_ms = 0
        """For how long nobody served, all in all, but for the outage that goes on."""
        self.out_since_ms: int | None = None
        """Since when nobody serves."""
        self._due: list[tuple[int, int, Act]] = []
        self._count = 0

    def wall_ms(self) -> int:
        """What every process takes the time to be."""
        return START_MS + self.true_ms + self.offset_ms

    @property
    def served_ms(self) -> int:
        """For how long somebody has served, by the true time."""
        out_ms = 0 if self.out_since_ms is None else self.true_ms - self.out_since_ms
        return self.true_ms - self.unserved_ms - out_ms

    def random_hex(self, count: int) -> str:
        """As `secrets.token_hex`, from the seed."""
        return self.chance.randbytes(count).hex()

    def happens(self, share: float) -> bool:
        """True in so large a share of the cases."""
        return self.chance.random() < share

    def between(self, least_ms: int, most_ms: int) -> int:
        """A time of at least and at most so long; short ones are as likely as long ones."""
        return self.chance.randint(least_ms, most_ms)

    def about(self, mean_ms: int) -> int:
        """A time until something that may happen at any moment."""
        return int(self.chance.expovariate(1 / mean_ms)) + 1

    def after(self, delay_ms: int, act: Act) -> None:
        """Have something happen."""
        self._count += 1  # What is due at the same time happens in the order in which it was asked for.
        heapq.heappush(self._due, (self.true_ms + delay_ms, self._count, act))

    def run(self, until_ms: int, is_over: Callable[[], bool] = lambda: False) -> None:
        """Let everything happen that is due until then, or until it is over."""
        while self._due and self._due[0][0] <= until_ms and not is_over():
            at_ms, _, act = heapq.heappop(self._due)
            self.true_ms = max(self.true_ms, at_ms)
            act()
        if not is_over():
            self.true_ms = max(self.true_ms, until_ms)
