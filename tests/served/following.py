"""Clients that follow a table, each in its own way, and are cut off at random: what they were told in the end."""

import http.client
import json
import random
import socket
import struct
import threading
from typing import Any
from urllib.parse import urlsplit

from tests.served.playing import TIMEOUT_S, Json
from tests.streams.sse import Event, Reader

PIECE_BYTES = 256


class Connection:
    """One connection at a time, that may break at any byte."""

    def __init__(self, url: str, token: str | None) -> None:
        self._address = urlsplit(url).netloc
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self.reset()

    def reset(self) -> None:
        self.connection = http.client.HTTPConnection(self._address, timeout=TIMEOUT_S)
        self._answer: http.client.HTTPResponse | None = None

    def close(self) -> None:
        # An answer that is not read to its end holds the socket too.
        if self._answer is not None:
            self._answer.close()
        self.connection.close()

    def cut(self, chance: random.Random) -> None:
        """Hang up: politely, or as a line that breaks."""
        if self.connection.sock is not None and chance.random() < 0.5:
            self.connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()
        self.reset()

    def get(self, path: str, **headers: str) -> http.client.HTTPResponse:
        self.ask(path, **headers)
        self._answer = self.connection.getresponse()
        return self._answer

    def ask(self, path: str, **headers: str) -> None:
        """Send a request, and do not wait for its answer."""
        self.connection.request("GET", path, headers={**self._headers, **headers})

    def json(self, path: str, **headers: str) -> tuple[int, Json, str]:
        """Status, body and ETag; what was kept alive and has been closed meanwhile is asked for anew."""
        try:
            answer = self.get(path, **headers)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            self.close()
            self.reset()
            answer = self.get(path, **headers)
        raw = answer.read()
        return answer.status, json.loads(raw) if raw else {}, answer.headers.get("ETag", "")


class Follower:
    """Follows one table to its end; `told` is what it had by then, `cuts` how often it was cut off."""

    def __init__(self, url: str, table_id: str, token: str | None, seed: int) -> None:
        self.chance = random.Random(seed)
        self.connection = Connection(url, token)
        self.table_path = f"/v1/tables/{table_id}"
        self.told: list[Any] = []
        self.cuts = 0

    def run(self) -> list[Any]:
        """All that it was told, in the end."""
        try:
            self.follow()
        finally:
            self.connection.close()
        return self.told

    def follow(self) -> None:
        raise NotImplementedError


class Streaming(Follower):
    """By server-sent events."""

    told: list[Event]

    def follow(self) -> None:
        last = ""
        while True:
            headers = {"Last-Event-ID": last} if last else {}
            answer = self.connection.get(f"{self.table_path}/events", **headers)
            if answer.status == 204:
                return
            if answer.status == 503:
                self.connection.cut(self.chance)
                threading.Event().wait(0.05)
                continue
            assert answer.status == 200, answer.read()
            last = self._read(answer, last)
            self.connection.cut(self.chance)
            self.cuts += 1

    def _read(self, answer: http.client.HTTPResponse, last: str) -> str:
        """Read until the stream ends or is cut: after so many bytes, wherever in an event that is."""
        reader, left = Reader(), self.chance.choice([0, 40, 400, 1_500, 6_000, 50_000])
        while left > 0:
            piece = answer.read1(min(PIECE_BYTES, left))
            if not piece:
                break
            left -= len(piece)
            self.told += reader.take(piece)
        return reader.last_id or last


class Polling(Follower):
    """By hand and table: the moves of every hand, as the list tells them."""

    def look(self, version: int, etag: str) -> tuple[Json | None, str]:
        raise NotImplementedError

    def follow(self) -> None:
        version, etag, number, have = 0, "", 1, 0
        while True:
            table, etag = self.look(version, etag)
            if table is None:
                continue
            version = table["version"]
            newest = int(table["hand_id"].rpartition("-")[2])
            while True:
                path = f"/v1/hands/{table['id']}-{number}/moves?after={have}"
                status, page, _ = self.connection.json(path)
                assert status == 200, page
                self.told += [(number, move) for move in page["items"]]
                have += len(page["items"])
                if page["next"] is not None:
                    continue
                if number == newest:
                    break
                number, have = number + 1, 0
            if table["status"] == "finished":
                return


class LongPolling(Polling):
    """Each poll waits, and is broken off now and then while it does."""

    def look(self, version: int, etag: str) -> tuple[Json | None, str]:
        path = f"{self.table_path}?after={version}&wait_ms=3000"
        if self.chance.random() < 0.3:
            self.cuts += 1
            self.connection.ask(path)
            threading.Event().wait(self.chance.random() * 0.05)
            self.connection.cut(self.chance)
        status, table, _ = self.connection.json(path)
        assert status == 200, table
        return table, ""


class PlainPolling(Polling):
    """Again and again, with the ETag of what it had."""

    def look(self, version: int, etag: str) -> tuple[Json | None, str]:
        threading.Event().wait(self.chance.random() * 0.1)
        status, table, now = self.connection.json(self.table_path, **({"If-None-Match": etag} if etag else {}))
        assert status in (200, 304), table
        return (None, etag) if status == 304 else (table, now)


def faults(told: Json, record: Json, seat: int | None) -> list[str]:
    """Where a move as one was told it is not as it is stored; a card may be missing only from whom it was hidden."""
    found = [name for name in ("version", "seat", "by", "action") if told[name] != record[name]]
    for name, value in record["body"].items():
        hidden = seat is None or (record["action"] == "draw" and record["body"]["from"] == "stock")
        if told.get(name, value if hidden and record["seat"] != seat and name != "from" else None) != value:
            found.append(name)
    return found
