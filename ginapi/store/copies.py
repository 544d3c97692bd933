"""The whole database as a file, and such a file as the whole of a database that was empty.

Of a SQLite file it is a copy; of PostgreSQL it is what `pg_dump` archives, by the programs of the server's version.
Either is of one moment, and nobody who plays waits for it.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from psycopg.conninfo import make_conninfo
from psycopg.pq import Conninfo
from sqlalchemy.exc import DBAPIError

from ginapi.store.database import Database
from ginapi.store.faults import Unavailable
from ginapi.store.migrate import newer_fault, revision

_DEBIAN = "/usr/lib/postgresql/{version}/bin"
_MAGIC = {"sqlite": b"SQLite format 3\0", "postgresql": b"PGDMP"}
_BESIDE = ("", "-wal", "-shm", "-journal")  # a file of SQLite, and what of another would be taken to belong to it
_VERSION = re.compile(r"\(PostgreSQL\) (?P<major>[0-9]+)")
_VERSION_ROW = re.compile(r"^COPY [^\n]*alembic_version [^\n]*\n(?P<revision>[^\n\\]+)$", re.MULTILINE)
_TABLES = (
    "SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace "
    "WHERE relkind IN ('r', 'p') AND nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')"
)


class NotCopied(Exception):
    """What keeps a backup from being written or restored: a sentence for the operator."""


def back_up(database: Database, path: Path, programs: str | None) -> None:
    """Write the database to a new file, which is there whole or not at all. Raises NotCopied.

    `programs` is the folder of `pg_dump`, where it is not to be found by itself.
    """
    if database.is_sqlite and not _file_of(database).exists():
        raise NotCopied(f"There is no database at {_file_of(database)}.")
    with database.read() as tx:
        if revision(tx) is None:
            raise NotCopied("The database holds nothing of ginapi's: is GINAPI_DATABASE_URL right?")
    with _new_file(path) as part:
        if database.is_sqlite:
            _copy_out(database, part)
        else:
            _run("pg_dump", database, programs, [_named(database), "--format=custom", f"--file={part}"])


def restore(database: Database, path: Path, programs: str | None) -> None:
    """Make a backup the whole of a database that is empty: whole, or not at all. Raises NotCopied."""
    magic = _MAGIC[database.url.get_backend_name()]
    try:
        with open(path, "rb") as file:
            fits = file.read(len(magic)) == magic
    except OSError as error:
        raise NotCopied(f"{path}: {error.strerror}.") from error
    if not fits:
        raise NotCopied(f"{path} is no backup of {'a SQLite file' if database.is_sqlite else 'PostgreSQL'}.")
    if database.is_sqlite:
        _copy_in(database, path)
        return
    with database.read() as tx:
        if tx.exec_driver_sql(_TABLES).scalar_one():
            raise NotCopied("The database is not empty: a backup is restored into one that was just created.")
    _refuse_schema(path, _archived_revision(database, path, programs))
    whole = [_named(database), "--single-transaction", "--exit-on-error", str(path.absolute())]
    _run("pg_restore", database, programs, whole)


def _archived_revision(database: Database, path: Path, programs: str | None) -> str | None:
    """The schema of an archive of PostgreSQL: what it would put into the one row of alembic's table."""
    asked = ["--data-only", "--table=alembic_version", "--file=-", str(path.absolute())]
    found = _VERSION_ROW.search(_run("pg_restore", database, programs, asked))
    return None if found is None else found["revision"]


def _refuse_schema(path: Path, present: str | None) -> None:
    """Refuse a backup of something else, or of a newer version: before anything of it is put in place."""
    if present is None:
        raise NotCopied(f"{path} holds nothing of ginapi's.")
    fault = newer_fault(present)
    if fault is not None:
        raise NotCopied(f"{path}: {fault}")


