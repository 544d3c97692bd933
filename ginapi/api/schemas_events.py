"""What a stream tells: the `data` of each kind of event, and the ticket that opens one."""

from typing import Any

from apispec import APISpec
from marshmallow import Schema, fields

from ginapi.api.schemas_hand import Answer, Record, a_choice, a_moment, a_text, an_integer, described


class Ticket(Answer):
    """What opens one stream of a table, once."""

    ticket = a_text("For `?ticket=`.")
    expires_at = a_moment("Until when it has to be used.")


class MoveEvent(Record):
    """`event: move`. A move, as `GET /v1/hands/{hand_id}/moves` has it."""

    hand_id = a_text("", "3f2a9c0d1e4b5a687790-1")


class DealtEvent(Answer):
    """`event: dealt`. A hand was dealt."""

    hand_id = a_text("", "3f2a9c0d1e4b5a687790-1")
    number = an_integer("Which hand of the table, from 1.", 1)
    opener = an_integer("The seat that begins.", 0)
    commitment = a_text("As the hand shows it.")
    at = a_moment("When.")


class ResultEvent(Answer):
    """`event: result`. A hand is over; `GET /v1/hands/{hand_id}` shows all of it."""

    hand_id = a_text("", "3f2a9c0d1e4b5a687790-1")
    kind = a_choice("gin", "knock", "undercut", "wash", "left", "void")
    winner = an_integer("The seat that scored, if one did.", 0, allow_none=True)
    knocker = an_integer("The seat that knocked, if one did.", 0, allow_none=True)
    points = an_integer("What the winner scored.", 31)
    scores = fields.List(fields.Integer(), **described("The match's scores after this hand, by seat.", [31, 0]))
    at = a_moment("When.")


class ClockEvent(Answer):
    """`event: clock`. Nobody could serve for a while, in which no clock ran, or the service's time was set."""

    moved_ms = an_integer("How much later deadlines lie; below zero, how much earlier: the time was set back.", 2500)
    at = a_moment("When the clock went on.")


class SeatEvent(Answer):
    """`event: seat`. Somebody sat down."""

    seat = an_integer("", 1)
    name = a_text("", "ana")
    kind = a_choice("guest", "account", "computer")
    at = a_moment("When.")


class TableEvent(Answer):
    """`event: table`. The table was opened, the match is over, or a rematch was asked for: what changed is named."""

    status = a_choice("open", "finished", required=False)
    winner = an_integer("The seat that won the match.", 0, required=False, allow_none=True)
    ended = a_choice("target", "left", "closed", "void", what="Why the match is over.", required=False)
    why = a_text("What the house called the match off for.", required=False)
    rematch = fields.List(
        fields.Integer(), **described("The seats that ask for a rematch; none once that lapses.", [0], required=False)
    )
    rematch_table_id = a_text("Where both play on.", required=False, allow_none=True)
    at = a_moment("When.")


EVENTS: dict[str, type[Schema]] = {
    "move": MoveEvent,
    "dealt": DealtEvent,
    "result": ResultEvent,
    "clock": ClockEvent,
    "seat": SeatEvent,
    "table": TableEvent,
}


def _event(name: str, schema: type[Schema]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "id": {"type": "string", "pattern": "^[0-9]+$", "description": "Its number in the table's log."},
            "event": {"type": "string", "const": name},
            "data": {
                "type": "string",
                "contentMediaType": "application/json",
                "contentSchema": {"$ref": f"#/components/schemas/{schema.__name__}"},
            },
        },
        "required": ["id", "event", "data"],
    }


# Of a stream the schema describes each event.
STREAM: dict[str, Any] = {
    "description": "An event: its number in the table's log, its kind, and one line of JSON of the shape that is named "
    "for the kind. There may be more kinds one day: let pass what you do not know.",
    "oneOf": [_event(name, schema) for name, schema in EVENTS.items()],
}


def register_events(spec: APISpec) -> None:
    """The shapes of what events say: no schema of a stream refers to them as marshmallow does."""
    for schema in EVENTS.values():
        spec.components.schema(schema.__name__, schema=schema)
