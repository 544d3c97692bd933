"""Waiting for a table to change: one thread a process looks, on behalf of everybody who waits in a place of it."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from types import TracebackType
from typing import NamedTuple

from ginapi.config import CALLER_PLACES
from ginapi.metrics import counted
from ginapi.store import tables
from ginapi.store.database import Database
from ginapi.store.faults import Busy, Unavailable

LOOK_EVERY_MS = 30
_SCHEDULER_FIRST_MS = 100
"""How long after a table was due to act those who wait for it leave that to a scheduler."""


class LogAt(NamedTuple):
    """Where a table's log stood when somebody looked."""

    table_id: str
    version: int
    due_in_ms: int | None
    """After how long the table acts by itself; None where it never does."""
    principal: str | None
    """Who looked; None for a caller without a token."""


class _Waiter:
    """One who waits for a version to be passed, and what wakes it."""

    __slots__ = ("is_over", "table_id", "version", "woken")

    def __init__(self, at: LogAt, is_over: Callable[[], bool]) -> None:
        self.table_id = at.table_id
        self.version = at.version
        self.is_over = is_over
        self.woken = threading.Event()


class Watch:
    """The places of a process where requests wait: `places` at once, streams and long polls together.

    One caller holds a quarter of them at most, or `CALLER_PLACES` where that is more. No connection is held by those
    who wait: the looking thread reads the versions of all their tables at once, and lives only while somebody waits.
    """

    def __init__(self, db: Database, places: int, is_stopping: Callable[[], bool] = lambda: False) -> None:
        self._db = db
        self._places = places
        self._places_of_one = max(CALLER_PLACES, places // 4)
        self.is_stopping = is_stopping
        """Whether the process is about to end: then nobody is kept waiting."""
        self._lock = threading.Lock()
        self._taken: Counter[str] = Counter()
        self._waiting: set[_Waiter] = set()
        self._looks = False

    def place(self, caller: str, is_gone: Callable[[], bool] = lambda: False) -> "Place | None":
        """A place for a caller, who `is_gone` once it has hung up; None where all are taken, or all of its own."""
        with self._lock:
            if self._taken.total() >= self._places or self._taken[caller] >= self._places_of_one:
                return None
            self._taken[caller] += 1
        counted.take_place()
        return Place(self, caller, is_gone)

    def give_back(self, caller: str) -> None:
        """A place of a caller is free again."""
        with self._lock:
            self._taken[caller] -= 1
            if not self._taken[caller]:
                del self._taken[caller]
        counted.give_place_back()

    def wait(self, at: LogAt, wait_ms: float, is_over: Callable[[], bool]) -> None:
        """Until the table has passed that version, the time is up, or the wait `is_over` for another reason."""
        if is_over():
            return
        waiter = _Waiter(at, is_over)
        with self._lock:
            self._waiting.add(waiter)
            if not self._looks:
                self._looks = True
                threading.Thread(target=self._look, name="watch", daemon=True).start()
        try:
            waiter.woken.wait(wait_ms / 1000)
        finally:
            with self._lock:
                self._waiting.discard(waiter)

    def _look(self) -> None:
        try:
            while self._look_once():
                time.sleep(LOOK_EVERY_MS / 1000)
        except BaseException:
            # Whatever ended it, the next who waits starts another.
            with self._lock:
                self._looks = False
                waiting = list(self._waiting)
            for waiter in waiting:
                waiter.woken.set()
            raise

    def _look_once(self) -> bool:
        """Wake those whose table has gone on, or whose wait is over; False when nobody waits."""
        with self._lock:
            waiting = list(self._waiting)
            if not waiting:
                # In the same breath: whoever came between would count on a look that never comes.
                self._looks = False
                return False
        try:
            with self._db.read() as tx:
                seen = tables.versions_of(tx, list({waiter.table_id for waiter in waiting}))
        except (Busy, Unavailable):
            # Those who wait do so on: their own time bounds it, and the next look may succeed.
            seen = {}
        for waiter in waiting:
            if seen.get(waiter.table_id, 0) > waiter.version or waiter.is_over():
                waiter.woken.set()
        return True


class Place:
    """Where one request waits, as often as it likes, until the place is given back."""

    def __init__(self, watch: Watch, caller: str, is_gone: Callable[[], bool]) -> None:
        self._watch = watch
        self._caller = caller
        self._is_gone = is_gone
        self._is_held = True

    def __enter__(self) -> "Place":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.give_back()

    def is_over(self) -> bool:
        """Whether there is nobody to wait for here: the process is about to end, or the caller has hung up."""
        return self._watch.is_stopping() or self._is_gone()

    def wait(self, at: LogAt, wait_ms: int) -> None:
        """Until it is time to look again: the table has gone on, or `wait_ms` are up, or it `is_over`.

        So it is when the table is due to act by itself, for where no scheduler runs; a little later, for where one does
        and is to have been there before.
        """
        due_in_ms = wait_ms if at.due_in_ms is None else at.due_in_ms + _SCHEDULER_FIRST_MS
        self._watch.wait(at, min(wait_ms, due_in_ms), self.is_over)

    def give_back(self) -> None:
        """Let somebody else wait here; again, and nothing happens."""
        if self._is_held:
            self._is_held = False
            self._watch.give_back(self._caller)
