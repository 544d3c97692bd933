"""The disk under the database full while clients play: reads go on, writes are refused, and it comes back by itself.

Each database is on a small file system of its own, which is filled and freed again. SQLite has its file there;
PostgreSQL has the database's tablespace there, or with `--wal` its write-ahead log: without room for that PostgreSQL
ends itself, by its own design, and the drill starts it again. As root on Linux:
`python -m drills.disk_full --database sqlite`.
"""

import argparse
import os
import random
import secrets
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

from drills.checker import Told, counted, faults
from drills.probe import Answer, Probe, asked, dealt
from drills.stack import Clients, Stack, playing, running, seconds_until_healthy
from tests.postgres import DURABLE
from tests.postgres import Server as PostgreSQL
from tests.served.playing import opened

CLIENTS = 3
ROOM_BYTES = 64 * 2**20
WAL_BYTES = 128 * 2**20
PAUSE_S = (1.0, 3.0)
FULL_S = 5.0
FILLED_WITHIN_S = 30.0
"""Until a write is refused: pages that are there already are written to for a while."""
HEALTHY_S = 5.0
LIMIT_S = 1_800.0


class Disk:
    """A small file system in memory that can be filled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Take what room there is, to the last byte."""
        with open(self._ballast, "ab", buffering=0) as file:
            for size in (2**16, 2**12):
                try:
                    while file.write(bytes(size)) == size:
                        pass
                except OSError:
                    continue

    def free(self) -> None:
        self._ballast.unlink(missing_ok=True)


@contextmanager
def disk(folder: Path, size_bytes: int) -> Iterator[Disk]:
    """A file system of so many bytes at `folder`, gone at the end."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size_bytes},mode=0777", "ginapi-drill", folder], check=True)
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", folder], check=True)


@contextmanager
def database(kind: str, folder: Path, wal: bool) -> Iterator[tuple[str, Disk, PostgreSQL | None]]:
    """An empty database's URL, and the disk that it is on, or its log; and its server, where it has one."""
    small = folder / "disk"
    if kind == "sqlite":
        with disk(small, ROOM_BYTES) as made:
            yield f"sqlite:///{small / 'drill.db'}", made, None
        return
    folder.chmod(0o755)
    with disk(small, WAL_BYTES if wal else ROOM_BYTES) as made:
        # No segment is used again: each new one has to find room.
        server = PostgreSQL(DURABLE + ("max_wal_size = 64MB\nmin_wal_size = 32MB\nwal_recycle = off\n" if wal else ""))
        try:
            owner = (server.folder / "data").stat()
            own = small / "own"
            own.mkdir(0o700)
            os.chown(own, owner.st_uid, owner.st_gid)
            if wal:
                server.kill()
                shutil.copytree(server.folder / "data" / "pg_wal", own, dirs_exist_ok=True)
                subprocess.run(["chown", "-R", f"{owner.st_uid}:{owner.st_gid}", own], check=True)
                shutil.rmtree(server.folder / "data" / "pg_wal")
                (server.folder / "data" / "pg_wal").symlink_to(own)
                server.revive()
                server.run("CREATE DATABASE drill")
            else:
                server.run(f"CREATE TABLESPACE small LOCATION '{own}'")
                server.run("CREATE DATABASE drill TABLESPACE small")
            yield server.url("drill"), made, server
        finally:
            made.free()
            server.stop()


