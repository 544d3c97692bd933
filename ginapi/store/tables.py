"""Tables and their seats as rows: one read finds who asks, where they sit, and the table.

On PostgreSQL the same read tells the time, by the database's clock and once the row is held: `now()` would be the start
of the transaction, and a move that waited for the lock would look punctual.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    Select,
    bindparam,
    func,
    insert,
    select,
    update,
)

from ginapi.store import log
from ginapi.store.clock import moment_ms
from ginapi.store.prepared import Prepared
from ginapi.store.schema import seats, tables, tokens
from ginapi.store.table_rows import COLUMN_COUNT, changed, opened, table_of
from ginapi.tables.values import Outcome, Table

CLOSED = "an account that was closed"
"""What a seat is called whose account is gone: longer than any name that can be chosen."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits where; `principal` is None for the computer."""

    seat: int
    kind: str
    name: str
    principal: str | None


@dataclass(frozen=True, slots=True)
class Found:
    """A table, and the database's time at which it was read; None on SQLite, whose time is the process's own."""

    table: Table
    now_ms: int | None


@dataclass(frozen=True, slots=True)
class FoundSeated(Found):
    """A table found by one who sits there, by which token."""

    seat: int
    principal: str
    kind: str
    used_ms: int
    """When the token was last noted as used."""


class Unreadable(Exception):
    """The row of a table cannot be read as one."""

    def __init__(self, table_id: str) -> None:
        super().__init__(table_id)
        self.table_id = table_id


class Overtaken(Exception):
    """The table was written by another since it was read; nothing was changed."""


_columns = tables.c


def _telling_time(statement: Select[Any]) -> dict[str, Select[Any]]:
    """The statement for each kind of database; on PostgreSQL with the time, read after the row is held."""
    held = statement.cte("held")  # Never folded into the outer select where it locks rows.
    return {"sqlite": statement, "postgresql": select(held, moment_ms("clock_timestamp").label("now_ms"))}


def _prepared(statements: dict[str, Select[Any]]) -> dict[str, Prepared]:
    return {kind: Prepared(statement) for kind, statement in statements.items()}


_SEATED_PLAIN = (
    select(tables, seats.c.seat, tokens.c.principal, tokens.c.kind.label("token_kind"), tokens.c.used_ms)
    .select_from(
        tokens.join(seats, seats.c.principal == tokens.c.principal).join(tables, tables.c.id == seats.c.table_id)
    )
    .where(tokens.c.hash == bindparam("token_hash"), seats.c.table_id == bindparam("table_id"))
)
_SEATED = _prepared(_telling_time(_SEATED_PLAIN))
# Only the table's row is held; on SQLite the whole transaction is alone anyway.
_SEATED_TO_WRITE = _prepared(_telling_time(_SEATED_PLAIN.with_for_update(of=tables, key_share=True)))
_TABLE = select(tables).where(_columns.id == bindparam("table_id"))
_TABLE_TO_WRITE = _telling_time(_TABLE.with_for_update(key_share=True))
_AFTER = select(tables).where(_columns.id > bindparam("table_id")).order_by(_columns.id).limit(1)


def _due(now: Any) -> Select[Any]:
    first = (
        select(tables)
        .where(_columns.due_ms.is_not(None), _columns.due_ms <= now, _columns.not_before_ms <= now)
        .order_by(_columns.due_ms)
        .limit(1)
    )
    return first.with_for_update(key_share=True, skip_locked=True)


# By the start of the statement, which an index can be asked for, unlike a time that goes on.
_DUE = {**_telling_time(_due(moment_ms("statement_timestamp"))), "sqlite": _due(bindparam("now_ms"))}
_DUE_BY = _telling_time(_due(bindparam("now_ms")))
_ANY_DUE = select(_columns.id).where(
    _columns.due_ms <= bindparam("now_ms"), _columns.not_before_ms <= bindparam("now_ms")
)
_FIRST_DUE = (
    select(_columns.due_ms)
    .where(_columns.due_ms.is_not(None), _columns.attempts == 0)
    .order_by(_columns.due_ms)
    .limit(1)
)
_OPEN = insert(tables)
_SIT = insert(seats)
_CALL = update(seats).where(seats.c.principal == bindparam("of_principal")).values(name=bindparam("new_name"))


@cache
def _saving(names: tuple[str, ...]) -> Prepared:
    return Prepared(
        update(tables)
        .where(_columns.id == bindparam("table_id"), _columns.version == bindparam("old_version"))
        .values({name: bindparam(f"new_{name}") for name in names})
    )


_PUT_OFF = (
    update(tables)
    .where(_columns.id == bindparam("table_id"))
    .values(
        attempts=_columns.attempts + 1,
        not_before_ms=bindparam("now_ms") + bindparam("wait_ms") * (_columns.attempts + 1),
    )
)
_SEATS = select(seats).where(seats.c.table_id == bindparam("table_id")).order_by(seats.c.seat)
_VERSIONS = select(_columns.id, _columns.version).where(_columns.id.in_(bindparam("table_ids", expanding=True)))
_OF_PRINCIPAL = seats.join(tables, tables.c.id == seats.c.table_id)
_RUNNING = (
    select(func.count())
    .select_from(_OF_PRINCIPAL)
    .where(seats.c.principal == bindparam("principal"), tables.c.status != "finished")
)
_STAKED = (
    select(tables.c.stake)
    .select_from(_OF_PRINCIPAL)
    .where(seats.c.principal == bindparam("principal"), tables.c.status != "finished", tables.c.stake > 0)
)
_DUE_OF_PRINCIPAL = (
    select(tables.c.id)
    .select_from(_OF_PRINCIPAL)
    .where(seats.c.principal == bindparam("principal"), tables.c.due_ms <= bindparam("now_ms"))
)


