"""Every number of the variant that is played."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """The numbers of a variant; the rules page numbers them."""

    hand_size: int = 10
    """Cards dealt to each seat (R1)."""
    knock_limit: int = 10
    """The most deadwood that a knock may leave (R8)."""
    gin_bonus: int = 25
    """Points for gin, on top of the other seat's deadwood (R10)."""
    undercut_bonus: int = 25
    """Points for an undercut, on top of the difference (R12)."""
    stock_left_at_wash: int = 2
    """A turn that would begin with no more than this in the stock is a wash (R13)."""
    pile_draws_at_wash: int = 40
    """Draws from the discard pile running after which the next turn is a wash (R13b)."""
    target: int = 100
    """The score that wins the match (R15)."""
    upcard_offer: bool = False
    """Whether the first face-up card is offered to the opener, and then to the other seat, before the play (R3)."""
    wash_keeps_opener: bool = False
    """Whether the seat that opened a wash opens the next hand too (R2)."""
    name: str = "house"
    """What the variant is called, in the log and over HTTP."""


HOUSE = Rules()
CONTEST = Rules(upcard_offer=True, wash_keeps_opener=True, name="contest")
"""As computer players are matched against each other in contests."""

RULES = {rules.name: rules for rules in (HOUSE, CONTEST)}
