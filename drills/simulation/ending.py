"""The end of a simulation: every table brought to its own, everything audited, and all that is stored in one number."""

import hashlib

from sqlalchemy import select

from drills.simulation.town import Town
from drills.simulation.witness import Witness
from drills.simulation.world import HOUR_MS, Found, World
from ginapi.service.audit import audit
from ginapi.service.house import House
from ginapi.store import schema
from ginapi.store.database import Database

LATEST_MS = 24 * HOUR_MS
"""By then after the people have gone every table has come to its end."""
BY_CLOCK_SHARE = 0.1
"""Of the people, how many leave their tables to the clock."""


def bring_to_end(world: World, town: Town, witness: Witness) -> None:
    """The people go, most with a word; the clock ends what they leave. Raises Found where a table stays."""
    town.is_over = True
    if world.out_since_ms is not None:
        town.serve_again()
    for person in town.people:
        if not world.happens(BY_CLOCK_SHARE):
            person.leave_all()
    ends_ms = world.true_ms + LATEST_MS

    def running() -> list[str]:
        return [table_id for table_id, paper in witness.papers.items() if paper.ended is None and paper.is_kept]

    world.run(ends_ms, lambda: not running())
    if running():
        raise Found("ends", f"{running()[0]} goes on {LATEST_MS} ms after everybody has gone")


def check_all(house: House, witness: Witness) -> None:
    """Everything, once more and as a whole. Raises Found."""
    witness.look()
    witness.attempts.check_all()
    witness.purses.check_all(paper for paper in witness.papers.values() if paper.ended is not None)
    for audited in audit(house):
        if audited.faults:
            raise Found("audit", f"{audited.name}: {audited.faults[0]}")


def digest(db: Database) -> str:
    """All rows of all tables of the database, in hex."""
    said = hashlib.sha256()
    with db.read() as tx:
        for table in schema.metadata.sorted_tables:
            said.update(table.name.encode())
            for row in tx.execute(select(table).order_by(*table.primary_key)):
                said.update(repr(tuple(row)).encode())
    return said.hexdigest()
