"""The service as `ginapi serve` runs it: gunicorn and its worker processes, on a port of loopback, with its own log."""

import os
import signal
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Mapping
from pathlib import Path

import httpx

from ginapi.config import Config

TOP = Path(__file__).parent.parent.parent
APP = "ginapi.api:create_app()"
RIGGED = "tests.served.rigged:create_app()"
SETTINGS = ("--config", "python:ginapi.gunicorn_settings")
GINAPI = (sys.executable, "-c", "from ginapi.cli import main; main()")
"""The command `ginapi`."""
LIMIT_S = 60.0
"""Within this a server is up, or gone, however busy the machine is."""
LOOK_EVERY_S = 0.02


def environment(**settings: str) -> dict[str, str]:
    """The settings given and no others, whatever the tests were started with."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GINAPI_")}
    return {**inherited, "PYTHONPATH": str(TOP), "PYTHONDONTWRITEBYTECODE": "1", **settings}


class Server:
    """gunicorn with an app of ours. It can be killed and started again: the port stays, and so does the database.

    `prefix` is a command that runs it, and must become it: `ip netns exec …` does. A host is `ginapi serve` as an
    operator runs it: who comes while it is down is refused, where a server lets them wait until it is up again.
    """

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, str],
        app: str = APP,
        prefix: tuple[str, ...] = (),
        *,
        is_host: bool = False,
    ) -> None:
        # Bound here: nobody else can get the port. Opened here too and handed down it outlives a server that is killed.
        self._listener = socket.socket()
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._listener.bind(("127.0.0.1", 0))
        if not is_host:
            self._listener.listen(256)
        self._is_host = is_host
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._log = folder / "server.log"
        self._settings = settings
        self._app = app
        self._prefix = prefix
        # With this object at the latest: a test that fails leaves it open, and is not to fail another by that.
        weakref.finalize(self, self._listener.close)
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        listener = self._listener.fileno()
        if self._is_host:
            program = [*GINAPI, "serve", "--bind", self.url.removeprefix("http://")]
        else:
            program = [sys.executable, "-m", "gunicorn", *SETTINGS, "--bind", f"fd://{listener}", self._app]
        with open(self._log, "ab") as log:
            self._process = subprocess.Popen(
                [*self._prefix, *program],
                pass_fds=[] if self._is_host else [listener],
                env=environment(**self._settings),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # a group of its own: it can be killed whole, and nothing else with it
            )
        try:
            self.wait_until_ready()
        except BaseException as error:
            self.kill()
            error.add_note(self.log()[-4000:])
            raise

    def wait_until_ready(self) -> None:
        """Wait until it answers; fails once it has ended instead."""
        wait_until_ready(self.url, self._process)

    @property
    def pid(self) -> int:
        """The master's; its workers are its children."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """What it ended with, if it has."""
        return self._process.poll()

    def kill(self) -> None:
        """End master and workers at once, as a cut of the power would."""
        if self._process.returncode is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(LIMIT_S)

    def wait_until_gone(self) -> None:
        """Wait until it has ended by itself."""
        self._process.wait(LIMIT_S)

    def terminate(self, limit_s: float = LIMIT_S) -> int:
        """End it as an operator does, to be started again; answers its status. Raises TimeoutExpired."""
        self._process.terminate()
        try:
            return self._process.wait(limit_s)
        finally:
            self.kill()

    def stop(self) -> int:
        """End it as an operator does, for good; answers its status."""
        try:
            return self.terminate()
        finally:
            self._listener.close()

    def log(self) -> str:
        """All that it has written, to standard output or standard error."""
        return self._log.read_text()


def wait_until_ready(url: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until the service at `url` can play; fails once its process has ended instead."""
    deadline = time.monotonic() + LIMIT_S
    while True:
        try:
            if httpx.get(f"{url}/readyz", timeout=1).status_code == 200:
                return
        except httpx.TransportError:
            pass  # Not up yet.
        assert process.poll() is None, f"the server ended with status {process.returncode} before it was ready"
        assert time.monotonic() < deadline, "the server did not get ready"
        time.sleep(LOOK_EVERY_S)


def config_of(database_url: str) -> Config:
    """The settings of a service on that database, all others by default."""
    return Config.from_env({"GINAPI_DATABASE_URL": database_url})
