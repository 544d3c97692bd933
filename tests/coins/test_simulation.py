"""Coins without a database: tables opened, joined and ended, refills, grants and closings, by the rules (R27–R29)."""

import random
from collections import Counter
from collections.abc import Callable

import pytest

from ginapi.errors import Reason, Refused
from ginapi.tables import coins, online
from ginapi.tables import table as at_table
from ginapi.tables.clock import ClockTerms
from ginapi.tables.coins import leaving_fee
from ginapi.tables.values import Table
from tests.coins.books import Books, Staked
from tests.shares import numbers, share

OPERATIONS = share(1_000_000, 20_000)
STAKES = (50, 100, 250, 500, 1000, 5000, 10000)
WELCOME = 1000
NOW_MS = 1_790_000_000_000
ACCOUNTS = 60
RUNNING = 200
LOOK_EVERY = 1_000


def a_table(number: int, stake: int, between_people: bool) -> Table:
    clock = ClockTerms(90_000, 500, 667, 10_000)
    if between_people:
        return online.join(a_waiting_table(number, stake), NOW_MS).table
    return at_table.open_coin(f"{number:020x}", "seed", NOW_MS, stake=stake, clock=clock).table


def a_waiting_table(number: int, stake: int) -> Table:
    clock = ClockTerms(30_000, 500, 667, 10_000)
    return online.open_online(f"{number:020x}", "seed", NOW_MS, stake=stake, clock=clock).table


