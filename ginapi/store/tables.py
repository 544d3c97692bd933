"""Tables, their seats, hands and records as rows: one read finds who asks, where they sit, and the table."""

from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import Connection, Row, and_, bindparam, func, insert, select, update

from ginapi.store.prepared import Prepared, PreparedInsert
from ginapi.store.schema import hands, records, seats, tables, tokens
from ginapi.store.state import read_dealt, write_dealt
from ginapi.tables.records import Record
from ginapi.tables.table import Dealt, Outcome, Table


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits where; `principal` is None for the computer."""

    seat: int
    kind: str
    name: str
    principal: str | None


@dataclass(frozen=True, slots=True)
class Seated:
    """A table found by one who sits there, and by which token."""

    table: Table
    seat: int
    principal: str
    used_ms: int
    """When the token was last noted as used."""


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """A line of a table's score."""

    number: int
    kind: str
    winner: int | None
    points: int


class Overtaken(Exception):
    """The table was written by another since it was read; nothing was changed."""


_columns = tables.c
_SEATED = (
    select(tokens.c.principal, tokens.c.used_ms, seats.c.seat, tables)
    .select_from(
        tokens.join(seats, seats.c.principal == tokens.c.principal).join(tables, tables.c.id == seats.c.table_id)
    )
    .where(tokens.c.hash == bindparam("token_hash"), seats.c.table_id == bindparam("table_id"))
)
# Only the table's row is held; on SQLite the whole transaction is alone anyway.
_SEATED_TO_WRITE = _SEATED.with_for_update(of=tables, key_share=True)
_OPEN = insert(tables)
_SIT = insert(seats)
_ADD_RECORDS = PreparedInsert(records)
_FINISH_HAND = insert(hands)
_CHANGED = ("status", "version", "winner", "ended", "hand", "changed_ms")
_SAVE = Prepared(
    update(tables)
    .where(_columns.id == bindparam("table_id"), _columns.version == bindparam("old_version"))
    .values({name: bindparam(f"new_{name}") for name in _CHANGED})
)
_HAND = select(hands.c.state).where(hands.c.table_id == bindparam("table_id"), hands.c.number == bindparam("number"))
_HANDS = (
    select(hands.c.number, hands.c.kind, hands.c.winner, hands.c.points)
    .where(hands.c.table_id == bindparam("table_id"))
    .order_by(hands.c.number)
)
_SEATS = select(seats).where(seats.c.table_id == bindparam("table_id")).order_by(seats.c.seat)
_MOVES = (
    select(records)
    .where(
        records.c.table_id == bindparam("table_id"),
        records.c.hand_number == bindparam("hand_number"),
        records.c.version > bindparam("after"),
        records.c.event == "move",
    )
    .order_by(records.c.version)
    .limit(bindparam("limit"))
)
_RECORDS = select(records).where(records.c.table_id == bindparam("table_id")).order_by(records.c.number)
_STATES = select(hands.c.state).where(hands.c.table_id == bindparam("table_id"))
_TABLE = select(tables).where(_columns.id == bindparam("table_id"))
_AFTER = select(tables).where(_columns.id > bindparam("table_id")).order_by(_columns.id).limit(1)
_VERSIONS = select(_columns.id, _columns.version).where(_columns.id.in_(bindparam("table_ids", expanding=True)))
_RUNNING = (
    select(func.count())
    .select_from(seats.join(tables, and_(tables.c.id == seats.c.table_id, tables.c.status != "finished")))
    .where(seats.c.principal == bindparam("principal"))
)


def find_seated(tx: Connection, token_hash: bytes, table_id: str, *, to_write: bool = False) -> Seated | None:
    """The table as the token's owner sits there; None when there is no such token, table or seat.

    With `to_write` the table is held until the transaction ends.
    """
    statement = _SEATED_TO_WRITE if to_write else _SEATED
    row = tx.execute(statement, {"token_hash": token_hash, "table_id": table_id}).one_or_none()
    return None if row is None else Seated(_table_of(row), row.seat, row.principal, row.used_ms)


def add(tx: Connection, outcome: Outcome, sitting: tuple[Seat, ...]) -> None:
    """A table that has just been opened, those who sit there, and its first records."""
    table = outcome.table
    row = {
        "id": table.id,
        "kind": table.kind,
        "fair": table.fair,
        "target": table.target,
        "level": table.level,
        "opener": table.opener,
        "seed": table.seed,
        "created_ms": table.created_ms,
        **_changed(table),
    }
    tx.execute(_OPEN, row)
    tx.execute(
        _SIT,
        [
            {"table_id": table.id, "seat": seat.seat, "kind": seat.kind, "name": seat.name, "principal": seat.principal}
            for seat in sitting
        ],
    )
    _append(tx, outcome)


