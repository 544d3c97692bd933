"""One database, SQLite or PostgreSQL: transactions that wait their turn, and what can go wrong with them by name.

The driver is left in autocommit and BEGIN is sent from here, for both: SQLite's drivers would begin too late and in the
wrong mode, and on PostgreSQL the BEGIN shows for nothing whether the connection still lives.
"""

import importlib
import logging
import os
from collections.abc import Callable
from functools import cache
from types import ModuleType, TracebackType
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ginapi.settings import database_url
from ginapi.store.faults import Busy, Deadlock, Unavailable, explain, is_dead
from ginapi.store.file_lock import FileLock

CONNECTIONS = 32  # a process; more threads than these wait for one
CONNECTION_WAIT_MS = 5_000
LOCK_WAIT_MS = 5_000  # on SQLite, for whoever writes

POSTGRESQL_SETTINGS = {
    "statement_timeout": "10s",
    # Less than a half of the next: who is first in the line for a row waits anew for its holder, and what waits of a
    # client that was cut off must have given up before the row is free, or it would hold it for as long again.
    "lock_timeout": 2_000,  # milliseconds
    "idle_in_transaction_session_timeout": 5_000,  # or the row lock of a client that was cut off blocks the others
}
# Short, as a request may wait for one and then the other before it is answered 503; and what waits when a line heals
# asks again only after as long as it has waited.
_POSTGRESQL_CONNECT = {
    "connect_timeout": 2,  # seconds for each host of the URL; the least that libpq takes
    "tcp_user_timeout": 3_000,  # milliseconds; without it a connection that was cut hangs for most of a minute
    # The same for one that waits for an answer and has nothing of its own under way, in seconds.
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
}
# A read sees one moment, however many statements it takes, as it does on SQLite.
_BEGIN = {
    "postgresql": ("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "BEGIN ISOLATION LEVEL READ COMMITTED"),
    "sqlite": ("BEGIN", "BEGIN IMMEDIATE"),
}
_CORRUPTS_WAL_BEFORE = (3, 51, 3)

_ONCE_COMMITTED = "once_committed"  # of a connection: what its transaction has left to be done then

_log = logging.getLogger(__name__)
_Answer = TypeVar("_Answer")


class Database:
    """The database at `url`. Connections are made when first needed, and anew in a process forked from this one.

    Do not fork inside a transaction. `url` is `sqlite:///<file>` or `postgresql://…`; ValueError for any other.
    """

    def __init__(self, url: str, connections: int = CONNECTIONS, lock_wait_ms: int = LOCK_WAIT_MS) -> None:
        self.url = make_url(database_url(url))
        self._connections = connections
        self._engines: dict[int, Engine] = {}
        self._begin_read, self._begin_write = _BEGIN[self.url.get_backend_name()]
        self.file_lock = FileLock(f"{self.url.database}.lock", lock_wait_ms) if self.is_sqlite else None

    @property
    def is_sqlite(self) -> bool:
        """Whether this is a file of SQLite."""
        return self.url.get_backend_name() == "sqlite"

    def read(self) -> "Transaction":
        """A transaction that sees one moment and changes nothing. It waits for nobody."""
        return Transaction(self, self._begin_read, None)

    def write(self) -> "Transaction":
        """A transaction that commits when its block ends and leaves no trace when the block raises.

        On SQLite it is alone from its start; on PostgreSQL only rows that it locks or writes are held.
        """
        return Transaction(self, self._begin_write, self.file_lock)

    def transact(self, work: Callable[[Connection], _Answer]) -> _Answer:
        """What `work` answers, run in a write transaction, and once more if the first was the victim of a deadlock.

        What it left to `once_committed` is done then, and not where it raises.
        """
        try:
            return self._transact(work)
        except Deadlock:
            return self._transact(work)

    def _transact(self, work: Callable[[Connection], _Answer]) -> _Answer:
        with self.write() as tx:
            acts: list[Callable[[], None]] = []
            tx.info[_ONCE_COMMITTED] = acts
            answer = work(tx)
        for act in acts:
            act()
        return answer

    def close(self) -> None:
        """Close the connections that this process made and does not use."""
        engine = self._engines.pop(os.getpid(), None)
        if engine is not None:
            engine.dispose()

    def engine(self) -> Engine:
        """This process's engine, made when it is first asked for."""
        # By process: connections that came over a fork stay referenced and untouched, since closing them here would
        # end them for the parent too.
        engine = self._engines.get(os.getpid())
        if engine is None:
            if self.file_lock is not None:
                _write_ahead(self.url, self.file_lock)
            make = _sqlite_engine if self.is_sqlite else _postgresql_engine
            engine = self._engines.setdefault(os.getpid(), make(self.url, self._connections))
        return engine

    def connect(self) -> Connection:
        """A connection from the pool, outside any transaction."""
        try:
            return self.engine().connect()
        except PoolTimeout as error:
            raise Busy(f"All {self._connections} connections were in use for {CONNECTION_WAIT_MS} ms.") from error
        except DBAPIError as error:
            raise Unavailable("The database cannot be reached.") from error


def once_committed(tx: Connection, act: Callable[[], None]) -> None:
    """Have something done as soon as the transaction that `Database.transact` runs is committed, and only then."""
    tx.info.setdefault(_ONCE_COMMITTED, []).append(act)


class Transaction:
    """A transaction as a context manager; enters as a SQLAlchemy Connection, on which nobody else calls commit."""

    # A class: a generator costs more to enter and leave, and every request does both.
    __slots__ = ("_begin", "_connection", "_database", "_file_lock", "_locked")

    def __init__(self, database: Database, begin: str, file_lock: FileLock | None) -> None:
        self._database = database
        self._begin = begin
        self._file_lock = file_lock
        self._locked: int | None = None

    def __enter__(self) -> Connection:
        self._database.engine()
        # The lock first: those who wait for it would keep connections from those who only read.
        if self._file_lock is not None:
            self._locked = self._file_lock.acquire()
        try:
            connection = self._database.connect()
        except BaseException:
            self._unlock()
            raise
        try:
            try:
                _send(connection, self._begin)
            except Exception as error:
                if not is_dead(connection, error):
                    raise
                # The server went away since the last transaction. Nothing was executed, so another may try; and
                # those that wait in the pool are as dead as this one.
                connection.invalidate()
                connection.close()
                connection.engine.dispose()
                connection = self._database.connect()
                _send(connection, self._begin)
            connection.begin()
        except BaseException as error:
            _discard(connection)
            self._unlock()
            explain(error)
            raise
        self._connection = connection
        return connection

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            if error is None:
                self._connection.commit()
            else:
                self._connection.rollback()
        except BaseException as failure:
            # Closing ends the transaction, whether or not the server can still be told.
            _discard(self._connection)
            explain(failure if error is None else error)
            if error is None:
                raise
        finally:
            self._connection.close()
            self._unlock()
        if error is not None:
            explain(error)

    def _unlock(self) -> None:
        if self._file_lock is not None and self._locked is not None:
            self._file_lock.release(self._locked)
            self._locked = None


@cache
def _sqlite_module() -> ModuleType:
    """The newest SQLite at hand: that of the pysqlite3 wheel, else Python's own."""
    try:
        return importlib.import_module("pysqlite3.dbapi2")
    except ImportError:
        module = importlib.import_module("sqlite3")
    if module.sqlite_version_info < _CORRUPTS_WAL_BEFORE:
        _log.warning(
            "SQLite %s can, rarely, corrupt a file that several processes write: install pysqlite3.",
            module.sqlite_version,
        )
    return module


def _write_ahead(url: URL, file_lock: FileLock) -> None:
    """Have the file write ahead, which it then does for good: readers and a writer do not wait for each other."""
    try:
        # Two processes that change the mode at once do not wait for each other, whatever the timeout.
        locked = file_lock.acquire()
        try:
            connection = _sqlite_module().connect(url.database, timeout=LOCK_WAIT_MS / 1000)
            try:
                connection.execute("PRAGMA journal_mode = WAL")
            finally:
                connection.close()
        finally:
            file_lock.release(locked)
    except _sqlite_module().Error as error:
        raise Unavailable("The database cannot be reached.") from error


def _sqlite_engine(url: URL, connections: int) -> Engine:
    engine = create_engine(
        url,
        module=_sqlite_module(),
        connect_args={"timeout": LOCK_WAIT_MS / 1000, "check_same_thread": False, "isolation_level": None},
        **_pool(connections),
    )

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, record: Any) -> None:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")

    return engine


