"""The players that strength is measured against: `simple`, `gold` and `lookahead`. They are no levels of the product.

Each is made anew for every hand, as `simple` remembers what it has shed in it, and sees one seat's view as any player.
"""

from collections.abc import Callable

from bench.lookahead import Lookahead
from ginapi.game.cards import VALUES, Card
from ginapi.game.melds import best_layouts
from ginapi.game.moves import Discard, Knock, LayOff, Move
from ginapi.game.shuffle import DrawNumber
from ginapi.game.view import View
from ginapi.players.counting import drawn, forms_meld, is_worth_taking, sheds

Choose = Callable[[View, DrawNumber], Move]
"""A player for one hand."""


class Simple:
    """The baseline of the published contest: knocks when it can, and looks at nothing but its own deadwood."""

    def __init__(self) -> None:
        self._pairs: set[frozenset[Card]] = set()
        """What was drawn and what was shed for it, in this hand."""

    def __call__(self, view: View, draw_number: DrawNumber) -> Move:
        """Takes what forms any meld; sheds one of those that leave the least; never the same pair twice."""
        if view.phase in ("offer", "draw"):
            return drawn(view, forms_meld(view.cards, view.pile[-1]))
        if view.phase == "layoff":
            layouts = best_layouts(view.cards)
            return LayOff(layouts[draw_number(len(layouts))])
        assert view.drawn_card is not None
        card, least = self._shed(view, view.drawn_card, draw_number)
        self._pairs.add(frozenset((view.drawn_card, card)))
        if least > view.rules.knock_limit:
            return Discard(card)
        layouts = best_layouts(view.cards ^ 1 << card)
        return Knock(card, layouts[draw_number(len(layouts))])

    def _shed(self, view: View, drawn_card: Card, draw_number: DrawNumber) -> tuple[Card, int]:
        after = sheds(view)
        fresh = {card: left for card, left in after.items() if frozenset((drawn_card, card)) not in self._pairs}
        if not fresh:
            self._pairs.clear()
            fresh = after
        least = min(fresh.values())
        choices = [card for card, left in fresh.items() if left == least]
        return choices[draw_number(len(choices))], least


def gold(view: View, draw_number: DrawNumber) -> Move:
    """Exact and greedy: takes what a meld takes in, sheds the dearest of the best, knocks and defends at once."""
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


YARDSTICKS: dict[str, Callable[[], Choose]] = {
    "simple": Simple,
    "gold": lambda: gold,
    "lookahead": Lookahead,
}
