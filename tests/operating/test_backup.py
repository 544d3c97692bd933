"""A backup is of one moment, however busy the service is; restored elsewhere, its books are right and it plays on."""

import os
import shutil
import stat
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ginapi.cli import main
from ginapi.service import serving
from ginapi.store.database import Database
from tests.accounts.people import open_account, told
from tests.api.caller import Api, Player, drawer, keen
from tests.conftest import KINDS, Databases
from tests.postgres import find_programs

HOUR_MS = 3_600_000


def ginapi(url: str, *arguments: str, **settings: str) -> Result:
    environ = {"GINAPI_DATABASE_URL": url, "GINAPI_PG_BINDIR": str(find_programs()), **settings}
    return CliRunner().invoke(main, list(arguments), env=environ)


def url_of(api: Api) -> str:
    return api.database.url.render_as_string(hide_password=False)


@pytest.fixture
def empty_url(fresh_api: Api, make_database: Databases) -> Iterator[str]:
    """A database of the same kind with nothing in it."""
    url = make_database("sqlite" if fresh_api.database.is_sqlite else "postgresql", migrated=False)
    yield url
    if not url.startswith("sqlite") or Path(url.removeprefix("sqlite:///")).exists():
        make_database.drop(url)


def test_backed_up_under_load_and_restored_elsewhere_it_plays_on(
    fresh_api: Api, empty_url: str, tmp_path: Path
) -> None:
    fresh_api.choose = drawer
    token = open_account(fresh_api)
    coins = told(fresh_api.post("/v1/tables", {"kind": "coin", "stake": 100}, token), 201)
    serving.beat(fresh_api.house)
    over, played = threading.Event(), []

    def play() -> None:
        while not over.is_set():
            hand = Player(fresh_api, level="easy").play_out(keen)
            played.append(hand["id"])

    player = threading.Thread(target=play)
    player.start()
    try:
        while not played:
            over.wait(0.01)
        ran = ginapi(url_of(fresh_api), "backup", str(tmp_path / "copy"))
        count = len(played)
    finally:
        over.set()
        player.join()
    assert ran.exit_code == 0, ran.output
    assert ran.output == f"{tmp_path / 'copy'}: {os.path.getsize(tmp_path / 'copy')} bytes.\n"
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["copy"]
    restored = ginapi(empty_url, "restore", str(tmp_path / "copy"))
    assert restored.exit_code == 0 and "Run `ginapi audit`" in restored.output, restored.output
    audited = ginapi(empty_url, "audit")
    assert audited.exit_code == 0, audited.output
    assert 2 <= int(audited.stderr.split()[0]) <= count + 3
    again = Api(empty_url, choose=drawer)
    try:
        # An hour lay between the two, in which nobody served: no clock ran in it.
        again.clock.now_ms = fresh_api.clock.now_ms + HOUR_MS
        serving.beat(again.house)
        hand = told(again.get(f"/v1/hands/{coins['hand_id']}", token))
        assert (hand["version"], hand["clock"]["remaining_ms"]) == (0, 90_000)
        draw = {"action": "draw", "from": "stock"}
        assert told(again.post(f"/v1/hands/{coins['hand_id']}/moves", draw, token))["version"] == 1
    finally:
        again.close()


def test_no_file_is_overwritten(fresh_api: Api, tmp_path: Path) -> None:
    (tmp_path / "copy").write_text("mine")
    ran = ginapi(url_of(fresh_api), "backup", str(tmp_path / "copy"))
    assert (ran.exit_code, ran.stderr) == (1, f"Error: {tmp_path / 'copy'} is there already: nothing is overwritten.\n")
    assert (tmp_path / "copy").read_text() == "mine" and len(list(tmp_path.iterdir())) == 1


def test_a_folder_that_is_not_there_is_one_line(fresh_api: Api, tmp_path: Path) -> None:
    ran = ginapi(url_of(fresh_api), "backup", str(tmp_path / "none" / "copy"))
    assert ran.exit_code == 1 and ran.stderr == f"Error: {tmp_path / 'none' / 'copy'}: No such file or directory.\n"


