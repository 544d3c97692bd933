"""The lock beside a SQLite file: one holder, a bounded wait, and nobody kept out by one who gave up."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ginapi.store.faults import Busy
from ginapi.store.file_lock import FileLock

HOLDER = (
    "import fcntl, sys\n"
    "file = open(sys.argv[1], 'a')\n"
    "fcntl.flock(file, fcntl.LOCK_EX)\n"
    "print('held', flush=True)\n"
    "sys.stdin.read()\n"
)


@contextmanager
def held_by_another(path: Path) -> Iterator[None]:
    """Another process has the lock until the block ends."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        try:
            yield
        finally:
            holder.communicate(timeout=30)


def taken(path: Path, wait_ms: int) -> bool:
    """Whether the lock can be had in that time."""
    lock = FileLock(str(path), wait_ms)
    try:
        lock.release(lock.acquire())
    except Busy:
        return False
    return True


def test_whoever_waits_for_another_process_is_told_at_the_end_of_the_wait(tmp_path: Path) -> None:
    lock = FileLock(str(tmp_path / "lock"), 50)
    with held_by_another(tmp_path / "lock"), pytest.raises(Busy, match="50 ms"):
        lock.acquire()
    # Whoever gave up stands in nobody's way, though its turn came after it had left.
    assert taken(tmp_path / "lock", 30_000)
    lock.release(lock.acquire())


def test_whoever_waits_for_another_process_gets_its_turn(tmp_path: Path) -> None:
    lock = FileLock(str(tmp_path / "lock"), 30_000)
    turns: list[int] = []
    with held_by_another(tmp_path / "lock"):
        waiter = threading.Thread(target=lambda: turns.append(lock.acquire()))
        waiter.start()
    waiter.join(30)
    assert not taken(tmp_path / "lock", 50)
    lock.release(turns[0])
    assert taken(tmp_path / "lock", 30_000)


def test_whoever_waits_for_another_thread_is_told_at_the_end_of_the_wait(tmp_path: Path) -> None:
    lock = FileLock(str(tmp_path / "lock"), 50)
    file = lock.acquire()
    with pytest.raises(Busy):
        lock.acquire()
    lock.release(file)
    lock.release(lock.acquire())
