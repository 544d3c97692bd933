"""Books kept in memory: what the transfers of the pure part make of every purse, checked with each."""

from collections import Counter
from collections.abc import Iterable

from ginapi.tables.coins import HOUSE, Transfer, purse_of, seat_purse
from ginapi.tables.table import settlement, stake_put_up, stakes_put_up
from ginapi.tables.values import Table


class Books:
    """Purses by name. A posting that overdraws one, moves nothing or comes twice is an AssertionError."""

    def __init__(self) -> None:
        self.purses: Counter[str] = Counter()
        self._posted: set[str] = set()

    def post(self, moved: Iterable[Transfer]) -> None:
        """Post transfers one after the other: no order of theirs may overdraw a purse on the way."""
        for one in moved:
            assert one.id not in self._posted, one
            assert type(one.coins) is int and one.coins > 0 and one.debit != one.credit, one
            self._posted.add(one.id)
            self.purses[one.debit] -= one.coins
            self.purses[one.credit] += one.coins
            assert one.debit == HOUSE or self.purses[one.debit] >= 0, one

    def check(self) -> None:
        assert sum(self.purses.values()) == 0
        assert all(held >= 0 for purse, held in self.purses.items() if purse != HOUSE)


class Staked:
    """A table for coins in the books, and the accounts that sit there; None for the computer, or an empty seat."""

    def __init__(self, books: Books, table: Table, accounts: tuple[str, str | None]) -> None:
        self.books, self.table, self.accounts = books, table, accounts
        self.purses = purse_of(accounts[0]), purse_of(accounts[1])
        books.post(stakes_put_up(table, self.purses))

    def join(self, dealt: Table, account: str) -> None:
        """The second seat is taken, and what it puts up is posted."""
        self.table, self.accounts = dealt, (self.accounts[0], account)
        self.purses = self.purses[0], purse_of(account)
        self.books.post(stake_put_up(dealt, 1, account))

    def end(self, ended: Table) -> None:
        """Settle the table as it ended; nothing of it is left in escrow."""
        self.books.post(settlement(ended, self.purses))
        for seat in (0, 1):
            escrow = seat_purse(self.table.id, seat)
            assert self.books.purses.pop(escrow, 0) == 0, escrow
