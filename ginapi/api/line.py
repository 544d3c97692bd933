"""The line that an answer goes out on: whether somebody is still there, and takes what is sent."""

import select
import socket
import time
from collections.abc import Callable, Mapping
from typing import Any

UNANSWERED_MS = 30_000
"""A caller that acknowledges nothing for so long, or takes nothing, is gone."""

_LOOK_EVERY_MS = 500
_ENDED = select.POLLHUP | select.POLLERR | select.POLLNVAL
# Only Linux tells a caller that hung up from one that is silent; elsewhere POLLHUP does.
_HUNG_UP = _ENDED | getattr(select, "POLLRDHUP", 0)


class Line:
    """The connection of one request, where the server that took it shows it; otherwise it always holds."""

    def __init__(self, environ: Mapping[str, Any]) -> None:
        self._socket: socket.socket | None = environ.get("gunicorn.socket")

    def bound(self) -> None:
        """Have the system give up a caller that vanished without a word: it would send to it for a quarter of an hour.

        Only Linux is asked to; elsewhere the system's own patience holds.
        """
        timeout = getattr(socket, "TCP_USER_TIMEOUT", None)
        if self._socket is None or timeout is None or self._socket.family not in (socket.AF_INET, socket.AF_INET6):
            return
        self._socket.setsockopt(socket.IPPROTO_TCP, timeout, UNANSWERED_MS)

    def is_gone(self) -> bool:
        """Whether the caller has hung up, or has been given up."""
        return bool(self._events(0, 0) & _HUNG_UP)

    def takes(self, is_over: Callable[[], bool]) -> bool:
        """Whether something can be sent: a caller that reads nothing is waited for a while, unless that `is_over`."""
        until = time.monotonic() + UNANSWERED_MS / 1000
        while True:
            events = self._events(select.POLLOUT, _LOOK_EVERY_MS)
            if events:
                return not events & _HUNG_UP
            if is_over() or time.monotonic() > until:
                return False

    def _events(self, wanted: int, wait_ms: int) -> int:
        if self._socket is None:
            return wanted
        number = self._socket.fileno()
        if number < 0:
            return _ENDED
        poll = select.poll()
        poll.register(number, wanted | _HUNG_UP)
        events = next((events for _, events in poll.poll(wait_ms)), 0)
        if events & select.POLLERR:
            # Taken here, or the server would log it as a fault of its own at the next thing that it sends.
            self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        return events
