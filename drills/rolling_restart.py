"""Workers or hosts restarted one after another under load: no request fails after one retry.

Each host is `ginapi serve`, whose workers settle what is due. With one host its workers are replaced (SIGHUP); with
several each is stopped (SIGTERM) and started in turn, and a retry goes to another, as a proxy would send it. Run as
`python -m drills.rolling_restart`; status 1 where anything failed.
"""

import argparse
import os
import secrets
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import TextClause, text

from drills.checker import Told, counted, faults
from drills.client import Manner
from drills.stack import ENDLESS, PLAYED, Clients, Stack, database, playing, running, see_play
from ginapi.store.database import Database
from tests.served.server import Server

CLIENTS = 6
MANNER = Manner(patience_s=30.0, attempts=2, idle_s=2.5)
"""A worker that is told to end keeps a connection for 2 s more: now and then one is left alone for longer."""
BETWEEN_S = 1.0
"""Two restarts, in which they play on."""
STOP_S = 20.0
"""The graceful timeout, and what a busy machine needs: whoever takes longer has not stopped cleanly."""
LIMIT_S = 60.0
"""Within this the clients have begun, workers are replaced, and clients have ended: however busy the machine is."""
LOOK_EVERY_S = 0.02
_ACCOUNTS = text("SELECT count(*) FROM accounts")


@dataclass
class Measured:
    """What came of the restarts; each list has one figure a restart or a stop."""

    took_s: list[float] = field(default_factory=list)
    stopped_s: list[float] = field(default_factory=list)
    moves: int = 0
    """Those that were made during restarts."""
    faults: list[str] = field(default_factory=list)


@contextmanager
def hosts(folder: Path, url: str, count: int, workers: int = 2) -> Iterator[Stack]:
    """So many hosts, and no scheduler of its own."""
    with running(folder, url, servers=count, workers=workers, schedulers=0, are_hosts=True) as stack:
        yield stack


def drill(stack: Stack, clients: Clients, restarts: int, found: Measured) -> Told:
    """So many restarts while the clients play, and the end of all hosts; what the clients were told."""
    db = Database(stack.database_url)
    try:
        _wait(lambda: _count(db, _ACCOUNTS) >= len(clients.files), "not all clients have begun")
        for number in range(restarts):
            see_play(stack)
            time.sleep(BETWEEN_S)  # in which they play on: nothing is waited for
            before, began = _count(db, PLAYED), time.monotonic()
            if len(stack.servers) == 1:
                replace_workers(stack)
            else:
                server = stack.servers[number % len(stack.servers)]
                stop(server, found)
                server.start()
            found.took_s.append(time.monotonic() - began)
            found.moves += _count(db, PLAYED) - before
    finally:
        db.close()
    if not found.moves:
        found.faults.append("nobody played during restarts")
    clients.end()
    told = clients.wait(LIMIT_S)
    for server in stack.servers:
        stop(server, found)
    return told


def replace_workers(stack: Stack) -> None:
    """Have every worker of the one host replaced, and wait until all of the old have ended."""
    [server] = stack.servers
    old = set(stack.workers())
    os.kill(server.pid, signal.SIGHUP)

    def are_replaced() -> bool:
        assert server.status is None, f"the host ended with status {server.status} as its workers were replaced"
        now = set(stack.workers())
        return not now & old and len(now) >= int(stack.settings["WEB_CONCURRENCY"])

    _wait(are_replaced, "the workers were not replaced")
    server.wait_until_ready()


def stop(server: Server, found: Measured) -> None:
    """Tell a host to stop: it has to end in time, and with status 0."""
    began = time.monotonic()
    try:
        status = server.terminate(STOP_S)
    except subprocess.TimeoutExpired:
        found.faults.append(f"a host that was told to stop ran on for {STOP_S} s")
        return
    found.stopped_s.append(time.monotonic() - began)
    if status != 0:
        found.faults.append(f"a host that was told to stop ended with status {status}")


def _wait(is_done: Callable[[], bool], otherwise: str) -> None:
    ends = time.monotonic() + LIMIT_S
    while not is_done():
        assert time.monotonic() < ends, f"{otherwise} within {LIMIT_S} s"
        time.sleep(LOOK_EVERY_S)


def _count(db: Database, asked: TextClause) -> int:
    with db.read() as tx:
        count: int = tx.execute(asked).scalar_one()
        return count


def said(stack: Stack, found: Measured) -> str:
    """The restarts, in a line."""
    count = len(stack.servers)
    what = "replaced the workers of one host" if count == 1 else f"stopped one of {count} hosts"
    longest_s, stopped_s = (max(each, default=0.0) for each in (found.took_s, found.stopped_s))
    return (
        f"{len(found.took_s)} restarts, each {what}, in at most {longest_s:.1f} s, {found.moves} moves meanwhile; "
        f"a host that was told to stop ended within {stopped_s:.1f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--restarts", type=int, default=10)
    parser.add_argument("--hosts", type=int, default=1, help="more than one: stopped and started in turn")
    parser.add_argument("--workers", type=int, default=2, help="of each host")
    parser.add_argument("--clients", type=int, default=CLIENTS)
    parser.add_argument("--within-s", type=float, default=300.0, help="a fault where it takes longer")
    parser.add_argument("--seed", default=secrets.token_hex(4))
    asked = parser.parse_args()
    print(f"seed {asked.seed}", flush=True)
    found = Measured()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name, ExitStack() as held:
        folder = Path(name)
        url, _ = held.enter_context(database(asked.database, folder))
        stack = held.enter_context(hosts(folder, url, asked.hosts, asked.workers))
        with playing(stack, asked.clients, ENDLESS, asked.seed, MANNER) as clients:
            told = drill(stack, clients, asked.restarts, found)
        took_s = time.monotonic() - began
        if took_s > asked.within_s:
            found.faults.append(f"it took {took_s:.0f} s")
        found.faults += faults(url, told)
        print("\n".join([*found.faults, f"{said(stack, found)}; {counted(told)}; {len(found.faults)} faults"]))
        if found.faults:
            raise SystemExit(1)


if __name__ == "__main__":
    main()
