"""The log of a table: every record once, in order, with all that it says."""

from typing import Any, NamedTuple

from ginapi.game.cards import card_text, parse_card
from ginapi.game.hand import Hand, as_made
from ginapi.game.moves import Act, Draw, Leave, Void, move_dict, move_from
from ginapi.game.notation import Entry
from ginapi.game.score import Result


class Record(NamedTuple):
    """One event of a table. `number` counts the table's events, `version` those of its hand.

    `body` has everything that the event says, in the contract's words; who may be told what of it is decided where it
    is shown.
    """

    number: int
    event: str
    """`dealt`, `move`, `result`, `clock`, `seat` or `table`."""
    at_ms: int
    hand_number: int | None
    version: int | None
    seat: int | None
    by: str | None
    """`player`, `computer` or `clock`; `house` where it called the match off."""
    action: str | None
    body: dict[str, Any]


def clock_moved(number: int, began_ms: int, ended_ms: int) -> Record:
    """The record of a clock that stood still while nobody could serve."""
    return Record(number, "clock", ended_ms, None, None, None, None, None, {"moved_ms": ended_ms - began_ms})


def move_body(move: Act, after: Hand) -> dict[str, Any]:
    """What a move's record says, given the hand that it led to: also the drawn card, and what the table filled in."""
    if isinstance(move, Leave | Void):
        return {}
    said = move_dict(as_made(move, after))
    del said["action"]
    if isinstance(move, Draw):
        assert after.drawn_card is not None
        said["card"] = card_text(after.drawn_card)
    return said


_BROKEN_OFF: dict[str | None, Leave | Void] = {"leave": Leave(), "void": Void()}


def result_body(result: Result, scores: tuple[int, int]) -> dict[str, Any]:
    """What the record of a hand's end says; `scores` are the match's after it."""
    return {
        "kind": result.kind,
        "winner": result.winner,
        "knocker": result.knocker,
        "points": result.points,
        "scores": list(scores),
    }


def entry_of(record: Record) -> Entry:
    """A move's record as an entry of the hand's notation."""
    assert record.version is not None and record.by is not None
    body = record.body
    if record.action in _BROKEN_OFF:
        return Entry(record.version, record.seat, record.by, record.at_ms, _BROKEN_OFF[record.action])
    move = move_from({"action": record.action, **body})
    card = parse_card(body["card"]) if isinstance(move, Draw) else None
    return Entry(record.version, record.seat, record.by, record.at_ms, move, card)


def shown_to(record: Record, seat: int | None, over: bool) -> dict[str, Any]:
    """What a seat may see of a move's record, built by naming it; `over` once the hand is finished.

    A card drawn from the stock is for its drawer alone until then. `seat` is None for an onlooker, who is shown no card
    of a running hand.
    """
    body = record.body
    if seat is None and not over:
        return {"from": body["from"]} if record.action == "draw" else {}
    match record.action:
        case "draw" if body["from"] == "stock" and record.seat != seat and not over:
            return {"from": "stock"}
        case "draw":
            return {"from": body["from"], "card": body["card"]}
        case "discard":
            return {"card": body["card"]}
        case "knock":
            return {"card": body["card"], "melds": body["melds"]}
        case "layoff":
            return {"melds": body["melds"], "layoffs": body["layoffs"]}
    return {}
