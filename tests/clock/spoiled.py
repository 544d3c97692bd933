"""Tables that cannot be settled, whatever is tried."""

import json

from ginapi.store import schema
from ginapi.store.database import Database
from tests.clock.stored import table_id

SECRET_CARD = "Kd-and-nobody-else"
"""Stands in what is spoiled, and must not be told."""
BROKEN = {
    "no JSON": {"hand": "{" + SECRET_CARD},
    "no hand": {"hand": json.dumps({"deck": SECRET_CARD})},
    "a hand that cannot be played": {"version": 0},  # The first record's number is taken.
}


def spoil(db: Database, number: int, how: str) -> None:
    """Make the row of table `number` one of `BROKEN`."""
    with db.write() as tx:
        rows = schema.tables
        tx.execute(rows.update().where(rows.c.id == table_id(number)).values(BROKEN[how]))
