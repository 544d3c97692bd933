"""A worker stopped inside a transaction, and one of two schedulers: the others go on, and nothing is done twice.

SIGSTOP comes until it has caught a worker that holds a table; after a while SIGCONT lets it go on. On PostgreSQL the
table is free again once the server has ended the transaction that does nothing. On SQLite there is nobody to end it:
whoever is stopped with the file's lock keeps every writer out, until it goes on or gunicorn's master ends it, and the
drill measures both. Run as `python -m drills.stopped --database postgresql`.
"""

import argparse
import os
import random
import secrets
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import text

from drills.checker import Told, counted, faults
from drills.client import Manner
from drills.held import held_rows
from drills.probe import Answer, Probe, asked, dealt
from drills.stack import ENDLESS, Clients, Stack, database, playing, running, seconds_until_healthy
from ginapi.store import clock
from ginapi.store.database import Database
from tests.served.playing import opened

CLIENTS = 4
WORKERS = 3
SCHEDULERS = 2
MANNER = Manner(patience_s=3.0)
PAUSE_S = (0.02, 0.3)
LOOK_S = 0.25
"""What is held for so long after a process was stopped is held by it: the others let go within milliseconds."""
STOPPED_S = 9.0
FREE_S = 7.0
"""After 5 s PostgreSQL ends a transaction in which nothing is asked (`idle_in_transaction_session_timeout`)."""
LATE_S = 7.0
"""How late a table is settled at most, whoever is stopped: the stopped one may hold it for as long."""
HEALTHY_S = 5.0
KILLED_S = 40.0
"""gunicorn's master ends a worker that gives no sign for 30 s, a second or two later."""
LIMIT_S = 1_800.0
_ABANDONED = {"clock": {"move_ms": 500}}
_IDLE = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction' "
    "AND clock_timestamp() - state_change > make_interval(secs => :idle_s)"
)
_OVERDUE = text("SELECT min(due_ms) FROM tables WHERE due_ms IS NOT NULL AND status = 'playing'")


