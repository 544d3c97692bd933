"""What goes wrong with a database has a name, changes nothing, and heals where it can."""

import threading
import traceback

import pytest
from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from ginapi.store import database as database_module
from ginapi.store import schema
from ginapi.store.database import POSTGRESQL_SETTINGS, Database
from ginapi.store.faults import Busy, Deadlock, Unavailable
from ginapi.store.prepared import Prepared
from tests.conftest import Databases
from tests.store.rows import TABLE_ID, table_row, version_of

WITHIN_S = 60


def test_an_error_of_the_database_leaves_no_trace_and_quotes_no_row(table: Database) -> None:
    secret = "As Kd 7h"
    row = table_row("b" * 20) | {"hand": secret, "kind": None}
    prepared = Prepared(insert(schema.tables).values({name: bindparam(f"new_{name}") for name in row}))
    of_driver = table.engine().dialect.loaded_dbapi.IntegrityError
    for expected, send in (
        (IntegrityError, lambda tx: tx.execute(insert(schema.tables), [row])),
        (of_driver, lambda tx: prepared.run(tx, {f"new_{name}": value for name, value in row.items()})),
    ):
        with pytest.raises(expected) as caught, table.write() as tx:
            tx.execute(update(schema.tables).values(version=1))
            send(tx)
        assert secret not in "".join(traceback.format_exception(caught.value))
        assert version_of(table) == 0


def test_a_lock_that_is_not_granted_in_time_is_busy(
    table: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "LOCK_WAIT_MS", 50)
    impatient = Database(database_url)
    impatient.file_lock = None  # as another program would write: without the file that ours queue at
    with table.write() as holder:
        holder.execute(update(schema.tables).values(version=1))
        with pytest.raises(Busy), impatient.write() as tx:
            tx.exec_driver_sql("SET LOCAL lock_timeout = 50")
            tx.execute(update(schema.tables).values(version=2))
    impatient.close()
    assert version_of(table) == 1


def test_more_threads_than_connections_wait_and_then_are_told(
    table: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "CONNECTION_WAIT_MS", 50)
    narrow = Database(database_url, connections=1)
    with narrow.read(), pytest.raises(Busy, match="All 1 connections were in use"), narrow.read():
        pass
    narrow.close()


@pytest.mark.parametrize("url", ["sqlite:////nowhere/at/all.db", "postgresql://ginapi@/x?host=/nowhere/at/all"])
def test_a_database_that_is_not_there_is_unavailable(url: str) -> None:
    with pytest.raises(Unavailable), Database(url).read():
        pass


def test_connections_cut_by_a_restart_heal_unseen(make_database: Databases) -> None:
    database = Database(make_database("postgresql"))
    with database.read(), database.read(), database.write():
        pass  # three connections wait in the pool
    make_database.server.restart()
    with database.write() as tx:
        tx.execute(insert(schema.tables), [table_row(TABLE_ID)])
    assert version_of(database) == 0
    database.close()


def test_a_connection_cut_inside_a_transaction_is_unavailable_and_leaves_no_trace(make_database: Databases) -> None:
    database = Database(make_database("postgresql"))
    with database.write() as tx:
        tx.execute(insert(schema.tables), [table_row(TABLE_ID)])
    read = select(schema.tables.c.version)
    # Found out by the next statement, whichever way it is sent, or only by the commit.
    for then in (
        lambda tx: tx.execute(read),
        lambda tx: Prepared(read).first(tx, {}),
        lambda tx: Prepared(update(schema.tables).values(version=bindparam("new"))).run(tx, {"new": 2}),
        lambda tx: None,
    ):
        with pytest.raises(Unavailable), database.write() as tx:
            tx.execute(update(schema.tables).values(version=1))
            make_database.server.run(f"SELECT pg_terminate_backend({_backend(tx)})")
            then(tx)
        assert version_of(database) == 0
    database.close()


def test_the_victim_of_a_deadlock_is_run_again(make_database: Databases) -> None:
    database = Database(make_database("postgresql"))
    with database.write() as tx:
        tx.execute(insert(schema.tables), [table_row("a"), table_row("b")])
    met = threading.Barrier(2)
    runs: list[str] = []
    won = threading.Event()

    def raise_both(first: str, second: str) -> None:
        def work(tx: Connection) -> None:
            runs.append(first)
            again = runs.count(first) > 1
            if again:
                # Or it may be quicker at its row than the other, which is still waking up: a second deadlock.
                assert won.wait(WITHIN_S)
            # Only one of the two looks for a deadlock in time: on a slow machine both might, and both be given up.
            tx.exec_driver_sql(f"SET LOCAL deadlock_timeout = '{'100ms' if first == 'a' else '60s'}'")
            for at, table_id in enumerate((first, second)):
                raised = update(schema.tables).where(schema.tables.c.id == table_id)
                tx.execute(raised.values(version=schema.tables.c.version + 1))
                if at == 0 and not again:
                    met.wait(WITHIN_S)

        database.transact(work)
        won.set()

    threads = [threading.Thread(target=raise_both, args=pair) for pair in (("a", "b"), ("b", "a"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WITHIN_S)
    with database.read() as tx:
        assert tx.execute(select(schema.tables.c.version)).scalars().all() == [2, 2]
    assert len(runs) == 3
    database.close()


def test_a_client_that_is_cut_off_holds_a_row_no_longer_than_one_of_its_transactions(make_database: Databases) -> None:
    """In half the time. Whatever waits in the line behind the first has given up before the row is free."""
    names = ("lock_timeout", "idle_in_transaction_session_timeout")
    options = "%20".join(f"-c%20{name}%3D{POSTGRESQL_SETTINGS[name] // 2}" for name in names)
    url = make_database("postgresql")
    database = Database(f"{url}{'&' if '?' in url else '?'}options={options}")
    with database.write() as tx:
        tx.execute(insert(schema.tables), [table_row(TABLE_ID)])
    held, over = threading.Semaphore(0), threading.Event()
    outcomes: list[type[Exception] | None] = []

    def hold() -> None:
        try:
            with database.write() as tx:
                tx.execute(select(schema.tables.c.version).with_for_update())
                outcomes.append(None)
                held.release()
                over.wait(WITHIN_S)  # It says nothing more, as one that is cut off.
        except (Busy, Unavailable) as fault:
            if not over.is_set():
                outcomes.append(type(fault))

    threads = [threading.Thread(target=hold) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert held.acquire(timeout=WITHIN_S)
    waits = Database(f"{url}{'&' if '?' in url else '?'}options=-c%20lock_timeout%3D0")
    with waits.write() as tx:
        tx.execute(select(schema.tables.c.version).with_for_update())
        over.set()
    for thread in threads:
        thread.join(WITHIN_S)
    assert outcomes == [None, Busy, Busy, Busy]
    waits.close()
    database.close()


def test_a_second_deadlock_is_told(database: Database) -> None:
    runs = []

    def work(tx: Connection) -> None:
        runs.append(tx)
        raise Deadlock("again")

    with pytest.raises(Deadlock):
        database.transact(work)
    assert len(runs) == 2


def _backend(tx: Connection) -> int:
    return tx.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
