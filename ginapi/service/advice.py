"""What the player `hard` would do: a hint at a practice table, and a review of a hand by those who sat there."""

from collections.abc import Callable, Iterator
from functools import partial

from sqlalchemy import Connection

from ginapi.errors import Reason, Refused
from ginapi.game.hand import check_turn
from ginapi.game.notation import Entry
from ginapi.game.view import View
from ginapi.players.advice import Advice, Reviewed, advised, reviewed
from ginapi.service import callers, hands
from ginapi.service.callers import Seeing
from ginapi.service.house import House
from ginapi.service.seen import RefusedAtHand, SeenHand
from ginapi.store import log
from ginapi.tables.records import entry_of
from ginapi.tables.values import Dealt


def hint(house: House, token: str | None, hand_id: str, read_query: Callable[[], object]) -> tuple[SeenHand, Advice]:
    """The hand as the caller sees it, and what `hard` would do in its seat.

    Raises `not_allowed` but at practice tables, and RefusedAtHand where it is not the caller's turn.
    """

    def look(tx: Connection, seeing: Seeing) -> SeenHand:
        dealt, seat = _seated_at(tx, seeing, hand_id)
        if seeing.table.kind != "practice":
            raise Refused(Reason.NOT_ALLOWED, "Hints are given at practice tables alone.")
        read_query()
        seen = hands.seen_hand(seeing, dealt)
        try:
            check_turn(dealt.hand, seat)
        except Refused as refused:
            raise RefusedAtHand(refused, seen) from refused
        return seen

    seen = hands.reading(house, callers.needed(token), hands.table_id_in(hand_id), look)
    return seen, advised(hand_id, _own(seen), house.choose)


def _own(seen: SeenHand) -> View:
    """What the caller's seat is shown, and nothing else: a hint is made of no more."""
    assert seen.seat == seen.view.seat
    return seen.view


def review(house: House, token: str | None, hand_id: str) -> Callable[[int], Iterator[Reviewed]]:
    """What gives the moves of a finished hand after a version, each worked out as it is asked for.

    Raises `not_allowed` while the hand runs, and to whoever did not sit there.
    """

    def look(tx: Connection, seeing: Seeing) -> tuple[Dealt, list[Entry]]:
        dealt, _ = _seated_at(tx, seeing, hand_id)
        if dealt.hand.result is None:
            raise Refused(Reason.NOT_ALLOWED, "A review looks at both hands: it is there once the hand is finished.")
        return dealt, [entry_of(record) for record in log.find_moves(tx, seeing.table.id, dealt.number)]

    dealt, entries = hands.reading(house, callers.needed(token), hands.table_id_in(hand_id), look)
    return partial(reviewed, dealt.id, dealt.hand.deal, dealt.scores_before, entries, house.choose)


def _seated_at(tx: Connection, seeing: Seeing, hand_id: str) -> tuple[Dealt, int]:
    """A hand of the table, and where the caller sits there; `not_allowed` is for an onlooker who sees the hand."""
    dealt = hands.found_hand(tx, seeing, hand_id)
    if seeing.seat is None:
        raise Refused(Reason.NOT_ALLOWED, "You do not sit at this table.")
    return dealt, seeing.seat
