"""The player `hard`: weighs every draw, discard and knock by what it is worth for the match, and defends exactly."""

from ginapi.game.melds import deadwood
from ginapi.game.moves import Discard, Knock, LayOff, Move
from ginapi.game.shuffle import DrawNumber
from ginapi.game.view import View
from ginapi.players.counting import drawn, forms_meld, gin_in, sheds
from ginapi.players.weighing import knock_with, weighed, worth_of_stock


def choose(view: View, draw_number: DrawNumber) -> Move:
    """The move on this seat's turn. It draws no number: of cards that are worth the same the last in order goes."""
    if view.phase in ("offer", "draw"):
        return drawn(view, not view.stock_only and _takes(view))
    if view.phase == "layoff":
        return LayOff()
    after = sheds(view)
    gin = gin_in(after)
    if gin is not None:
        return Knock(gin)
    turn = weighed(view, after)
    if turn.knock is None or not turn.knocks:
        return Discard(turn.discard.card)
    return knock_with(view, turn.knock.card)


def _takes(view: View) -> bool:
    """Whether the top discard is worth more than what the stock may give."""
    taken = _as_taken(view)
    after = sheds(taken)
    if gin_in(after) is not None:
        return True
    if min(after.values()) >= deadwood(view.cards) and not forms_meld(view.cards, view.pile[-1]):
        return False
    return weighed(taken, after).worth > worth_of_stock(view)


def _as_taken(view: View) -> View:
    """The view as it will be once the top discard is taken."""
    top = view.pile[-1]
    return view._replace(
        version=view.version + 1,
        phase="discard",
        cards=view.cards | 1 << top,
        just_taken=top,
        drawn_card=top,
        pile=view.pile[:-1],
    )