class Filler:
    """Fills the disk and frees it, again and again, and asks meanwhile."""

    def __init__(self, stack: Stack, full: Disk, server: PostgreSQL | None, chance: random.Random) -> None:
        self._stack, self._disk, self._server, self._chance = stack, full, server, chance
        caller, hand = opened(stack.urls[0])
        caller.close()
        self._hand_url, self._token = f"{stack.urls[0]}/v1/hands/{hand['id']}", hand["token"]
        self.healthy_s: list[float] = []
        self.reads: Counter[int] = Counter()
        self.writes: Counter[int] = Counter()
        self.restarted = 0
        self.faults: list[str] = []

    def fill_once(self, wal: bool) -> None:
        time.sleep(self._chance.uniform(*PAUSE_S))  # the moment is what varies: nothing is waited for
        with Probe(self._write) as writes, Probe(self._read) as reads:
            self._disk.fill()
            until = time.monotonic() + FILLED_WITHIN_S
            while all(answer.status == 201 for answer in writes.answers):
                if time.monotonic() > until:
                    self.faults.append(f"nothing was refused {FILLED_WITHIN_S:.0f} s after the disk was filled")
                    break
                self._disk.fill()  # What the database has freed meanwhile.
                if wal:
                    self._turn_page()
                time.sleep(0.05)
            ends = time.monotonic() + FULL_S
            while time.monotonic() < ends:
                self._disk.fill()
                time.sleep(0.2)
            read = list(reads.answers)
        self._disk.free()
        if wal:
            self._start_again()
        self.healthy_s.append(seconds_until_healthy(self._stack.servers, LIMIT_S))
        self._judge(writes.answers, read, wal)

    def _turn_page(self) -> None:
        """Have PostgreSQL begin another segment of its log, as it does by itself after each 16 MB."""
        assert self._server is not None
        with suppress(psycopg.OperationalError, psycopg.errors.InternalError_):  # It has ended itself meanwhile.
            self._server.run("SELECT pg_switch_wal()")

    def _start_again(self) -> None:
        """What a supervisor does: PostgreSQL ended itself."""
        assert self._server is not None
        if not self._server.answers():
            self._server.revive()
            self.restarted += 1

    def _judge(self, writes: list[Answer], reads: list[Answer], wal: bool) -> None:
        self.writes.update(answer.status for answer in writes)
        self.reads.update(answer.status for answer in reads)
        if {answer.status for answer in writes} - {201, 503}:
            self.faults.append(f"writes were answered {self.writes}")
        if any(answer.status == 503 and answer.retry_after is None for answer in writes):
            self.faults.append("a write was refused without Retry-After")
        if {answer.status for answer in reads} - ({200, 503} if wal else {200}):
            self.faults.append(f"reads were answered {self.reads}")
        if self.healthy_s[-1] > HEALTHY_S:
            self.faults.append(f"healthy only {self.healthy_s[-1]:.1f} s after there was room")

    def _write(self) -> Answer:
        time.sleep(0.02)
        return dealt(self._stack.urls[0])

    def _read(self) -> Answer:
        time.sleep(0.02)
        return asked("GET", self._hand_url, token=self._token)


def drill(filler: Filler, clients: Clients, times: int, wal: bool) -> Told:
    """Fill the disk so many times at least, and until the clients are done; what those were told."""
    ends = time.monotonic() + LIMIT_S
    done = 0
    while (clients.are_playing() or done < times) and time.monotonic() < ends:
        filler.fill_once(wal)
        done += 1
    return clients.wait(LIMIT_S)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="postgresql")
    parser.add_argument("--wal", action="store_true", help="fill the disk of PostgreSQL's write-ahead log instead")
    parser.add_argument("--moves", type=int, default=400, help="acknowledged moves at which the clients stop")
    parser.add_argument("--times", type=int, default=4)
    parser.add_argument("--seed", default=secrets.token_hex(4))
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (
            database(given.database, folder, given.wal) as (url, full, server),
            running(folder, url) as stack,
        ):
            filler = Filler(stack, full, server, random.Random(given.seed))
            with playing(stack, CLIENTS, given.moves, given.seed) as clients:
                told = drill(filler, clients, given.times, given.wal)
            found = [*filler.faults, *faults(url, told)]
    print("\n".join(found), end="\n" if found else "")
    ended = f", PostgreSQL ended itself and was started again {filler.restarted} times" if given.wal else ""
    print(
        f"full {len(filler.healthy_s)} times{ended}: reads answered {dict(filler.reads)}, "
        f"writes {dict(filler.writes)}, healthy {max(filler.healthy_s):.1f} s "
        f"after there was room (asked {HEALTHY_S:.0f}); {counted(told)}; "
        f"{len(found)} faults"
    )
    if found:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
