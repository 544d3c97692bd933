"""`ginapi scheduler`, as a process of its own."""

import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from tests.served.server import GINAPI, TOP, environment
from tests.waiting import LIMIT_S


def start_scheduler(url: str, log: Path, prefix: tuple[str, ...] = (), **settings: str) -> "subprocess.Popen[bytes]":
    """A scheduler on that database; what it says goes to the end of `log`. `prefix` is as `Server` has it."""
    settings = {"GINAPI_DATABASE_URL": url, "GINAPI_SCHEDULER": "process", **settings}
    with open(log, "ab") as output:
        return subprocess.Popen(
            [*prefix, *GINAPI, "scheduler"],
            cwd=TOP,
            env=environment(**settings),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )


def is_up(pid: int) -> bool:
    """Whether a scheduler has found its database, and waits for SIGTERM: nothing before that ends well by it."""
    # The thread that waits for it takes it; all others keep it blocked.
    for path in Path(f"/proc/{pid}/task").glob("*/status"):
        with suppress(FileNotFoundError, ProcessLookupError):  # A thread that has just ended.
            blocked = next(line for line in path.read_text().splitlines() if line.startswith("SigBlk"))
            if int(blocked.split()[1], 16) >> signal.SIGTERM - 1 & 1:
                return True
    return False


def ended(process: "subprocess.Popen[bytes]", number: int) -> tuple[int, float]:
    """The status with which a process ends that is told to, and how many seconds it took."""
    began = time.monotonic()
    process.send_signal(number)
    return process.wait(LIMIT_S), time.monotonic() - began