def find_seated(tx: Connection, token_hash: bytes, table_id: str, *, to_write: bool = False) -> FoundSeated | None:
    """The table as the token's owner sits there; None when there is no such token, table or seat.

    With `to_write` the table is held until the transaction ends.
    """
    statement = (_SEATED_TO_WRITE if to_write else _SEATED)[tx.dialect.name]
    row = statement.first(tx, {"token_hash": token_hash, "table_id": table_id})
    if row is None:
        return None
    seat, principal, kind, used_ms, *now_ms = row[COLUMN_COUNT:]
    return FoundSeated(table_of(row), now_ms[0] if now_ms else None, seat, principal, kind, used_ms)


def find_to_write(tx: Connection, table_id: str) -> Found | None:
    """The table by its id, held until the transaction ends."""
    row = tx.execute(_TABLE_TO_WRITE[tx.dialect.name], {"table_id": table_id}).one_or_none()
    return None if row is None else Found(table_of(row), _time_in(tx, row))


def find_due(tx: Connection, now_ms: int | None) -> Found | None:
    """The table that is overdue longest and that nobody else holds, held until the transaction ends.

    By `now_ms`, or by PostgreSQL's own clock where that is None. Raises Unreadable, so that it can be put off.
    """
    if now_ms is None:
        row = tx.execute(_DUE[tx.dialect.name]).one_or_none()
    else:
        row = tx.execute(_DUE_BY[tx.dialect.name], {"now_ms": now_ms}).one_or_none()
    if row is None:
        return None
    try:
        return Found(table_of(row), _time_in(tx, row))
    except Exception as error:
        raise Unreadable(row.id) from error


def is_any_due(tx: Connection, now_ms: int) -> bool:
    """Whether any table is overdue: a look that holds nothing."""
    return tx.execute(_ANY_DUE.limit(1), {"now_ms": now_ms}).first() is not None


def first_due_ms(tx: Connection) -> int | None:
    """When the first table is due to act, or was; those that could not be settled left out."""
    due_ms: int | None = tx.execute(_FIRST_DUE).scalar_one_or_none()
    return due_ms


def _time_in(tx: Connection, row: Row[Any]) -> int | None:
    return row.now_ms if tx.dialect.name == "postgresql" else None


def add(tx: Connection, outcome: Outcome, sitting: tuple[Seat, ...]) -> None:
    """A table that has just been opened, those who sit there, and its first records."""
    table = outcome.table
    tx.execute(_OPEN, opened(table))
    sit(tx, table.id, sitting)
    log.append(tx, outcome)


def sit(tx: Connection, table_id: str, sitting: tuple[Seat, ...]) -> None:
    """Those who sit down at a table."""
    tx.execute(
        _SIT,
        [
            {"table_id": table_id, "seat": seat.seat, "kind": seat.kind, "name": seat.name, "principal": seat.principal}
            for seat in sitting
        ],
    )


def save(tx: Connection, outcome: Outcome, old_version: int) -> None:
    """The table as a call has made it, and its records. Raises Overtaken when `old_version` no longer stands."""
    columns = changed(outcome.table)
    new = {f"new_{name}": value for name, value in columns.items()}
    new |= {"table_id": outcome.table.id, "old_version": old_version}
    if _saving(tuple(columns)).run(tx, new) != 1:
        raise Overtaken(outcome.table.id)
    log.append(tx, outcome)


def put_off(tx: Connection, table_id: str, now_ms: int, wait_ms: int) -> None:
    """Leave a table alone for as many waits as it could not be settled in a row: it must not keep others from it."""
    tx.execute(_PUT_OFF, {"table_id": table_id, "now_ms": now_ms, "wait_ms": wait_ms})


def find_seats(tx: Connection, table_id: str) -> list[Seat]:
    """Who sits at a table, by seat."""
    return [Seat(row.seat, row.kind, row.name, row.principal) for row in tx.execute(_SEATS, {"table_id": table_id})]


def call(tx: Connection, principal: str, name: str) -> None:
    """Give every seat of somebody this name."""
    tx.execute(_CALL, {"of_principal": principal, "new_name": name})


def find_table(tx: Connection, table_id: str) -> Table | None:
    """The table by its id, whoever sits there."""
    row = tx.execute(_TABLE, {"table_id": table_id}).one_or_none()
    return None if row is None else table_of(row)


def find_after(tx: Connection, table_id: str) -> Table | None:
    """The table with the next id: a walk over all of them begins after the empty text."""
    row = tx.execute(_AFTER, {"table_id": table_id}).one_or_none()
    return None if row is None else table_of(row)


def versions_of(tx: Connection, table_ids: list[str]) -> dict[str, int]:
    """The version of each of these tables."""
    return {row.id: row.version for row in tx.execute(_VERSIONS, {"table_ids": table_ids})}


def count_running(tx: Connection, principal: str) -> int:
    """At how many tables that are not finished somebody sits."""
    count: int = tx.execute(_RUNNING, {"principal": principal}).scalar_one()
    return count


def running_stakes(tx: Connection, principal: str) -> list[int]:
    """The stakes that somebody has put up at running tables."""
    return list(tx.execute(_STAKED, {"principal": principal}).scalars())


def find_due_seated(tx: Connection, principal: str, now_ms: int) -> list[str]:
    """The tables where somebody sits and something is overdue."""
    return list(tx.execute(_DUE_OF_PRINCIPAL, {"principal": principal, "now_ms": now_ms}).scalars())
