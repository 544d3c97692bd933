"""The wall clock set an hour forward and back while clients play and tables wait: no move early, and none lost.

On PostgreSQL it is the clock of the database's server, by which all hosts go; on SQLite that of the service itself.
The tables that wait have a player who never moves: each of their automatic moves is held against real time. It needs
Debian's `faketime` package. Run as `python -m drills.clock_jump --database postgresql`.
"""

import argparse
import os
import random
import secrets
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from sqlalchemy import text

from drills.checker import Told, counted, faults
from drills.stack import Clients, Stack, playing, running
from ginapi.store.database import Database
from ginapi.store.faults import Busy, Unavailable
from tests.postgres import DURABLE
from tests.postgres import Server as PostgreSQL
from tests.served.server import TOP

CLIENTS = 2
JUMP_S = 3_600
EVERY_S = (4.0, 9.0)
"""Between two jumps: both directions in turn, so that the time is right, or an hour ahead or behind."""
MOVE_S = 4.0
MISSES = 3
"""As many moves are missed at full time; then the hand runs on at the computer's speed (R19)."""
OPEN_EVERY_S = 1.0
LOOK_EVERY_S = 0.02
EARLY_S = 0.05
"""By so much an automatic move may seem early: the times here and there are read one after the other."""
LATE_S = 10.0
"""So much later than its time an automatic move may be made, whatever was set meanwhile."""
LIMIT_S = 1_800.0
_LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
# With libfaketime 0.9.10 the system refuses the call by which Python sleeps.
_SLEEP = "import select, time\ntime.sleep = lambda s: select.select([], [], [], s)\n"
_MISSED = text("SELECT table_id, count(*) FROM records WHERE \"by\" = 'clock' AND event = 'move' GROUP BY table_id")


