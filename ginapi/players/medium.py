"""The player `medium`: counts exactly, but takes any card that makes a meld and sheds without looking ahead."""

from ginapi.game.moves import Discard, Knock, LayOff, Move
from ginapi.game.shuffle import DrawNumber
from ginapi.game.view import View
from ginapi.players.counting import drawn, forms_meld, sheds


def choose(view: View, draw_number: DrawNumber) -> Move:
    """The move on this seat's turn; of sheds that leave the same, one drawn by number."""
    if view.phase in ("offer", "draw"):
        return drawn(view, forms_meld(view.cards, view.pile[-1]))
    if view.phase == "layoff":
        return LayOff()
    after = sheds(view)
    least = min(after.values())
    choices = [card for card, left in after.items() if left == least]
    card = choices[draw_number(len(choices))]
    return Knock(card) if least <= view.rules.knock_limit else Discard(card)
