"""Tables as lists: one's own, the public ones, and the one to sit down at next."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, case, exists, func, select, text, tuple_

from ginapi.store.schema import seats, tables
from ginapi.store.table_rows import table_of
from ginapi.tables.values import Table

_STATUSES = ("finished", "open", "playing")
"""As a list has them from its end: running tables stand first."""
_PUBLIC = text("NOT tables.private")  # As the index says it: another way to say so would not find it.
_RANK = case(*((tables.c.status == status, rank) for rank, status in enumerate(_STATUSES)))


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a list of tables goes on: after the table of this rank, time and id."""

    rank: int
    created_ms: int
    table_id: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in a list, and where the caller sits at it; None for one who only looks."""

    table: Table
    seat: int | None

    @property
    def place(self) -> Place:
        return Place(_STATUSES.index(self.table.status), self.table.created_ms, self.table.id)


def list_seated(
    tx: Connection, principal: str, limit: int, after: Place | None, filters: Mapping[str, str | int]
) -> list[Listed]:
    """Tables where somebody sits: running ones first, then the newest; `filters` by column."""
    statement = (
        select(tables, seats.c.seat)
        .select_from(seats.join(tables, tables.c.id == seats.c.table_id))
        .where(seats.c.principal == principal, *_having(filters))
        .order_by(_RANK.desc(), tables.c.created_ms.desc(), tables.c.id.desc())
        .limit(limit)
    )
    if after is not None:
        place = (after.rank, after.created_ms, after.table_id)
        statement = statement.where(tuple_(_RANK, tables.c.created_ms, tables.c.id) < place)
    return [Listed(table_of(row), row.seat) for row in tx.execute(statement)]


def list_public(tx: Connection, limit: int, after: Place | None, filters: Mapping[str, str | int]) -> list[Listed]:
    """Public tables, in the same order; nobody is taken to sit there."""
    found: list[Listed] = []
    # One status at a time, as the index has them: of a great many tables only those of a page are read.
    for rank, status in reversed(list(enumerate(_STATUSES))):
        if len(found) == limit or (after is not None and rank > after.rank):
            continue
        statement = (
            select(tables)
            .where(_PUBLIC, tables.c.status == status, *_having(filters))
            .order_by(tables.c.created_ms.desc(), tables.c.id.desc())
            .limit(limit - len(found))
        )
        if after is not None and rank == after.rank:
            place = (after.created_ms, after.table_id)
            statement = statement.where(tuple_(tables.c.created_ms, tables.c.id) < place)
        found += [Listed(table_of(row), None) for row in tx.execute(statement)]
    return found


def _having(filters: Mapping[str, str | int]) -> list[ColumnElement[bool]]:
    return [tables.c[name] == value for name, value in filters.items()]


def hold(tx: Connection, stake: int) -> None:
    """Hold the search for a table at a stake until the transaction ends: of two who find none, one opens it."""
    if tx.dialect.name == "postgresql":  # SQLite is held as a whole.
        tx.execute(select(func.pg_advisory_xact_lock(_LOBBY, stake)))


_LOBBY = 0x67696E  # "gin": the first half of an advisory lock's key


def find_open(tx: Connection, stake: int, principal: str, opened_after_ms: int, move_ms: int) -> Table | None:
    """The public table to sit down at, held: the one that waits longest, those with this time for a move first."""
    sits = exists().where(seats.c.table_id == tables.c.id, seats.c.principal == principal)
    statement = (
        select(tables)
        .where(_PUBLIC, tables.c.status == "open")
        .where(tables.c.stake == stake, tables.c.created_ms > opened_after_ms, ~sits)
        .order_by(case((tables.c.move_ms == move_ms, 0), else_=1), tables.c.created_ms)
        .limit(1)
        .with_for_update(key_share=True, skip_locked=True)
    )
    row = tx.execute(statement).one_or_none()
    return None if row is None else table_of(row)


def find_waiting(tx: Connection, stake: int, principal: str, opened_after_ms: int) -> Table | None:
    """The public table at which somebody waits already."""
    statement = (
        select(tables)
        .select_from(seats.join(tables, tables.c.id == seats.c.table_id))
        .where(seats.c.principal == principal, _PUBLIC, tables.c.status == "open")
        .where(tables.c.stake == stake, tables.c.created_ms > opened_after_ms)
        .order_by(tables.c.created_ms)
        .limit(1)
    )
    row = tx.execute(statement).one_or_none()
    return None if row is None else table_of(row)


def waiting_of(tx: Connection, principal: str) -> list[str]:
    """The tables, public or not, at which somebody waits for a second player."""
    waiting = select(tables.c.id).select_from(seats.join(tables, tables.c.id == seats.c.table_id))
    return list(tx.execute(waiting.where(seats.c.principal == principal, tables.c.status == "open")).scalars())
