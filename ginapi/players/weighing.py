"""The choices of a turn, each with what it is worth: what the levels decide by, `hard` by nothing else.

What is weighed is counted in `prospects`, `signs`, `danger` and `knocking`; how, was learned: see `appraisal`.
"""

from typing import NamedTuple

from ginapi.game.cards import Card
from ginapi.game.moves import Knock
from ginapi.game.view import View
from ginapi.players.appraisal import network
from ginapi.players.counting import unseen_by
from ginapi.players.danger import danger
from ginapi.players.knocking import knock_figures, layout_to_declare
from ginapi.players.prospects import prospects
from ginapi.players.signs import signs
from ginapi.players.weights import DISCARD, KNOCK, STOCK

DISCARD_NETWORK, STOCK_NETWORK, KNOCK_NETWORK = (network(text) for text in (DISCARD, STOCK, KNOCK))
_SLACK = 11
"""Deadwood by which a discard may leave more than the best and still be weighed: beyond it none is ever chosen."""
_KNOCK_SLACK = 2
"""The same for a knock, for which fewer lay-offs may be worth it."""


class Weighed(NamedTuple):
    """What shedding a card is worth, by a discard or by a knock."""

    worth: int
    card: Card


class Turn(NamedTuple):
    """The best discard of a turn, and the best knock where there is one."""

    discard: Weighed
    knock: Weighed | None

    @property
    def knocks(self) -> bool:
        """Whether to knock is the better of the two."""
        return self.knock is not None and self.knock.worth > self.discard.worth

    @property
    def worth(self) -> int:
        """What the better of the two is worth."""
        return self.discard.worth if self.knock is None else max(self.discard.worth, self.knock.worth)


def weighed(view: View, after: dict[Card, int]) -> Turn:
    """The best of these sheds, given with the least deadwood that each leaves: of discards, and of knocks."""
    return Turn(best_discard(view, after), best_knock(view, after))


def best_discard(view: View, after: dict[Card, int]) -> Weighed:
    """The best of these sheds as a discard."""
    unseen = unseen_by(view)
    begun = DISCARD_NETWORK.begun(signs(view, unseen))
    discards = []
    most = min(after.values()) + _SLACK
    for card in (card for card, left in after.items() if left <= most):
        kept = view.cards ^ 1 << card
        figures = prospects(kept, unseen) + danger(view, card, kept, unseen)
        discards.append(Weighed(DISCARD_NETWORK.worth(begun, figures), card))
    return max(discards)


def best_knock(view: View, after: dict[Card, int]) -> Weighed | None:
    """The best of these sheds as a knock; None where each leaves too much."""
    limit = min(view.rules.knock_limit, min(after.values()) + _KNOCK_SLACK)
    cards = [card for card, left in after.items() if left <= limit]
    if not cards:
        return None
    unseen = unseen_by(view)
    begun = KNOCK_NETWORK.begun(signs(view, unseen))
    return max(
        Weighed(
            KNOCK_NETWORK.worth(begun, knock_figures(view.cards ^ 1 << card, unseen, view.opponent_known)),
            card,
        )
        for card in cards
    )


def knock_with(view: View, card: Card) -> Knock:
    """A knock that sheds this card, in the layout that the other seat can lay off the least onto."""
    kept = view.cards ^ 1 << card
    return Knock(card, layout_to_declare(kept, unseen_by(view), view.opponent_known))


def worth_of_stock(view: View) -> int:
    """What a draw from the stock is worth."""
    unseen = unseen_by(view)
    begun = STOCK_NETWORK.begun(signs(view, unseen))
    return STOCK_NETWORK.worth(begun, prospects(view.cards, unseen))
