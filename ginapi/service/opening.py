"""Opening a table against the computer: for practice, by anybody (R24), or for coins, by an account (R25)."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from ginapi.config import TABLES_PER_PLAYER
from ginapi.errors import Reason, Refused
from ginapi.game.cards import Card
from ginapi.service import asking, callers, settling
from ginapi.service.asking import Answer, Ask, Once
from ginapi.service.callers import GUEST, Seated
from ginapi.service.house import House
from ginapi.store import accounts, clock, ledger, tables, tokens
from ginapi.store.tables import Seat
from ginapi.tables import table as at_table
from ginapi.tables.coins import NOTE, leaving_fee
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


@dataclass(frozen=True, slots=True)
class CoinTerms:
    """How a coin table is to be opened."""

    stake: int


Told = Callable[[Connection, Seated, Outcome, str | None], Answer]
"""Makes the answer, of the table as it was opened and the new token, where there is one."""


def open_table(
    house: House,
    ask: Ask,
    read_terms: Callable[[], PracticeTerms | CoinTerms],
    answer: Told,
    *,
    needs_account: bool = False,
) -> Answer:
    """Open a table and deal its first hand; whoever asks for practice without a token becomes a guest.

    `needs_account` is for a body that asks for a coin table: who may ask is judged before what is asked.
    """

    def work(tx: Connection, once: Once) -> Answer:
        if needs_account:
            caller: tokens.Caller | None = callers.find_account(house, tx, ask.token)
        else:
            caller = None if ask.token is None else callers.find(house, tx, ask.token)
        terms = read_terms()
        once.check()
        now_ms = house.at(clock.now_ms(tx))
        token: str | None = None
        if caller is None:
            token = once.new_token(GUEST)
            caller = tokens.Caller(house.new_principal(GUEST), GUEST, now_ms)
            tokens.add(tx, token, caller.principal, caller.kind, now_ms)
        elif ask.token is not None and callers.is_to_note(caller.used_ms, now_ms):
            tokens.use(tx, tokens.hash_of(ask.token), now_ms)
        seat = _first_seat(tx, caller)
        if isinstance(terms, CoinTerms):
            outcome = _opened_for_coins(house, tx, caller, terms, now_ms)
        else:
            _refuse_too_many(tx, caller)
            outcome = _opened_for_practice(house, terms, now_ms)
        tables.add(tx, outcome, (seat, Seat(1, "computer", outcome.table.level or "", None)))
        if outcome.table.stake:
            put_up = at_table.stakes_put_up(outcome.table, settling.purses(tx, outcome.table))
            ledger.post(tx, put_up, now_ms, outcome.table.id)
        return answer(tx, Seated(outcome.table, 0, caller.principal, now_ms, now_ms), outcome, token)

    try:
        return asking.write(house, ask, work)
    except ledger.NotEnoughCoins:
        detail = f"You have fewer coins than the stake and the leaving fee. {NOTE}"
        raise Refused(Reason.NOT_ENOUGH_COINS, detail) from None


def _first_seat(tx: Connection, caller: tokens.Caller) -> Seat:
    """Seat 0, under the name of the account, where the caller has one."""
    account = accounts.find(tx, caller.principal) if caller.kind == callers.ACCOUNT else None
    return Seat(0, caller.kind, caller.kind if account is None else account.name, caller.principal)


def _refuse_too_many(tx: Connection, caller: tokens.Caller) -> None:
    # So that two openings at once are counted one after the other, and nobody sits down who has closed the account.
    if not tokens.hold(tx, caller.principal):
        raise callers.unknown()
    if tables.count_running(tx, caller.principal) >= TABLES_PER_PLAYER:
        raise Refused(
            Reason.TOO_MANY_TABLES,
            f"You sit at {TABLES_PER_PLAYER} running tables, the most allowed: finish or leave one first.",
        )


def _opened_for_practice(house: House, terms: PracticeTerms, now_ms: int) -> Outcome:
    return at_table.open_practice(
        house.new_table_id(),
        terms.seed if terms.seed is not None else house.new_seed(),
        now_ms,
        level=terms.level,
        opener=terms.opener,
        target=terms.target,
        fair=terms.seed is None and terms.deck is None,
        deck=terms.deck,
        clock=None if terms.move_ms is None else house.terms.practice_clock(terms.move_ms),
        choose=house.choose,
    )


def _opened_for_coins(house: House, tx: Connection, caller: tokens.Caller, terms: CoinTerms, now_ms: int) -> Outcome:
    if terms.stake not in house.terms.stakes:
        offered = ", ".join(str(stake) for stake in house.terms.stakes)
        detail = f"There is no table at {terms.stake} coins: the stakes are {offered}. {NOTE}"
        raise Refused(Reason.STAKE_NOT_OFFERED, detail)
    _refuse_too_many(tx, caller)
    # After the tokens, as everywhere: whoever ends a match has noted its token before coins move.
    account = accounts.find(tx, caller.principal, to_change=True)
    assert account is not None
    needed = terms.stake + leaving_fee(terms.stake)
    if account.balance_coins < needed:
        raise Refused(
            Reason.NOT_ENOUGH_COINS,
            f"Stake and leaving fee come to {needed} coins, and you have {account.balance_coins}. {NOTE}",
        )
    return at_table.open_coin(
        house.new_table_id(),
        house.new_seed(),
        now_ms,
        stake=terms.stake,
        clock=house.terms.coin_clock,
        choose=house.choose,
    )
