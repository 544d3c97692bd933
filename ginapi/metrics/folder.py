"""The folder in which the workers of one master count together: new at each start, gone at its end.

Nothing here imports prometheus_client, which decides by the environment as it is first imported.
"""

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
_PREFIX = "ginapi-metrics-"
_HELD: dict[str, int] = {}
"""By folder the file descriptor that holds it: workers inherit it, so that it is held as long as any of them runs."""


def open_folder(parent: str | None = None) -> None:
    """Make a folder for the workers that are started from here on, and remove those that nobody holds any more."""
    parent = parent or _memory()
    _remove_left(Path(parent))
    unnamed = tempfile.mkdtemp(prefix="new-ginapi-", dir=parent)
    # Held before it has the name by which others find it.
    held = os.open(unnamed, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    folder = str(Path(parent, _PREFIX + unnamed.rpartition("-")[2]))
    os.rename(unnamed, folder)
    _HELD[folder] = held
    os.environ[VARIABLE] = folder


def close_folder() -> None:
    """Remove the folder that this process made."""
    folder = os.environ.get(VARIABLE, "")
    if folder in _HELD:
        del os.environ[VARIABLE]
        os.close(_HELD.pop(folder))
        shutil.rmtree(folder)


def _memory() -> str:
    """Where files are memory, if there is such a place: a disk that is full would end whoever counts on it."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else tempfile.gettempdir()


def _remove_left(parent: Path) -> None:
    """Remove what masters left that were killed; all of a master's processes hold its folder."""
    for folder in parent.glob(f"{_PREFIX}*"):
        try:
            held = os.open(folder, os.O_RDONLY)
        except (FileNotFoundError, PermissionError):
            continue  # Another start has just removed it, or it is another user's.
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except BlockingIOError:
            continue
        finally:
            os.close(held)
