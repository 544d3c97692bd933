"""Which tables' rows somebody holds at a moment, and for how long each has been held without a break."""

import time

from sqlalchemy import text

from ginapi.store.database import Database

_HELD = text(
    "SELECT id FROM tables WHERE status = 'playing' EXCEPT "
    "SELECT id FROM (SELECT id FROM tables WHERE status = 'playing' FOR NO KEY UPDATE SKIP LOCKED) AS free"
)


def held_rows(db: Database) -> set[str]:
    """The running tables that are locked by anybody now, on PostgreSQL."""
    with db.write() as tx:
        return set(tx.execute(_HELD).scalars())


class Held:
    """Looks again and again, and knows the longest that a table was found locked at each look."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._since: dict[str, float] = {}
        self.longest_s = 0.0

    def look(self) -> None:
        now = time.monotonic()
        held = held_rows(self._db)
        self._since = {table_id: self._since.get(table_id, now) for table_id in held}
        self.longest_s = max([self.longest_s, *(time.monotonic() - since for since in self._since.values())])
