"""Floods of streams and of slow clients while others play: who is refused, who goes on, and that all of it is freed.

More streams are asked for than there are places, by many callers: those above get 503 and Retry-After, and moves go on.
Then clients that send a request byte by byte, and others that read an answer so. Each of those holds one of a worker's
threads, as gunicorn reads a request with the thread that answers it: fewer than there are threads change nothing; with
more, others wait until they are gone, and a proxy that buffers requests has to stand in front. The drill shows both.
Run as `python -m drills.floods --database postgresql`.
"""

import argparse
import os
import secrets
import socket
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from drills.checker import Told, counted, faults
from drills.probe import Probe, asked, dealt
from drills.stack import Clients, Stack, database, playing, running, seconds_until_healthy
from tests.served.playing import opened

CLIENTS = 3
WORKERS = 2
STREAMS = 260
"""Two workers have 128 places."""
CALLERS = 26
FEW, MANY = 60, 200
"""Slow clients: fewer than one worker has threads, and more than both have."""
BYTE_EVERY_S = 2.0
FLOOD_S = 15.0
ANSWERED_S = 5.0
"""Within this others are answered while a flood that must not touch them goes on."""
FREED_S = 45.0
"""A caller that has hung up is noticed at the next heartbeat or look, a stream that nobody reads after 30 s."""
HEALTHY_S = 5.0
LOOKS = 8
SPARE = 8
"""So many threads and connections more after a second flood than after a first are no leak."""
LIMIT_S = 1_800.0
_BODY = b'{"level": "easy"}' + b" " * 200
_SLOW_REQUEST = (
    b"POST /v1/hands HTTP/1.1\r\nHost: drill\r\nContent-Type: application/json\r\n"
    + b"Content-Length: %d\r\n\r\n" % len(_BODY)
    + _BODY
)


@dataclass
class Measured:
    """What came of each flood, by its name."""

    answered: dict[str, list[float]] = field(default_factory=dict)
    """How long each request of others took meanwhile."""
    streams: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    sizes: list[tuple[int, int]] = field(default_factory=list)
    """Threads and open files of all workers, after each round."""


class Flood:
    """Connections to a service, each a socket, closed at the end."""

    def __init__(self, url: str) -> None:
        at = urlsplit(url)
        assert at.hostname is not None and at.port is not None
        self._at = at.hostname, at.port
        self._sockets: list[socket.socket] = []

    def __enter__(self) -> "Flood":
        return self

    def __exit__(self, *raised: object) -> None:
        for each in self._sockets:
            each.close()

    def connected(self, received_bytes: int = 0) -> socket.socket:
        made = socket.socket()
        if received_bytes:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, received_bytes)
        made.settimeout(30)
        made.connect(self._at)
        self._sockets.append(made)
        return made

    def send(self, sent: bytes) -> None:
        """The same to all, as far as they still hold."""
        for each in list(self._sockets):
            try:
                each.sendall(sent)
            except OSError:
                self._sockets.remove(each)
                each.close()


