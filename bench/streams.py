"""How long a move takes while many follow: from when it is sent to its answer, and to the streams of both seats.

Streams stay open, one for each seat of so many tables, beside moves at a steady pace, on one machine: the service, its
database and this client. Run as `python -m bench.streams`.
"""

import argparse
import json
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any

from bench.moves import CHECKOUT, free_port, wait_until_up
from bench.rounds import at
from tests.postgres import DURABLE, Server
from tests.streams.sse import Reader

GOAL_MS = 250
MOVERS = 10
"""Threads that move, each at tables of its own: what one is kept waiting for does not hold the others up."""
LAST_MS = 3_000
"""After the last move, so long for what is still to come by the streams."""

Json = dict[str, Any]
Move = tuple[str, int]
"""A hand, and its version once the move was made."""


class Caller:
    """A kept-open connection to the service, for whichever token."""

    def __init__(self, port: int) -> None:
        self.http = HTTPConnection("127.0.0.1", port, timeout=30)

    def post(self, path: str, body: Json, token: str | None = None) -> Json:
        headers = {"Content-Type": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        self.http.request("POST", path, json.dumps(body), headers)
        answer = self.http.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{path}: {answer.status} {content.decode()}")
        said: Json = json.loads(content)
        return said


class Table:
    """Two seats that draw and shed what they drew, hand after hand: nobody ever knocks."""

    def __init__(self, caller: Caller) -> None:
        opened = caller.post("/v1/tables", {"kind": "online", "private": True})
        joined = caller.post(f"/v1/tables/{opened['id']}/seats", {"invite": opened["invite"]})
        self.id: str = opened["id"]
        self.tokens = (opened["token"], joined["token"])
        self._turn, self._hand_id, self._drawn = 0, joined["hand_id"], None

    def move(self, caller: Caller) -> Move:
        """The next move, once it is answered."""
        body = {"action": "draw", "from": "stock"}
        if self._drawn is not None:
            body = {"action": "discard", "card": self._drawn}
        hand = caller.post(f"/v1/hands/{self._hand_id}/moves", body, self.tokens[self._turn])
        made = (self._hand_id, hand["played"][0]["version"])
        if hand["phase"] == "finished":
            hand = caller.post(f"/v1/tables/{self.id}/hands", {}, self.tokens[0])
        self._turn, self._hand_id = hand["turn"], hand["id"]
        self._drawn = hand["drawn_card"] if hand["phase"] == "discard" else None
        return made


class Followers(threading.Thread):
    """All streams, read by one thread as they come: when each move reached each of them."""

    def __init__(self, port: int, tables: Sequence[Table]) -> None:
        super().__init__(daemon=True)
        self.reached: dict[Move, list[float]] = {}
        self.ended = 0
        self.stops = False
        self._selector = selectors.DefaultSelector()
        for path, token in ((f"/v1/tables/{table.id}/events", token) for table in tables for token in table.tokens):
            line = socket.create_connection(("127.0.0.1", port), 30)
            # HTTP/1.0: the body then comes as it is, and ends with the connection.
            line.sendall(f"GET {path} HTTP/1.0\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
            self._take_head(line)
            self._selector.register(line, selectors.EVENT_READ, Reader())

    def _take_head(self, line: socket.socket) -> None:
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += line.recv(1)
        if b" 200 " not in head.partition(b"\r\n")[0]:
            raise RuntimeError(f"A stream was refused: {head.decode()}")

    def run(self) -> None:
        while not self.stops:
            for key, _ in self._selector.select(0.2):
                piece = key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
                now = time.perf_counter()
                if not piece:
                    self.ended += 1
                    self._selector.unregister(key.fileobj)
                for event in key.data.take(piece):
                    if event.event == "move":
                        self.reached.setdefault((event.data["hand_id"], event.data["version"]), []).append(now)


def play(
    port: int, tables: Sequence[Table], began: float, every_s: float, seconds: float
) -> list[tuple[Move, float, float]]:
    """Each move, when it was to be sent, and when it was answered: one that waits for its turn is late by that."""
    caller, made = Caller(port), []
    for number in range(int(seconds / every_s)):
        due = began + number * every_s
        time.sleep(max(0.0, due - time.perf_counter()))
        move = tables[number % len(tables)].move(caller)
        made.append((move, due, time.perf_counter()))
    return made


@contextmanager
def served(database_url: str, log: Path, asked: argparse.Namespace) -> Iterator[int]:
    """The service as it is deployed, on a port of loopback; limits on requests are off."""
    port = free_port()
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GINAPI_")}
    environ |= {
        "WEB_CONCURRENCY": str(asked.workers),
        "GINAPI_DATABASE_URL": database_url,
        # Connections fall to the workers as they come: any of them may have to hold most of the streams.
        "GINAPI_STREAMS": str(asked.streams),
        "GINAPI_RATE_LIMITS": "off",
        "GINAPI_LOG_LEVEL": "WARNING",
    }
    settings = "python:ginapi.gunicorn_settings"
    command = [sys.executable, "-m", "gunicorn", "-c", settings, "--bind", f"127.0.0.1:{port}", "wsgi:app"]
    with open(log, "wb") as output:
        server = subprocess.Popen(command, cwd=CHECKOUT, env=environ, stdout=output, stderr=output)
    try:
        wait_until_up(server, port, log)
        yield port
    finally:
        server.terminate()
        server.wait(30)
        print(log.read_text(), end="")


@contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    """An empty database, every commit on disk."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'streams.db'}"
        return
    server = Server(DURABLE)
    try:
        server.run("CREATE DATABASE streams")
        yield server.url("streams")
    finally:
        server.stop()


def told(what: str, times_ms: list[float]) -> float:
    """Print how long it took; the share that was in time."""
    rising = sorted(times_ms)
    share = sum(one < GOAL_MS for one in rising) / len(rising)
    spread = f"{median(rising):.0f} ms (median), {at(rising, 0.99):.0f} ms (99 %), {rising[-1]:.0f} ms (the longest)"
    print(f"  {what}: {share:.2%} under {GOAL_MS} ms; {spread}")
    return share


def measure(port: int, asked: argparse.Namespace) -> bool:
    """Print the figures; whether the goal was met, and everything arrived."""
    caller = Caller(port)
    tables = [Table(caller) for _ in range(asked.streams // 2)]
    followers = Followers(port, tables)
    followers.start()
    time.sleep(2)
    began, pace = time.perf_counter() + 0.5, MOVERS / asked.moves
    with ThreadPoolExecutor(MOVERS) as threads:
        running = [
            threads.submit(play, port, tables[one::MOVERS], began + one / asked.moves, pace, asked.seconds)
            for one in range(MOVERS)
        ]
        made = [move for one in running for move in one.result()]
    time.sleep(LAST_MS / 1000)
    followers.stops = True
    followers.join()
    reached = [(arrived - sent) * 1000 for move, sent, _ in made for arrived in followers.reached.get(move, [])]
    missing = 2 * len(made) - len(reached)
    print(
        f"{asked.streams} streams, {len(made)} moves in {asked.seconds} s, {asked.workers} workers, {asked.database}:"
    )
    share = told("sent to answered", [(answered - sent) * 1000 for _, sent, answered in made])
    told("sent to seen on each stream", reached)
    print(f"  {missing} events missing, {followers.ended} streams ended")
    return share >= 0.99 and not missing and not followers.ended


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=200, help="open at once, an even number")
    parser.add_argument("--moves", type=int, default=50, help="moves a second")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--database", choices=["postgresql", "sqlite"], default="postgresql")
    asked = parser.parse_args()
    if asked.streams % 2 or asked.streams < 2 * MOVERS:
        parser.error(f"--streams is an even number, {2 * MOVERS} or more: two for each table")
    with tempfile.TemporaryDirectory() as folder, database(asked.database, Path(folder)) as url:  # noqa: SIM117
        with served(url, Path(folder, "log"), asked) as port:
            met = measure(port, asked)
    if not met:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