@dataclass
class Measured:
    """What came of all that was stopped; each list has one figure a stop."""

    tries: int = 0
    free_s: list[float] = field(default_factory=list)
    """Until what a stopped worker held was free."""
    blocked_s: list[float] = field(default_factory=list)
    """Until writes were done again, where the one that was stopped went on."""
    ended_s: list[float] = field(default_factory=list)
    """And where its master ended it."""
    late_s: list[float] = field(default_factory=list)
    """How late a table was that one of the two schedulers had to settle."""
    healthy_s: list[float] = field(default_factory=list)
    answered: int = 0
    """Requests of others while somebody was stopped."""
    refused: int = 0
    faults: list[str] = field(default_factory=list)


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """A process that does nothing meanwhile."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        _go_on(pid)


def _go_on(pid: int) -> None:
    with suppress(ProcessLookupError):  # Its master has ended it.
        os.kill(pid, signal.SIGCONT)


def _wait_until_started(pid: int) -> None:
    """Until a scheduler has threads, of which it has none before: only then there are two."""
    ends = time.monotonic() + LIMIT_S
    while len(list(Path(f"/proc/{pid}/task").iterdir())) < 2:
        assert time.monotonic() < ends, "a scheduler did not start"
        time.sleep(0.05)


class Stopper:
    """Stops what a service is made of, one after another."""

    def __init__(self, stack: Stack, chance: random.Random, stopped_s: float) -> None:
        self._stack, self._chance, self._stopped_s = stack, chance, stopped_s
        self._db = Database(stack.database_url)
        self.found = Measured()

    def close(self) -> None:
        self._db.close()

    def stop_worker(self, *, goes_on: bool = True) -> None:
        """Stop a worker that holds a table, or on SQLite the file's lock."""
        ends = time.monotonic() + LIMIT_S
        with Probe(lambda: dealt(self._stack.urls[0])), Probe(lambda: dealt(self._stack.urls[0], **_ABANDONED)):
            while not self._caught_one(goes_on):
                assert time.monotonic() < ends, "no worker was ever caught with anything"
                time.sleep(self._chance.uniform(*PAUSE_S))  # the moment is what varies: nothing is waited for
        self._see_healthy()

    def _caught_one(self, goes_on: bool) -> bool:
        pid = self._chance.choice(self._stack.workers())
        self.found.tries += 1
        began = time.monotonic()
        with stopped(pid):
            held = self._held_by(pid)
            if held and self._db.is_sqlite:
                self._file_lock_held(pid, began, goes_on)
            elif held:
                self._rows_held(held, began)
        return bool(held)

    def stop_scheduler(self) -> None:
        """Stop one of the two schedulers, wherever it is; on SQLite not with the file's lock, which is a worker's."""
        scheduler = self._chance.choice(self._stack.schedulers)
        for each in self._stack.schedulers:
            _wait_until_started(each.pid)
        while True:
            with stopped(scheduler.pid):
                if self._db.is_sqlite and self._held_by(scheduler.pid):
                    continue
                late_s = 0.0
                with Probe(lambda: dealt(self._stack.urls[0], **_ABANDONED)) as probe:
                    ends = time.monotonic() + LIMIT_S
                    while self._overdue_s() > 0.5 and time.monotonic() < ends:
                        time.sleep(0.05)  # Behind is what it was before: a stopped worker held everybody up.
                    ends = time.monotonic() + self._stopped_s
                    while time.monotonic() < ends:
                        late_s = max(late_s, self._overdue_s())
                        time.sleep(0.05)
                self._count(probe)
            break
        self.found.late_s.append(late_s)
        if late_s > LATE_S:
            self.found.faults.append(f"beside a stopped scheduler a table was {late_s:.1f} s late")
        self._see_healthy()

    def _rows_held(self, held: set[str], began: float) -> None:
        with Probe(lambda: dealt(self._stack.urls[0])) as probe:
            while held & held_rows(self._db) and time.monotonic() < began + 2 * FREE_S:
                time.sleep(0.05)
            free_s = time.monotonic() - began
            time.sleep(max(0.0, began + self._stopped_s - time.monotonic()))
        self._count(probe)
        self.found.free_s.append(free_s)
        if free_s > FREE_S:
            self.found.faults.append(f"a table of a stopped worker was free after {free_s:.1f} s")
        others = {answer.status for answer in probe.answers} - {201}
        if others:
            self.found.faults.append(f"beside a stopped worker there was answered {others}")

    def _file_lock_held(self, pid: int, began: float, goes_on: bool) -> None:
        """Writers wait in vain, and readers do not; then it goes on, or is ended by its master."""
        url = self._stack.urls[0]
        with Probe(lambda: dealt(url)) as writes, Probe(self._look) as reads:
            ends = began + (self._stopped_s if goes_on else KILLED_S)
            while time.monotonic() < ends and pid in self._stack.workers():
                time.sleep(0.05)
            if goes_on:
                _go_on(pid)
            elif pid in self._stack.workers():
                self.found.faults.append(f"a worker that was stopped was not ended within {KILLED_S:.0f} s")
            done = sum(answer.status == 201 for answer in writes.answers)
            while sum(answer.status == 201 for answer in writes.answers) == done:
                assert time.monotonic() < ends + LIMIT_S, "nobody could write any more"
                time.sleep(0.05)
            (self.found.blocked_s if goes_on else self.found.ended_s).append(time.monotonic() - began)
        self._count(reads)
        refusals = [answer for answer in writes.answers if answer.status != 201]
        self.found.refused += len(refusals)
        if any(answer.status != 503 or answer.retry_after is None for answer in refusals):
            self.found.faults.append(f"while all waited for a stopped worker there was answered {refusals}")
        if any(answer.status != 200 for answer in reads.answers):
            self.found.faults.append(f"while all waited for a stopped worker a read was answered {reads.answers}")

    def open_table(self) -> None:
        """A table without a clock, for the reads: nothing there has to be settled."""
        caller, hand = opened(self._stack.urls[0])
        caller.close()
        self._seen = f"{self._stack.urls[0]}/v1/hands/{hand['id']}", hand["token"]

    def _look(self) -> Answer:
        url, token = self._seen
        time.sleep(0.02)
        return asked("GET", url, token=token)

    def _held_by(self, pid: int) -> set[str]:
        """What is held by a process that has just been stopped: tables, or on SQLite the file's lock."""
        if self._db.file_lock is not None:
            inode = os.stat(self._db.file_lock.path).st_ino
            # Its fields: number, kind, ADVISORY, WRITE, process, device and inode; of one that waits "->" comes second.
            locks = [line.split()[1:6] for line in Path("/proc/locks").read_text().splitlines()]
            holds = any(
                (kind, owner, at.split(":")[-1]) == ("FLOCK", str(pid), str(inode)) for kind, _, _, owner, at in locks
            )
            return {"the file"} if holds else set()
        time.sleep(LOOK_S)
        with self._db.read() as tx:
            if not tx.execute(_IDLE, {"idle_s": LOOK_S}).scalar_one():
                return set()
        before = held_rows(self._db)
        time.sleep(LOOK_S)
        return before & held_rows(self._db)

    def _overdue_s(self) -> float:
        with self._db.read() as tx:
            due_ms = tx.execute(_OVERDUE).scalar_one()
            now_ms = clock.now_ms(tx)
        return 0.0 if due_ms is None else max(0.0, (now_ms or time.time_ns() // 1_000_000) - due_ms) / 1000

    def _count(self, probe: Probe) -> None:
        self.found.answered += len(probe.answers)

    def _see_healthy(self) -> None:
        healthy_s = seconds_until_healthy(self._stack.servers, LIMIT_S)
        self.found.healthy_s.append(healthy_s)
        if healthy_s > HEALTHY_S:
            self.found.faults.append(f"healthy only {healthy_s:.1f} s after it went on")


def drill(
    stack: Stack, clients: Clients, times: int, seed: str, stopped_s: float = STOPPED_S, *, until_ended: bool = False
) -> tuple[Told, Measured]:
    """Stop workers and schedulers in turn while the clients play; what those were told, and what was measured.

    With `until_ended` a worker is stopped before all that until gunicorn's master ends it.
    """
    stopper = Stopper(stack, random.Random(f"{seed}/stops"), stopped_s)
    try:
        stopper.open_table()
        if until_ended:
            stopper.stop_worker(goes_on=False)
        for _ in range(times):
            stopper.stop_worker()
            stopper.stop_scheduler()
        clients.end()
        return clients.wait(LIMIT_S), stopper.found
    finally:
        stopper.close()


def said(found: Measured) -> str:
    """The figures, in a line."""
    parts = [
        f"{len(found.free_s + found.blocked_s + found.ended_s)} workers caught at the {found.tries}th try",
        f"{len(found.late_s)} schedulers stopped, no table more than {max(found.late_s, default=0):.1f} s late",
        f"{found.answered} requests answered meanwhile",
        f"healthy {max(found.healthy_s):.1f} s after",
    ]
    if found.free_s:
        parts.insert(1, f"what they held free after {max(found.free_s):.1f} s (asked {FREE_S:.0f})")
    if found.blocked_s:
        parts.insert(1, f"writers kept out for {max(found.blocked_s):.1f} s, {found.refused} refused")
    if found.ended_s:
        parts.insert(1, f"writers kept out for {max(found.ended_s):.1f} s until the master ended it")
    return ", ".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="postgresql")
    parser.add_argument("--times", type=int, default=3, help="stops of each")
    parser.add_argument("--seed", default=secrets.token_hex(4))
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        terms = {"workers": WORKERS, "schedulers": SCHEDULERS}
        with database(given.database, folder) as (url, _), running(folder, url, **terms) as stack:
            with playing(stack, CLIENTS, ENDLESS, given.seed, MANNER) as clients:
                # PostgreSQL frees what is held long before.
                is_sqlite = given.database == "sqlite"
                told, measured = drill(stack, clients, given.times, given.seed, until_ended=is_sqlite)
            found = [*measured.faults, *faults(url, told)]
    print("\n".join([*found, f"{said(measured)}; {counted(told)}; {len(found)} faults"]))
    if found:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
