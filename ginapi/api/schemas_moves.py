"""The five moves as callers may send them: each loads as a move of the game."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from marshmallow import fields, post_load, validate, validates_schema

from ginapi.api.fields import Body, Cards, CardText, Choice, OneOf, StrictInteger, refuse_repeated
from ginapi.config import LAYOFFS_SENT, MELD_CARDS_SENT, MELDS_SENT, WHOLE_NUMBER
from ginapi.game.cards import Card, mask_of
from ginapi.game.moves import Discard, Draw, Knock, LaidOff, LayOff, Move, Pass


def melds_field(**kwargs: Any) -> fields.List[Any]:
    """An array of melds. That each is one, and of cards held, is for the rule book to say."""
    melds = validate.Length(0, MELDS_SENT, error=f"Give at most {MELDS_SENT} melds.")
    return fields.List(
        Cards(1, MELD_CARDS_SENT),
        validate=melds,
        error_messages={"invalid": "This is not an array of melds."},
        **kwargs,
    )


def meld_places(melds: Sequence[Sequence[Card]]) -> list[tuple[tuple[str | int, ...], Card]]:
    """Where each card of a body's `melds` stands in it."""
    return [(("melds", at, index), card) for at, meld in enumerate(melds) for index, card in enumerate(meld)]


class DrawMove(Body):
    """Take the top of the stock, or the top discard."""

    error_messages = {"unknown": "A draw has no such field: only action and from."}

    action = Choice("draw", required=True)
    from_ = Choice("stock", "discard", data_key="from", required=True)

    @post_load
    def move(self, loaded: Mapping[str, Any], **kwargs: Any) -> Draw:
        return Draw(loaded["from_"])


class PassMove(Body):
    """Leave the first face-up card, where the rules of the table offer it."""

    error_messages = {"unknown": "A pass has no such field: only action."}

    action = Choice("pass", required=True)

    @post_load
    def move(self, loaded: Mapping[str, Any], **kwargs: Any) -> Pass:
        return Pass()


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
    melds = melds_field(metadata={"description": "The melds declared. Left out, the table declares a best layout."})

    @validates_schema
    def no_card_twice(self, loaded: Mapping[str, Any], **kwargs: Any) -> None:
        refuse_repeated([(("card",), loaded["card"]), *meld_places(loaded.get("melds", ()))])

    @post_load
    def move(self, loaded: Mapping[str, Any], **kwargs: Any) -> Knock:
        return Knock(loaded["card"], _masks(loaded.get("melds")))


class LayOffOnto(Body):
    """One card laid off."""

    card = CardText(required=True)
    onto = StrictInteger(
        0,
        WHOLE_NUMBER,
        required=True,
        metadata={"description": "Which of the knocker's melds, counted from 0 as they were declared."},
    )


class LayOffMove(Body):
    """Answer a knock; the table chooses the best for whatever is left out, and `[]` means none."""

    error_messages = {"unknown": "A lay-off has no such field: only action, melds and layoffs."}

    action = Choice("layoff", required=True)
    melds = melds_field(metadata={"description": "Own melds. Left out, the table takes the best."})
    layoffs = fields.List(
        fields.Nested(LayOffOnto),
        validate=validate.Length(0, LAYOFFS_SENT, error=f"Give at most {LAYOFFS_SENT} lay-offs."),
        error_messages={"invalid": "This is not an array of lay-offs."},
        metadata={"description": "Cards laid off, in this order. Left out, the table takes the best."},
    )

    @validates_schema
    def no_card_twice(self, loaded: Mapping[str, Any], **kwargs: Any) -> None:
        laid: list[tuple[tuple[str | int, ...], Card]] = [
            (("layoffs", index, "card"), layoff["card"]) for index, layoff in enumerate(loaded.get("layoffs", ()))
        ]
        refuse_repeated([*meld_places(loaded.get("melds", ())), *laid])

    @post_load
    def move(self, loaded: Mapping[str, Any], **kwargs: Any) -> LayOff:
        layoffs = loaded.get("layoffs")
        return LayOff(
            _masks(loaded.get("melds")),
            None if layoffs is None else tuple(LaidOff(layoff["card"], layoff["onto"]) for layoff in layoffs),
        )


def _masks(melds: Sequence[Sequence[Card]] | None) -> tuple[int, ...] | None:
    return None if melds is None else tuple(mask_of(meld) for meld in melds)


MOVES: dict[str, Body] = {
    "draw": DrawMove(),
    "pass": PassMove(),
    "discard": DiscardMove(),
    "knock": KnockMove(),
    "layoff": LayOffMove(),
}


class AnyMove(OneOf):
    """One of the five moves; loads as a `ginapi.game.moves.Move`."""

    told_by = "action"
    members = MOVES
    action = Choice(*MOVES, required=True)

    def load(self, data: Any, **kwargs: Any) -> Any:
        """What the schema of its action makes of `data`; raises ValidationError."""
        is_words = isinstance(data, dict) and len(data) <= 2 and all(isinstance(said, str) for said in data.values())
        if is_words and data.get(self.told_by) in MOVES:
            return _of_words(tuple(data.items()))
        return super().load(data, **kwargs)


# Most moves are one or two words, of which there are some two hundred: reading one by its schema takes a twentieth of
# the time of a request. What is refused is not kept.
@cache
def _of_words(words: tuple[tuple[str, str], ...]) -> Move:
    said = dict(words)
    move: Move = MOVES[said[AnyMove.told_by]].load(said)
    return move
