"""What the player `hard` would do in a seat now, and what it would have done at each move of a hand that is over."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ginapi.game.hand import Deal, deal, play
from ginapi.game.moves import Knock, LayOff, Leave, Move, Void
from ginapi.game.notation import Entry
from ginapi.game.shuffle import numbers
from ginapi.game.view import View, view
from ginapi.players import Choose
from ginapi.players.worth import Worth, worth_of

LEVEL = "hard"


class Advice(NamedTuple):
    """The move that `hard` would make, and what it is worth."""

    move: Move
    worth: Worth


class Reviewed(NamedTuple):
    """A move that was made, what it was worth, and what `hard` would have done from what that seat then saw."""

    version: int
    seat: int
    by: str
    played: Move
    worth: Worth
    advice: Advice

    @property
    def is_same(self) -> bool:
        """Whether it is the move that `hard` would have made; a lay-off is where it leaves the same."""
        if isinstance(self.played, LayOff):
            return self.worth.deadwood == self.advice.worth.deadwood
        return _without_melds(self.played) == _without_melds(self.advice.move)


def advised(hand_id: str, shown: View, choose: Choose) -> Advice:
    """What `hard` would do in the seat whose view it is, on its turn.

    The numbers drawn for it come from the hand's id, and not from the table's secret as for its moves: what the seat
    does not know is not to tell in what it is advised.
    """
    move = choose(LEVEL, shown, numbers(hand_id, f"hint|{shown.version}"))
    return Advice(move, worth_of(shown, move))


def reviewed(
    hand_id: str, dealt: Deal, scores: tuple[int, int], entries: Iterable[Entry], choose: Choose, after: int = 0
) -> Iterator[Reviewed]:
    """Every move of a hand that made it later than `after`; `scores` are the match's before it.

    They are worked out one by one, as they are asked for: each costs about as much as the computer's own moves.
    """
    hand = deal(dealt.deck, dealt.opener, dealt.rules)
    for entry in entries:
        if isinstance(entry.move, Leave | Void) or entry.seat is None:
            return
        if entry.version > after:
            shown = view(hand, entry.seat, scores)
            advice = advised(hand_id, shown, choose)
            worth = advice.worth if entry.move == advice.move else worth_of(shown, entry.move)
            yield Reviewed(entry.version, entry.seat, entry.by, entry.move, worth, advice)
        hand = play(hand, entry.seat, entry.move)


def _without_melds(move: Move) -> Move:
    return Knock(move.card) if isinstance(move, Knock) else move
