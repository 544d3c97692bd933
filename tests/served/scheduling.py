"""`ginapi scheduler`, as a process of its own."""

import subprocess
import time
from pathlib import Path

from tests.served.server import GINAPI, TOP, environment
from tests.waiting import LIMIT_S


def start_scheduler(url: str, log: Path, **settings: str) -> "subprocess.Popen[bytes]":
    """A scheduler on that database; what it says goes to the end of `log`."""
    settings = {"GINAPI_DATABASE_URL": url, "GINAPI_SCHEDULER": "process", **settings}
    with open(log, "ab") as output:
        return subprocess.Popen(
            [*GINAPI, "scheduler"],
            cwd=TOP,
            env=environment(**settings),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )


def ended(process: "subprocess.Popen[bytes]", number: int) -> tuple[int, float]:
    """The status with which a process ends that is told to, and how many seconds it took."""
    began = time.monotonic()
    process.send_signal(number)
    return process.wait(LIMIT_S), time.monotonic() - began
