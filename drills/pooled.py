"""pgbouncer between the service and PostgreSQL, and killed while clients play: nothing acknowledged is lost.

It pools by transaction, so that the URL says `prepare_threshold=none`; it takes no settings from a connection, so that
the role has them. Run as `python -m drills.pooled`; Debian's package is pgbouncer.
"""

import argparse
import os
import random
import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg

from drills.away import Taken, drill, report
from drills.checker import faults
from drills.stack import ENDLESS, database, playing, running
from ginapi.store.database import POSTGRESQL_SETTINGS
from tests.postgres import Server as PostgreSQL

CLIENTS = 4
PORT = 6432
PAUSE_S = (0.5, 2.0)
AWAY_S = (0.1, 1.0)
START_S = 10.0
SETTINGS = """
[databases]
drill = host={server} dbname=drill user=ginapi
[pgbouncer]
unix_socket_dir = {folder}
listen_addr =
listen_port = {port}
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
ignore_startup_parameters = options
logfile = {folder}/pgbouncer.log
"""


class Pooler:
    """pgbouncer, which can be killed and started again."""

    def __init__(self, folder: Path, server: PostgreSQL) -> None:
        found = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")
        if found is None:
            raise SystemExit("pgbouncer is not here; on Debian and Ubuntu: sudo apt-get install pgbouncer")
        self._program = found
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._settings = folder / "pgbouncer.ini"
        self._settings.write_text(SETTINGS.format(server=server.folder, folder=folder, port=PORT))
        # It does not run as root either, and has to reach the server's socket.
        self._who = [] if server.user is None else ["--user", server.user]
        folder.chmod(0o777)

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://ginapi@/drill?host={self.folder}&port={PORT}&prepare_threshold=none"

    def start(self) -> None:
        """Start it, and wait until it passes something on."""
        self._process = subprocess.Popen(
            [self._program, "--quiet", *self._who, str(self._settings)], stderr=subprocess.DEVNULL
        )
        ends = time.monotonic() + START_S
        while True:
            try:
                with psycopg.connect(host=str(self.folder), port=PORT, dbname="drill", user="ginapi") as connection:
                    connection.execute("SELECT 1")
                return
            except psycopg.OperationalError:
                assert time.monotonic() < ends, "pgbouncer did not start"
                time.sleep(0.05)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        (self.folder / f".s.PGSQL.{PORT}").unlink(missing_ok=True)


@contextmanager
def pooler(server: PostgreSQL) -> Iterator[Pooler]:
    with tempfile.TemporaryDirectory(prefix="ginapi-pool-", dir="/tmp") as folder:
        made = Pooler(Path(folder), server)
        try:
            made.start()
            yield made
        finally:
            made.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5, help="how often it is taken away")
    parser.add_argument("--seed", default=secrets.token_hex(4))
    asked = parser.parse_args()
    print(f"seed {asked.seed}", flush=True)
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        url, server = held.enter_context(database("postgresql", folder))
        assert server is not None
        for name, value in POSTGRESQL_SETTINGS.items():
            server.run(f"ALTER ROLE ginapi SET {name} = '{value}'")
        pool = held.enter_context(pooler(server))
        stack = held.enter_context(running(folder, pool.url, servers=2))
        clients = held.enter_context(playing(stack, CLIENTS, ENDLESS, asked.seed))
        taken = Taken(pool.kill, pool.start, PAUSE_S, AWAY_S)
        told, took_s = drill(stack, taken, clients, asked.times, random.Random(asked.seed))
        found = faults(url, told)
    report(told, took_s, found)


if __name__ == "__main__":
    main()
