"""What an operator does to an account, and why: banned, let in again, renamed, its tokens revoked; each is kept.

Nobody else is harmed: at the tables where a banned account sits its clock plays on, on the merits.
"""

from collections.abc import Callable

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from ginapi.errors import Reason, Refused
from ginapi.service import settling
from ginapi.service.house import House
from ginapi.store import accounts, acts, lobby, tables, tokens, webhooks
from ginapi.store.accounts import Account
from ginapi.store.acts import Act
from ginapi.tables import table as at_table

BANNED, UNBANNED, RENAMED, TOKENS_REVOKED = "banned", "unbanned", "renamed", "tokens revoked"


def ban(house: House, name: str, why: str) -> None:
    """Take an account's tokens and webhooks, and give it no token until it is let in again.

    A table where it waits for a second player closes: nobody is to sit down with somebody who cannot play. Raises
    LookupError, and `not_allowed` for one that is banned.
    """

    def work(tx: Connection, account: Account, now_ms: int) -> str:
        # Where a table of its waits yet the ban was cut short, and is done again.
        if account.banned_ms is not None and not lobby.waiting_of(tx, account.id):
            raise Refused(Reason.NOT_ALLOWED, f"{account.name} is banned already: {why_banned(tx, account.id)}")
        accounts.set_banned(tx, account.id, now_ms)
        tokens.revoke_all(tx, account.id)
        webhooks.remove_all(tx, account.id)
        return BANNED

    account_id = _acted(house, name, why, work)
    with house.db.read() as tx:
        waiting = lobby.waiting_of(tx, account_id)
    for table_id in waiting:
        _close(house, table_id)


def _close(house: House, table_id: str) -> None:
    """Close a table, unless somebody has sat down there meanwhile."""

    def work(tx: Connection) -> None:
        found = tables.find_to_write(tx, table_id)
        if found is not None and found.table.status == "open":
            settling.save(tx, found.table, at_table.leave(found.table, 0, house.at(found.now_ms)))

    settling.settle(house, table_id)
    house.db.transact(work)


def unban(house: House, name: str, why: str) -> None:
    """Let an account in again, by its password. Raises LookupError, and `not_allowed` for one that is not banned."""

    def work(tx: Connection, account: Account, now_ms: int) -> str:
        if account.banned_ms is None:
            raise Refused(Reason.NOT_ALLOWED, f"{account.name} is not banned.")
        accounts.set_banned(tx, account.id, None)
        return UNBANNED

    _acted(house, name, why, work)


def rename(house: House, name: str, new_name: str, why: str) -> None:
    """Give an account another name, at the seats that it has and had too. Raises LookupError, `name_taken`."""

    def work(tx: Connection, account: Account, now_ms: int) -> str:
        key = accounts.name_key(new_name)
        accounts.rename(tx, account.id, new_name, key, account.password_hash)
        tables.call(tx, account.id, new_name)
        return RENAMED

    try:
        _acted(house, name, why, work)
    except IntegrityError:
        raise Refused(Reason.NAME_TAKEN, f"The name {new_name!r} is taken: choose another.") from None


def revoke_tokens(house: House, name: str, why: str) -> None:
    """Take an account's tokens: whoever knows its password gets another. Raises LookupError."""

    def work(tx: Connection, account: Account, now_ms: int) -> str:
        tokens.revoke_all(tx, account.id)
        return TOKENS_REVOKED

    _acted(house, name, why, work)


def seen(house: House, name: str) -> tuple[Account, list[Act]]:
    """An account, and all that was done to it, the newest first. Raises LookupError."""
    with house.db.read() as tx:
        account = accounts.find_by_name(tx, name)
        if account is None or account.is_closed:
            raise LookupError(name)
        return account, acts.of(tx, account.id)


def why_banned(tx: Connection, account_id: str) -> str:
    """Why an account that is banned is."""
    return next(act.why for act in acts.of(tx, account_id) if act.act == BANNED)


def _acted(house: House, name: str, why: str, work: Callable[[Connection, Account, int], str]) -> str:
    """Do something to an account that is held, and keep that it was done; the account's id."""

    def run(tx: Connection) -> str:
        found = accounts.find_by_name(tx, name)
        if found is None:
            raise LookupError(name)
        # As whoever opens a table does: either that is seen here, or this is seen there.
        tokens.hold(tx, found.id)
        account = accounts.find(tx, found.id, to_change=True)
        if account is None or account.is_closed:  # It may have been closed before it was held.
            raise LookupError(name)
        now_ms = house.now_in(tx)
        acts.add(tx, account.id, Act(work(tx, account, now_ms), why, now_ms))
        return account.id

    return house.db.transact(run)
