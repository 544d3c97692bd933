"""What those who sit at a table are told of it while they look elsewhere: that it is their turn, or over; no cards."""

from typing import Any, NamedTuple

from ginapi.tables.records import Record
from ginapi.tables.values import Outcome, hand_id_of

TURN, HAND_FINISHED, MATCH_FINISHED = "hand.turn", "hand.finished", "match.finished"
SEATS = (0, 1)


class Notice(NamedTuple):
    """Something to tell one seat."""

    event: str
    seat: int
    number: int
    """Of the table's record that it is about: a seat is told of no event twice by one record."""
    at_ms: int
    facts: dict[str, Any]
    """In the contract's words, but for times: built by naming each, and nothing of it is hidden from the seat."""
    deadline_ms: int | None = None
    """Of a turn: until when its move is to be made, where a clock runs."""


def notices(outcome: Outcome) -> list[Notice]:
    """What the seats are to be told of what a call has made of their table, in the order in which it came about."""
    found = []
    for record in outcome.records:
        if record.event == "result":
            found += [_hand_finished(outcome, record, seat) for seat in SEATS]
        elif record.event == "table" and record.body.get("status") == "finished":
            found += [_match_finished(outcome, record, seat) for seat in SEATS]
    return found + _turn(outcome)


def _hand_finished(outcome: Outcome, record: Record, seat: int) -> Notice:
    assert record.hand_number is not None
    facts = {
        **_of_table(outcome, record, seat),
        **_of_hand(outcome, record.hand_number),
        "version": record.version,
        "kind": record.body["kind"],
        "winner": record.body["winner"],
        "knocker": record.body["knocker"],
        "points": record.body["points"],
        "scores": record.body["scores"],
    }
    return Notice(HAND_FINISHED, seat, record.number, record.at_ms, facts)


def _match_finished(outcome: Outcome, record: Record, seat: int) -> Notice:
    facts = {
        **_of_table(outcome, record, seat),
        "winner": record.body["winner"],
        "ended": record.body["ended"],
        "scores": list(outcome.table.scores),
    }
    return Notice(MATCH_FINISHED, seat, record.number, record.at_ms, facts)


def _turn(outcome: Outcome) -> list[Notice]:
    """The decision that stands in the end, unless its seat brought it about itself: it has the answer."""
    table = outcome.table
    hand = table.dealt.hand
    made = [record for record in outcome.records if record.event in ("move", "dealt")]
    seat = hand.turn
    if not made or seat is None or table.status != "playing":
        return []
    if any(record.seat == seat and record.by == "player" for record in made):
        return []
    record = made[-1]
    facts = {
        **_of_table(outcome, record, seat),
        **_of_hand(outcome, table.dealt.number),
        "version": hand.version,
        "phase": str(hand.phase),
        "scores": list(table.scores),
    }
    deadline_ms = None if table.clock is None else table.clock.deadline_ms
    return [Notice(TURN, seat, record.number, record.at_ms, facts, deadline_ms)]


def _of_table(outcome: Outcome, record: Record, seat: int) -> dict[str, Any]:
    return {"table_id": outcome.table.id, "table_version": record.number, "seat": seat}


def _of_hand(outcome: Outcome, number: int) -> dict[str, Any]:
    return {"hand_id": hand_id_of(outcome.table.id, number), "number": number}
