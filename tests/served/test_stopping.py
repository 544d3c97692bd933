"""The service told to stop: what is being answered is finished, whoever waits is let go, and it ends with status 0."""

import json
import os
import signal
import socket
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.conftest import Databases
from tests.served.following import Connection
from tests.served.playing import Json, answered, connected, opened
from tests.served.server import LIMIT_S, Server

GRACEFUL_S = 10


def half_sent(url: str, path: str, token: str, body: bytes) -> socket.socket:
    """A request of which only the first half of the body has been sent."""
    address = urlsplit(url)
    line = socket.create_connection((address.hostname, address.port), timeout=LIMIT_S)
    head = f"POST {path} HTTP/1.1\r\nHost: {address.netloc}\r\nAuthorization: Bearer {token}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    line.sendall(head.encode() + body[: len(body) // 2])
    return line


def answer_of(line: socket.socket) -> tuple[str, Json]:
    """The status line and the body of what comes until the other end closes."""
    said = b"".join(iter(lambda: line.recv(65_536), b""))
    head, _, body = said.partition(b"\r\n\r\n")
    return head.partition(b"\r\n")[0].decode(), json.loads(body)


@pytest.mark.parametrize(
    ("kind", "number"), [("sqlite", signal.SIGTERM), ("postgresql", signal.SIGINT)], ids=["SIGTERM", "Ctrl-C"]
)
def test_what_is_being_answered_is_finished_and_whoever_waits_is_let_go(
    kind: str, number: signal.Signals, make_database: Databases, tmp_path: Path
) -> None:
    url = make_database(kind, migrated=False)
    server = Server(tmp_path, {"WEB_CONCURRENCY": "2", "GINAPI_DATABASE_URL": url})
    try:
        caller, hand = opened(server.url)
        move = json.dumps({"action": "draw", "from": "stock"}).encode()
        waiting = Connection(server.url, hand["token"])
        waiting.ask(f"/v1/tables/{hand['table_id']}?after=99&wait_ms=25000")
        with (
            closing(caller),
            closing(waiting),
            half_sent(server.url, f"/v1/hands/{hand['id']}/moves", hand["token"], move) as line,
        ):
            answered(caller.get(f"/v1/hands/{hand['id']}"))
            time.sleep(0.5)  # until both are being answered, of which nothing can be seen from here
            began = time.monotonic()
            # As a terminal does: to the master, and to every worker too.
            if number == signal.SIGINT:
                os.killpg(server.pid, number)
            else:
                os.kill(server.pid, number)
            assert json.loads(waiting.connection.getresponse().read())["id"] == hand["table_id"]
            line.sendall(move[len(move) // 2 :])
            status, said = answer_of(line)
            assert (status, said["version"]) == ("HTTP/1.1 200 OK", 1)
        server.wait_until_gone()
        assert server.stop() == 0
        # All have ended by themselves, within the time that they are given before they are killed.
        assert time.monotonic() - began < GRACEFUL_S
        assert "Traceback" not in server.log()
        server = Server(tmp_path, {"WEB_CONCURRENCY": "1", "GINAPI_DATABASE_URL": url})
        with connected(server.url, hand["token"]) as again:
            assert answered(again.get(f"/v1/hands/{hand['id']}"))["version"] == 1
    finally:
        server.stop()
        make_database.drop(url)
