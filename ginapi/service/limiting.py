"""Limits on requests: what this process has in hand of each for each caller, and a batch more where that is used up."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Iterable

from sqlalchemy import Connection

from ginapi.limits import Allowance, Limit, Portion
from ginapi.service.house import House
from ginapi.store import limits as rows
from ginapi.store.faults import Busy, Unavailable

ALLOWANCES = 20_000
"""Kept by one process; the one that was asked for longest ago goes first."""

_log = logging.getLogger(__name__)


class _Kept:
    """An allowance, and the line of those who wait while more is asked for."""

    __slots__ = ("allowance", "asking")

    def __init__(self, allowance: Allowance) -> None:
        self.allowance = allowance
        self.asking = threading.Lock()


class Limiting:
    """Who may still ask for what. Callers are known by a hash; nothing is sent to the database while any is in hand."""

    def __init__(self, house: House, limits: Iterable[Limit], workers: int, kept: int = ALLOWANCES) -> None:
        self.limits = {limit.name: limit for limit in limits}
        self._house = house
        self._portions = {name: Portion.of(limit, workers) for name, limit in self.limits.items()}
        self._longest_ms = max((limit.window_ms for limit in self.limits.values()), default=0)
        self._most = kept
        self._kept: OrderedDict[tuple[str, bytes], _Kept] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, name: str, caller: bytes) -> bool:
        """Whether the caller may make one more request of this limit; if so it is taken."""
        now_ms = self._house.now_ms()
        with self._lock:
            kept = self._found(name, caller, now_ms)
            may = kept.allowance.take(now_ms)
        if may is not None:
            return may
        with kept.asking:
            while True:
                with self._lock:
                    may = kept.allowance.take(now_ms)
                    if may is not None:
                        return may
                    began_ms, count = kept.allowance.wanted()
                self._ask(kept.allowance, self.limits[name], caller, count, began_ms, now_ms)

    def _found(self, name: str, caller: bytes, now_ms: int) -> _Kept:
        kept = self._kept.get((name, caller))
        if kept is None:
            kept = _Kept(Allowance(self.limits[name], self._portions[name], now_ms))
            self._kept[name, caller] = kept
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end((name, caller))
        return kept

    def _ask(self, allowance: Allowance, limit: Limit, caller: bytes, count: int, began_ms: int, now_ms: int) -> None:
        """A batch more, as far as there is one. Without a lock: others are served meanwhile."""

        def work(tx: Connection) -> tuple[int, int]:
            found = rows.take(tx, caller, limit.name, count, began_ms, limit.window_ms, now_ms)
            if found == (began_ms, count):  # A window has begun: at most so many rows stay as there are windows.
                rows.forget(tx, now_ms - 2 * self._longest_ms)
            return found

        try:
            told = self._house.db.transact(work)
        except (Busy, Unavailable) as fault:
            _log.warning("limits unknown", extra={"limit": limit.name, "fault": type(fault).__name__})
            told = None
        with self._lock:
            if told is None:
                allowance.not_told()
            else:
                allowance.given(*told)

    def give_up(self, name: str, caller: bytes) -> None:
        """Keep no allowance of a caller who turned out to be nobody."""
        with self._lock:
            self._kept.pop((name, caller), None)

    def left(self, name: str, caller: bytes) -> tuple[int, int]:
        """How many requests of this limit are left to a caller, and milliseconds until its window ends."""
        now_ms = self._house.now_ms()
        with self._lock:
            kept = self._kept.get((name, caller))
            if kept is None:
                return self.limits[name].quota, self.limits[name].window_ms
            return kept.allowance.left(now_ms)
