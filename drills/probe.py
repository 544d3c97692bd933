"""A probe asks a service the same again and again, each time with a connection of its own; how each was answered."""

import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import httpx

TIMEOUT_S = 60.0


class Answer(NamedTuple):
    """How one request was answered."""

    status: int
    """0 where no answer came."""
    took_s: float
    retry_after: str | None = None


def asked(method: str, url: str, body: Any = None, token: str | None = None) -> Answer:
    """One request, with a connection of its own."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    began = time.monotonic()
    try:
        reply = httpx.request(method, url, json=body, headers=headers, timeout=TIMEOUT_S, trust_env=False)
    except httpx.TransportError:
        return Answer(0, time.monotonic() - began)
    return Answer(reply.status_code, time.monotonic() - began, reply.headers.get("Retry-After"))


def dealt(url: str, **terms: Any) -> Answer:
    """A new practice table at a service, with its first hand."""
    return asked("POST", f"{url}/v1/hands", terms)


class Probe:
    """Asks from its entry to its exit, one request after another."""

    def __init__(self, ask: Callable[[], Answer]) -> None:
        self._ask = ask
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.answers: list[Answer] = []

    def __enter__(self) -> "Probe":
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.is_set():
            self.answers.append(self._ask())
