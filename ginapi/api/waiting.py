"""Waiting in a request: the place that it takes, and the long poll that is answered once its view is due."""

import ipaddress
import math
import time
from collections.abc import Callable
from typing import Protocol, TypeVar

from flask import g, request

from ginapi.api.current import watch
from ginapi.api.line import Line
from ginapi.service.waiting import LogAt, Place


class _Dated(Protocol):
    @property
    def log_at(self) -> LogAt: ...


_Seen = TypeVar("_Seen", bound=_Dated)


def place_of(principal: str | None, line: Line) -> Place | None:
    """A place to wait in for this request's caller, known by its address where it has no token; None without one."""
    return watch().place(principal or f"address:{_address()}", line.is_gone)


def _address() -> str:
    """Where the request came from; of IPv6 the half that a network is given whole."""
    sent = request.remote_addr or ""
    try:
        address = ipaddress.ip_address(sent)
    except ValueError:
        return sent  # A socket in the file system has none.
    if isinstance(address, ipaddress.IPv4Address) or address.ipv4_mapped is not None:
        return sent
    return str(ipaddress.ip_network((address, 64), strict=False))


def in_time(seen: _Seen, look: Callable[[], _Seen], is_due: Callable[[_Seen], bool], wait_ms: int) -> _Seen:
    """`seen` where it is due already, else what `look` gives once it is, or at the end of the wait as it then is.

    At once as it is where there is no place to wait in, the process is about to end, or the caller has hung up. What is
    waited for may lie more than one record on.
    """
    if is_due(seen) or not wait_ms:
        return seen
    until = time.monotonic() + wait_ms / 1000
    place = place_of(seen.log_at.principal, Line(request.environ))
    if place is None:
        return seen
    began = time.monotonic()
    with place:
        while not is_due(seen) and not place.is_over():
            left_ms = math.ceil((until - time.monotonic()) * 1000)
            if left_ms <= 0:
                break
            place.wait(seen.log_at, left_ms)
            seen = look()
    # So that it is not taken for the time that the answer took.
    g.waited_s = time.monotonic() - began
    return seen
