"""A host of the service as the drill of rolling restarts has it: `ginapi serve` on a port of loopback."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path

TOP = Path(__file__).parent.parent
COMMAND = (sys.executable, "-c", "from ginapi.cli import main; main()")
ANSWER_S = 30.0
LOOK_EVERY_S = 0.05
STOP_S = 20.0
"""The graceful timeout, and what a busy machine needs: whoever takes longer has not stopped cleanly."""
_WORKER = re.compile(r"(Booting worker with pid: |Worker exiting \(pid: )([0-9]+)")


class Fault(Exception):
    """What a drill was to show does not hold."""


@dataclass(frozen=True, slots=True)
class Load:
    """What is restarted, how often, and under how much of what."""

    database_url: str
    restarts: int = 10
    hosts: int = 1
    workers: int = 2
    clients: int = 6
    within_s: float = 300.0


class Host:
    """One host: `ginapi serve` on a port of loopback, with its log."""

    def __init__(self, load: Load, folder: Path, number: int) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port: int = listener.getsockname()[1]
        self._load = load
        self._log = folder / f"host-{number}.log"
        self._start()

    def _start(self) -> None:
        given = {name: value for name, value in os.environ.items() if not name.startswith("GINAPI_")}
        settings = {"WEB_CONCURRENCY": str(self._load.workers), "GINAPI_DATABASE_URL": self._load.database_url}
        settings |= {"PORT": str(self.port), "GINAPI_RATE_LIMITS": "off", "GINAPI_LOG_LEVEL": "INFO"}
        with open(self._log, "ab") as log:
            self._process = subprocess.Popen(
                [*COMMAND, "serve", "--bind", f"127.0.0.1:{self.port}"],
                cwd=TOP,
                env={**given, **settings, "PYTHONPATH": str(TOP)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def wait_until_ready(self, until: float) -> None:
        while not self._answers():
            if self._process.poll() is not None:
                raise Fault(f"a host ended with status {self._process.returncode} before it was ready")
            wait_a_little(until, "a host did not get ready")

    def _answers(self) -> bool:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_S)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()

    def _workers(self) -> set[str]:
        """The workers that have begun and not ended, as the log says."""
        running: set[str] = set()
        for what, pid in _WORKER.findall(self._log.read_text(errors="replace")):
            if what.startswith("Booting"):
                running.add(pid)
            else:
                running.discard(pid)
        return running

    def replace_workers(self, until: float) -> None:
        """Have every worker replaced, and wait until all of the old have ended."""
        before = self._workers()
        self._process.send_signal(signal.SIGHUP)
        while len(now := self._workers()) < self._load.workers or now & before:
            if self._process.poll() is not None:
                raise Fault(f"a host ended with status {self._process.returncode} as its workers were replaced")
            wait_a_little(until, "the workers were not replaced")
        self.wait_until_ready(until)

    def restart(self, until: float) -> None:
        """Stop it, cleanly and in time, and start it again."""
        self.stop()
        self._start()
        self.wait_until_ready(until)

    def stop(self) -> None:
        self._process.terminate()
        try:
            status = self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            raise Fault(f"a host that was told to stop ran on for {STOP_S} s") from None
        if status != 0:
            raise Fault(f"a host that was told to stop ended with status {status}")

    def kill(self) -> None:
        """End whatever of it still runs."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


def wait_a_little(until: float, otherwise: str) -> None:
    if time.monotonic() > until:
        raise Fault(otherwise)
    time.sleep(LOOK_EVERY_S)
