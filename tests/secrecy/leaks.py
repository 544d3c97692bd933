"""Leaks to plant: a check that finds none of them finds nothing."""

from typing import Any

import ginapi.api.presenting
import ginapi.game.hand
import ginapi.service.hands
from ginapi.errors import Refused
from ginapi.game.cards import card_text
from ginapi.game.hand import Hand
from ginapi.game.hand import play as play_move
from ginapi.game.moves import Move
from ginapi.game.view import View, view
from ginapi.tables.records import Record, shown_to


def leaky_view(hand: Hand, seat: int, scores: tuple[int, int] = (0, 0)) -> View:
    return view(hand, seat, scores)._replace(opponent_known=hand.cards[1 - seat])


def leaky_record(record: Record, seat: int | None, over: bool) -> dict[str, Any]:
    return shown_to(record, seat, over=True)


def leaky_refusal(hand: Hand, seat: int, move: Move) -> Hand:
    try:
        return play_move(hand, seat, move)
    except Refused as refused:
        top = card_text(hand.deal.deck[hand.stock_at])
        raise Refused(refused.reason, f"{refused.detail} Better draw {top}.") from refused


LEAKS = {
    "a view": (ginapi.service.hands, "view", leaky_view),
    "a record": (ginapi.api.presenting, "shown_to", leaky_record),
    "a refusal": (ginapi.game.hand, "play", leaky_refusal),
}
