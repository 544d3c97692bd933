"""The log of a table and its finished hands as rows: added to, never changed."""

from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import Connection, Row, bindparam, insert, select

from ginapi.store.prepared import PreparedInsert
from ginapi.store.schema import hands, records
from ginapi.store.state import read_dealt, write_dealt
from ginapi.tables.records import Record
from ginapi.tables.values import Dealt, Outcome, Table


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """A line of a table's score."""

    number: int
    kind: str
    winner: int | None
    points: int


_ADD_RECORDS = PreparedInsert(records)
_FINISH_HANDS = insert(hands)
_HAND = select(hands.c.state).where(hands.c.table_id == bindparam("table_id"), hands.c.number == bindparam("number"))
_HANDS = (
    select(hands.c.number, hands.c.kind, hands.c.winner, hands.c.points)
    .where(hands.c.table_id == bindparam("table_id"))
    .order_by(hands.c.number)
)
_STATES = select(hands.c.state).where(hands.c.table_id == bindparam("table_id"))
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
_OF_SEAT = (
    select(records.c.by)
    .where(
        records.c.table_id == bindparam("table_id"),
        records.c.hand_number == bindparam("hand_number"),
        records.c.version > bindparam("after"),
        records.c.seat == bindparam("of_seat"),
        records.c.event == "move",
    )
    .order_by(records.c.number.desc())
    .limit(1)
)
_LAST_BY = _OF_SEAT
_BY_CLOCK = _OF_SEAT.where(records.c.by == "clock")
_RECORDS = (
    select(records)
    .where(records.c.table_id == bindparam("table_id"), records.c.number > bindparam("after"))
    .order_by(records.c.number)
    .limit(bindparam("limit"))
)


def append(tx: Connection, outcome: Outcome) -> None:
    """The records that a call added, and the hands that ended in it."""
    if outcome.records:
        _ADD_RECORDS.run(tx, [_row(outcome.table.id, record) for record in outcome.records])
    if outcome.finished:
        tx.execute(_FINISH_HANDS, [_finished_row(outcome, dealt) for dealt in outcome.finished])


def append_record(tx: Connection, table_id: str, record: Record) -> None:
    """A record by itself."""
    _ADD_RECORDS.run(tx, [_row(table_id, record)])


def _row(table_id: str, record: Record) -> tuple[Any, ...]:
    return (
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


def _finished_row(outcome: Outcome, dealt: Dealt) -> dict[str, Any]:
    result = dealt.hand.result
    assert result is not None
    ended = next(one for one in outcome.records if one.event == "result" and one.hand_number == dealt.number)
    return {
        "table_id": outcome.table.id,
        "number": dealt.number,
        "kind": result.kind,
        "winner": result.winner,
        "points": result.points,
        "state": write_dealt(dealt),
        "ended_ms": ended.at_ms,
    }


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


def was_last_move_by_clock(tx: Connection, table_id: str, hand_number: int, seat: int) -> bool:
    """Whether the newest move of a seat in a hand was made by the clock."""
    wanted = {"table_id": table_id, "hand_number": hand_number, "of_seat": seat, "after": -1}
    return tx.execute(_LAST_BY, wanted).scalar_one_or_none() == "clock"


def has_clock_moved(tx: Connection, table_id: str, hand_number: int, seat: int, after: int) -> bool:
    """Whether the clock has moved for a seat after a version of a hand."""
    wanted = {"table_id": table_id, "hand_number": hand_number, "of_seat": seat, "after": after}
    return tx.execute(_BY_CLOCK, wanted).first() is not None


def find_finished(tx: Connection, table_id: str) -> list[FinishedHand]:
    """The finished hands of a table, in order."""
    return [FinishedHand(*row) for row in tx.execute(_HANDS, {"table_id": table_id})]


def find_records(tx: Connection, table_id: str, after: int = 0, limit: int = 1_000_000) -> list[Record]:
    """The log of a table after a number, in order."""
    wanted = {"table_id": table_id, "after": after, "limit": limit}
    return [record_of(row) for row in tx.execute(_RECORDS, wanted)]


def all_finished(tx: Connection, table_id: str) -> list[Dealt]:
    """The finished hands of a table as they are stored."""
    return [read_dealt(table_id, state) for state in tx.execute(_STATES, {"table_id": table_id}).scalars()]


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