def streams(stack: Stack, found: Measured, count: int = STREAMS, by: int = CALLERS, flood_s: float = FLOOD_S) -> None:
    """More streams than places, all held open."""
    url = stack.urls[0]
    callers = []
    for _ in range(by):
        caller, hand = opened(url)
        caller.close()
        callers.append((hand["table_id"], hand["token"]))
    with Flood(url) as flood:
        opening = []
        for number in range(count):
            table_id, token = callers[number % by]
            one = flood.connected()
            path = f"GET /v1/tables/{table_id}/events HTTP/1.1\r\n"
            one.sendall(f"{path}Host: drill\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
            opening.append(one)
        for one in opening:
            head = one.recv(4096)
            status = int(head.split(b" ")[1])
            found.streams[status] += 1
            if status == 503 and b"\r\nretry-after:" not in head.lower():
                found.faults.append("a stream was refused without Retry-After")
        _others(stack, "streams", found, must_go_on=True, flood_s=flood_s)
    if set(found.streams) != {200, 503}:
        found.faults.append(f"streams were answered {dict(found.streams)}")


def slow(stack: Stack, count: int, found: Measured) -> None:
    """Requests that come a byte at a time."""
    name = f"{count} slow senders"
    with Flood(stack.urls[0]) as flood:
        for _ in range(count):
            flood.connected()
        with Probe(lambda: dealt(stack.urls[0])) as probe:
            ends = time.monotonic() + FLOOD_S
            for at in range(len(_SLOW_REQUEST)):
                flood.send(_SLOW_REQUEST[at : at + 1])
                if time.monotonic() > ends:
                    break
                time.sleep(BYTE_EVERY_S)
            flood.__exit__()  # The probe may wait for a thread that one of them holds.
    _judge(name, probe, found, must_go_on=count <= FEW)


def slow_readers(stack: Stack, count: int, found: Measured) -> None:
    """Answers that are hardly read: the longest that there is, over a narrow connection."""
    for _ in range(LOOKS):  # Each worker makes the answer when it is first asked for it.
        asked("GET", f"{stack.urls[0]}/openapi.yaml")
    with Flood(stack.urls[0]) as flood:
        for _ in range(count):
            flood.connected(received_bytes=2048).sendall(b"GET /openapi.yaml HTTP/1.1\r\nHost: drill\r\n\r\n")
        _others(stack, f"{count} slow readers", found, must_go_on=count <= FEW)


def _others(stack: Stack, name: str, found: Measured, *, must_go_on: bool, flood_s: float = FLOOD_S) -> None:
    with Probe(lambda: dealt(stack.urls[0])) as probe:
        time.sleep(flood_s)
    _judge(name, probe, found, must_go_on=must_go_on)


def _judge(name: str, probe: Probe, found: Measured, *, must_go_on: bool) -> None:
    took = [answer.took_s for answer in probe.answers]
    found.answered.setdefault(name, []).extend(took)
    if must_go_on and max(took) > ANSWERED_S:
        found.faults.append(f"{name}: others were answered after {max(took):.1f} s")
    if any(answer.status != 201 for answer in probe.answers) and must_go_on:
        found.faults.append(f"{name}: others were answered {Counter(answer.status for answer in probe.answers)}")


def sizes(stack: Stack) -> tuple[int, int]:
    """How many threads and connections of callers all workers have; those to the database come and stay."""
    workers = stack.workers()
    return (
        sum(len(list(Path(f"/proc/{pid}/task").iterdir())) for pid in workers),
        sum(_connections(pid) for pid in workers),
    )


def _connections(pid: int) -> int:
    """Open files of a process that are TCP connections, as PostgreSQL's are not here."""
    inodes = {f"socket:[{line.split()[9]}]" for line in Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]}
    count = 0
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # It was closed meanwhile.
            count += os.readlink(file) in inodes
    return count


def freed(stack: Stack, most: tuple[int, int] | None) -> tuple[int, int]:
    """The sizes once they are no more than these, or as they are at the end of the wait."""
    ends = time.monotonic() + FREED_S
    while True:
        now = sizes(stack)
        if most is not None and all(one <= least + SPARE for one, least in zip(now, most, strict=True)):
            return now
        if time.monotonic() > ends:
            return now
        time.sleep(0.2)


def drill(stack: Stack, clients: Clients, found: Measured, many: int) -> Told:
    """Each flood twice; what the clients were told meanwhile."""
    first: tuple[int, int] | None = None
    for _ in range(2):
        streams(stack, found)
        for count in (FEW, many):
            slow(stack, count, found)
            slow_readers(stack, count, found)
        healthy_s = seconds_until_healthy(stack.servers, LIMIT_S)
        if healthy_s > HEALTHY_S:
            found.faults.append(f"healthy only {healthy_s:.1f} s after the floods")
        size = freed(stack, first)
        found.sizes.append(size)
        first = first or size
    if any(one > least + SPARE for one, least in zip(found.sizes[1], found.sizes[0], strict=True)):
        found.faults.append(f"threads and connections after each round: {found.sizes}")
    return clients.wait(LIMIT_S)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="postgresql")
    parser.add_argument("--slow", type=int, default=MANY, help="slow clients in the flood that is too much")
    parser.add_argument("--moves", type=int, default=600, help="acknowledged moves at which the clients stop")
    parser.add_argument("--seed", default=secrets.token_hex(4))
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    found = Measured()
    with tempfile.TemporaryDirectory() as name, ExitStack() as held:
        folder = Path(name)
        url, _ = held.enter_context(database(given.database, folder))
        stack = held.enter_context(running(folder, url, workers=WORKERS))
        with playing(stack, CLIENTS, given.moves, given.seed) as clients:
            told = drill(stack, clients, found, given.slow)
        found.faults += faults(url, told)
    print("\n".join(found.faults), end="\n" if found.faults else "")
    others = ", ".join(
        f"beside {name} {len(took)} in at most {max(took):.1f} s" for name, took in found.answered.items()
    )
    print(
        f"streams answered {dict(found.streams)}; others answered: {others}; threads and connections after each round "
        f"{found.sizes}; {counted(told)}; {len(found.faults)} faults"
    )
    if found.faults:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
