"""Transactions on both databases, with real processes and real failures."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from ginapi.settings import database_url
from ginapi.store import schema
from ginapi.store.database import Database
from ginapi.store.faults import Unavailable
from tests.conftest import Databases
from tests.store.rows import TABLE_ID, table_row, version_of

WITHIN_S = 60
PROCESSES = 4
THREADS = 3
ROUNDS = 25

# What each process of a race runs: read the version, think, write it back raised, and leave a record.
COUNTER = f"""
import sys, threading
from sqlalchemy import insert, select, update
from ginapi.store import schema
from ginapi.store.database import Database
database = Database(sys.argv[1])
tables, records = schema.tables, schema.records
def count():
    for _ in range({ROUNDS}):
        with database.write() as tx:
            version = tx.execute(select(tables.c.version).with_for_update(key_share=True)).scalar_one() + 1
            tx.execute(update(tables).values(version=version))
            tx.execute(insert(records).values(
                table_id="{TABLE_ID}", number=version, event="move", at_ms=1, body="{{}}"))
        with database.read() as tx:
            assert tx.execute(select(tables.c.version)).scalar_one() >= version
threads = [threading.Thread(target=count) for _ in range({THREADS})]
for thread in threads: thread.start()
for thread in threads: thread.join()
database.close()
"""

# A writer that says when it holds the row, and then holds it for as long as it lives.
HOLDER = """
import sys
from sqlalchemy import update
from ginapi.store import schema
from ginapi.store.database import Database
with Database(sys.argv[1]).write() as tx:
    tx.execute(update(schema.tables).values(version=99))
    print("held", flush=True)
    sys.stdin.read()
"""


def test_read_modify_write_from_many_processes_and_threads_loses_nothing(table: Database, database_url: str) -> None:
    processes = [_run(COUNTER, database_url) for _ in range(PROCESSES)]
    for process in processes:
        _, errors = process.communicate(timeout=WITHIN_S)
        assert (process.returncode, errors) == (0, "")
    expected = PROCESSES * THREADS * ROUNDS
    assert version_of(table) == expected
    with table.read() as tx:
        assert tx.execute(select(func.count()).select_from(schema.records)).scalar_one() == expected


def test_a_killed_writer_leaves_no_trace_and_holds_up_nobody(table: Database, database_url: str) -> None:
    process = _run(HOLDER, database_url)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    process.kill()
    started = time.monotonic()
    with table.write() as tx:
        tx.execute(update(schema.tables).values(version=schema.tables.c.version + 1))
    assert time.monotonic() - started < 2
    assert process.wait(WITHIN_S) == -signal.SIGKILL
    process.communicate()
    assert version_of(table) == 1


def test_a_reader_does_not_wait_for_a_writer_and_does_not_see_its_work(table: Database) -> None:
    with table.write() as tx:
        tx.execute(update(schema.tables).values(version=1))
        assert version_of(table) == 0
    assert version_of(table) == 1


def test_a_read_sees_one_moment_through_all_its_statements(table: Database) -> None:
    with table.read() as tx:
        before = tx.execute(select(schema.tables.c.version)).scalar_one()
        with table.write() as other:
            other.execute(update(schema.tables).values(version=1))
        assert tx.execute(select(schema.tables.c.version)).scalar_one() == before


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_block_that_raises_leaves_no_trace(table: Database, error: type[BaseException]) -> None:
    with pytest.raises(error), table.write() as tx:
        tx.execute(update(schema.tables).values(version=1))
        raise error
    assert version_of(table) == 0
    with table.write() as tx:  # the lock is free again
        tx.execute(update(schema.tables).values(version=2))
    assert version_of(table) == 2


def test_a_row_that_names_no_table_is_refused(table: Database) -> None:
    with pytest.raises(IntegrityError), table.write() as tx:
        tx.execute(insert(schema.seats), [{"table_id": "none", "seat": 0, "kind": "guest", "name": "ana"}])


def test_a_read_on_postgresql_cannot_write(make_database: Databases) -> None:
    database = Database(make_database("postgresql"))
    with pytest.raises(DBAPIError, match="read-only"), database.read() as tx:
        tx.execute(insert(schema.tables), [table_row(TABLE_ID)])
    database.close()


def test_a_forked_process_has_connections_of_its_own(table: Database) -> None:
    with table.read() as tx:
        before = tx.execute(select(schema.tables.c.version)).scalar_one()
    child = os.fork()
    if child == 0:
        try:
            with table.write() as tx:
                tx.execute(update(schema.tables).values(version=before + 1))
        finally:
            os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert version_of(table) == before + 1


def test_a_lock_that_cannot_be_opened_is_unavailable(make_database: Databases) -> None:
    database = Database(make_database("sqlite"))
    with database.read():
        pass
    lock = Path(f"{database.url.database}.lock")
    lock.unlink()
    lock.mkdir()
    with pytest.raises(Unavailable), database.write():
        pass
    with database.read():
        pass
    database.close()


def test_sqlite_is_set_to_lose_nothing(make_database: Databases) -> None:
    database = Database(make_database("sqlite"))
    with database.write() as tx:
        found = {
            name: tx.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
        }
    database.close()
    assert found == {"journal_mode": "wal", "synchronous": 2, "busy_timeout": 5_000, "foreign_keys": 1}


def test_postgresql_is_set_to_wait_for_nothing_long(make_database: Databases) -> None:
    database = Database(make_database("postgresql"))
    with database.write() as tx:
        names = ("transaction_isolation", "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
        found = {name: tx.exec_driver_sql(f"SHOW {name}").scalar_one() for name in names}
    database.close()
    assert found == {
        "transaction_isolation": "read committed",
        "statement_timeout": "10s",
        "lock_timeout": "2s",
        "idle_in_transaction_session_timeout": "5s",
    }


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("sqlite:///a/b.db", "sqlite:///a/b.db"),
        ("postgres://u@h/d", "postgresql+psycopg://u@h/d"),
        ("postgresql://u@h/d", "postgresql+psycopg://u@h/d"),
    ],
)
def test_a_url_is_understood_as_the_settings_do(text: str, means: str) -> None:
    assert str(Database(text).url) == means == database_url(text)


@pytest.mark.parametrize("text", ["", "gin.db", "sqlite://", "sqlite:///:memory:", "mysql://u@h/d", "sqlite+x:///b.db"])
def test_any_other_url_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="sqlite"):
        Database(text)


def _run(code: str, url: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, url],
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
