"""What the API answers about a hand: the shapes of the contract, for the OpenAPI document and the tests that hold it.

Answers are built by hand where they are made; nothing here runs while a move is answered. Every field that always
stands in an answer is `required`, and one that may be null says so.
"""

from typing import Any

from marshmallow import EXCLUDE, Schema, fields

from ginapi.api.fields import CardText, Choice, StrictBoolean
from ginapi.api.schemas_moves import AnyMove
from ginapi.game.rules import RULES

_MOMENT = "2026-03-01T12:00:00.000Z"

# A choice that may be null is plain text whose description lists the words: client generators make three classes of
# a nullable enumeration.


class Answer(Schema):
    """An object that may gain fields: a client must let pass what it does not know."""

    class Meta:
        unknown = EXCLUDE


def described(what: str, example: Any, **kwargs: Any) -> dict[str, Any]:
    metadata: dict[str, Any] = {"description": what} if what else {}
    if example is not None:
        metadata["examples"] = [example]
    return {"required": True, "metadata": metadata, **kwargs}


def an_integer(what: str = "", example: int | None = None, **kwargs: Any) -> fields.Integer:
    return fields.Integer(strict=True, **described(what, example, **kwargs))


def a_text(what: str = "", example: str | None = None, **kwargs: Any) -> fields.String:
    return fields.String(**described(what, example, **kwargs))


def a_choice(*words: str, what: str = "", **kwargs: Any) -> Choice:
    return Choice(*words, **described(what, None, **kwargs))


def a_boolean(what: str = "", **kwargs: Any) -> StrictBoolean:
    return StrictBoolean(**described(what, None), **kwargs)


def a_moment(what: str, **kwargs: Any) -> fields.String:
    return a_text(f"{what} RFC 3339, UTC, with milliseconds.", _MOMENT, **kwargs)


def a_card(what: str = "", **kwargs: Any) -> CardText:
    return CardText(**described(what, None, **kwargs))


def a_list_of_cards(what: str = "", example: list[str] | None = None, **kwargs: Any) -> fields.List[Any]:
    return fields.List(CardText(), **described(what, example, **kwargs))


def a_list_of_melds(what: str = "", **kwargs: Any) -> fields.List[Any]:
    return fields.List(fields.List(CardText()), **described(what, [["7s", "7h", "7d"]], **kwargs))


def one(schema: type[Schema], what: str = "", **kwargs: Any) -> fields.Nested:
    return fields.Nested(schema, **described(what, None, **kwargs))


def many(schema: type[Schema], what: str = "", **kwargs: Any) -> fields.List[Any]:
    return fields.List(fields.Nested(schema), **described(what, None, **kwargs))


class Opponent(Answer):
    """What a seat may know of the other's cards."""

    cards_count = an_integer("How many cards the other seat holds.", 10)
    known_cards = a_list_of_cards("Those it took from the discard pile and still holds.", ["9s"])


class DeclaredKnock(Answer):
    """A knock, as it was declared."""

    seat = an_integer("Who knocked.", 1)
    melds = a_list_of_melds("The melds declared; lay-offs count them from 0.")
    deadwood_cards = a_list_of_cards("The knocker's cards in no meld.", ["2c", "5h"])
    deadwood = an_integer("What those are worth.", 7)


class Clock(Answer):
    """A running clock. Count down to `deadline`; the grace is for the network and not for show."""

    seat = an_integer("Whose time runs.", 0)
    deadline = a_moment("When the table plays the move itself.")
    remaining_ms = an_integer("Time left when this was answered.", 83211)
    move_ms = an_integer("Time for one move.", 90000)
    grace_ms = an_integer("How long after the deadline a move is still taken.", 500)
    missed_in_a_row = an_integer("Moves missed in a row.", 0)
    pace = a_choice("full", "computer", what="`computer` once the third move in a row is missed.")


class LaidOffCard(Answer):
    """One card laid off."""

    card = a_card()
    onto = an_integer("Which of the knocker's melds, counted from 0 as they were declared.", 1)


class SeatResult(Answer):
    """What one seat ended with."""

    cards = a_list_of_cards("Its cards, those laid off included.")
    melds = a_list_of_melds("Its melds.")
    layoffs = many(LaidOffCard, "What it laid off, in order.")
    deadwood = an_integer("What was counted against it.", 4)


class Deal(Answer):
    """The deal, opened: with the hand's id it hashes to the commitment."""

    deck = a_list_of_cards("The 52 cards, top first.")
    salt = a_text("The text that was hashed with them.")


class Result(Answer):
    """How a hand ended and what it was worth."""

    kind = a_choice("gin", "knock", "undercut", "wash", "left", "void")
    winner = an_integer("The seat that scored, if one did.", 0, allow_none=True)
    knocker = an_integer("The seat that knocked, if one did.", 0, allow_none=True)
    points = an_integer("What the winner scored.", 31)
    scores = fields.List(fields.Integer(), **described("The match's scores after this hand, by seat.", [31, 0]))
    seats = many(SeatResult, "By seat.")
    deal = one(Deal, "Null where no hand was dealt: in an analysis.", allow_none=True)


class Hand(Answer):
    """A hand as the caller sees it."""

    id = a_text("", "3f2a9c0d1e4b5a687790-1")
    table_id = a_text("", "3f2a9c0d1e4b5a687790")
    number = an_integer("Which hand of the table, from 1.", 1)
    version = an_integer("0 for a fresh deal; every record adds one.", 4)
    seat = an_integer("The caller's seat; null for one who only watches.", 0, allow_none=True)
    opener = an_integer("The seat that began.", 0)
    rules = a_choice(*RULES, what="By which it is played; `contest` at practice tables alone.")
    phase = a_choice("offer", "draw", "discard", "layoff", "finished", what="What has to be done next.")
    turn = an_integer("Whose turn it is; null when the hand is finished.", 0, allow_none=True)
    cards = a_list_of_cards("The caller's cards.", ["As", "7s", "7h", "7d"])
    melds = a_list_of_melds("A best layout of them.")
    deadwood = an_integer(
        "What that layout leaves; with 11 cards, after the best shed that is allowed. Null for one who only watches.",
        43,
        allow_none=True,
    )
    just_taken = a_card("The card taken from the discard pile this turn: it cannot be shed.", allow_none=True)
    drawn_card = a_card("The caller's own draw this turn.", allow_none=True)
    opponent = one(Opponent, "Null for one who only watches.", allow_none=True)
    stock_count = an_integer("Cards left in the stock.", 29)
    discard_pile = a_list_of_cards("The top stands last.", ["Kd", "9c", "4h"])
    knock = one(DeclaredKnock, "Null until somebody knocks.", allow_none=True)
    legal_moves = many(
        AnyMove, "What the caller may do now: each can be posted as it stands. Empty when it is not its turn."
    )
    clock = one(Clock, "Null where none runs.", allow_none=True)
    scores = fields.List(fields.Integer(), **described("The match's scores, by seat.", [0, 0]))
    target = an_integer("The score that wins the match.", 100)
    result = one(Result, "Null until the hand is finished.", allow_none=True)
    commitment = a_text(
        "SHA-256, in hex, of `<hand id>|<salt>|<the 52 cards, one space between>`; `result.deal` opens it.",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    )
    next_hand_id = a_text("The hand after this one, once it is dealt.", allow_none=True)
    next_hand_at = a_moment("When the table deals by itself; null where it does not.", allow_none=True)
    server_time = a_moment("When this was answered.")


class Record(Answer):
    """One thing that happened in a hand, with what of it the caller may see."""

    version = an_integer("The hand's version once it had happened.", 1)
    seat = an_integer("Whose move it was; null where the house called the match off.", 0, allow_none=True)
    by = a_choice("player", "computer", "clock", "house", what="Who chose it.")
    action = a_choice("draw", "pass", "discard", "knock", "layoff", "leave", "void")
    at = a_moment("When.")
    from_ = Choice("stock", "discard", data_key="from", metadata={"description": "Of a draw."})
    card = CardText(metadata={"description": "The card drawn or shed, where the caller may see it."})
    melds = fields.List(fields.List(CardText()), metadata={"description": "Of a knock or a lay-off."})
    layoffs = fields.List(fields.Nested(LaidOffCard), metadata={"description": "Of a lay-off."})


class MoveAnswer(Hand):
    """The hand after a move."""

    played = many(Record, "What this request added: the caller's own first, then the computer's.")


class OpenedHand(MoveAnswer):
    """The first hand of a new practice table."""

    token = a_text("The seat's token, for `Authorization: Bearer`; null when one was sent.", allow_none=True)


class RecordList(Answer):
    """A page of records."""

    items = many(Record)
    next = a_text("`cursor` for the page after this; null on the last.", allow_none=True)
