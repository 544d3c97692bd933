"""A service under a drill: servers, schedulers beside them, the database behind them, and clients that play."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sqlalchemy import text

from drills.client import OVER, USUAL, Manner
from drills.probe import dealt
from ginapi.store.database import Database
from tests.postgres import DURABLE
from tests.postgres import Server as PostgreSQL
from tests.served.scheduling import is_up, start_scheduler
from tests.served.server import TOP, Server, environment

HANDS_IN_A_ROW = 12
START_S = 30.0
PLAYED = text("SELECT count(*) FROM records WHERE event = 'move' AND \"by\" = 'player'")
SHORT_CLOCKS = {
    # Short, so that the clock plays too, and matches end that their players have left alone.
    "GINAPI_COIN_MOVE_MS": "500",
    "GINAPI_ONLINE_MOVE_MS": "5000",
    "GINAPI_GRACE_MS": "0",
    "GINAPI_COMPUTER_TURN_MS": "0",
    "GINAPI_DEAL_AFTER_MS": "50",
    "GINAPI_RATE_LIMITS": "off",
    "GINAPI_LOG_LEVEL": "WARNING",
}


class Scheduler:
    """`ginapi scheduler`, which can be killed and started again."""

    def __init__(self, folder: Path, settings: Mapping[str, str], prefix: tuple[str, ...] = ()) -> None:
        self._log = folder / "scheduler.log"
        self._settings = settings
        self._prefix = prefix
        self.start()

    def start(self) -> None:
        """Start it, and again where the database was away as it started, as whatever looks after it would."""
        ends = time.monotonic() + START_S
        while True:
            self._process = start_scheduler(
                self._settings["GINAPI_DATABASE_URL"], self._log, self._prefix, **self._settings
            )
            while self._process.poll() is None:
                if is_up(self.pid):
                    return
                time.sleep(0.02)
            assert time.monotonic() < ends, f"the scheduler ended with {self._process.returncode}"

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        """End it at once, if it has not ended."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """End it as an operator does; answers its status."""
        self._process.terminate()
        try:
            return self._process.wait(30)
        finally:
            self.kill()


class Stack:
    """One service: so many servers and schedulers on one database, with short clocks; `more` are other settings.

    Without a scheduler the workers of the servers settle what is due.
    """

    def __init__(
        self,
        folder: Path,
        database_url: str,
        *,
        servers: int = 1,
        workers: int = 2,
        schedulers: int = 1,
        prefix: tuple[str, ...] = (),
        are_hosts: bool = False,
        more: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.settings = {
            "WEB_CONCURRENCY": str(workers),
            "GINAPI_DATABASE_URL": database_url,
            "GINAPI_SCHEDULER": "process" if schedulers else "worker",
            **SHORT_CLOCKS,
            **more,
        }
        self.folder = folder
        self.servers: list[Server] = []
        self.schedulers: list[Scheduler] = []
        try:
            for number in range(servers):
                own = folder / f"server{number}"
                own.mkdir()
                self.servers.append(Server(own, self.settings, prefix=prefix, is_host=are_hosts))
            self.schedulers = [Scheduler(folder, self.settings, prefix) for _ in range(schedulers)]
        except BaseException:
            self.kill()
            raise

    @property
    def database_url(self) -> str:
        return self.settings["GINAPI_DATABASE_URL"]

    @property
    def urls(self) -> list[str]:
        return [server.url for server in self.servers]

    def workers(self, server: int = 0) -> list[int]:
        """The process ids of the workers that a server has now."""
        master = self.servers[server].pid
        return [int(pid) for pid in Path(f"/proc/{master}/task/{master}/children").read_text().split()]

    def stop(self) -> None:
        """End all of it as an operator does; each must end well."""
        statuses = [scheduler.stop() for scheduler in self.schedulers] + [server.stop() for server in self.servers]
        assert statuses == [0] * len(statuses), statuses

    def kill(self) -> None:
        """End what has not ended."""
        for scheduler in self.schedulers:
            scheduler.kill()
        for server in self.servers:
            server.kill()

    def log(self) -> str:
        return "".join(path.read_text() for path in sorted(self.folder.rglob("*.log")))


@contextmanager
def running(folder: Path, database_url: str, **terms: Any) -> Iterator[Stack]:
    """A service that is stopped at the end, and killed where the drill failed before."""
    stack = Stack(folder, database_url, **terms)
    try:
        yield stack
        stack.stop()
    finally:
        stack.kill()


class Clients:
    """Processes that play until each was acknowledged its moves, and the files of what they were told."""

    def __init__(
        self, folder: Path, urls: Sequence[str], count: int, moves: int, seed: str, manner: Manner = USUAL
    ) -> None:
        self.files = [folder / f"client{number}.json" for number in range(count)]
        program = [sys.executable, "-m", "drills.client", ",".join(urls)]
        self._processes = [
            subprocess.Popen(
                [*program, f"{seed}/{number}", str(moves), json.dumps(manner), str(file)], env=environment(), cwd=TOP
            )
            for number, file in enumerate(self.files)
        ]

    def are_playing(self) -> bool:
        return any(process.poll() is None for process in self._processes)

    def end(self) -> None:
        """Have them leave their tables and end, however many moves they have made."""
        for file in self.files:
            file.with_suffix(OVER).touch()

    def wait(self, limit_s: float) -> list[dict[str, Any]]:
        """What they were told, once all have ended, each well."""
        ends = time.monotonic() + limit_s
        statuses = [process.wait(max(0.0, ends - time.monotonic())) for process in self._processes]
        assert statuses == [0] * len(statuses), f"clients ended with {statuses}"
        return [json.loads(file.read_text()) for file in self.files]

    def kill(self) -> None:
        """End those that have not ended."""
        for process in self._processes:
            if process.poll() is None:
                process.kill()
            process.wait()


ENDLESS = 1_000_000
"""Moves: more than clients make before they are told to end."""


@contextmanager
def playing(
    stack: Stack, count: int, moves: int, seed: str, manner: Manner = USUAL, urls: Sequence[str] = ()
) -> Iterator[Clients]:
    """Clients that play so many moves together at a service, or by what stands before it at `urls`."""
    clients = Clients(stack.folder, urls or stack.urls, count, -(-moves // count), seed, manner)
    try:
        yield clients
    finally:
        clients.kill()


def see_play(stack: Stack) -> None:
    """Wait until the clients have made moves, and so go on."""
    db = Database(stack.database_url)
    try:
        before = _moves(db)
        ends = time.monotonic() + START_S
        while _moves(db) == before:
            assert time.monotonic() < ends, f"nobody played within {START_S} s"
            time.sleep(0.02)
    finally:
        db.close()


def _moves(db: Database) -> int:
    with db.read() as tx:
        count: int = tx.execute(PLAYED).scalar_one()
        return count


@contextmanager
def database(kind: str, folder: Path) -> Iterator[tuple[str, PostgreSQL | None]]:
    """The URL of an empty database, each commit on disk; and its server, where it has one."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'drill.db'}", None
        return
    server = PostgreSQL(DURABLE)
    try:
        server.run("CREATE DATABASE drill")
        yield server.url("drill"), server
    finally:
        server.stop()


def kill_process(pid: int) -> bool:
    """End a process at once; False where it had ended by itself."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def seconds_until_healthy(servers: Sequence[Server], limit_s: float) -> float:
    """How long it takes until each server deals a hand, and then goes on to, so often that each of its workers has."""
    began = time.monotonic()

    def healthy_since(server: Server) -> float:
        since, count = began, 0
        while count < HANDS_IN_A_ROW:
            assert time.monotonic() - began < limit_s, f"{server.url} was not healthy within {limit_s} s"
            is_dealt = dealt(server.url).status == 201
            since = time.monotonic() if is_dealt and count == 0 else since
            count = count + 1 if is_dealt else 0
        return since

    with ThreadPoolExecutor(len(servers)) as each:
        return max(each.map(healthy_since, servers)) - began
