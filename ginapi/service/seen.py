"""What a caller is shown: a hand or a table as its seat sees it, before it becomes JSON."""

from dataclasses import dataclass

from ginapi.errors import Refused
from ginapi.game.moves import Move
from ginapi.game.view import View
from ginapi.service.waiting import LogAt
from ginapi.store.log import FinishedHand
from ginapi.store.tables import Seat
from ginapi.tables.clock import Clock
from ginapi.tables.values import Table


@dataclass(frozen=True, slots=True)
class SeenDeal:
    """The deck and the salt that open a finished hand's commitment."""

    deck: tuple[int, ...]
    salt: str


@dataclass(frozen=True, slots=True)
class SeenHand:
    """A hand of a table as a seat sees it."""

    hand_id: str
    table_id: str
    number: int
    seat: int | None
    """The caller's; None for an onlooker, who is shown neither seat's own side of `view`."""
    view: View
    legal_moves: tuple[Move, ...]
    commitment: str
    target: int
    deal: SeenDeal | None
    """Only once the hand is finished."""
    next_hand_id: str | None
    log_at: LogAt
    clock: Clock | None
    """Of the table, where this is its newest hand."""
    now_ms: int
    """When it stood so."""


@dataclass(frozen=True, slots=True)
class SeenTable:
    """A table as the caller sees it; `seat` is None for an onlooker."""

    table: Table
    seat: int | None
    seats: list[Seat]
    finished: list[FinishedHand]
    log_at: LogAt
    now_ms: int


class RefusedAtHand(Exception):
    """A refusal to one who sees the hand: the answer shows it."""

    def __init__(self, refused: Refused, seen: SeenHand) -> None:
        super().__init__(refused.detail)
        self.refused = refused
        self.seen = seen
