"""A client that plays hands over a few kept-open connections, and counts the moves answered a second.

One thread and raw sockets: it must never be what is waited for.
"""

import json
import random
import selectors
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

HANDS_A_BATCH = 12
"""Hands opened before each stretch of play, for each connection."""
ANSWER_LIMIT_SECONDS = 15.0
WAYS = ("knock", "layoff", "draw", "discard")
"""What the client would rather do first, of what is legal."""


@dataclass(slots=True)
class Hand:
    """A hand that this client may move in, and the newest answer about it."""

    base: str
    token: str | None
    seen: dict[str, Any]

    def request(self, chance: random.Random) -> bytes:
        """The next move, as it goes out: knock when possible, draw from the stock, discard anything."""
        moves = self.seen["legal_moves"]
        way = next(way for way in WAYS if any(move["action"] == way for move in moves))
        of_way = [move for move in moves if move["action"] == way]
        move = of_way[0] if way == "draw" else chance.choice(of_way)
        return post(f"{self.base}/hands/{self.seen['id']}/moves", move, self.token)


def post(path: str, body: dict[str, Any], token: str | None) -> bytes:
    """A POST as HTTP/1.1 writes it."""
    content = json.dumps(body).encode()
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{bearer}"
    return f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content


class Caller:
    """One connection: a request goes out, and its answer is put together as it comes in."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), ANSWER_LIMIT_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""
        self.hand: Hand | None = None

    def send(self, request: bytes) -> None:
        self.socket.sendall(request)

    def receive(self) -> bytes | None:
        """The body of the answer once it is whole, else None. Raises when it is not a success."""
        part = self.socket.recv(1 << 16)
        if not part:
            raise RuntimeError(f"The server closed a connection after {self.received!r}.")
        self.received += part
        head, found, body = self.received.partition(b"\r\n\r\n")
        if not found:
            return None
        length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
        if len(body) < int(length):
            return None
        self.received = b""
        if head.split(b" ", 2)[1][:1] != b"2":
            raise RuntimeError(f"The server refused: {head.decode()}\n{body.decode()}")
        return body

    def ask(self, request: bytes) -> bytes:
        """The answer to one request, waited for."""
        self.send(request)
        body = None
        while body is None:
            body = self.receive()
        return body


class MovesPlayed:
    """One side: moves answered a second while `connections` hands are played at once. Opening hands is not timed."""

    def __init__(self, port: int, base: str, level: str, connections: int, seconds: float) -> None:
        self.port = port
        self.base = base
        self.level = level
        self.connections = connections
        self.seconds = seconds
        self.chance = random.Random(0)
        self.moves = 0
        self.bytes = 0
        self.busiest = 0.0
        """The largest share of a core that this client itself needed: well below 1, or the figure is the client's."""

    def __call__(self) -> float:
        callers = [Caller(self.port) for _ in range(self.connections)]
        moves, seconds, cpu = 0, 0.0, 0.0
        while seconds < self.seconds:
            hands = iter([self.open_hand(callers[0]) for _ in range(HANDS_A_BATCH * self.connections)])
            start, cpu_start = time.perf_counter(), time.process_time()
            moves += self.play(callers, hands)
            seconds += time.perf_counter() - start
            cpu += time.process_time() - cpu_start
            for caller in callers:
                self.settle(caller)
        for caller in callers:
            caller.socket.close()
        self.moves += moves
        self.busiest = max(self.busiest, cpu / seconds)
        return moves / seconds

    def open_hand(self, caller: Caller) -> Hand:
        opened = json.loads(caller.ask(post(f"{self.base}/hands", {"level": self.level}, None)))
        return Hand(self.base, opened.get("token"), opened)

    def play(self, callers: list[Caller], hands: Iterator[Hand]) -> int:
        """Every caller plays hand after hand, until one finds none left: from then on not all would be busy."""
        with selectors.DefaultSelector() as waiting:
            for caller in callers:
                waiting.register(caller.socket, selectors.EVENT_READ, caller)
                caller.hand = next(hands)
                caller.send(caller.hand.request(self.chance))
            moves = 0
            while True:
                ready = waiting.select(ANSWER_LIMIT_SECONDS)
                if not ready:
                    raise RuntimeError(f"No answer in {ANSWER_LIMIT_SECONDS} s.")
                for key, _ in ready:
                    caller = key.data
                    body = caller.receive()
                    if body is None:
                        continue
                    moves += 1
                    self.bytes += len(body)
                    caller.hand.seen = json.loads(body)
                    if caller.hand.seen["phase"] == "finished":
                        caller.hand = next(hands, None)
                    if caller.hand is None:
                        return moves
                    caller.send(caller.hand.request(self.chance))

    def settle(self, caller: Caller) -> None:
        """Takes in the answer that a caller was still waiting for when the play stopped; it counts for nothing."""
        if caller.hand is not None:
            while caller.receive() is None:
                pass