class World:
    """Accounts and tables, and beside the books what each account should have by the rules alone."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.books = Books()
        self.should: dict[str, int] = {}
        self.refills: dict[str, int] = {}
        self.running: list[Staked] = []
        self.waiting: list[Staked] = []
        self.over: list[tuple[Table, tuple[str, str]]] = []
        """Tables between two people that ended last: they may play on."""
        self.done: Counter[str] = Counter()
        self._number = 0
        # Dealing costs more than all the rest: tables are dealt once, and called by other names.
        self._dealt = {between: a_table(0, 50, between) for between in (False, True)}
        self._waits = a_waiting_table(0, 50)

    def next_number(self) -> int:
        self._number += 1
        return self._number

    def sign_up(self) -> None:
        if len(self.should) >= ACCOUNTS:
            return
        account = f"account:{self.next_number():032x}"
        self.books.post(coins.welcome(account, WELCOME))
        self.should[account], self.refills[account] = WELCOME, 0

    def open(self) -> None:
        if len(self.running) >= RUNNING:
            return
        able = list(self.should)
        stake = self.chance.choice(STAKES)
        cost = stake + leaving_fee(stake)
        first = self.chance.choice(able)
        second = self.chance.choice([None, None, *able])
        if second == first or any(one is not None and self.should[one] < cost for one in (first, second)):
            return
        table = self._dealt[second is not None]._replace(id=f"{self.next_number():020x}", stake=stake)
        for one in (first, second):
            if one is not None:
                self.should[one] -= cost
        self.running.append(Staked(self.books, table, (first, second)))

    def wait(self) -> None:
        """Somebody opens a table between people, and waits."""
        if len(self.waiting) < RUNNING:
            stake, account = self.chance.choice(STAKES), self.chance.choice(list(self.should))
            if self._pays(account, stake):
                table = self._waits._replace(id=f"{self.next_number():020x}", stake=stake)
                self.waiting.append(Staked(self.books, table, (account, None)))

    def _pays(self, account: str, stake: int) -> bool:
        """Whether the account can put up stake and fee; then it has."""
        cost = stake + leaving_fee(stake)
        if self.should[account] < cost:
            return False
        self.should[account] -= cost
        return True

    def join(self) -> None:
        """The second seat of a table that waits is taken, and paid for."""
        if not self.waiting:
            return
        staked, account = self.chance.choice(self.waiting), self.chance.choice(list(self.should))
        if account == staked.accounts[0] or not self._pays(account, staked.table.stake):
            return
        self.waiting.remove(staked)
        dealt = self._dealt[True]._replace(id=staked.table.id, stake=staked.table.stake)
        staked.join(dealt, account)
        self.running.append(staked)
        self.done["joined"] += 1

    def close_waiting(self) -> None:
        """A table that waits is left, called off or closes by itself: all comes back (R28)."""
        if not self.waiting:
            return
        staked = self.waiting.pop(self.chance.randrange(len(self.waiting)))
        table, account = staked.table, staked.accounts[0]
        ways: list[Callable[[], Table]] = [
            lambda: at_table.leave(table, 0, NOW_MS).table,
            lambda: at_table.void(table, NOW_MS, "a test").table,
            lambda: at_table.flag(table, NOW_MS + 10**9).table,
        ]
        ended = self.chance.choice(ways)()
        assert (ended.status, ended.winner, at_table.payout(ended)) == ("finished", None, None)
        staked.end(ended)
        self.should[account] += table.stake + table.leaving_fee
        self.done["closed"] += 1
        with pytest.raises(Refused) as refused:
            online.join(ended, NOW_MS)
        assert refused.value.reason is Reason.TABLE_OVER

    def rematch(self) -> None:
        """Two play on: the stakes are taken anew, of both or of neither."""
        if not self.over or len(self.running) >= RUNNING:
            return
        table, accounts = self.over.pop(self.chance.randrange(len(self.over)))
        cost = table.stake + table.leaving_fee
        if any(self.should.get(account, 0) < cost for account in accounts):
            return
        for account in accounts:
            self.should[account] -= cost
        new = self._dealt[True]._replace(id=f"{self.next_number():020x}", stake=table.stake)
        self.running.append(Staked(self.books, new, accounts))
        self.done["played on"] += 1

    def end(self) -> None:
        """A table ends in one of the ways that there are."""
        if not self.running:
            return
        place = self.chance.randrange(len(self.running))
        self.running[place], self.running[-1] = self.running[-1], self.running[place]
        staked = self.running.pop()
        table, stake = staked.table, staked.table.stake
        fees = table.leaving_fee, table.leaving_fee if staked.accounts[1] is not None else 0
        gains = [0, 0]
        kind = self.chance.choice(["target", "target", "left", "void"])
        seat = self.chance.randrange(2)
        if kind == "target":
            ended = table._replace(status="finished", winner=seat, ended="target")
            gains[seat] = 2 * stake
            gains = [gains[0] + fees[0], gains[1] + fees[1]]
            assert at_table.payout(ended) == 2 * stake
        elif kind == "left":
            seat = 0 if staked.accounts[1] is None else seat  # The computer never leaves.
            ended = at_table.leave(table, seat, NOW_MS).table
            gains[1 - seat] = 2 * stake + fees[1 - seat]
            assert (ended.winner, at_table.payout(ended)) == (1 - seat, 2 * stake)
        else:
            ended = at_table.void(table, NOW_MS, "a test").table
            gains = [stake + fees[0], stake + fees[1]]
            assert at_table.payout(ended) is None
        self.done[kind] += 1
        before = self.books.purses[coins.HOUSE]
        staked.end(ended)
        first, second = staked.accounts
        if first is not None and second is not None:
            self.over = [*self.over[-20:], (ended, (first, second))]
        for account, gain in zip(staked.accounts, gains, strict=True):
            if account is not None:
                self.should[account] += gain
        to_house = (gains[1] if staked.accounts[1] is None else 0) + (fees[seat] if kind == "left" else 0)
        assert self.books.purses[coins.HOUSE] - before == to_house
        again: list[Callable[[], object]] = [
            lambda: at_table.leave(ended, seat, NOW_MS),
            lambda: at_table.leave(ended, 1 - seat, NOW_MS),
            lambda: at_table.void(ended, NOW_MS, "again"),
        ]
        with pytest.raises(Refused) as refused:
            self.chance.choice(again)()
        assert refused.value.reason is Reason.TABLE_OVER

    def refill(self) -> None:
        account = self.chance.choice(list(self.should))
        seated = [*self.running, *self.waiting]
        held = sum(s.table.stake + s.table.leaving_fee for s in seated if account in s.accounts)
        has = self.should[account] + held
        if has < STAKES[0] + leaving_fee(STAKES[0]):
            self.refills[account] += 1
            self.books.post(coins.refill(account, self.refills[account], WELCOME - has))
            self.should[account] += WELCOME - has

    def grant(self) -> None:
        account = self.chance.choice(list(self.should))
        amount = self.chance.choice([1, 7, 100, 5_000])
        self.books.post(coins.granted(account, f"{self.next_number():016x}", amount, "a test"))
        self.should[account] += amount

    def close(self) -> None:
        account = self.chance.choice(list(self.should))
        if self.chance.random() < 0.9 or any(account in staked.accounts for staked in (*self.running, *self.waiting)):
            return
        self.books.post(coins.closed(account, self.should.pop(account)))
        assert self.books.purses.pop(account) == 0

    def check(self) -> None:
        """Everything, added up anew."""
        self.books.check()
        held = {
            coins.seat_purse(staked.table.id, seat): staked.table.stake
            + (staked.table.leaving_fee if account is not None else 0)
            for staked in self.running
            for seat, account in enumerate(staked.accounts)
        }
        held |= {
            coins.seat_purse(staked.table.id, 0): staked.table.stake + staked.table.leaving_fee
            for staked in self.waiting
        }
        purses = {purse: coins for purse, coins in self.books.purses.items() if coins and purse != "house"}
        assert purses == {purse: coins for purse, coins in {**self.should, **held}.items() if coins}


def test_random_operations_leave_every_purse_as_the_rules_say() -> None:
    world = World(numbers("coins simulated"))
    for _ in range(5):
        world.sign_up()
    often = [world.open, world.open, world.open, world.end, world.end]
    often += [world.wait, world.join, world.close_waiting, world.rematch]
    operations = [*often, world.sign_up, world.refill, world.grant, world.close]
    for count in range(OPERATIONS):
        if not world.should:
            world.sign_up()
        world.chance.choice(operations)()
        assert world.books.purses.total() == 0
        if count % LOOK_EVERY == 0:
            world.check()
    world.check()
    while world.running:
        world.end()
    while world.waiting:
        world.close_waiting()
    world.check()
    assert not [purse for purse in world.books.purses if purse.startswith(coins.TABLE)]
    print(world.done)
    ways = ("joined", "closed", "played on", "target", "left", "void")
    assert min(world.done[way] for way in ways) >= OPERATIONS // 500


@pytest.mark.parametrize("stake", STAKES)
@pytest.mark.parametrize("between_people", [False, True], ids=["against the house", "between people"])
def test_every_end_of_a_match_moves_what_the_rules_say(stake: int, between_people: bool) -> None:
    fee = stake // 10
    ends: list[tuple[Callable[[Table], Table], tuple[int, int]]] = [
        (lambda table: table._replace(status="finished", winner=0, ended="target"), (stake, -stake)),
        (lambda table: table._replace(status="finished", winner=1, ended="target"), (-stake, stake)),
        (lambda table: at_table.leave(table, 0, NOW_MS).table, (-stake - fee, stake)),
        (lambda table: at_table.void(table, NOW_MS, "x").table, (0, 0)),
    ]
    if between_people:
        ends.append((lambda table: at_table.leave(table, 1, NOW_MS).table, (stake, -stake - fee)))
    for end, (first, second) in ends:
        books = Books()
        seats = ("account:a", "account:b" if between_people else None)
        for account in seats:
            if account is not None:
                books.post(coins.welcome(account, 2 * stake))
        granted = dict(books.purses)
        table = a_table(1, stake, between_people)
        staked = Staked(books, table, seats)
        staked.end(end(table))
        assert books.purses["account:a"] - granted["account:a"] == first
        other = "account:b" if between_people else coins.HOUSE
        fee_to_house = -first - second if not between_people else 0
        assert books.purses[other] - granted[other] == second + fee_to_house
        books.check()
