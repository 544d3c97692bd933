"""Accounts: opened, entered by password, left."""

from collections.abc import Callable

from sqlalchemy import Connection

from ginapi.errors import Reason, Refused
from ginapi.service import asking, callers, oversight, passwords, settling
from ginapi.service.asking import Answer, Ask, Once
from ginapi.service.callers import ACCOUNT
from ginapi.service.house import House
from ginapi.store import accounts, ledger, requests, standings, tables, tokens, webhooks
from ginapi.store.accounts import Account
from ginapi.tables import coins


def open_account(
    house: House,
    ask: Ask,
    read_name_and_password: Callable[[], tuple[str, str]],
    answer: Callable[[Account, str], Answer],
) -> Answer:
    """Open an account with its welcome coins (R29); `answer` is given its first token. Raises `name_taken`.

    What `answer` says is kept for a key where closing the account does not reach it: it must not name the account.
    """
    if ask.token is not None:
        see(house, ask.token)  # Who asks comes before what is asked.
    name, password = read_name_and_password()
    password_hash = passwords.hashed(password)  # Before the transaction: it takes a while.

    def work(tx: Connection, once: Once) -> Answer:
        if ask.token is not None:
            callers.find(house, tx, ask.token)
        once.check()
        now_ms = house.now_ms()
        account = Account(
            id=house.new_principal(ACCOUNT),
            name=name,
            password_hash=password_hash,
            created_ms=now_ms,
            balance_coins=0,
            entry_count=0,
            refill_count=0,
            refilled_ms=None,
        )
        if not accounts.add(tx, account, accounts.name_key(name)):
            raise Refused(Reason.NAME_TAKEN, f"The name {name!r} is taken: choose another.")
        ledger.post(tx, coins.welcome(account.id, house.terms.welcome_coins), now_ms, None)
        token = once.new_token(ACCOUNT)
        tokens.add(tx, token, account.id, ACCOUNT, now_ms)
        return answer(account, token)

    return asking.write(house, ask, work)


def enter(house: House, name: str, password: str, answer: Callable[[Account, str], Answer]) -> Answer:
    """A new token for an account. Raises `bad_credentials`, or `not_allowed` for one that is banned."""
    wrong = Refused(Reason.BAD_CREDENTIALS, "No account has this name and password.")
    with house.db.read() as tx:
        account = accounts.find_by_name(tx, name)
    if not passwords.is_right(password, None if account is None else account.password_hash) or account is None:
        raise wrong
    token = callers.token_of(ACCOUNT, house.new_salt())
    with house.db.write() as tx:
        held = accounts.find(tx, account.id, to_change=True)
        if held is None or held.password_hash != account.password_hash:
            raise wrong  # It was closed while its password was checked.
        if held.banned_ms is not None:
            raise Refused(Reason.NOT_ALLOWED, f"This account is banned: {oversight.why_banned(tx, held.id)}")
        tokens.add(tx, token, account.id, ACCOUNT, house.now_ms())
    return answer(account, token)


def revoke(house: House, token: str | None, read_query: Callable[[], object]) -> None:
    """Forget the caller's token. That is not leaving: the caller stays seated where it sits (R28)."""
    with house.db.write() as tx:
        callers.find(house, tx, callers.needed(token))
        read_query()
        tokens.revoke(tx, tokens.hash_of(callers.needed(token)))


def see(house: House, token: str | None) -> tuple[tokens.Caller, Account | None]:
    """Who the caller is; a guest has no account."""
    known = callers.needed(token)
    with house.db.read() as tx:
        caller = callers.find(house, tx, known)
        account = accounts.find(tx, caller.principal) if caller.kind == ACCOUNT else None
    callers.noted(house, known, caller)
    return caller, account


def close(house: House, token: str | None, read_query: Callable[[], object]) -> None:
    """Close the caller's account: its name, password and standing are forgotten, its coins go back to the house.

    Its seats are called `tables.CLOSED`. Only in answers that are kept for the keys of those who sat at a table with it
    does its name stay, for as long as they are kept.

    Raises `already_seated` while it sits at a running table.
    """

    def work(tx: Connection) -> None:
        caller = callers.find_account(house, tx, token)
        read_query()
        tokens.hold(tx, caller.principal)  # As whoever opens a table does: either it is seen here, or it is not opened.
        account = accounts.find(tx, caller.principal, to_change=True)
        assert account is not None
        if tables.count_running(tx, account.id):
            raise Refused(Reason.ALREADY_SEATED, "You sit at a running table: finish or leave it first.")
        ledger.post(tx, coins.closed(account.id, account.balance_coins), house.now_ms(), None)
        # The ledger keeps the account by its id; a name that nobody can choose takes the place of its own.
        accounts.rename(tx, account.id, "", account.id, "")
        tables.call(tx, account.id, tables.CLOSED)
        requests.forget_all(tx, account.id)
        standings.forget(tx, account.id)
        tokens.revoke_all(tx, account.id)
        webhooks.remove_all(tx, account.id)

    settling.until_settled(house, lambda: house.db.transact(work))