def save(tx: Connection, outcome: Outcome, old_version: int) -> None:
    """The table as a call has made it, and its records. Raises Overtaken when `old_version` no longer stands."""
    new = {f"new_{name}": value for name, value in _changed(outcome.table).items()}
    saved = _SAVE.run(tx, {**new, "table_id": outcome.table.id, "old_version": old_version})
    if saved.rowcount != 1:
        raise Overtaken(outcome.table.id)
    _append(tx, outcome)


def find_hand(tx: Connection, table: Table, number: int) -> Dealt | None:
    """Hand `number` of a table: the one that stands in its row, or a finished one."""
    if number == table.dealt.number:
        return table.dealt
    state = tx.execute(_HAND, {"table_id": table.id, "number": number}).scalar_one_or_none()
    return None if state is None else read_dealt(table.id, state)


def find_moves(tx: Connection, table_id: str, hand_number: int, after: int = 0, limit: int = 1_000_000) -> list[Record]:
    """The records of a hand's moves after a version, in order."""
    wanted = {"table_id": table_id, "hand_number": hand_number, "after": after, "limit": limit}
    return [record_of(row) for row in tx.execute(_MOVES, wanted)]


def find_finished(tx: Connection, table_id: str) -> list[FinishedHand]:
    """The finished hands of a table, in order."""
    return [FinishedHand(*row) for row in tx.execute(_HANDS, {"table_id": table_id})]


def find_seats(tx: Connection, table_id: str) -> list[Seat]:
    """Who sits at a table, by seat."""
    return [Seat(row.seat, row.kind, row.name, row.principal) for row in tx.execute(_SEATS, {"table_id": table_id})]


def find_records(tx: Connection, table_id: str) -> list[Record]:
    """The whole log of a table, in order."""
    return [record_of(row) for row in tx.execute(_RECORDS, {"table_id": table_id})]


def all_finished(tx: Connection, table_id: str) -> list[Dealt]:
    """The finished hands of a table as they are stored."""
    return [read_dealt(table_id, state) for state in tx.execute(_STATES, {"table_id": table_id}).scalars()]


def find_table(tx: Connection, table_id: str) -> Table | None:
    """The table by its id, whoever sits there."""
    row = tx.execute(_TABLE, {"table_id": table_id}).one_or_none()
    return None if row is None else _table_of(row)


def find_after(tx: Connection, table_id: str) -> Table | None:
    """The table with the next id: a walk over all of them begins after the empty text."""
    row = tx.execute(_AFTER, {"table_id": table_id}).one_or_none()
    return None if row is None else _table_of(row)


def versions_of(tx: Connection, table_ids: list[str]) -> dict[str, int]:
    """The version of each of these tables."""
    return {row.id: row.version for row in tx.execute(_VERSIONS, {"table_ids": table_ids})}


def count_running(tx: Connection, principal: str) -> int:
    """At how many tables that are not finished somebody sits."""
    count: int = tx.execute(_RUNNING, {"principal": principal}).scalar_one()
    return count


def record_of(row: Row[Any]) -> Record:
    """A record from its row."""
    return Record(
        number=row.number,
        event=row.event,
        at_ms=row.at_ms,
        hand_number=row.hand_number,
        version=row.version,
        seat=row.seat,
        by=row.by,
        action=row.action,
        body=orjson.loads(row.body),
    )


def _changed(table: Table) -> dict[str, Any]:
    return {
        "status": table.status,
        "version": table.version,
        "winner": table.winner,
        "ended": table.ended,
        "hand": write_dealt(table.dealt),
        "changed_ms": table.changed_ms,
    }


def _append(tx: Connection, outcome: Outcome) -> None:
    table_id = outcome.table.id
    _ADD_RECORDS.run(
        tx,
        [
            (
                table_id,
                record.number,
                record.event,
                record.hand_number,
                record.version,
                record.seat,
                record.by,
                record.action,
                record.at_ms,
                orjson.dumps(record.body).decode(),
            )
            for record in outcome.records
        ],
    )
    finished = outcome.finished
    if finished is not None:
        assert finished.hand.result is not None
        tx.execute(
            _FINISH_HAND,
            {
                "table_id": table_id,
                "number": finished.number,
                "kind": finished.hand.result.kind,
                "winner": finished.hand.result.winner,
                "points": finished.hand.result.points,
                "state": write_dealt(finished),
                "ended_ms": outcome.table.changed_ms,
            },
        )


def _table_of(row: Row[Any]) -> Table:
    return Table(
        id=row.id,
        kind=row.kind,
        status=row.status,
        fair=row.fair,
        target=row.target,
        level=row.level,
        opener=row.opener,
        seed=row.seed,
        version=row.version,
        dealt=read_dealt(row.id, row.hand),
        winner=row.winner,
        ended=row.ended,
        created_ms=row.created_ms,
        changed_ms=row.changed_ms,
    )
