"""A table as its row, there and back."""

from typing import Any

from sqlalchemy import Row

from ginapi.store.state import read_dealt, write_dealt
from ginapi.tables.clock import Clock, ClockTerms
from ginapi.tables.values import Offer, Table


def opened(table: Table) -> dict[str, Any]:
    """The whole row of a table that has just been opened."""
    row = {
        "id": table.id,
        "kind": table.kind,
        "fair": table.fair,
        "target": table.target,
        "level": table.level,
        "opener": table.opener,
        "seed": table.seed,
        "stake": table.stake,
        "created_ms": table.created_ms,
        "private": table.private,
        "invite": table.invite,
        "told": table.told,
        **changed(table),
        **_rematch(table),
    }
    if table.clock is not None:
        row |= table.clock.terms._asdict()
    return row


def changed(table: Table) -> dict[str, Any]:
    """What a call may have changed."""
    row = {
        "status": table.status,
        "version": table.version,
        "winner": table.winner,
        "ended": table.ended,
        "hand": write_dealt(table.dealt),
        "changed_ms": table.changed_ms,
    }
    clock = table.clock
    if clock is not None:
        row |= {
            "missed_0": clock.missed[0],
            "missed_1": clock.missed[1],
            "acted_0": clock.acted[0],
            "acted_1": clock.acted[1],
            "deadline_ms": clock.deadline_ms,
            "next_hand_at_ms": clock.next_hand_at_ms,
            "due_ms": table.due_ms,
            "attempts": 0,
            "not_before_ms": 0,
        }
    return row | _rematch(table) if table.status == "finished" else row


def _rematch(table: Table) -> dict[str, Any]:
    """What asking for a rematch changes, once the match is over."""
    offer = table.offer
    return {
        "rematch_seat": None if offer is None else offer.seat,
        "rematch_until_ms": None if offer is None else offer.until_ms,
        "rematch_table_id": table.rematch_table_id,
    }


def table_of(row: Row[Any]) -> Table:
    """The table that a row holds."""
    return Table(
        id=row.id,
        kind=row.kind,
        status=row.status,
        fair=row.fair,
        target=row.target,
        level=row.level,
        opener=row.opener,
        seed=row.seed,
        stake=row.stake,
        clock=None if row.move_ms is None else _clock_of(row),
        version=row.version,
        dealt=read_dealt(row.id, row.hand),
        winner=row.winner,
        ended=row.ended,
        created_ms=row.created_ms,
        changed_ms=row.changed_ms,
        private=row.private,
        invite=row.invite,
        offer=None if row.rematch_seat is None else Offer(row.rematch_seat, row.rematch_until_ms),
        rematch_table_id=row.rematch_table_id,
        told=row.told,
    )


def _clock_of(row: Row[Any]) -> Clock:
    return Clock(
        ClockTerms(row.move_ms, row.grace_ms, row.computer_turn_ms, row.deal_after_ms),
        (row.missed_0, row.missed_1),
        (row.acted_0, row.acted_1),
        row.deadline_ms,
        row.next_hand_at_ms,
    )