def test_a_database_that_holds_something_is_left_as_it_is(fresh_api: Api, tmp_path: Path) -> None:
    ginapi(url_of(fresh_api), "backup", str(tmp_path / "copy"))
    Player(fresh_api)
    before = fresh_api.rows()
    ran = ginapi(url_of(fresh_api), "restore", str(tmp_path / "copy"))
    assert ran.exit_code == 1 and len(ran.stderr.splitlines()) == 1
    assert ("not empty" in ran.stderr) or ("is there already" in ran.stderr)
    assert fresh_api.rows() == before


def test_what_is_no_backup_of_this_kind_is_refused(fresh_api: Api, empty_url: str, tmp_path: Path) -> None:
    other = b"PGDMP..." if fresh_api.database.is_sqlite else b"SQLite format 3\0..."
    for content in (other, b"", b"hello"):
        (tmp_path / "copy").write_bytes(content)
        ran = ginapi(empty_url, "restore", str(tmp_path / "copy"))
        assert ran.exit_code == 1 and "is no backup of" in ran.stderr
    assert "No such file" in ginapi(empty_url, "restore", str(tmp_path / "none")).stderr


def test_a_damaged_backup_leaves_nothing_behind(fresh_api: Api, empty_url: str, tmp_path: Path) -> None:
    for _ in range(20):
        Player(fresh_api)
    ginapi(url_of(fresh_api), "backup", str(tmp_path / "copy"))
    content = (tmp_path / "copy").read_bytes()
    (tmp_path / "copy").write_bytes(content[: len(content) // 2])
    ran = ginapi(empty_url, "restore", str(tmp_path / "copy"))
    assert ran.exit_code == 1 and len(ran.stderr.splitlines()) == 1, ran.output
    if fresh_api.database.is_sqlite:
        name = Path(empty_url).name
        assert not list(Path(empty_url.removeprefix("sqlite:///")).parent.glob(f"*{name}*"))
    else:
        database = Database(empty_url)
        with database.read() as tx:
            assert tx.exec_driver_sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").scalar_one() == 0
        database.close()


def left_in(url: str) -> int:
    """How many files, or tables, there are of a database that was to stay empty."""
    if url.startswith("sqlite"):
        path = Path(url.removeprefix("sqlite:///"))
        return len(list(path.parent.glob(f"*{path.name}*")))
    database = Database(url)
    with database.read() as tx:
        count: int = tx.exec_driver_sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").scalar_one()
    database.close()
    return count


def test_a_backup_of_a_newer_version_is_refused_and_leaves_nothing_behind(
    fresh_api: Api, empty_url: str, tmp_path: Path
) -> None:
    with fresh_api.database.write() as tx:
        tx.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    assert ginapi(url_of(fresh_api), "backup", str(tmp_path / "copy")).exit_code == 0
    ran = ginapi(empty_url, "restore", str(tmp_path / "copy"))
    assert ran.exit_code == 1 and "schema is at 9999, which is newer" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1 and left_in(empty_url) == 0


def test_a_backup_of_something_else_is_refused_and_leaves_nothing_behind(
    fresh_api: Api, empty_url: str, tmp_path: Path
) -> None:
    with fresh_api.database.write() as tx:
        tx.exec_driver_sql("ALTER TABLE alembic_version RENAME TO bookmarks")
    refused = ginapi(url_of(fresh_api), "backup", str(tmp_path / "copy"))
    assert refused.exit_code == 1 and "holds nothing of ginapi's" in refused.stderr
    migrated = ginapi(url_of(fresh_api), "migrate")
    assert migrated.exit_code == 1 and migrated.stderr.startswith(
        "Error: The database has tables, and none of ginapi's"
    )
    if fresh_api.database.is_sqlite:
        with fresh_api.database.connect() as connection:
            connection.exec_driver_sql("VACUUM INTO ?", (str(tmp_path / "copy"),))
    else:
        dump = [find_programs() / "pg_dump", "--format=custom", f"--file={tmp_path / 'copy'}"]
        subprocess.run([*dump, url_of(fresh_api).replace("+psycopg", "")], check=True)
    ran = ginapi(empty_url, "restore", str(tmp_path / "copy"))
    assert (ran.exit_code, ran.stderr) == (1, f"Error: {tmp_path / 'copy'} holds nothing of ginapi's.\n")
    assert left_in(empty_url) == 0


@pytest.mark.parametrize("command", ["backup", "restore"])
@pytest.mark.parametrize("name", ["", ".", "/", "b\udcff"])
def test_a_name_that_names_no_file_is_refused(fresh_api: Api, command: str, name: str) -> None:
    ran = ginapi(url_of(fresh_api), command, name)
    assert ran.exit_code == 2 and "Error: " in ran.stderr.splitlines()[-1]


@pytest.fixture
def postgresql_url(make_database: Databases) -> Iterator[str]:
    url = make_database("postgresql")
    yield url
    make_database.drop(url)


@pytest.mark.parametrize("version", ["9.6.1", "99.1"])
def test_programs_that_are_not_there_or_of_another_version_are_named(
    postgresql_url: str, tmp_path: Path, version: str
) -> None:
    ran = ginapi(postgresql_url, "backup", str(tmp_path / "copy"), GINAPI_PG_BINDIR=str(tmp_path))
    assert ran.exit_code == 1 and ran.stderr.startswith("Error: pg_dump is not there: install PostgreSQL's programs of")
    other = tmp_path / "pg_dump"
    other.write_text(f"#!/bin/sh\necho 'pg_dump (PostgreSQL) {version}'\n")
    other.chmod(0o755)
    ran = ginapi(postgresql_url, "backup", str(tmp_path / "copy"), GINAPI_PG_BINDIR=str(tmp_path))
    assert ran.exit_code == 1 and ran.stderr.startswith(f"Error: {other} is not of the server's version: install")


def test_an_option_of_the_driver_alone_keeps_nobody_from_a_backup(postgresql_url: str, tmp_path: Path) -> None:
    ran = ginapi(f"{postgresql_url}&prepare_threshold=none", "backup", str(tmp_path / "copy"))
    assert (ran.exit_code, ran.stderr) == (0, "") and (tmp_path / "copy").stat().st_size


def test_a_password_is_no_argument_of_any_program(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / "seen"
    for name in ("pg_dump", "pg_restore"):
        real = find_programs() / name
        (tmp_path / name).write_text(
            f'#!/bin/sh\n[ "$1" = --version ] || echo "$@ and $PGPASSWORD" >> {seen}\nexec {real} "$@"\n'
        )
        (tmp_path / name).chmod(0o755)
    url = postgresql_url.replace("ginapi@", "ginapi:hunter2@")
    ran = ginapi(url, "backup", str(tmp_path / "copy"), GINAPI_PG_BINDIR=str(tmp_path))
    assert ran.exit_code == 0, ran.output
    arguments, _, password = seen.read_text().strip().partition(" and ")
    assert (password, "hunter2" in arguments) == ("hunter2", False)


@pytest.mark.parametrize("kind", KINDS)
def test_a_database_that_cannot_be_had_is_one_line(kind: str, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/none.db" if kind == "sqlite" else "postgresql://x:hunter2@127.0.0.1:1/y"
    ran = ginapi(url, "backup", str(tmp_path / "copy"))
    assert ran.exit_code == 1 and len(ran.stderr.splitlines()) == 1 and "hunter2" not in ran.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("beside", ["-wal", "-journal"])
def test_what_is_left_of_another_file_is_not_taken_for_the_restored_ones(tmp_path: Path, beside: str) -> None:
    shutil.copy(__file__, tmp_path / f"new.db{beside}")
    (tmp_path / "copy").write_bytes(b"SQLite format 3\0")
    ran = ginapi(f"sqlite:///{tmp_path}/new.db", "restore", str(tmp_path / "copy"))
    assert ran.exit_code == 1 and f"new.db{beside} is there already" in ran.stderr
