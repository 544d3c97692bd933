"""Accounts as rows: by name, by id, and held under a lock while coins move."""

import unicodedata
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select, update
from sqlalchemy.dialects import postgresql, sqlite

from ginapi.store.schema import accounts


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody with a name, a password and coins; `balance_coins` is without what is held at tables."""

    id: str
    name: str
    password_hash: str
    created_ms: int
    balance_coins: int
    entry_count: int
    refill_count: int
    refilled_ms: int | None
    banned_ms: int | None = None
    """When its operator banned it: it has no tokens then, and is given none."""

    @property
    def is_closed(self) -> bool:
        """Whether it has been closed: its name is forgotten then."""
        return not self.name


_COLUMNS = [accounts.c[name] for name in Account.__slots__]
_BY_ID = select(*_COLUMNS).where(accounts.c.id == bindparam("account_id"))
_TO_CHANGE = _BY_ID.with_for_update(key_share=True)
_BY_NAME = select(*_COLUMNS).where(accounts.c.name_key == bindparam("name_key"))
_ADD = {
    "sqlite": sqlite.insert(accounts).on_conflict_do_nothing(index_elements=["name_key"]),
    "postgresql": postgresql.insert(accounts).on_conflict_do_nothing(index_elements=["name_key"]),
}
_COINS = (
    update(accounts)
    .where(accounts.c.id == bindparam("account_id"))
    .values(
        balance_coins=bindparam("new_balance_coins"),
        entry_count=bindparam("new_entry_count"),
    )
)
_REFILLED = (
    update(accounts)
    .where(accounts.c.id == bindparam("account_id"))
    .values(refill_count=bindparam("new_refill_count"), refilled_ms=bindparam("new_refilled_ms"))
)
_RENAME = (
    update(accounts)
    .where(accounts.c.id == bindparam("account_id"))
    .values(
        name=bindparam("new_name"), name_key=bindparam("new_name_key"), password_hash=bindparam("new_password_hash")
    )
)
_BAN = update(accounts).where(accounts.c.id == bindparam("account_id")).values(banned_ms=bindparam("new_banned_ms"))
_ALL = select(*_COLUMNS).where(accounts.c.id > bindparam("account_id")).order_by(accounts.c.id).limit(1)


def name_key(name: str) -> str:
    """What two names that differ only in case, or in how they are encoded, have in common."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def add(tx: Connection, account: Account, name_key: str) -> bool:
    """Whether the account was added: False where the name is taken."""
    row = {name: getattr(account, name) for name in Account.__slots__}
    statement = _ADD[tx.dialect.name]
    added = tx.execute(statement, {**row, "name_key": name_key}, execution_options={"preserve_rowcount": True})
    return added.rowcount == 1


def find(tx: Connection, account_id: str, *, to_change: bool = False) -> Account | None:
    """The account; with `to_change` it is held until the transaction ends."""
    return _account(tx.execute(_TO_CHANGE if to_change else _BY_ID, {"account_id": account_id}).one_or_none())


def find_by_name(tx: Connection, name: str) -> Account | None:
    """The account of a name, without case."""
    return _account(tx.execute(_BY_NAME, {"name_key": name_key(name)}).one_or_none())


def find_after(tx: Connection, account_id: str) -> Account | None:
    """The account with the next id."""
    return _account(tx.execute(_ALL, {"account_id": account_id}).one_or_none())


def set_coins(tx: Connection, account_id: str, balance_coins: int, entry_count: int) -> None:
    """What the account has, as its transfers add up."""
    changed = {"new_balance_coins": balance_coins, "new_entry_count": entry_count}
    tx.execute(_COINS, {"account_id": account_id, **changed})


def set_refilled(tx: Connection, account_id: str, refill_count: int, refilled_ms: int) -> None:
    """When the account was last refilled, and how often."""
    changed = {"new_refill_count": refill_count, "new_refilled_ms": refilled_ms}
    tx.execute(_REFILLED, {"account_id": account_id, **changed})


def rename(tx: Connection, account_id: str, name: str, name_key: str, password_hash: str) -> None:
    """Give the account another name and password hash."""
    changed = {"new_name": name, "new_name_key": name_key, "new_password_hash": password_hash}
    tx.execute(_RENAME, {"account_id": account_id, **changed})


def set_banned(tx: Connection, account_id: str, banned_ms: int | None) -> None:
    """When the account was banned; None lets it in again."""
    tx.execute(_BAN, {"account_id": account_id, "new_banned_ms": banned_ms})


def _account(row: Row[Any] | None) -> Account | None:
    return None if row is None else Account(**row._mapping)
