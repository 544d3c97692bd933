"""Move requests a second at a practice table, the computer's answer included, beside what is possible without a game.

ginapi and the ceiling each run under one gunicorn worker on one core, with the database; the client has another core.
Both servers are up at once and take turns. With more workers nothing is held to a core. Run as `python -m bench.moves`.
"""

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.client import MovesPlayed
from bench.rounds import report, stay_on, take_turns
from ginapi.players import LEVELS
from tests import postgres

CHECKOUT = Path(__file__).resolve().parent.parent
START_LIMIT_SECONDS = 30


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


GINAPI = ("wsgi:app", "ginapi.gunicorn_settings")
CEILING = ("bench.ceiling:app", "bench.ceiling_settings")


@contextmanager
def served(
    app: str, settings: str, database_url: str, log: Path, cores: Collection[int], workers: int = 1
) -> Iterator[int]:
    """An app under the product's own gunicorn settings, on these cores and loopback: its port.

    Limits on requests are off and only warnings are logged, on both sides.
    """
    port = free_port()
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GINAPI_")}
    environ |= {
        "WEB_CONCURRENCY": str(workers),
        "GINAPI_DATABASE_URL": database_url,
        "GINAPI_RATE_LIMITS": "off",
        "GINAPI_LOG_LEVEL": "WARNING",
    }
    command = [sys.executable, "-m", "gunicorn", "-c", f"python:{settings}", "--bind", f"127.0.0.1:{port}", app]
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    with open(log, "wb") as output:
        server = subprocess.Popen(command, cwd=CHECKOUT, env=environ, stdout=output, stderr=output)
    os.sched_setaffinity(0, before)
    try:
        wait_until_up(server, port, log)
        yield port
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def wait_until_up(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_LIMIT_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except ConnectionRefusedError:
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"A server did not start:\n{log.read_text()}") from None
            time.sleep(0.05)


def compare(title: str, database_url: str, folder: Path, chosen: argparse.Namespace) -> None:
    """Prints the table of one database."""
    cores = cores_of(chosen)
    with (
        served(*CEILING, database_url, folder / "ceiling.log", cores, chosen.workers) as ceiling,
        served(*GINAPI, database_url, folder / "ginapi.log", cores, chosen.workers) as ginapi,
    ):
        connections = chosen.connections
        sides = {
            name: MovesPlayed(port, base, chosen.level, connections, chosen.seconds)
            for name, port, base in (
                ("ginapi", ginapi, "/v1"),
                ("ceiling", ceiling, "/core"),
                ("ceiling, bare driver", ceiling, "/driver"),
            )
        }
        rates = take_turns(sides, chosen.rounds)
    print(
        f"Move requests on {title}, {chosen.workers} worker(s), {connections} connections, level {chosen.level}, "
        "requests a second:"
    )
    sizes = {name: f", {side.bytes / side.moves:,.0f} bytes an answer" for name, side in sides.items()}
    report(rates, "ginapi", "moves/s", sizes)
    busiest = max(side.busiest for side in sides.values())
    print(f"  The client was busy for at most {busiest:.0%} of a turn.", flush=True)


def cores_of(chosen: argparse.Namespace) -> set[int]:
    """The core that serves, or all of them where there are several workers."""
    return {chosen.core} if chosen.workers == 1 else set(range(os.cpu_count() or 1))


@contextmanager
def postgresql(cores: Collection[int]) -> Iterator[postgres.Server]:
    """A server of PostgreSQL on the cores that serve, with every commit on disk as a real one has it."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    server = postgres.Server(postgres.DURABLE)
    os.sched_setaffinity(0, before)
    try:
        yield server
    finally:
        server.stop()


def main() -> None:
    cores = sorted(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="rounds that count; the figure is their median")
    parser.add_argument("--seconds", type=float, default=3.0, help="seconds of moves a side and round")
    parser.add_argument("--connections", type=int, default=4, help="hands played at once, each on its own connection")
    parser.add_argument("--level", choices=LEVELS, default="medium", help="the computer player that answers")
    parser.add_argument("--database", choices=("both", "sqlite", "postgresql"), default="both")
    parser.add_argument("--workers", type=int, default=1, help="more than one are on all cores, and the client too")
    parser.add_argument("--core", type=int, default=cores[0], help="the core that serves; the client takes the last")
    chosen = parser.parse_args()
    if chosen.workers == 1:
        stay_on(cores[-1])
    with tempfile.TemporaryDirectory(prefix="ginapi-bench-") as name:
        folder = Path(name)
        if chosen.database in ("both", "sqlite"):
            compare("SQLite", f"sqlite:///{folder}/bench.db", folder, chosen)
        if chosen.database in ("both", "postgresql"):
            with postgresql(cores_of(chosen)) as server:
                server.run("CREATE DATABASE bench")
                compare("PostgreSQL", server.url("bench"), folder, chosen)


if __name__ == "__main__":
    main()
