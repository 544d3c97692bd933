"""One try to hand something over: a POST to an address that was checked, in five seconds at most, all in all.

The name is looked up once, and the connection made to what was found there and checked; with TLS the certificate has
to be the name's all the same. No proxy, no redirect, and nothing is read beyond the head of the answer.
"""

import functools
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import h11

from ginapi.config import DELIVERY_TRY_MS
from ginapi.service.addresses import Target, is_allowed, target_of

HEAD_BYTES = 16_384
"""An answer whose head is longer is none."""
ADDRESSES_TRIED = 4
LOOK_UPS_AT_ONCE = 64
"""Those that nobody waits for any more among them."""

Found = list[tuple[socket.AddressFamily, tuple[Any, ...]]]
Resolve = Callable[[str, int], Found]
"""The addresses of a host and port, as `socket.connect` takes them."""


_look_ups = threading.BoundedSemaphore(LOOK_UPS_AT_ONCE)


class Failed(Exception):
    """Nothing was answered; the text says why, and no more of where to than its kind."""


def post(url: str, headers: Mapping[str, str], body: bytes, *, private: bool, resolve: Resolve | None = None) -> int:
    """The status of the answer. `private` as in `addresses.is_allowed`. Raises Failed."""
    until = time.monotonic() + DELIVERY_TRY_MS / 1000
    try:
        target = target_of(url)
        found = _resolved(target, resolve or _look_up, until)
        allowed = [one for one in found if is_allowed(one[1][0], private=private)]
        if not allowed:
            raise Failed("no address that may be connected to")
        with _connected(allowed[:ADDRESSES_TRIED], until) as plain, _secured(plain, target, until) as connection:
            return _status(connection, _request(target, headers, body), body, until)
    except (OSError, h11.ProtocolError, ValueError) as error:
        raise Failed(type(error).__name__) from error


def _left_s(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _look_up(host: str, port: int) -> Found:
    return [(family, place) for family, _, _, _, place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def _resolved(target: Target, resolve: Resolve, until: float) -> Found:
    """What the resolver says in time. It cannot be interrupted: a look-up that takes longer ends by itself, unheard."""
    permits = _look_ups
    answers: queue.SimpleQueue[Found | Exception] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put(resolve(target.host, target.port))
        except (OSError, ValueError) as error:
            answers.put(error)
        finally:
            permits.release()

    if not permits.acquire(timeout=_left_s(until)):
        raise TimeoutError
    threading.Thread(target=ask, name="look-up", daemon=True).start()
    try:
        answer = answers.get(timeout=_left_s(until))
    except queue.Empty:
        raise TimeoutError from None
    if isinstance(answer, Exception):
        raise answer
    return answer


@contextmanager
def _connected(places: Found, until: float) -> Iterator[socket.socket]:
    """A connection to the first of these addresses that takes one; each has its share of the time."""
    for at, (family, place) in enumerate(places):
        connection = socket.socket(family, socket.SOCK_STREAM)
        try:
            connection.settimeout(_left_s(until) / (len(places) - at))
            connection.connect(place)
        except OSError:
            connection.close()
            if at == len(places) - 1:
                raise
            continue
        with connection:
            yield connection
        return


@contextmanager
def _secured(plain: socket.socket, target: Target, until: float) -> Iterator[socket.socket]:
    """The connection, with TLS where the URL says so: the certificate has to be of the host that it names."""
    if not target.is_tls:
        yield plain
        return
    plain.settimeout(_left_s(until))  # Of the whole handshake.
    with trust().wrap_socket(plain, server_hostname=target.host.rstrip(".")) as secured:
        yield secured


@functools.cache
def trust() -> ssl.SSLContext:
    """Whose certificates are believed: the system's."""
    return ssl.create_default_context()


def _request(target: Target, headers: Mapping[str, str], body: bytes) -> h11.Request:
    fixed = {"Host": target.authority, "Content-Length": str(len(body)), "Connection": "close"}
    return h11.Request(method="POST", target=target.path, headers=list({**fixed, **headers}.items()))


def _status(connection: socket.socket, request: h11.Request, body: bytes, until: float) -> int:
    http = h11.Connection(h11.CLIENT, max_incomplete_event_size=HEAD_BYTES)
    sent = [http.send(event) for event in (request, h11.Data(data=body), h11.EndOfMessage())]
    connection.settimeout(_left_s(until))
    connection.sendall(b"".join(part for part in sent if part is not None))
    while True:
        event = http.next_event()
        if isinstance(event, h11.Response):
            return event.status_code
        if event is h11.NEED_DATA:
            connection.settimeout(_left_s(until))
            http.receive_data(connection.recv(4096))
