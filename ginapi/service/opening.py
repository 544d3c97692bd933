"""Opening a table: for practice, by anybody (R24), for coins, by an account (R25), or for another person."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from ginapi.errors import Reason, Refused
from ginapi.game.cards import Card
from ginapi.game.rules import HOUSE, Rules
from ginapi.service import asking, counting, openings, settling, sitting
from ginapi.service.asking import Answer, Ask, Once
from ginapi.service.callers import Seated
from ginapi.service.house import House
from ginapi.store import ledger, tables
from ginapi.store.tables import Seat
from ginapi.store.tokens import Caller
from ginapi.tables import table as at_table
from ginapi.tables.clock import ClockTerms
from ginapi.tables.coins import NOTE
from ginapi.tables.online import open_online
from ginapi.tables.values import Outcome


@dataclass(frozen=True, slots=True)
class PracticeTerms:
    """How a practice table is to be opened; `opener` is a seat, the caller's 0 or the computer's 1."""

    level: str
    opener: int
    target: int
    seed: str | None = None
    deck: tuple[Card, ...] | None = None
    move_ms: int | None = None
    """The time for a move, where a clock was asked for (R22)."""
    rules: Rules = HOUSE


@dataclass(frozen=True, slots=True)
class CoinTerms:
    """How a coin table is to be opened."""

    stake: int


@dataclass(frozen=True, slots=True)
class OnlineTerms:
    """How a table between people is to be opened; a `seed`, a `deck` or a `target` of one's own make it unrated."""

    stake: int
    move_ms: int | None = None
    """The time for a move; the house's where nothing is said (R21)."""
    private: bool = False
    target: int = 100
    seed: str | None = None
    deck: tuple[Card, ...] | None = None


AnyTerms = PracticeTerms | CoinTerms | OnlineTerms

Told = Callable[[Connection, Seated, Outcome, str | None], Answer]
"""Makes the answer, of the table as it was opened and the new token, where there is one."""


def open_table(
    house: House, ask: Ask, read_terms: Callable[[], AnyTerms], answer: Told, *, needs_account: bool = False
) -> Answer:
    """Open a table, and deal its first hand where the computer plays; whoever asks without a token becomes a guest.

    `needs_account` is for a body that asks for a table with a stake: who may ask is judged before what is asked.
    """

    def work(tx: Connection, once: Once) -> Answer:
        caller = sitting.caller_of(house, tx, ask, needs_account=needs_account)
        terms = read_terms()
        once.check()
        now_ms = house.now_in(tx)
        caller, token = sitting.arrived(house, tx, ask, once, caller, now_ms)
        outcome = opened(house, tx, caller, terms, now_ms)
        return answer(tx, Seated(outcome.table, 0, caller.principal, now_ms, now_ms), outcome, token)

    return enough_coins(lambda: asking.write(house, ask, work))


def enough_coins(work: Callable[[], Answer]) -> Answer:
    """What `work` answers; `not_enough_coins` where an account was overdrawn after all."""
    try:
        return work()
    except ledger.NotEnoughCoins:
        detail = f"You have fewer coins than the stake and the leaving fee. {NOTE}"
        raise Refused(Reason.NOT_ENOUGH_COINS, detail) from None


def opened(house: House, tx: Connection, caller: Caller, terms: AnyTerms, now_ms: int) -> Outcome:
    """A new table where the caller sits in seat 0, its stake put up.

    Raises `stake_not_offered`, `too_many_tables`, `not_enough_coins` or `unavailable`.
    """
    stake = 0 if isinstance(terms, PracticeTerms) else terms.stake
    if stake or isinstance(terms, CoinTerms):
        sitting.refuse_stake(house, stake)
    sitting.refuse_too_many(tx, caller.principal)
    sitting.refuse_short(tx, caller.principal, stake)
    openings.refuse_closed(tx)
    outcome = _outcome_of(house, terms, now_ms)
    seats = [sitting.seat_of(tx, caller, 0)]
    if outcome.table.kind != "practice":
        outcome = outcome._replace(table=outcome.table._replace(told=sitting.is_told(tx, seats)))
    table = outcome.table
    if table.level is not None:
        seats.append(Seat(1, "computer", table.level, None))
    tables.add(tx, outcome, tuple(seats))
    counting.count_moves(tx, outcome)
    ledger.post(tx, at_table.stakes_put_up(table, settling.purses(tx, table)), now_ms, table.id)
    return outcome


def _outcome_of(house: House, terms: AnyTerms, now_ms: int) -> Outcome:
    table_id = house.new_table_id()
    if isinstance(terms, CoinTerms):
        return at_table.open_coin(
            table_id,
            house.new_seed(),
            now_ms,
            stake=terms.stake,
            clock=house.terms.coin_clock,
            choose=house.choose,
        )
    seed = terms.seed if terms.seed is not None else house.new_seed()
    fair = terms.seed is None and terms.deck is None
    if isinstance(terms, OnlineTerms):
        return open_online(
            table_id,
            seed,
            now_ms,
            stake=terms.stake,
            clock=_online_clock(house, terms),
            private=terms.private,
            invite=house.new_invite() if terms.private else None,
            target=terms.target,
            fair=fair,
            deck=terms.deck,
        )
    return at_table.open_practice(
        table_id,
        seed,
        now_ms,
        level=terms.level,
        opener=terms.opener,
        target=terms.target,
        fair=fair,
        deck=terms.deck,
        clock=None if terms.move_ms is None else house.terms.clock_of(terms.move_ms),
        rules=terms.rules,
        choose=house.choose,
    )


def _online_clock(house: House, terms: OnlineTerms) -> ClockTerms:
    return house.terms.online_clock if terms.move_ms is None else house.terms.clock_of(terms.move_ms)
