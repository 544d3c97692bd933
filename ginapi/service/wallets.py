"""What an account has: its coins, held ones apart, its statement, a refill, and where it could sit."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from ginapi.errors import Reason, Refused
from ginapi.service import asking, callers, settling
from ginapi.service.asking import Answer, Ask, Once
from ginapi.service.house import House
from ginapi.store import accounts, ledger, tables, tokens
from ginapi.store.accounts import Account
from ginapi.store.ledger import StatementEntry
from ginapi.store.tokens import Caller
from ginapi.tables import coins
from ginapi.tables.coins import leaving_fee

REFILL_EVERY_MS = 24 * 3_600_000


@dataclass(frozen=True, slots=True)
class Wallet:
    """An account's coins; `balance` without what is `held` at running tables, stakes and leaving fees."""

    balance: int
    held: int


@dataclass(frozen=True, slots=True)
class OfferedStake:
    """A stake, what leaving costs beside it, and whether the caller could sit; None for nobody in particular."""

    stake: int
    leaving_fee: int
    can_sit: bool | None


def see(house: House, token: str | None) -> Wallet:
    """The caller's wallet."""
    known = callers.needed(token)

    def look() -> tuple[Caller, Wallet]:
        with house.db.read() as tx:
            caller = callers.find_account(house, tx, known)
            account = accounts.find(tx, caller.principal)
            assert account is not None
            return caller, _wallet(tx, account)

    caller, wallet = settling.until_settled(house, look)
    callers.noted(house, known, caller)
    return wallet


def _wallet(tx: Connection, account: Account) -> Wallet:
    held = sum(stake + leaving_fee(stake) for stake in tables.running_stakes(tx, account.id))
    return Wallet(account.balance_coins, held)


def statement(house: House, token: str | None, before: int, limit: int) -> list[StatementEntry]:
    """The caller's entries with numbers below `before`, newest first."""

    def look() -> list[StatementEntry]:
        with house.db.read() as tx:
            caller = callers.find_account(house, tx, token)
            return ledger.statement(tx, caller.principal, before, limit)

    return settling.until_settled(house, look)


def refill(house: House, ask: Ask, read_body: Callable[[], object], answer: Callable[[Wallet], Answer]) -> Answer:
    """Refill the caller's coins up to the welcome grant (R29). Raises `refill_not_due`."""

    def work(tx: Connection, once: Once) -> Answer:
        caller = callers.find_account(house, tx, ask.token)
        read_body()
        once.check()
        now_ms = house.now_ms()
        if callers.is_to_note(caller.used_ms, now_ms):
            tokens.use(tx, tokens.hash_of(callers.needed(ask.token)), now_ms)
        account = accounts.find(tx, caller.principal, to_change=True)
        assert account is not None
        if account.is_closed:
            raise callers.unknown()  # It was closed while this waited for it.
        wallet = _wallet(tx, account)
        has = wallet.balance + wallet.held
        smallest = min(house.terms.stakes)
        needed = smallest + leaving_fee(smallest)
        if has >= min(needed, house.terms.welcome_coins):
            detail = f"You have {has} coins; a refill is for fewer than {needed}. {coins.NOTE}"
            raise Refused(Reason.REFILL_NOT_DUE, detail)
        if account.refilled_ms is not None and now_ms - account.refilled_ms < REFILL_EVERY_MS:
            raise Refused(Reason.REFILL_NOT_DUE, "Your last refill was less than 24 hours ago.")
        number = account.refill_count + 1
        ledger.post(tx, coins.refill(account.id, number, house.terms.welcome_coins - has), now_ms, None)
        accounts.set_refilled(tx, account.id, number, now_ms)
        return answer(Wallet(house.terms.welcome_coins - wallet.held, wallet.held))

    return asking.write(house, ask, work)


def stakes(house: House, token: str | None) -> list[OfferedStake]:
    """The stakes that are offered."""
    balance: int | None = None
    if token is not None:
        known = token

        def look() -> tuple[Caller, int]:
            with house.db.read() as tx:
                caller = callers.find(house, tx, known)
                if caller.kind != callers.ACCOUNT:
                    return caller, 0
                account = accounts.find(tx, callers.find_account(house, tx, known).principal)
                return caller, 0 if account is None else account.balance_coins

        caller, balance = settling.until_settled(house, look)
        callers.noted(house, known, caller)
    return [
        OfferedStake(stake, leaving_fee(stake), None if balance is None else stake + leaving_fee(stake) <= balance)
        for stake in house.terms.stakes
    ]


def grant(house: House, name: str, amount: int, why: str) -> Wallet:
    """Grant coins to an account, as its operator decided. Raises LookupError where no account has the name."""

    def work(tx: Connection) -> Wallet:
        found = accounts.find_by_name(tx, name)
        account = None if found is None else accounts.find(tx, found.id, to_change=True)
        if account is None or account.is_closed:  # It may have been closed before it was held.
            raise LookupError(name)
        ledger.post(tx, coins.granted(account.id, house.random_hex(8), amount, why), house.now_ms(), None)
        after = accounts.find(tx, account.id)
        assert after is not None
        return _wallet(tx, after)

    return house.db.transact(work)
