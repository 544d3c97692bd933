"""Transfers as rows, and what they make of the accounts: each posted once, under the accounts' locks."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, and_, bindparam, func, insert, not_, or_, select

from ginapi.store import accounts
from ginapi.store.schema import entries, transfers
from ginapi.tables.coins import ACCOUNT, Transfer

_POST = insert(transfers)
_ENTER = insert(entries)
_STATEMENT = (
    select(
        entries.c.number,
        entries.c.coins,
        entries.c.balance_coins,
        transfers.c.id,
        transfers.c.reason,
        transfers.c.table_id,
        transfers.c.at_ms,
    )
    .select_from(entries.join(transfers, transfers.c.id == entries.c.transfer_id))
    .where(entries.c.account_id == bindparam("account_id"), entries.c.number < bindparam("before"))
    .order_by(entries.c.number.desc())
    .limit(bindparam("limit"))
)
_PAID = select(transfers.c.credit, func.sum(transfers.c.coins)).group_by(transfers.c.credit)
_TAKEN = select(transfers.c.debit, func.sum(transfers.c.coins)).group_by(transfers.c.debit)
_OF_TABLE = select(*(transfers.c[name] for name in Transfer._fields)).where(
    transfers.c.table_id == bindparam("table_id")
)
_STRAYED = (
    select(entries.c.account_id, entries.c.number)
    .select_from(entries.join(transfers, transfers.c.id == entries.c.transfer_id))
    .where(
        not_(
            or_(
                and_(transfers.c.credit == entries.c.account_id, transfers.c.coins == entries.c.coins),
                and_(transfers.c.debit == entries.c.account_id, transfers.c.coins == -entries.c.coins),
            )
        )
    )
    .order_by(entries.c.account_id, entries.c.number)
)


class NotEnoughCoins(Exception):
    """An account would be overdrawn; nothing was posted."""


@dataclass(frozen=True, slots=True)
class StatementEntry:
    """A line of an account's statement."""

    number: int
    coins: int
    balance_coins: int
    transfer_id: str
    reason: str
    table_id: str | None
    at_ms: int


def post(tx: Connection, moved: tuple[Transfer, ...], at_ms: int, table_id: str | None) -> None:
    """Post transfers, all or none. Raises NotEnoughCoins; posting one twice fails on its id.

    Accounts are held in the order of their ids, so that no two postings wait for each other.
    """
    if not moved:
        return
    tx.execute(_POST, [{**one._asdict(), "table_id": table_id, "at_ms": at_ms} for one in moved])
    for account_id in sorted(_accounts_in(moved)):
        _enter(tx, account_id, moved)


def _accounts_in(moved: Iterable[Transfer]) -> set[str]:
    purses = {purse for one in moved for purse in (one.debit, one.credit)}
    return {purse for purse in purses if purse.startswith(ACCOUNT)}


def _enter(tx: Connection, account_id: str, moved: tuple[Transfer, ...]) -> None:
    account = accounts.find(tx, account_id, to_change=True)
    assert account is not None, account_id
    balance, count = account.balance_coins, account.entry_count
    rows = []
    for one in moved:
        if account_id not in (one.debit, one.credit):
            continue
        coins = one.coins if one.credit == account_id else -one.coins
        balance += coins
        count += 1
        if balance < 0:
            raise NotEnoughCoins(account_id)
        rows.append(
            {
                "account_id": account_id,
                "number": count,
                "transfer_id": one.id,
                "coins": coins,
                "balance_coins": balance,
            }
        )
    tx.execute(_ENTER, rows)
    accounts.set_coins(tx, account_id, balance, count)


def statement(tx: Connection, account_id: str, before: int, limit: int) -> list[StatementEntry]:
    """The newest entries of an account with numbers below `before`, newest first."""
    rows = tx.execute(_STATEMENT, {"account_id": account_id, "before": before, "limit": limit})
    return [StatementEntry(*row) for row in rows]


def of_table(tx: Connection, table_id: str) -> set[Transfer]:
    """All that was moved for a table."""
    return {Transfer(*row) for row in tx.execute(_OF_TABLE, {"table_id": table_id})}


def strayed(tx: Connection) -> list[tuple[str, int]]:
    """Entries that say otherwise than their transfers, by account and number."""
    return [(row.account_id, row.number) for row in tx.execute(_STRAYED)]


def balances(tx: Connection) -> dict[str, int]:
    """What every purse holds, added up from the transfers."""
    totals: dict[str, int] = {}
    for purse, coins in tx.execute(_PAID):
        totals[purse] = totals.get(purse, 0) + int(coins)
    for purse, coins in tx.execute(_TAKEN):
        totals[purse] = totals.get(purse, 0) - int(coins)
    return totals
