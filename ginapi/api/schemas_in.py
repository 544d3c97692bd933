"""What callers may send but for moves and for sitting down: the other bodies, and queries, each field strict."""

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, validates_schema

from ginapi.api.fields import (
    AccountName,
    Body,
    Cards,
    Choice,
    Query,
    QueryInteger,
    StrictInteger,
    Text,
    card_places,
    errors_of,
    refuse_repeated,
)
from ginapi.api.schemas_moves import meld_places, melds_field
from ginapi.config import (
    CURSOR_CHARACTERS,
    HAND_NUMBER,
    NAME_CHARACTERS,
    PAGE_ITEMS,
    PASSWORD_CHARACTERS,
    TICKET_CHARACTERS,
    WAIT_MS,
    WHOLE_NUMBER,
)
from ginapi.errors import Reason, Refused
from ginapi.game.rules import HOUSE


def read(schema: Body | Query, sent: Any) -> Any:
    """What the schema makes of `sent`; raises Refused with a pointer for each thing that is wrong."""
    try:
        return schema.load(sent)
    except ValidationError as error:
        errors = errors_of(error)
        place, why = errors[0]
        raise Refused(Reason.INVALID_REQUEST, f"At {place}: {why}" if place else why, errors) from None


class NewName(Body):
    """A name that an account may have."""

    name = AccountName(*NAME_CHARACTERS, required=True, metadata={"examples": ["ana"]})


class NameAndPassword(NewName):
    """An account by its name and password."""

    password = Text(*PASSWORD_CHARACTERS, required=True, metadata={"examples": ["correct horse"]})


class NextHand(Body):
    """Which hand to deal; the next one where nothing is said."""

    number = StrictInteger(
        1,
        HAND_NUMBER,
        metadata={"description": "Which hand of the table, from 1: dealt now, or returned when it was dealt before."},
    )


class Empty(Body):
    """The body of a request that takes none: `{}`."""


class MeldsAnalysis(Body):
    """Cards to be laid out."""

    cards = Cards(1, HOUSE.hand_size + 1, required=True, metadata={"examples": [["7s", "7h", "7d", "Kd"]]})

    @validates_schema
    def no_card_twice(self, loaded: Mapping[str, Any], **kwargs: Any) -> None:
        refuse_repeated(card_places("cards", loaded["cards"]))


class ShowdownAnalysis(Body):
    """A knock, and the hand that answers it with its best."""

    knocker = Cards(
        HOUSE.hand_size,
        HOUSE.hand_size,
        required=True,
        metadata={"description": "The knocker's ten cards after the knock."},
    )
    melds = melds_field(required=True, metadata={"description": "The melds that the knocker declares."})
    defender = Cards(
        HOUSE.hand_size, HOUSE.hand_size, required=True, metadata={"description": "The other seat's ten cards."}
    )

    @validates_schema
    def no_card_twice(self, loaded: Mapping[str, Any], **kwargs: Any) -> None:
        refuse_repeated([*card_places("knocker", loaded["knocker"]), *card_places("defender", loaded["defender"])])
        refuse_repeated(meld_places(loaded["melds"]))


class WaitQuery(Query):
    """`GET /v1/hands/{id}` and `GET /v1/tables/{id}`: wait until something newer than `after` is there."""

    after = QueryInteger(0, WHOLE_NUMBER, metadata={"description": "Answer once the version is above this."})
    wait_ms = QueryInteger(0, WAIT_MS, load_default=0, metadata={"description": "How long to wait for that."})


class PageQuery(Query):
    """A page of a list."""

    limit = QueryInteger(1, PAGE_ITEMS, load_default=PAGE_ITEMS, metadata={"description": "At most so many items."})
    cursor = Text(1, CURSOR_CHARACTERS, metadata={"description": "`next` of the page before."})


class RecordsQuery(PageQuery):
    """`GET /v1/hands/{id}/moves`."""

    after = QueryInteger(0, WHOLE_NUMBER, load_default=0, metadata={"description": "Only records after this version."})


class TablesQuery(PageQuery):
    """Which tables."""

    kind = Choice("practice", "coin", "online")
    status = Choice("open", "playing", "finished")
    stake = QueryInteger(0, WHOLE_NUMBER)
    mine = Choice("true", metadata={"description": "Only tables where you sit."})


class EventsQuery(Query):
    """`GET /v1/tables/{id}/events`."""

    after = QueryInteger(
        0, WHOLE_NUMBER, load_default=0, metadata={"description": "Only what comes after the event with this id."}
    )
    ticket = Text(1, TICKET_CHARACTERS, metadata={"description": "Where no Authorization can be sent: a ticket."})


class NoQuery(Query):
    """The query of a route that takes none."""
