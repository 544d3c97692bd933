"""What callers may send but for moves: the bodies and queries of the contract, each field strict."""

from collections.abc import Mapping, Sequence
from typing import Any

from marshmallow import ValidationError, fields, validates_schema

from ginapi.api.fields import (
    AccountName,
    Body,
    Cards,
    Choice,
    Query,
    QueryInteger,
    StrictBoolean,
    StrictInteger,
    Text,
    errors_of,
    refuse_repeated,
)
from ginapi.api.schemas_moves import meld_places, melds_field
from ginapi.config import (
    CURSOR_CHARACTERS,
    HAND_NUMBER,
    INVITE_CHARACTERS,
    NAME_CHARACTERS,
    ONLINE_MOVE_MS,
    PAGE_ITEMS,
    PASSWORD_CHARACTERS,
    PRACTICE_MOVE_MS,
    SEED_CHARACTERS,
    TARGET_POINTS,
    TICKET_CHARACTERS,
    WAIT_MS,
    WHOLE_NUMBER,
)
from ginapi.errors import Reason, Refused
from ginapi.game.cards import Card
from ginapi.game.rules import HOUSE
from ginapi.players import LEVELS


def read(schema: Body | Query, sent: Any) -> Any:
    """What the schema makes of `sent`; raises Refused with a pointer for each thing that is wrong."""
    try:
        return schema.load(sent)
    except ValidationError as error:
        errors = errors_of(error)
        place, why = errors[0]
        raise Refused(Reason.INVALID_REQUEST, f"At {place}: {why}" if place else why, errors) from None


def _places(name: str, cards: Sequence[Any]) -> list[tuple[tuple[str | int, ...], Card]]:
    return [((name, index), card) for index, card in enumerate(cards)]


class ClockAsked(Body):
    """A clock for a practice table."""

    move_ms = StrictInteger(
        *PRACTICE_MOVE_MS, required=True, metadata={"description": "The time for each move.", "examples": [30000]}
    )


class OpenPractice(Body):
    """A practice table and its first hand."""

    level = Choice(*LEVELS, load_default="medium", metadata={"description": "How well the computer plays."})
    opener = Choice(
        "player",
        "computer",
        load_default="player",
        metadata={"description": "Who begins the first hand; after it the opener alternates."},
    )
    seed = Text(
        1,
        SEED_CHARACTERS,
        metadata={
            "description": "Gives the same deals on every machine. Marks the table as not fair.",
            "examples": ["tuesday"],
        },
    )
    deck = Cards(
        52,
        52,
        metadata={
            "description": (
                "The first hand's deck, top first: cards go out one at a time, the opener first; the 21st is the "
                "face-up discard, the 22nd the top of the stock. Marks the table as not fair."
            ),
        },
    )
    target = StrictInteger(
        1, TARGET_POINTS, load_default=HOUSE.target, metadata={"description": "The score that wins the match."}
    )

    clock = fields.Nested(
        ClockAsked,
        metadata={"description": "A clock, where one is wanted: without it there is all the time in the world (R22)."},
    )

    @validates_schema
    def no_card_twice(self, loaded: Mapping[str, Any], **kwargs: Any) -> None:
        refuse_repeated(_places("deck", loaded.get("deck", ())))


class OpenPracticeTable(OpenPractice):
    """A practice table: what `POST /v1/hands` takes."""

    kind = Choice("practice", required=True)


class OpenCoinTable(Body):
    """A coin table against the computer: the stake and nothing else. Coins have no cash value."""

    kind = Choice("coin", required=True)
    stake = StrictInteger(
        0, WHOLE_NUMBER, required=True, metadata={"description": "One of `GET /v1/stakes`.", "examples": [100]}
    )


class OnlineClock(Body):
    """The clock of a table between people."""

    move_ms = StrictInteger(
        *ONLINE_MOVE_MS, required=True, metadata={"description": "The time for each move.", "examples": [30000]}
    )


class OpenOnlineTable(OpenPractice):
    """A table between people. Only a private one without a stake takes a seed, a deck or a target: it is not rated."""

    class Meta:
        exclude = ("level", "opener")

    kind = Choice("online", required=True)
    stake = StrictInteger(
        0, WHOLE_NUMBER, load_default=0, metadata={"description": "0, or one of `GET /v1/stakes`.", "examples": [0]}
    )
    private = StrictBoolean(
        load_default=False,
        metadata={"description": "Shown to those alone who sit there: the answer has an invite code to pass on."},
    )
    clock = fields.Nested(OnlineClock, metadata={"description": "A clock of one's own; else the house's (R21)."})

    @validates_schema(pass_original=True)
    def own_deals_in_private_alone(self, loaded: Mapping[str, Any], sent: Mapping[str, Any], **kwargs: Any) -> None:
        named = [name for name in ("seed", "deck", "target") if name in sent]
        if named and (loaded["stake"] or not loaded["private"]):
            raise ValidationError({name: ["Only a private table without a stake takes this."] for name in named})


class SitDown(Body):
    """Where to sit down: at a private table the invite code says that one may."""

    invite = Text(1, INVITE_CHARACTERS, metadata={"description": "From whoever opened the table."})


class Quick(Body):
    """For how much to play."""

    stake = StrictInteger(
        0, WHOLE_NUMBER, required=True, metadata={"description": "0, or one of `GET /v1/stakes`.", "examples": [0]}
    )


KINDS: dict[str, Body] = {"practice": OpenPracticeTable(), "coin": OpenCoinTable(), "online": OpenOnlineTable()}


class OpenTable(Body):
    """A table of a kind, told apart by `kind`.

    In the OpenAPI document it is the union that `ginapi.api.openapi_unions` registers.
    """

    kind = Choice(*KINDS, required=True)

    def load(self, data: Any, **kwargs: Any) -> Any:
        """What the schema of the body's kind makes of it; raises ValidationError."""
        if not isinstance(data, Mapping):
            raise ValidationError({"_schema": [self.error_messages["type"]]})
        kind = data.get("kind")
        if not isinstance(kind, str) or kind not in KINDS:
            raise ValidationError({"kind": [f"Give one of: {', '.join(KINDS)}."]})
        return KINDS[kind].load(data)


class NameAndPassword(Body):
    """An account by its name and password."""

    name = AccountName(*NAME_CHARACTERS, required=True, metadata={"examples": ["ana"]})
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
        refuse_repeated(_places("cards", loaded["cards"]))


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
        refuse_repeated([*_places("knocker", loaded["knocker"]), *_places("defender", loaded["defender"])])
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
