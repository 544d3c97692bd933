"""A table as its row, there and back."""

from collections.abc import Sequence
from typing import Any

from ginapi.store.schema import tables
from ginapi.store.state import read_dealt, write_dealt
from ginapi.tables.clock import Clock, ClockTerms
from ginapi.tables.values import Offer, Table

COLUMN_COUNT = len(tables.columns)


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


def table_of(row: Sequence[Any]) -> Table:
    """The table that a row holds, whose first values are the columns of `tables` in their order."""
    (
        table_id, kind, status, fair, target, level, opener, seed, stake, move_ms, grace_ms, computer_turn_ms,
        deal_after_ms, missed_0, missed_1, acted_0, acted_1, deadline_ms, next_hand_at_ms, _, _, _, version, winner,
        ended, hand, created_ms, changed_ms, private, invite, rematch_seat, rematch_until_ms, rematch_table_id, told,
    ) = row[:COLUMN_COUNT]  # fmt: skip
    clock = None
    if move_ms is not None:
        terms = ClockTerms(move_ms, grace_ms, computer_turn_ms, deal_after_ms)
        acted = bool(acted_0), bool(acted_1)
        clock = Clock(terms, (missed_0, missed_1), acted, deadline_ms, next_hand_at_ms)
    return Table(
        table_id,
        kind,
        status,
        bool(fair),
        target,
        level,
        opener,
        seed,
        stake,
        clock,
        version,
        read_dealt(table_id, hand),
        winner,
        ended,
        created_ms,
        changed_ms,
        bool(private),
        invite,
        None if rematch_seat is None else Offer(rematch_seat, rematch_until_ms),
        rematch_table_id,
        bool(told),
    )
