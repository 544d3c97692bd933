"""What the API answers where it is asked what the player `hard` would do, as in `schemas_hand`."""

from marshmallow import fields

from ginapi.api.schemas_hand import Answer, a_boolean, a_choice, a_text, an_integer, described, many, one
from ginapi.api.schemas_moves import AnyMove

_LEAVES = (
    "after a discard the least of the cards kept, after a knock what was declared, after a lay-off what is left of the "
    "answer; for a card taken from the pile the least that can be kept with it; for a draw from the stock, and a pass, "
    "the mean of that over all cards which the seat had not seen"
)


def a_deadwood(what: str, example: float) -> fields.Float:
    return fields.Float(**described(what, example))


class Hint(Answer):
    """The move that the player `hard` would make in the caller's seat, seeing what that seat sees."""

    hand_id = a_text("", "3f2a9c0d1e4b5a687790-1")
    version = an_integer("The hand's version that it is for: `If-Match` makes the move on that alone.", 4)
    move = one(AnyMove, "It can be posted as it stands.")
    deadwood = a_deadwood(f"The deadwood that it leaves: {_LEAVES}.", 14)
    why = a_text("In a sentence, from what was counted.", "Leaves 14 deadwood and 9 unseen cards that complete a meld.")


class ReviewedMove(Answer):
    """A move of a finished hand beside the one that `hard` would have made from what that seat then saw."""

    version = an_integer("The hand's version once it was made, as its record has it.", 4)
    seat = an_integer("Whose move it was.", 0)
    by = a_choice("player", "computer", "clock", what="Who chose it.")
    played = one(AnyMove, "What was played.")
    hard = one(AnyMove, "What `hard` would have played.")
    same = a_boolean(
        "Whether the two are the same move, whatever melds are declared; lay-offs are where they leave the same."
    )
    played_deadwood = a_deadwood(f"The deadwood that what was played leaves: {_LEAVES}.", 17)
    hard_deadwood = a_deadwood("What the other would have left, counted likewise.", 14)
    difference = a_deadwood("The first less the second: above 0 where what was played left more.", 3)
    why = a_text("Why `hard` would have done so.", "Leaves 14 deadwood and 9 unseen cards that complete a meld.")


class Review(Answer):
    """A page of a hand's review, move by move of both seats."""

    items = many(ReviewedMove)
    next = a_text("`cursor` for the page after this; null on the last.", allow_none=True)
