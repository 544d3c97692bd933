"""A hand at one moment, as a frozen value."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from ginapi.game.cards import Card, Mask
from ginapi.game.rules import HOUSE, Rules
from ginapi.game.score import Result

Phase = Literal["offer", "draw", "discard", "layoff", "finished"]


@dataclass(frozen=True, slots=True)
class Deal:
    """How a hand was dealt: 52 cards top first, the seat that opens, and the rules that it is played by."""

    deck: tuple[Card, ...]
    opener: int
    rules: Rules = HOUSE


@dataclass(frozen=True, slots=True)
class Declared:
    """A knock as it lies on the table: who, the melds in the order declared, and the rest (R9)."""

    seat: int
    melds: tuple[Mask, ...]
    deadwood_cards: Mask
    deadwood: int


class Hand(NamedTuple):
    """A hand at one moment; only `ginapi.game.view` decides who may see what of it.

    A named tuple and not a frozen dataclass: one is built for every move, and a tuple is built six times as fast.
    """

    deal: Deal
    version: int
    """0 for a fresh deal; every move adds one."""
    phase: Phase
    turn: int | None
    """The seat that moves next; None once the hand is finished."""
    cards: tuple[Mask, Mask]
    known: tuple[Mask, Mask]
    """What each seat took from the pile and still holds: both seats saw it."""
    stock_at: int
    """Where in the deck the top of the stock is."""
    pile: tuple[Card, ...]
    """The discard pile, its top last."""
    just_taken: Card | None = None
    """The card taken from the pile this turn: it cannot be shed (R5)."""
    drawn_card: Card | None = None
    pile_draws: int = 0
    """Draws from the pile running, with none from the stock between (R13b)."""
    knock: Declared | None = None
    result: Result | None = None
    passes: int = 0
    """Seats that have left the first face-up card, with nothing drawn since (R3)."""

    @property
    def stock_only(self) -> bool:
        """Whether a draw has to come from the stock: both seats have left the first face-up card (R3)."""
        return self.passes == 2

    @property
    def stock_count(self) -> int:
        """Cards left in the stock."""
        return len(self.deal.deck) - self.stock_at