@contextmanager
def _new_file(path: Path) -> Iterator[Path]:
    """A file of another name that becomes `path` once it is whole and on disk; for nobody else to read."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    if os.path.lexists(path):
        raise NotCopied(f"{path} is there already: nothing is overwritten.")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        try:
            yield part
            _sync(part)
            os.link(part, path)  # Where another file came to be there meanwhile a rename would overwrite it.
        finally:
            part.unlink(missing_ok=True)
        _sync(path.parent)
    except OSError as error:
        raise NotCopied(f"{path}: {error.strerror}.") from error


def _sync(path: Path) -> None:
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _file_of(database: Database) -> Path:
    assert database.url.database is not None
    return Path(database.url.database)


def _copy_out(database: Database, part: Path) -> None:
    try:
        with database.connect() as connection:
            connection.exec_driver_sql("VACUUM INTO ?", (str(part),))
    except DBAPIError as error:
        raise NotCopied(f"SQLite: {error.orig}.") from error


def _copy_in(database: Database, path: Path) -> None:
    target = _file_of(database)
    for beside in (target.with_name(f"{target.name}{ending}") for ending in _BESIDE):
        if os.path.lexists(beside):
            raise NotCopied(f"{beside} is there already: a backup is restored to a file that is not there.")
    with _new_file(target) as part:
        shutil.copyfile(path, part)
        copy = Database(f"sqlite:///{part}")
        present = None
        try:
            with copy.connect() as connection:
                told = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
                present = revision(connection) if told == "ok" else None
        except DBAPIError as error:
            told = error.orig
        except Unavailable as error:
            told = error.__cause__
        finally:
            copy.close()
            for ending in ("-wal", "-shm", ".lock"):
                part.with_name(f"{part.name}{ending}").unlink(missing_ok=True)
        if told != "ok":
            raise NotCopied(f"{path} is damaged: {told}.")
        _refuse_schema(path, present)


def _run(name: str, database: Database, programs: str | None, arguments: Sequence[str]) -> str:
    """What a program of PostgreSQL says, which finds the server of the database by itself."""
    with database.read() as tx:
        server = int(tx.exec_driver_sql("SHOW server_version_num").scalar_one()) // 10_000
    asked = [_program(name, server, programs), "--no-owner", "--no-privileges", "--no-password", *arguments]
    environment = {**os.environ, **_environment(database)}
    ran = subprocess.run(asked, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if ran.returncode != 0:
        raise NotCopied(" ".join(ran.stderr.split()) or f"{name} ended with status {ran.returncode}.")
    return ran.stdout


def _named(database: Database) -> str:
    """The argument that names the database to a program."""
    return f"--dbname={make_conninfo(dbname=database.url.database)}"


def _environment(database: Database) -> dict[str, str]:
    """What libpq is told about the database: not as arguments, which everybody on the machine can read."""
    url = database.url.difference_update_query(["prepare_threshold"])  # the driver's, of which libpq knows nothing
    _, given = url.get_dialect()().create_connect_args(url)
    options = Conninfo.parse(make_conninfo(**given).encode())
    return {
        option.envvar.decode(): option.val.decode()
        for option in options
        if option.envvar is not None and option.val is not None
    }


def _program(name: str, server: int, programs: str | None) -> str:
    """A program of PostgreSQL of the server's version: what a newer one dumps, this server may not take back."""
    on_the_path = os.environ.get("PATH", os.defpath).split(os.pathsep)
    other = None
    for folder in [programs] if programs else [_DEBIAN.format(version=server), *on_the_path]:
        candidate = Path(folder, name)
        if not candidate.is_file():
            continue
        try:
            told = subprocess.run([candidate, "--version"], capture_output=True, text=True)
        except OSError as error:
            raise NotCopied(f"{candidate}: {error.strerror}.") from error
        version = _VERSION.search(told.stdout)
        if version is not None and int(version["major"]) == server:
            return str(candidate)
        other = candidate
    found = f"{name} is not there" if other is None else f"{other} is not of the server's version"
    raise NotCopied(
        f"{found}: install PostgreSQL's programs of version {server}, or name their folder: GINAPI_PG_BINDIR."
    )
