"""What callers may send: the bodies and queries of the contract, each field strict."""

from collections.abc import Mapping, Sequence
from typing import Any

from marshmallow import ValidationError, fields, post_load, validate, validates_schema

from ginapi.api.fields import (
    Body,
    Cards,
    CardText,
    Choice,
    Query,
    QueryInteger,
    StrictInteger,
    Text,
    errors_of,
    repeated_cards,
)
from ginapi.errors import Reason, Refused
from ginapi.game.cards import Card, mask_of
from ginapi.game.moves import Discard, Draw, Knock, LaidOff, LayOff, Move
from ginapi.game.rules import HOUSE

MAX_MELDS = 11
MAX_MELD_CARDS = 11
MAX_LAYOFFS = 10
MAX_SEED_CHARACTERS = 128
MAX_TARGET = 1000
MAX_HANDS = 10_000
MAX_NUMBER = 2**31 - 1
MAX_WAIT_MS = 25_000
MAX_PAGE = 100
MAX_CURSOR_CHARACTERS = 200

_CLOCK_NOT_OFFERED = "Clocks are not offered yet: leave this out, and take all the time you like."


def read(schema: Body | Query, sent: Any) -> Any:
    """What the schema makes of `sent`; raises Refused with a pointer for each thing that is wrong."""
    try:
        return schema.load(sent)
    except ValidationError as error:
        errors = errors_of(error)
        place, why = errors[0]
        raise Refused(Reason.INVALID_REQUEST, f"At {place}: {why}" if place else why, errors) from None


def _melds(**kwargs: Any) -> fields.List[Any]:
    melds = validate.Length(0, MAX_MELDS, error=f"Give at most {MAX_MELDS} melds.")
    return fields.List(
        Cards(1, MAX_MELD_CARDS), validate=melds, error_messages={"invalid": "This is not an array of melds."}, **kwargs
    )


def _places(name: str, cards: Sequence[Any]) -> list[tuple[tuple[str | int, ...], Card]]:
    return [((name, index), card) for index, card in enumerate(cards)]


def _meld_places(melds: Sequence[Sequence[Card]]) -> list[tuple[tuple[str | int, ...], Card]]:
    return [(("melds", at, index), card) for at, meld in enumerate(melds) for index, card in enumerate(meld)]


def _refuse_repeated(places: Sequence[tuple[tuple[str | int, ...], Card]]) -> None:
    errors = repeated_cards(places)
    if errors:
        raise ValidationError(errors)


class OpenPractice(Body):
    """A practice table and its first hand."""

    not_offered = {"clock": _CLOCK_NOT_OFFERED}

    level = Choice(
        "easy", "medium", "hard", load_default="medium", metadata={"description": "How well the computer plays."}
    )
    opener = Choice(
        "player",
        "computer",
        load_default="player",
        metadata={"description": "Who begins the first hand; after it the opener alternates."},
    )
    seed = Text(
        1,
        MAX_SEED_CHARACTERS,
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
        1, MAX_TARGET, load_default=HOUSE.target, metadata={"description": "The score that wins the match."}
    )

    @validates_schema
    def no_card_twice(self, loaded: Mapping[str, Any], **kwargs: Any) -> None:
        _refuse_repeated(_places("deck", loaded.get("deck", ())))


class OpenTable(OpenPractice):
    """A table of a kind; a practice table takes what `POST /v1/hands` takes."""

    kind = Choice("practice", required=True, metadata={"description": "Who plays, and for what."})

    def handle_error(self, error: ValidationError, data: Any, *, many: bool, **kwargs: Any) -> None:
        super().handle_error(error, data, many=many, **kwargs)
        kind = data.get("kind") if isinstance(data, Mapping) else None
        if kind in ("coin", "online"):  # what else such a body holds is not judged
            error.messages = {"kind": [f"Tables of kind {kind} are not offered yet: open one of kind practice."]}


class DrawMove(Body):
    """Take the top of the stock, or the top discard."""

    error_messages = {"unknown": "A draw has no such field: only action and from."}

    action = Choice("draw", required=True)
    from_ = Choice("stock", "discard", data_key="from", required=True)

    @post_load
    def move(self, loaded: Mapping[str, Any], **kwargs: Any) -> Draw:
        return Draw(loaded["from_"])


class DiscardMove(Body):
    """Shed one card and end the turn."""

    error_messages = {"unknown": "A discard has no such field: only action and card."}

    action = Choice("discard", required=True)
    card = CardText(required=True)

    @post_load
    def move(self, loaded: Mapping[str, Any], **kwargs: Any) -> Discard:
        return Discard(loaded["card"])


class KnockMove(Body):
    """Shed one card and end the hand; the table declares a best layout when `melds` is left out."""

    error_messages = {"unknown": "A knock has no such field: only action, card and melds."}

    action = Choice("knock", required=True)
    card = CardText(required=True, metadata={"description": "The card shed."})
    melds = _melds(metadata={"description": "The melds declared. Left out, the table declares a best layout."})

    @validates_schema
    def no_card_twice(self, loaded: Mapping[str, Any], **kwargs: Any) -> None:
        _refuse_repeated([(("card",), loaded["card"]), *_meld_places(loaded.get("melds", ()))])

    @post_load
    def move(self, loaded: Mapping[str, Any], **kwargs: Any) -> Knock:
        return Knock(loaded["card"], _masks(loaded.get("melds")))


