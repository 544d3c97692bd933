"""The player `hard`: counts exactly, draws and sheds greedily, knocks as soon as it can, defends exactly."""

from ginapi.game.cards import VALUES
from ginapi.game.moves import Discard, Knock, LayOff, Move
from ginapi.game.shuffle import DrawNumber
from ginapi.game.view import View
from ginapi.players.counting import drawn, is_worth_taking, sheds


def choose(view: View, draw_number: DrawNumber) -> Move:
    """The move on this seat's turn; of sheds that leave the same, the dearest card, then one drawn by number."""
    if view.phase in ("offer", "draw"):
        return drawn(view, is_worth_taking(view))
    if view.phase == "layoff":
        return LayOff()
    after = sheds(view)
    least = min(after.values())
    equal = [card for card, left in after.items() if left == least]
    dearest = max(VALUES[card] for card in equal)
    choices = [card for card in equal if VALUES[card] == dearest]
    card = choices[draw_number(len(choices))]
    return Knock(card) if least <= view.rules.knock_limit else Discard(card)
