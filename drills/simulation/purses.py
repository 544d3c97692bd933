"""What every purse should hold by the rules of stakes and fees (R25 to R29), beside what the ledger says."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from drills.simulation.paper import Paper
from drills.simulation.world import Found

WELCOME_COINS = 1_000
SMALLEST_STAKE = 50
HOUSE = "house"


@dataclass(frozen=True, slots=True)
class Moved:
    """A transfer as its row has it."""

    transfer_id: str
    debit: str
    credit: str
    coins: int
    table_id: str | None


def fee_of(stake: int) -> int:
    """What leaving costs beside the stake."""
    return stake // 10


class Purses:
    """The purses as the tables and accounts should have left them, and as the transfers did."""

    def __init__(self) -> None:
        self.should: Counter[str] = Counter()
        """By account; what it may stake."""
        self.held: Counter[str] = Counter()
        self.by_transfers: Counter[str] = Counter()

    def add(self, moved: Moved) -> None:
        """The next transfer. What caused it and is no table is judged here, the rest at the tables."""
        if moved.table_id is None:
            self._granted(moved)
        for purse, coins in ((moved.debit, -moved.coins), (moved.credit, moved.coins)):
            self.by_transfers[purse] += coins
            if self.by_transfers[purse] < 0 and purse != HOUSE:
                raise Found("coins", f"{purse} holds {self.by_transfers[purse]}")

    def _granted(self, moved: Moved) -> None:
        account = moved.credit
        has = self.should[account] + self.held[account]
        if moved.transfer_id == f"{account}:welcome":
            is_right = account not in self.should and moved.coins == WELCOME_COINS
        else:
            is_right = has < SMALLEST_STAKE + fee_of(SMALLEST_STAKE) and moved.coins == WELCOME_COINS - has
        if not is_right:
            raise Found("coins", f"{moved.transfer_id} brought {moved.coins} to {has}")
        self.should[account] += moved.coins

    def sat_down(self, account: str, stake: int) -> None:
        """An account put up a stake, and the fee beside it (R27)."""
        cost = stake + fee_of(stake)
        self.should[account] -= cost
        self.held[account] += cost

    def ended(self, paper: Paper, accounts: dict[int, str]) -> None:
        """A match ended; `accounts` by seat, the computer's is missing."""
        stake = paper.terms.stake
        for seat, account in accounts.items():
            self.held[account] -= stake + fee_of(stake)
            self.should[account] += self._back(paper, seat, stake)

    def _back(self, paper: Paper, seat: int, stake: int) -> int:
        """What comes back to a seat (R27, R28)."""
        if paper.ended in ("closed", "void"):
            return stake + fee_of(stake)
        if paper.winner == seat:
            return 2 * stake + fee_of(stake)
        return 0 if paper.ended == "left" else fee_of(stake)

    def check(self, account: str, stored_coins: int) -> None:
        """An account as its row has it."""
        for told, coins in (("the rules", self.should[account]), ("its transfers", self.by_transfers[account])):
            if stored_coins != coins:
                raise Found("coins", f"{account} has {stored_coins}, and by {told} {coins}")

    def check_escrow(self, table_id: str) -> None:
        """A table that is over holds nothing."""
        for seat in (0, 1):
            left = self.by_transfers[f"table:{table_id}:{seat}"]
            if left:
                raise Found("coins", f"{left} coins stay at table {table_id}, seat {seat}")

    def check_all(self, over: Iterable[Paper]) -> None:
        """All coins are somewhere, and none at a table that is over."""
        if self.by_transfers.total():
            raise Found("coins", f"all purses together hold {self.by_transfers.total()}")
        for paper in over:
            self.check_escrow(paper.terms.table_id)
