"""A receiver of webhooks on loopback: it keeps what it was sent, and answers as it is told to."""

import base64
import hashlib
import hmac
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LIMIT_S = 20.0


@dataclass(frozen=True)
class Sent:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def told(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.body)
        return told

    def is_signed_with(self, secret: str) -> bool:
        """By the text of the specification, and not by what signs."""
        prefix, _, key = secret.partition("_")
        assert prefix == "whsec"
        content = f"{self.id}.{self.headers['webhook-timestamp']}.{self.body.decode()}"
        made = hmac.new(base64.b64decode(key), content.encode(), hashlib.sha256).digest()
        return self.headers["webhook-signature"] == f"v1,{base64.b64encode(made).decode()}"


class Receiver:
    """`answers` are the statuses that it answers with, one after the other, then 204; `wait` is done before each."""

    def __init__(self) -> None:
        self.sent: list[Sent] = []
        self.answers: list[int] = []
        self.location: str | None = None
        self.wait: Callable[[Sent], object] = lambda sent: None
        self._came = threading.Condition()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._made_handler())
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def url(self, path: str = "/told") -> str:
        """By name: an address would be refused before anything is sent."""
        return f"http://localhost:{self.port}{path}"

    def take(self) -> list[Sent]:
        """What came since this was last asked."""
        with self._came:
            came, self.sent = self.sent, []
        return came

    def wait_for(self, count: int) -> list[Sent]:
        """All that has come, once it is so many."""
        with self._came:
            assert self._came.wait_for(lambda: len(self.sent) >= count, LIMIT_S), self.sent
            return list(self.sent)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _made_handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                sent = Sent(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                with receiver._came:
                    receiver.sent.append(sent)
                    receiver._came.notify_all()
                    status = receiver.answers.pop(0) if receiver.answers else 204
                receiver.wait(sent)
                try:
                    self.send_response(status)
                    if receiver.location is not None:
                        self.send_header("Location", receiver.location)
                    self.end_headers()
                except OSError:
                    pass  # Whoever sent it has gone.

            def do_GET(self) -> None:
                self.do_POST()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        return Handler


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()
    try:
        yield receiver
    finally:
        receiver.close()
