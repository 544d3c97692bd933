"""The player `easy`: takes any card that makes a meld, knocks when it can, and looks ahead at every other shed."""

from ginapi.game.moves import Discard, Knock, LayOff, Move
from ginapi.game.shuffle import DrawNumber
from ginapi.game.view import View
from ginapi.players.counting import drawn, forms_meld, sheds
from ginapi.players.weighing import best_discard


def choose(view: View, draw_number: DrawNumber) -> Move:
    """The move on this seat's turn; of sheds that leave the least, one drawn by number or, as often, the best."""
    if view.phase in ("offer", "draw"):
        return drawn(view, forms_meld(view.cards, view.pile[-1]))
    if view.phase == "layoff":
        return LayOff()
    after = sheds(view)
    least = min(after.values())
    choices = [card for card, left in after.items() if left == least]
    card = choices[draw_number(len(choices))]
    if least <= view.rules.knock_limit:
        return Knock(card)
    if len(choices) > 1 and draw_number(2):
        card = best_discard(view, dict.fromkeys(choices, least)).card
    return Discard(card)
