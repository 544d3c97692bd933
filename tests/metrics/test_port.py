"""The port for `/metrics` alone: how many it listens to at once."""

import socket
from contextlib import ExitStack

import httpx

from ginapi.api.metrics_port import serve_metrics
from ginapi.config import METRICS_CONNECTIONS
from ginapi.service.house import House
from tests.waiting import wait_until

LIMIT_S = 30.0


def test_whoever_holds_connections_open_takes_the_places_that_there_are_and_no_more(house: House) -> None:
    server = serve_metrics(house, 0, None)
    address = ("127.0.0.1", server.server_port)

    def is_answered() -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{server.server_port}/metrics", timeout=LIMIT_S).status_code == 200
        except httpx.TransportError:
            return False

    try:
        with ExitStack() as held:
            for _ in range(METRICS_CONNECTIONS):
                held.enter_context(socket.create_connection(address, LIMIT_S)).sendall(b"GET /metrics")
            with socket.create_connection(address, LIMIT_S) as one_more:
                assert one_more.recv(1) == b""
            assert not is_answered()
        wait_until(is_answered)
    finally:
        server.shutdown()
        server.server_close()
