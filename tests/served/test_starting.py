"""How the service starts, by either command, and what it says when it cannot."""

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from ginapi.api import SchemaBehind, create_app
from ginapi.service.house import House
from ginapi.store.database import Database
from ginapi.store.migrate import migrate
from tests.conftest import Databases
from tests.served.playing import answered, connected, opened
from tests.served.server import GINAPI, LIMIT_S, TOP, Server, config_of, environment, wait_until_ready

GUNICORN = [sys.executable, "-m", "gunicorn", "wsgi:app"]
SERVE = [*GINAPI, "serve"]
COMMANDS = pytest.mark.parametrize("command", [GUNICORN, SERVE], ids=["gunicorn wsgi:app", "ginapi serve"])


def free_port() -> int:
    with socket.create_server(("", 0)) as listener:
        return int(listener.getsockname()[1])


@COMMANDS
def test_the_environment_is_all_that_it_takes(command: list[str], database_url: str, tmp_path: Path) -> None:
    port = free_port()  # gunicorn tries for some seconds should another take it meanwhile
    settings = {"PORT": str(port), "WEB_CONCURRENCY": "1", "GINAPI_DATABASE_URL": database_url}
    with open(tmp_path / "log", "wb") as log:
        process = subprocess.Popen(command, cwd=TOP, env=environment(**settings), stdout=log, stderr=log)
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_ready(url, process)
        caller, hand = opened(url)
        caller.close()
        with connected(url, hand["token"]) as again:
            assert answered(again.get(f"/v1/hands/{hand['id']}"))["version"] == 0
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT_S) == 0
    finally:
        process.kill()
        process.wait()
    assert "Traceback" not in (tmp_path / "log").read_text()


def make_app(url: str) -> None:
    """An app made as a worker makes it, on a database that is closed again."""
    database = Database(url)
    try:
        create_app(config_of(url), House(database))
    finally:
        database.close()


def test_the_master_migrates(make_database: Databases, tmp_path: Path) -> None:
    url = make_database("sqlite", migrated=False)
    with pytest.raises(SchemaBehind):
        make_app(url)
    test_the_environment_is_all_that_it_takes(GUNICORN, url, tmp_path)
    make_app(url)


def test_what_workers_are_made_of_is_imported_once_and_no_connection_is_forked(
    database_url: str, tmp_path: Path
) -> None:
    server = Server(tmp_path, {"WEB_CONCURRENCY": "2", "GINAPI_DATABASE_URL": database_url})
    try:
        master = Path("/proc", str(server.pid))
        held = [str(one.readlink()) for one in (master / "fd").iterdir()]
        assert len([one for one in held if one.startswith("socket:")]) == 1  # where it listens
        assert not [one for one in held if database_url.endswith(one)]
        assert len(list((master / "task").iterdir())) == 1  # no thread either
        assert "argon2" in (master / "maps").read_text()  # by which passwords are hashed: the API alone imports it
        assert server.stop() == 0
    finally:
        server.kill()


@COMMANDS
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PORT", "eighty", "PORT 'eighty' is not taken: it must be a whole number from 1 to 65535."),
        ("GINAPI_COIN_MOVE_SM", "90000", "GINAPI_COIN_MOVE_SM is no setting: did you mean GINAPI_COIN_MOVE_MS?"),
        ("GINAPI_DATABASE_URL", "sqlite:////no/such/folder/x.db", "Is GINAPI_DATABASE_URL right?"),
        ("GINAPI_DATABASE_URL", "postgresql://x:secret@127.0.0.1:1/y", "Is GINAPI_DATABASE_URL right?"),
        ("GINAPI_DATABASE_URL", "mysql://x:secret@y/z", "GINAPI_DATABASE_URL is not taken: it must be sqlite:///"),
    ],
    ids=["a wrong value", "an unknown name", "no such folder", "nobody listens", "another database"],
)
def test_what_it_cannot_start_with_is_said_in_one_line(command: list[str], name: str, value: str, said: str) -> None:
    ended = subprocess.run(
        command, cwd=TOP, env=environment(**{name: value}), capture_output=True, text=True, timeout=LIMIT_S
    )
    assert ended.returncode not in (0, None)
    written = ended.stdout + ended.stderr
    lines = [line for line in written.splitlines() if "Starting gunicorn" not in line]
    assert len(lines) == 1 and said in lines[0]
    assert "secret" not in written


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_an_app_refuses_a_schema_that_is_behind(make_database: Databases, kind: str) -> None:
    with pytest.raises(SchemaBehind, match=r"Database schema is at 0000; .* run `ginapi migrate`"):
        make_app(make_database(kind, migrated=False))


def test_a_schema_that_is_newer_is_said_in_one_line(database_url: str) -> None:
    database = Database(database_url)
    with database.write() as tx:
        tx.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    for command in (SERVE, [*GINAPI, "migrate"]):
        settings = environment(GINAPI_DATABASE_URL=database_url)
        ran = subprocess.run(command, cwd=TOP, env=settings, capture_output=True, text=True, timeout=LIMIT_S)
        told = ran.stderr.splitlines()[-1]
        assert ran.returncode == 1 and "schema is at 9999, which is newer than this version knows" in told, ran.stderr
        assert "Traceback" not in ran.stderr


def test_a_worker_that_comes_while_the_database_is_away_serves_as_soon_as_it_is_back(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/away/ginapi.db"
    database = Database(url)
    try:
        caller = create_app(config_of(url), House(database)).test_client()
        assert caller.get("/readyz").status_code == 503 == caller.post("/v1/hands").status_code
        (tmp_path / "away").mkdir()
        migrate(url)
        assert caller.get("/readyz").status_code == 200
        assert caller.post("/v1/hands").status_code == 201
    finally:
        database.close()


def test_a_connection_is_kept_for_longer_than_callers_keep_one() -> None:
    asked = subprocess.run(
        [sys.executable, "-c", "from ginapi.gunicorn_settings import keepalive; print(keepalive)"],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    # nginx keeps its own to a service for 60 s, and browsers and libraries theirs for less.
    assert int(asked.stdout) > 60
