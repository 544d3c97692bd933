"""The queue of those who write to a SQLite file: fair, between threads and between processes, and bounded in time.

SQLite's own busy handler sleeps and tries again, and under load a few never get their turn.
"""

import fcntl
import os
import threading
import time

from ginapi.store.faults import Busy, Unavailable


class FileLock:
    """A lock on a file beside the database: one holder at a time, of all threads of all processes.

    Threads of this process wait for each other first, so that at most one of them is in the line between processes.
    """

    def __init__(self, path: str, wait_ms: int) -> None:
        self.path = path
        self._wait_ms = wait_ms
        self._own = threading.Lock()

    def acquire(self) -> int:
        """The open file that holds the lock, for `release`. Raises Busy at the end of the wait."""
        until = time.monotonic() + self._wait_ms / 1000
        if not self._own.acquire(timeout=self._wait_ms / 1000):
            raise self._busy()
        try:
            return self._locked(until)
        except BaseException:
            self._own.release()
            raise

    def release(self, file: int) -> None:
        """Let the next one in."""
        try:
            # Said aloud and not left to close(): a child forked meanwhile has the file open too.
            fcntl.flock(file, fcntl.LOCK_UN)
            os.close(file)
        finally:
            self._own.release()

    def _locked(self, until: float) -> int:
        try:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            # No right to it, or no file descriptor left: the same as where the database itself cannot be opened.
            raise Unavailable("The lock beside the database cannot be opened.") from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _Waiter(file).wait(until, self._busy())
        except BaseException:
            os.close(file)
            raise
        return file

    def _busy(self) -> Busy:
        return Busy(f"Others were writing for {self._wait_ms} ms.")


class _Waiter:
    """Waits in the kernel's line, which is fair and knows no end: a thread waits there, and may be left there."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._guard = threading.Lock()
        self._has_lock = threading.Event()
        self._is_left = False
        threading.Thread(target=self._take, name="file-lock", daemon=True).start()

    def wait(self, until: float, busy: Busy) -> None:
        """Return once the file is locked; at the end of the wait raise `busy`, and the file is closed at its turn."""
        if self._has_lock.wait(max(0.0, until - time.monotonic())):
            return
        with self._guard:
            if self._has_lock.is_set():
                return
            self._is_left = True
        raise busy

    def _take(self) -> None:
        fcntl.flock(self._file, fcntl.LOCK_EX)
        with self._guard:
            if self._is_left:
                os.close(self._file)
            else:
                self._has_lock.set()
