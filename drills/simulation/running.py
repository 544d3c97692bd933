"""One simulation from its seed to its end, on a database of its own."""

import logging
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from drills.simulation.ending import bring_to_end, check_all, digest
from drills.simulation.town import Town
from drills.simulation.witness import Witness
from drills.simulation.world import HOUR_MS, Found, World
from ginapi.service import passwords
from ginapi.service.house import House
from ginapi.store.database import Database
from ginapi.store.migrate import migrate

MEMORY = Path("/dev/shm")
"""A file system in memory, where there is one: what a disk would take is no part of what is simulated."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a simulation ended; `found` is the promise that was broken, and None where none was."""

    seed: str
    true_ms: int
    real_s: float
    cpu_s: float
    found: Found | None
    digest: str
    counts: dict[str, int]

    @property
    def hours(self) -> float:
        """How long it was, by the simulated time."""
        return self.true_ms / HOUR_MS

    @property
    def times_real(self) -> float:
        """How many times as fast as the real time it went."""
        return self.true_ms / 1000 / self.real_s

    @property
    def times_cpu(self) -> float:
        """The same by the time that the processor spent on it: other processes do not count."""
        return self.true_ms / 1000 / self.cpu_s


def simulate(seed: str, hours: float) -> Outcome:
    """Run for so many simulated hours, and to the end of every table."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder, _cheap_passwords():
        url = f"sqlite:///{folder}/simulation.db"
        migrate(url)
        db = Database(url)
        try:
            return _simulated(seed, hours, url, db)
        finally:
            db.close()


def _simulated(seed: str, hours: float, url: str, db: Database) -> Outcome:
    world = World(seed)
    witness = Witness(world, db)
    town = Town(world, url, witness)
    found: Found | None = None
    started_s, started_cpu_s = time.perf_counter(), time.process_time()
    try:
        with _no_errors_logged():
            town.start()
            world.run(int(hours * HOUR_MS))
            bring_to_end(world, town, witness)
            check_all(House(db, world.wall_ms, world.random_hex), witness)
    except Found as one:
        found = one
    real_s, cpu_s = time.perf_counter() - started_s, time.process_time() - started_cpu_s
    town.stop()
    witness.close()
    counts = {**_counted(witness), "crashes": town.crash_count, **town.counts}
    return Outcome(seed, world.true_ms, real_s, cpu_s, found, digest(db), counts)


def _counted(witness: Witness) -> dict[str, int]:
    ended = Counter(paper.ended for paper in witness.papers.values())
    kinds = Counter(paper.terms.kind for paper in witness.papers.values())
    return {
        "tables": len(witness.papers),
        **{f"{kind} tables": count for kind, count in sorted(kinds.items())},
        **{f"ended by {ended}": count for ended, count in sorted(ended.items(), key=str)},
        "hands": sum(paper.hand_number for paper in witness.papers.values()),
        "records": witness.record_count,
        "acknowledged moves": witness.attempts.answered_count,
    }


@contextmanager
def _cheap_passwords() -> Iterator[None]:
    """Hashing takes most of a tenth of a second, and draws a salt that follows from no seed."""
    with patch.object(passwords, "hashed", lambda password: f"hashed {password}"):
        yield


class _Errors(logging.Handler):
    """What the service logs as an error, it could not do."""

    def emit(self, record: logging.LogRecord) -> None:
        raise Found("logged", f"{record.getMessage()}: {getattr(record, 'fault', '')}")


@contextmanager
def _no_errors_logged() -> Iterator[None]:
    logger, handler = logging.getLogger("ginapi"), _Errors(logging.ERROR)
    propagate = logger.propagate
    logger.addHandler(handler)
    logger.propagate = False  # That the clocks were moved is no news here.
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagate
