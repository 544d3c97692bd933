"""What the API answers about tables, analyses, the rules and refusals: the contract's shapes, as in `schemas_hand`."""

from typing import Any

from marshmallow import fields

from ginapi.api.fields import CARD_PATTERN, CardText
from ginapi.api.schemas_hand import (
    Answer,
    Hand,
    a_boolean,
    a_choice,
    a_moment,
    a_text,
    an_integer,
    described,
    many,
    one,
)
from ginapi.config import LAYOUTS_SHOWN
from ginapi.game.rulebook import values
from ginapi.game.rules import RULES
from ginapi.tables.coins import NOTE


class TableClock(Answer):
    """A table's clock: its two lengths always, the rest while it runs."""

    move_ms = an_integer("Time for one move.", 90000)
    grace_ms = an_integer("How long after the deadline a move is still taken.", 500)
    seat = an_integer("Whose time runs.", 0, allow_none=True)
    deadline = a_moment("When the table plays the move itself.", allow_none=True)
    remaining_ms = an_integer("Time left when this was answered.", 83211, allow_none=True)
    missed_in_a_row = an_integer("Moves missed in a row.", 0, allow_none=True)
    pace = a_text("`full`, or `computer` once the third move in a row is missed.", "full", allow_none=True)


class Seat(Answer):
    """Who sits in a seat."""

    seat = an_integer("", 0)
    name = a_text("", "guest")
    kind = a_choice("guest", "account", "computer")
    score = an_integer("Its score in the match.", 31)
    you = a_boolean("Whether the caller sits here.")


class TableHand(Answer):
    """A finished hand of a table."""

    id = a_text()
    number = an_integer("", 1)
    kind = a_choice("gin", "knock", "undercut", "wash", "left", "void")
    winner = an_integer("The seat that scored, if one did.", 0, allow_none=True)
    points = an_integer("", 31)


class Table(Answer):
    """A table as the caller sees it."""

    id = a_text("", "3f2a9c0d1e4b5a687790")
    kind = a_choice("practice", "coin", "online")
    status = a_choice("open", "playing", "finished")
    fair = a_boolean("False where whoever opened it chose the seed or the deck.")
    rules = a_choice(*RULES, what="By which it is played; `contest` at practice tables alone.")
    target = an_integer("The score that wins the match.", 100)
    level = a_text("How well the computer plays: `easy`, `medium` or `hard`.", "medium", allow_none=True)
    private = a_boolean()
    invite = a_text("What the second player needs to sit at a private table.", allow_none=True)
    seats = many(Seat)
    stake = an_integer("Coins each seat put up. Coins have no cash value.", 0)
    leaving_fee = an_integer("Coins that leaving costs beside the stake.", 0)
    clock = one(TableClock, "Null at a table without one.", allow_none=True)
    hand_id = a_text("The running hand, or the newest.", "3f2a9c0d1e4b5a687790-1", allow_none=True)
    next_hand_at = a_moment("When the table deals by itself; null where it does not.", allow_none=True)
    hands = many(TableHand, "The finished ones.")
    winner = an_integer("The seat that won the match.", allow_none=True)
    ended = a_text("Why the match is over: `target`, `left`, `closed` or `void`.", allow_none=True)
    payout = an_integer("Coins that the winner was paid.", allow_none=True)
    rematch = fields.List(fields.Integer(), **described("The seats that asked for a rematch.", None))
    rematch_table_id = a_text("", allow_none=True)
    version = an_integer("The number of the table's newest event.", 5)
    note = a_text("What is to be said wherever coins are shown; null where none are staked.", allow_none=True)
    server_time = a_moment("When this was answered.")


class OpenedTable(Table):
    """A new table."""

    token = a_text("The seat's token, for `Authorization: Bearer`; null when one was sent.", allow_none=True)


class Tables(Answer):
    """A page of the caller's tables, running ones first, then the newest."""

    items = many(Table)
    next = a_text("`cursor` for the page after this; null on the last.", allow_none=True)
    note = a_text("", NOTE)


class LeaveAnswer(Answer):
    """The table after leaving it, and what that cost."""

    table = one(Table)
    forfeited = an_integer("Coins of the stake.", 0)
    fee = an_integer("Coins beside it.", 0)


class MeldsAnswer(Answer):
    """Every best layout of some cards, nothing shed."""

    deadwood = an_integer("The least, over all the cards given.", 10)
    layouts = fields.List(
        fields.List(fields.List(CardText())),
        **described(f"All sets of melds that reach it, at most {LAYOUTS_SHOWN}.", [[["7s", "7h", "7d"]]]),
    )
    may_knock_with = fields.Dict(
        fields.String(metadata={"pattern": CARD_PATTERN}),
        fields.Integer(),
        **described("With 11 cards: the deadwood after shedding each card that may be knocked with.", {"Kd": 7}),
    )


class Rule(Answer):
    """One statement of the house rules; a rule may be made of several."""

    id = a_text("The rule's number.", "R12")
    text = a_text()
    reading = a_boolean("True where the published rules are silent and this is our reading.")


class Question(Answer):
    """A question that players ask, and its answer."""

    question = a_text()
    answer = a_text()


_VALUE_FIELDS: dict[str, fields.Field[Any]] = {
    "card_values": fields.Dict(
        fields.String(), fields.Integer(), **described("What a card of each rank is worth (R7).", None)
    ),
    "stakes_coins": fields.List(fields.Integer(), **described("The stakes of coin tables (R25).", None)),
    "upcard_offer": a_boolean("Whether the first face-up card is offered before the play (R3)."),
    "wash_keeps_opener": a_boolean("Whether the seat that opened a wash opens the next hand too (R2)."),
}
RuleValues = Answer.from_dict(
    {name: _VALUE_FIELDS.get(name) or an_integer("", value) for name, value in values().items()}, name="RuleValues"
)


class Rules(Answer):
    """The house rules: in words, as numbers, and as players ask about them."""

    rules = many(Rule, "In order. Entries with the same id are parts of one rule.")
    values = one(RuleValues, "Every number of the rules.")
    questions = many(Question)


class Limit(Answer):
    """So many requests in a window of time, which begins with the first of them."""

    name = a_text("As `RateLimit` and `RateLimit-Policy` have it.", "requests")
    quota = an_integer("How many are taken.", 36000)
    window_ms = an_integer("Within how long.", 60000)
    by = a_choice("caller", "address")
    counts = a_text("What counts.", "Every request.")


class LimitValues(Answer):
    """What else has an end."""

    body_bytes = an_integer("Of a request.", 16384)
    page_items = an_integer("Of a list.", 100)
    wait_ms = an_integer("Of a long poll.", 25000)
    tables_per_player = an_integer("Running ones, at once.", 100)
    streams_per_worker = an_integer("Streams and long polls, at once.", 64)


class Limits(Answer):
    """Every limit."""

    items = many(Limit, "Limits of requests; none where they are turned off.")
    next = a_text("", allow_none=True)
    values = one(LimitValues)


class Healthy(Answer):
    """The process answers."""

    status = a_text("", "ok")


class Ready(Healthy):
    """The service can play."""

    database = a_text("", "ok")
    schema = a_text("", "ok")
    scheduler = a_text("`off` where the settings have none.", "ok")


class Fault(Answer):
    """One thing that is wrong with a request."""

    pointer = a_text("Where: a JSON pointer (RFC 6901) into the body, or the name in the query.", "/card")
    detail = a_text("What is wrong there, and what would be taken.")


class Problem(Answer):
    """A refusal or failure (RFC 9457), as `application/problem+json`."""

    type = a_text("Stable, with a page of its own.", "/problems/not_your_turn")
    title = a_text("", "It is not your turn")
    status = an_integer("", 409)
    detail = a_text("What was tried, what holds and what would be legal.")
    code = a_text("Stable; decide by this one.", "not_your_turn")
    request_id = a_text("Also in the header `X-Request-Id`.")
    errors = fields.List(fields.Nested(Fault), metadata={"description": "Each fault of an invalid request."})
    hand = fields.Nested(Hand, metadata={"description": "On a refused move: the hand as the caller sees it now."})
    checks = fields.Dict(
        fields.String(),
        fields.String(),
        metadata={
            "description": "At `/readyz`: `database`, `schema` and `scheduler`, each `ok`, `off`, `unknown` or what is "
            "wrong with it."
        },
    )
