"""The same moment for many: requests that are sent at once, each over a connection of its own."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import httpx

from tests.served.playing import connected


def at_once(
    url: str, token: str | None, sends: Sequence[Callable[[httpx.Client], httpx.Response]]
) -> list[httpx.Response]:
    """What each of `sends` gets; none is sent before all are ready to be."""
    gate = threading.Barrier(len(sends))

    def send(one: Callable[[httpx.Client], httpx.Response]) -> httpx.Response:
        with connected(url, token) as client:
            gate.wait(timeout=60)
            return one(client)

    with ThreadPoolExecutor(len(sends)) as threads:
        return list(threads.map(send, sends))
