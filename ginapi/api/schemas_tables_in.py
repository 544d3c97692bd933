"""What callers send to open a table or to sit down at one, each field strict."""

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validates_schema

from ginapi.api.fields import (
    Body,
    Cards,
    Choice,
    OneOf,
    StrictBoolean,
    StrictInteger,
    Text,
    card_places,
    refuse_repeated,
)
from ginapi.config import (
    INVITE_CHARACTERS,
    PRACTICE_MOVE_MS,
    SEED_CHARACTERS,
    TARGET_POINTS,
    WHOLE_NUMBER,
)
from ginapi.game.rules import HOUSE, RULES
from ginapi.players import LEVELS
from ginapi.settings import ONLINE_MOVE_MS


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
    rules = Choice(
        *RULES,
        load_default=HOUSE.name,
        metadata={
            "description": (
                "`contest`: the first face-up card is offered to the opener and then to the other seat, and after a "
                "wash the same seat opens again."
            ),
        },
    )
    clock = fields.Nested(
        ClockAsked,
        metadata={"description": "A clock, where one is wanted: without it there is all the time in the world (R22)."},
    )

    @validates_schema
    def no_card_twice(self, loaded: Mapping[str, Any], **kwargs: Any) -> None:
        refuse_repeated(card_places("deck", loaded.get("deck", ())))


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
        exclude = ("level", "opener", "rules")

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


class OpenTable(OneOf):
    """A table of a kind."""

    told_by = "kind"
    members = KINDS
    kind = Choice(*KINDS, required=True)
