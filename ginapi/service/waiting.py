"""Waiting for a table to change: one thread a process looks, on behalf of everybody who waits."""

import threading
import time
from collections import Counter
from collections.abc import Callable

from ginapi.store import tables
from ginapi.store.database import Database
from ginapi.store.faults import Busy, Unavailable

LOOK_EVERY_MS = 100


class Watch:
    """Who waits for which tables; at most `places` at once, streams and long polls together.

    No connection is held by those who wait: the looking thread reads the versions of all their tables at once, and
    lives only while somebody waits.
    """

    def __init__(self, db: Database, places: int, is_stopping: Callable[[], bool] = lambda: False) -> None:
        self._db = db
        self._places = places
        self.is_stopping = is_stopping
        """Whether the process is about to end: then nobody is kept waiting."""
        self._changed = threading.Condition()
        self._waiting: Counter[str] = Counter()
        self._versions: dict[str, int] = {}
        self._looks = False

    def wait(self, table_id: str, version: int, wait_ms: int) -> bool:
        """Whether the table passed `version` within the time; at once False where all places are taken.

        False too when the process is about to end.
        """
        until = time.monotonic() + wait_ms / 1000
        with self._changed:
            if self._waiting.total() >= self._places:
                return False
            self._waiting[table_id] += 1
            if not self._looks:
                self._looks = True
                threading.Thread(target=self._look, name="watch", daemon=True).start()
            try:
                while self._versions.get(table_id, version) <= version and not self.is_stopping():
                    left = until - time.monotonic()
                    if left <= 0:
                        return False
                    self._changed.wait(left)
                return self._versions.get(table_id, version) > version
            finally:
                self._waiting[table_id] -= 1
                if not self._waiting[table_id]:
                    del self._waiting[table_id]
                    self._versions.pop(table_id, None)

    def _look(self) -> None:
        try:
            while self._look_once():
                time.sleep(LOOK_EVERY_MS / 1000)
        except BaseException:
            # Whatever ended it, the next who waits starts another.
            with self._changed:
                self._looks = False
                self._changed.notify_all()
            raise

    def _look_once(self) -> bool:
        """Read the versions of all tables waited for; False when there are none."""
        with self._changed:
            wanted = list(self._waiting)
            if not wanted:
                # In the same breath: whoever came between would count on a look that never comes.
                self._looks = False
                return False
        try:
            with self._db.read() as tx:
                seen = tables.versions_of(tx, wanted)
        except (Busy, Unavailable):
            # Those who wait do so on: their own time bounds it, and the next look may succeed.
            seen = {}
        with self._changed:
            self._versions.update((table_id, at) for table_id, at in seen.items() if table_id in self._waiting)
            self._changed.notify_all()
        return True
