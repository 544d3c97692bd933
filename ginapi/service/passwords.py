"""Passwords: hashed with argon2id, a few at a time, with a bounded line before it."""

import threading
from base64 import b64encode
from collections.abc import Callable
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from argon2.low_level import ARGON2_VERSION

from ginapi.errors import Reason, Refused

AT_ONCE = 2
"""Each takes 19 MiB and most of a tenth of a second of a core."""
WAITING = 16
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
_running = threading.BoundedSemaphore(AT_ONCE)
_in_line = threading.BoundedSemaphore(AT_ONCE + WAITING)

_Answer = TypeVar("_Answer")


def hashed(password: str) -> str:
    """The password as it is kept. Raises `too_many_requests` where the line is full."""
    return _in_turn(lambda: _HASHER.hash(password))


def is_right(password: str, password_hash: str | None) -> bool:
    """Whether it is the password; takes as long where there is none. Raises `too_many_requests`."""

    def verify() -> bool:
        try:
            return _HASHER.verify(password_hash or _nobodys(), password)
        except (VerifyMismatchError, InvalidHashError):
            return False

    return _in_turn(verify) and password_hash is not None


def _nobodys() -> str:
    """A hash to spend the time on where no account has the name, so that the two cannot be told apart by it.

    No password is known to have it. It is put together rather than hashed: the first who asks would wait for that too.
    """
    cost = f"m={_HASHER.memory_cost},t={_HASHER.time_cost},p={_HASHER.parallelism}"
    salt, digest = (b64encode(bytes(length)).rstrip(b"=").decode() for length in (_HASHER.salt_len, _HASHER.hash_len))
    return f"$argon2id$v={ARGON2_VERSION}${cost}${salt}${digest}"


def _in_turn(work: Callable[[], _Answer]) -> _Answer:
    if not _in_line.acquire(blocking=False):
        raise Refused(Reason.TOO_MANY_REQUESTS, "Many passwords are being checked: try again in a moment.")
    try:
        with _running:
            return work()
    finally:
        _in_line.release()