class FakeClock:
    """A clock that other processes go by: so many seconds from the real one, or not."""

    def __init__(self, folder: Path) -> None:
        if not _LIBRARIES:
            raise SystemExit("This drill needs libfaketime: apt-get install faketime.")
        self._file = folder / "offset"
        self._next = folder / "offset.next"
        python = folder / "python"
        python.mkdir()
        (python / "sitecustomize.py").write_text(_SLEEP)
        self.settings: Mapping[str, str] = {
            "LD_PRELOAD": str(_LIBRARIES[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "DONT_FAKE_MONOTONIC": "1",
            "PYTHONPATH": f"{python}:{TOP}",
        }
        folder.chmod(0o755)
        self.set(0)

    def set(self, offset_s: int) -> None:
        """Set it, in one instant for all who go by it."""
        self._next.write_text(f"{offset_s:+d}\n")
        self._next.chmod(0o644)
        os.replace(self._next, self._file)


@dataclass
class Waiting:
    """The tables that wait, and the automatic moves that were seen there, in real time."""

    opened_s: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Before the hand was asked for, and once it was there."""
    missed_s: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def look(self, db: Database) -> None:
        try:
            with db.read() as tx:
                counts = {table_id: count for table_id, count in tx.execute(_MISSED) if table_id in self.opened_s}
        except (Busy, Unavailable):
            return  # PostgreSQL takes what it does as the clock is set for an hour's work, and ends it.
        seen_s = time.monotonic()
        for table_id, count in counts.items():
            self.missed_s[table_id] += [seen_s] * (count - len(self.missed_s[table_id]))

    def is_done(self) -> bool:
        return all(len(self.missed_s[table_id]) >= MISSES for table_id in self.opened_s)

    def off_s(self) -> Iterator[tuple[float, float]]:
        """At the most and at the least, how long after its instant each move was made: they follow one another."""
        for table_id, (before_s, after_s) in self.opened_s.items():
            for number, seen_s in enumerate(self.missed_s[table_id][:MISSES], 1):
                yield seen_s - before_s - number * MOVE_S, seen_s - after_s - number * MOVE_S


def drill(
    clock: FakeClock, stack: Stack, db: Database, clients: Clients, jumps: int, chance: random.Random
) -> tuple[Told, Waiting]:
    """Set the clock so many times at least, and until the clients are done, in turn there and back."""
    _see_scheduler(stack.urls[0], db)
    waiting = Waiting()
    offset_s, done, ends = 0, 0, time.monotonic() + LIMIT_S
    set_at = time.monotonic() + chance.uniform(*EVERY_S)
    opened_at = 0.0
    # The last tables see their moves out under a clock that is right again, or is not.
    while not (done >= jumps and not clients.are_playing() and waiting.is_done()):
        now = time.monotonic()
        assert now < ends, "moves were lost, or clients never done"
        if now >= set_at and done < jumps:
            offset_s = 0 if offset_s else chance.choice([-1, 1]) * JUMP_S
            clock.set(offset_s)
            done += 1
            set_at = now + chance.uniform(*EVERY_S)
        if now >= opened_at and done < jumps:
            _open(stack.urls[0], waiting)
            opened_at = time.monotonic() + OPEN_EVERY_S
        waiting.look(db)
        time.sleep(LOOK_EVERY_S)
    return clients.wait(1.0), waiting


def _see_scheduler(url: str, db: Database) -> None:
    """Wait until a move was made by itself: only then there is somebody to be late."""
    waiting, ends = Waiting(), time.monotonic() + LIMIT_S
    _open(url, waiting)
    while not any(waiting.missed_s.values()):
        assert time.monotonic() < ends, "nobody settles anything"
        waiting.look(db)
        time.sleep(LOOK_EVERY_S)


def _open(url: str, waiting: Waiting) -> None:
    before_s = time.monotonic()
    terms = {"clock": {"move_ms": int(MOVE_S * 1000)}}
    reply = httpx.post(f"{url}/v1/hands", json=terms, timeout=60, trust_env=False)
    assert reply.status_code == 201, reply.text
    waiting.opened_s[reply.json()["table_id"]] = before_s, time.monotonic()


def judged(waiting: Waiting) -> list[str]:
    """Which automatic moves were early, or late."""
    off = list(waiting.off_s())
    return [
        *(f"a move was made {-most_s:.2f} s early" for most_s, _ in off if most_s < -EARLY_S),
        *(f"a move was made {least_s:.2f} s late" for _, least_s in off if least_s > LATE_S),
    ]


@contextmanager
def database(kind: str, folder: Path, clock: FakeClock) -> Iterator[tuple[str, Mapping[str, str]]]:
    """An empty database's URL, and the settings of a service there: one of the two goes by the clock."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'drill.db'}", clock.settings
        return
    server = PostgreSQL(DURABLE, environment=clock.settings)
    try:
        server.run("CREATE DATABASE drill")
        yield server.url("drill"), {}
    finally:
        server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="postgresql")
    parser.add_argument("--moves", type=int, default=900, help="acknowledged moves at which the clients stop")
    parser.add_argument("--jumps", type=int, default=10)
    parser.add_argument("--seed", default=secrets.token_hex(4))
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    chance = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clock = FakeClock(folder)
        with database(given.database, folder, clock) as (url, more), running(folder, url, more=more) as stack:
            db = Database(url)
            try:
                with playing(stack, CLIENTS, given.moves, given.seed) as clients:
                    told, waiting = drill(clock, stack, db, clients, given.jumps, chance)
            finally:
                db.close()
            seen = stack.log().count("clocks moved"), stack.log().count("the clock was set back")
            found = [*judged(waiting), *faults(url, told)]
    if sum(seen) < given.jumps:
        found.append(f"of {given.jumps} jumps the service saw {sum(seen)}")
    off = list(waiting.off_s())
    print("\n".join(found), end="\n" if found else "")
    print(
        f"{given.jumps} jumps of an hour, {seen[0]} seen forward and {seen[1]} back; {len(off)} automatic moves, "
        f"made {min(most_s for most_s, _ in off):.2f} s to {max(s for _, s in off):.2f} s after their instants; "
        f"{counted(told)}; {len(found)} faults"
    )
    if found:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
