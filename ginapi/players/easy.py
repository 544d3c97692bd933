"""The player `easy`: sees its melds, but not always the best shed, and does not always dare to knock."""

from ginapi.game.moves import Discard, Knock, LayOff, Move
from ginapi.game.shuffle import DrawNumber
from ginapi.game.view import View
from ginapi.players.counting import drawn, forms_meld, sheds

SLACK = 6
"""Deadwood by which a shed may fall short of the best and still be chosen."""


def choose(view: View, draw_number: DrawNumber) -> Move:
    """The move on this seat's turn: any shed within `SLACK` of the best, a knock every other time that it can."""
    if view.phase in ("offer", "draw"):
        return drawn(view, forms_meld(view.cards, view.pile[-1]))
    if view.phase == "layoff":
        return LayOff()
    after = sheds(view)
    least = min(after.values())
    if least == 0 or (least <= view.rules.knock_limit and draw_number(2)):
        choices = [card for card, left in after.items() if left == least]
        return Knock(choices[draw_number(len(choices))])
    choices = [card for card, left in after.items() if left <= least + SLACK]
    return Discard(choices[draw_number(len(choices))])
