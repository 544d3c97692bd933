"""What a seat can read off the table: unseen cards, how far the hand is, the score, what the other seat has shown."""

from ginapi.game.cards import VALUES, Card, Mask, value_of
from ginapi.game.melds import deadwood
from ginapi.game.view import View
from ginapi.players.prospects import UNIT

SIGNS = 17
"""How many figures there are of what is known beside the cards held."""


def shed_in_turn(view: View) -> tuple[Card, ...]:
    """The pile from its top down, the card taken this turn first: the other seat's, then this one's, and so on.

    A draw from the pile further down shifts the two: a view does not say who shed what.
    """
    pile = view.pile[::-1]
    return pile if view.just_taken is None else (view.just_taken, *pile)


def signs(view: View, unseen: Mask) -> tuple[int, ...]:
    """Seventeen figures of what is known beside the cards held."""
    turns = min(view.version // 2, 24)
    known = view.opponent_known
    known_count = min(known.bit_count(), 5)
    mine, theirs = (min(view.scores[seat], 99) for seat in (view.seat, 1 - view.seat))
    return (
        turns * 6,
        max(0, 8 - turns) * 8,
        view.stock_count * 2,
        known_count * 16,
        UNIT if known_count >= 1 else 0,
        UNIT if known_count >= 3 else 0,
        *_values_shed(view),
        mine * UNIT // 100,
        theirs * UNIT // 100,
        max(0, mine - 70) * 2,
        max(0, theirs - 70) * 2,
        (value_of(known) - deadwood(known)) * 2,
        view.own_known.bit_count() * 10,
        value_of(unseen) * 6 // (unseen.bit_count() or 1),
        UNIT if view.seat == view.opener else 0,
    )


def _values_shed(view: View) -> tuple[int, ...]:
    """What the last three cards that the other seat shed are worth, the last first; 0 where there was none."""
    shed = shed_in_turn(view)
    return tuple(VALUES[shed[at]] * 6 if at < len(shed) and view.version >= 2 * at + 1 else 0 for at in (0, 2, 4))
