"""The player `medium`: sheds with an eye on what may come, but keeps near its least deadwood and knocks when it can."""

from ginapi.game.moves import Discard, Knock, LayOff, Move
from ginapi.game.shuffle import DrawNumber
from ginapi.game.view import View
from ginapi.players.counting import drawn, gin_in, is_worth_taking, sheds
from ginapi.players.weighing import best_discard, best_knock, knock_with

SLACK = 4
"""Deadwood by which a shed may fall short of the best and still be chosen."""


def choose(view: View, draw_number: DrawNumber) -> Move:
    """The move on this seat's turn. It draws no number: what it weighs, it weighs as `hard` does."""
    if view.phase in ("offer", "draw"):
        return drawn(view, is_worth_taking(view))
    if view.phase == "layoff":
        return LayOff()
    after = sheds(view)
    gin = gin_in(after)
    if gin is not None:
        return Knock(gin)
    least = min(after.values())
    near = {card: left for card, left in after.items() if left <= least + SLACK}
    knock = best_knock(view, near)
    return Discard(best_discard(view, near).card) if knock is None else knock_with(view, knock.card)