def _postgresql_engine(url: URL, connections: int) -> Engine:
    given = url.query.get("options", "")
    settings = " ".join(f"-c {name}={value}" for name, value in POSTGRESQL_SETTINGS.items())
    connect: dict[str, Any] = _POSTGRESQL_CONNECT | {"options": f"{settings} {given}".strip()}  # what the URL says wins
    if url.query.get("prepare_threshold") == "none":
        # Behind a pooler each transaction may have another connection, which does not know what was prepared before.
        connect["prepare_threshold"] = None
    return create_engine(
        url.difference_update_query(["options", "prepare_threshold"]),
        isolation_level="AUTOCOMMIT",
        connect_args=connect,
        **_pool(connections),
    )


def _pool(connections: int) -> dict[str, Any]:
    return {
        "pool_size": connections,
        "max_overflow": 0,
        "pool_timeout": CONNECTION_WAIT_MS / 1000,
        "pool_use_lifo": True,  # few connections stay warm, rather than all of them lukewarm
        "pool_reset_on_return": None,  # a Transaction has already ended what it began
        "hide_parameters": True,  # an error's text would carry cards and names into the logs
    }


def _send(connection: Connection, statement: str) -> None:
    """Send `statement` past SQLAlchemy, which takes several times as long to say BEGIN as the driver does."""
    cursor = connection.connection.cursor()
    cursor.execute(statement)
    cursor.close()


def _discard(connection: Connection) -> None:
    if not connection.closed:
        connection.invalidate()
        connection.close()
