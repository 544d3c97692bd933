"""`/metrics` on a port of its own, for a process that serves nothing else."""

import threading
from collections.abc import Callable, Iterable
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from ginapi.api.metrics import may_read, report
from ginapi.config import METRICS_CONNECTIONS
from ginapi.metrics import counted
from ginapi.service.house import House

SILENT_S = 10
"""After so long a connection is closed on which nothing comes."""


class _Server(ThreadingMixIn, WSGIServer):
    """A thread for each connection, and no more of them than there are places: one too many is closed at once."""

    daemon_threads = True

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._places = threading.BoundedSemaphore(METRICS_CONNECTIONS)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._places.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()


class _Handler(WSGIRequestHandler):
    timeout = SILENT_S

    def log_message(self, format: str, *arguments: Any) -> None:
        """Nothing: whoever scrapes is no news, and what it sent may be a token."""


def serve_metrics(house: House, port: int, token: str | None) -> WSGIServer:
    """A server that answers `/metrics` to whoever may read it, and nothing else; `shutdown` ends it.

    Raises OSError where the port is taken.
    """

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        asked = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        may = asked == ("GET", "/metrics") and may_read(environ, token)
        start("200 OK" if may else "404 Not Found", [("Content-Type", counted.CONTENT_TYPE)])
        return [report(house)] if may else []

    server = make_server("", port, answer, _Server, _Handler)
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server
