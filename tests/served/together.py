"""The same moment for many: requests that are sent at once, each over a connection of its own."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import httpx

from tests.served.playing import connected

Send = Callable[[httpx.Client], httpx.Response]


def at_once(url: str, token: str | None, sends: Sequence[Send]) -> list[httpx.Response]:
    """What each of `sends` gets; none is sent before all are ready to be."""
    return each_at_once(url, [(token, send) for send in sends])


def each_at_once(url: str, sends: Sequence[tuple[str | None, Send]]) -> list[httpx.Response]:
    """The same for several callers, each with a token."""
    gate = threading.Barrier(len(sends))

    def send(one: tuple[str | None, Send]) -> httpx.Response:
        token, ask = one
        with connected(url, token) as client:
            gate.wait(timeout=60)
            return ask(client)

    with ThreadPoolExecutor(len(sends)) as threads:
        return list(threads.map(send, sends))
