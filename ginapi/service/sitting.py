"""Sitting down: who does so, under which name, at how many tables, told of it or not, and with the coins (R25, R27)."""

from collections.abc import Sequence

from sqlalchemy import Connection

from ginapi.config import TABLES_PER_PLAYER
from ginapi.errors import Reason, Refused
from ginapi.service import callers
from ginapi.service.asking import Ask, Once
from ginapi.service.callers import ACCOUNT, GUEST
from ginapi.service.house import House
from ginapi.store import accounts, tokens, webhooks
from ginapi.store.tables import Seat, count_running
from ginapi.store.tokens import Caller
from ginapi.tables.coins import NOTE, leaving_fee
from ginapi.tables.values import Table


def caller_of(house: House, tx: Connection, ask: Ask, *, needs_account: bool) -> Caller | None:
    """Who asks; None where no token was sent. With `needs_account`, raises as `callers.find_account`."""
    if needs_account:
        return callers.find_account(house, tx, ask.token)
    return None if ask.token is None else callers.find(house, tx, ask.token)


def arrived(
    house: House, tx: Connection, ask: Ask, once: Once, caller: Caller | None, now_ms: int
) -> tuple[Caller, str | None]:
    """The caller, whose token was used; whoever asks without one becomes a guest, with a new token."""
    if caller is None:
        token = once.new_token(GUEST)
        guest = Caller(house.new_principal(GUEST), GUEST, now_ms)
        tokens.add(tx, token, guest.principal, guest.kind, now_ms)
        return guest, token
    if ask.token is not None and callers.is_to_note(caller.used_ms, now_ms):
        tokens.use(tx, tokens.hash_of(ask.token), now_ms)
    return caller, None


def seat_of(tx: Connection, caller: Caller, seat: int) -> Seat:
    """The seat, under the name of the account where the caller has one."""
    account = accounts.find(tx, caller.principal) if caller.kind == ACCOUNT else None
    return Seat(seat, caller.kind, caller.kind if account is None else account.name, caller.principal)


def refuse_stake(house: House, stake: int) -> None:
    """Raise `stake_not_offered`."""
    if stake not in house.terms.stakes:
        offered = ", ".join(str(one) for one in house.terms.stakes)
        detail = f"There is no table at {stake} coins: the stakes are {offered}. {NOTE}"
        raise Refused(Reason.STAKE_NOT_OFFERED, detail)


def refuse_too_many(tx: Connection, principal: str) -> None:
    """Raise `too_many_tables`, or `bad_token` for one who is gone by now."""
    # So that two openings at once are counted one after the other, and nobody sits down who has closed the account.
    if not tokens.hold(tx, principal):
        raise callers.unknown()
    if count_running(tx, principal) >= TABLES_PER_PLAYER:
        raise Refused(
            Reason.TOO_MANY_TABLES,
            f"You sit at {TABLES_PER_PLAYER} running tables, the most allowed: finish or leave one first.",
        )


def refuse_short(tx: Connection, principal: str, stake: int) -> None:
    """Raise `not_enough_coins`; an account that has them is held until the transaction ends."""
    if not stake:
        return
    # After the tokens, as everywhere: whoever ends a match has noted its token before coins move.
    account = accounts.find(tx, principal, to_change=True)
    assert account is not None
    needed = stake + leaving_fee(stake)
    if account.balance_coins < needed:
        raise Refused(
            Reason.NOT_ENOUGH_COINS,
            f"Stake and leaving fee come to {needed} coins, and you have {account.balance_coins}. {NOTE}",
        )


def is_told(tx: Connection, sitting: Sequence[Seat]) -> bool:
    """Whether any of those who sit down at a table wants to be told; their tokens are held.

    So either it is seen here that one has a webhook, or the table is there by the time that it gets one.
    """
    accounts = [seat.principal for seat in sitting if seat.kind == ACCOUNT and seat.principal is not None]
    return webhooks.has_any(tx, accounts)


def told_too(tx: Connection, table: Table, seat: Seat) -> Table:
    """The table, which is held, as somebody sits down who may want to be told."""
    if table.told or not is_told(tx, [seat]):
        return table
    webhooks.set_told(tx, table.id, True)
    return table._replace(told=True)
