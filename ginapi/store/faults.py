"""What can go wrong with a database, told apart by what its caller can do about it."""

import psycopg
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

# The first letters of PostgreSQL's SQLSTATE.
_PG_BUSY = ("55P03", "57014")  # a lock, or a statement, took longer than its limit
_PG_DEADLOCK = ("40P01",)
_PG_UNAVAILABLE = ("08", "53", "57P", "25P03")  # no connection, no room, shutting down, too long idle
# SQLite's primary result codes.
_SQLITE_BUSY = {5, 6}  # BUSY, LOCKED
_SQLITE_UNAVAILABLE = {8, 10, 13, 14}  # READONLY, IOERR, FULL, CANTOPEN


class Busy(Exception):
    """The database did not get to it in time; nothing was changed, and the same again may succeed."""


class Deadlock(Busy):
    """Two transactions waited for each other, and this one was given up; nothing was changed."""


class Unavailable(Exception):
    """The database cannot be reached. If it went away during a commit, nobody knows whether that took place."""


def fault_of(error: BaseException) -> Busy | Unavailable | None:
    """What a driver's `error` means to a caller who could wait and ask again; None if nothing of the kind."""
    driver_error = _driver_error(error)
    state = getattr(driver_error, "sqlstate", None) or ""
    code = getattr(driver_error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if state.startswith(_PG_DEADLOCK):
        return Deadlock("The database gave this transaction up to end a deadlock.")
    if state.startswith(_PG_BUSY) or primary in _SQLITE_BUSY:
        return Busy("The database did not grant a lock in time.")
    is_dead = isinstance(error, DBAPIError) and error.connection_invalidated
    if is_dead or state.startswith(_PG_UNAVAILABLE) or primary in _SQLITE_UNAVAILABLE:
        return Unavailable("The database cannot be reached.")
    return None


def is_dead(connection: Connection, error: BaseException) -> bool:
    """Whether a driver's own error says that the server is gone."""
    dialect = connection.dialect
    return isinstance(error, dialect.loaded_dbapi.Error) and dialect.is_disconnect(
        error, connection.connection.dbapi_connection, None
    )


def explain(error: BaseException) -> None:
    """Raise the fault that `error` means, if any.

    Either way `error` loses what PostgreSQL quotes under DETAIL: it may be a whole row, with cards and seed.
    """
    for each in (error, _driver_error(error)):
        if isinstance(each, DBAPIError | psycopg.Error):
            each.args = tuple(arg.split("\nDETAIL:")[0] if isinstance(arg, str) else arg for arg in each.args)
    fault = fault_of(error)
    if fault is not None:
        raise fault from error


def _driver_error(error: BaseException) -> BaseException | None:
    return error.orig if isinstance(error, DBAPIError) else error