class LayOffOnto(Body):
    """One card laid off."""

    card = CardText(required=True)
    onto = StrictInteger(
        0,
        MAX_NUMBER,
        required=True,
        metadata={"description": "Which of the knocker's melds, counted from 0 as they were declared."},
    )


class LayOffMove(Body):
    """Answer a knock; the table chooses the best for whatever is left out, and `[]` means none."""

    error_messages = {"unknown": "A lay-off has no such field: only action, melds and layoffs."}

    action = Choice("layoff", required=True)
    melds = _melds(metadata={"description": "Own melds. Left out, the table takes the best."})
    layoffs = fields.List(
        fields.Nested(LayOffOnto),
        validate=validate.Length(0, MAX_LAYOFFS, error=f"Give at most {MAX_LAYOFFS} lay-offs."),
        error_messages={"invalid": "This is not an array of lay-offs."},
        metadata={"description": "Cards laid off, in this order. Left out, the table takes the best."},
    )

    @validates_schema
    def no_card_twice(self, loaded: Mapping[str, Any], **kwargs: Any) -> None:
        laid: list[tuple[tuple[str | int, ...], Card]] = [
            (("layoffs", index, "card"), layoff["card"]) for index, layoff in enumerate(loaded.get("layoffs", ()))
        ]
        _refuse_repeated([*_meld_places(loaded.get("melds", ())), *laid])

    @post_load
    def move(self, loaded: Mapping[str, Any], **kwargs: Any) -> LayOff:
        layoffs = loaded.get("layoffs")
        return LayOff(
            _masks(loaded.get("melds")),
            None if layoffs is None else tuple(LaidOff(layoff["card"], layoff["onto"]) for layoff in layoffs),
        )


def _masks(melds: Sequence[Sequence[Card]] | None) -> tuple[int, ...] | None:
    return None if melds is None else tuple(mask_of(meld) for meld in melds)


MOVES: dict[str, Body] = {"draw": DrawMove(), "discard": DiscardMove(), "knock": KnockMove(), "layoff": LayOffMove()}


class AnyMove(Body):
    """One of the four moves, told apart by `action`; loads as a `ginapi.game.moves.Move`.

    In the OpenAPI document it is the union that `ginapi.api.openapi_moves` registers.
    """

    action = Choice(*MOVES, required=True)

    def load(self, data: Any, **kwargs: Any) -> Move:
        """The move that `data` names; raises ValidationError."""
        if not isinstance(data, dict):
            raise ValidationError({"_schema": [self.error_messages["type"]]})
        action = data.get("action")
        if not isinstance(action, str) or action not in MOVES:
            raise ValidationError({"action": [f"Give one of: {', '.join(MOVES)}."]})
        move: Move = MOVES[action].load(data)
        return move


class NextHand(Body):
    """Which hand to deal; the next one where nothing is said."""

    number = StrictInteger(
        1,
        MAX_HANDS,
        metadata={"description": "Which hand of the table, from 1: dealt now, or returned when it was dealt before."},
    )


class Empty(Body):
    """The body of a request that takes none: `{}`."""


class MeldsAnalysis(Body):
    """Cards to be laid out."""

    cards = Cards(1, 11, required=True, metadata={"examples": [["7s", "7h", "7d", "Kd"]]})

    @validates_schema
    def no_card_twice(self, loaded: Mapping[str, Any], **kwargs: Any) -> None:
        _refuse_repeated(_places("cards", loaded["cards"]))


class ShowdownAnalysis(Body):
    """A knock, and the hand that answers it with its best."""

    knocker = Cards(10, 10, required=True, metadata={"description": "The knocker's ten cards after the knock."})
    melds = _melds(required=True, metadata={"description": "The melds that the knocker declares."})
    defender = Cards(10, 10, required=True, metadata={"description": "The other seat's ten cards."})

    @validates_schema
    def no_card_twice(self, loaded: Mapping[str, Any], **kwargs: Any) -> None:
        _refuse_repeated([*_places("knocker", loaded["knocker"]), *_places("defender", loaded["defender"])])
        _refuse_repeated(_meld_places(loaded["melds"]))


class HandQuery(Query):
    """`GET /v1/hands/{id}` and `GET /v1/tables/{id}`: wait until something newer than `after` is there."""

    after = QueryInteger(0, MAX_NUMBER, metadata={"description": "Answer once the version is above this."})
    wait_ms = QueryInteger(0, MAX_WAIT_MS, load_default=0, metadata={"description": "How long to wait for that."})


class PageQuery(Query):
    """A page of a list."""

    limit = QueryInteger(1, MAX_PAGE, load_default=MAX_PAGE, metadata={"description": "At most so many items."})
    cursor = Text(1, MAX_CURSOR_CHARACTERS, metadata={"description": "`next` of the page before."})


class RecordsQuery(PageQuery):
    """`GET /v1/hands/{id}/moves`."""

    after = QueryInteger(0, MAX_NUMBER, load_default=0, metadata={"description": "Only records after this version."})


class NoQuery(Query):
    """The query of a route that takes none."""
