"""The numbers of the house round the game: its clock and its coins. Every default stands here and nowhere else."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Terms:
    """The numbers of clock and coins; whoever serves gives the ones that it runs with."""

    coin_move_ms: int = 90_000
    online_move_ms: int = 30_000
    grace_ms: int = 500
    computer_turn_ms: int = 667
    deal_after_ms: int = 10_000
    misses_at_full_time: int = 3
    welcome_coins: int = 1_000
    stakes_coins: tuple[int, ...] = (50, 100, 250, 500, 1_000, 5_000, 10_000)
    stake_step_coins: int = 10
    leaving_fee_percent: int = 10
    refill_after_hours: int = 24
    open_table_ms: int = 600_000
    """How long a table waits for its second player before it closes."""
    rematch_offer_ms: int = 60_000
    """How long the other seat may say yes to a rematch."""


HOUSE_TERMS = Terms()
"""The house's own."""
