"""Webhooks as rows, and who at a table has one.

Where several are held: the table, then accounts, then webhooks, then deliveries.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, exists, func, insert, select, update

from ginapi.store.schema import deliveries, seats, tables, webhooks


@dataclass(frozen=True, slots=True)
class Webhook:
    """Where an account is told what happens at its tables; each delivery is signed with `secret`."""

    id: str
    account_id: str
    url: str
    secret: bytes
    created_ms: int
    free_ms: int = 0
    """Until when it is left alone: while one delivery is under way, and after one that failed or took long."""
    failures: int = 0
    """Tries that failed, in a row."""
    disabled_ms: int | None = None
    """When its receiver said that it is gone for good."""


@dataclass(frozen=True, slots=True)
class Told:
    """A webhook of somebody who sits at a table, and how many deliveries wait there already."""

    webhook_id: str
    seat: int
    waiting_count: int


_COLUMNS = [webhooks.c[name] for name in Webhook.__slots__]
_ADD = insert(webhooks)
_ALL = (
    select(*_COLUMNS)
    .where(webhooks.c.account_id == bindparam("account_id"))
    .order_by(webhooks.c.created_ms, webhooks.c.id)
)
# Whole: whoever tells of a move at this moment is waited for, and tells nothing more after it.
_HOLD = (
    select(webhooks.c.id)
    .where(webhooks.c.account_id == bindparam("account_id"))
    .order_by(webhooks.c.id)
    .with_for_update()
)
_HOLD_ONE = _HOLD.where(webhooks.c.id == bindparam("webhook_id"))
_FORGET_DELIVERIES = delete(deliveries).where(deliveries.c.webhook_id == bindparam("webhook_id"))
_FORGET = delete(webhooks).where(webhooks.c.id == bindparam("webhook_id"))
_HAS_ANY = (
    select(webhooks.c.id)
    .where(webhooks.c.account_id.in_(bindparam("account_ids", expanding=True)), webhooks.c.disabled_ms.is_(None))
    .limit(1)
)
_WAITING = (
    select(func.count())
    .select_from(deliveries)
    .where(deliveries.c.webhook_id == webhooks.c.id)
    .correlate(webhooks)
    .scalar_subquery()
)
# The webhooks are held so that none is forgotten before what is told to it has been written down.
_TOLD_AT = (
    select(webhooks.c.id, seats.c.seat, _WAITING)
    .select_from(seats.join(webhooks, webhooks.c.account_id == seats.c.principal))
    .where(seats.c.table_id == bindparam("table_id"), webhooks.c.disabled_ms.is_(None))
    .order_by(webhooks.c.id)
    .with_for_update(read=True, key_share=True, of=webhooks)
)
# Those that are noted already too: one may be on its way to be noted otherwise, and that is waited for.
_RUNNING = (tables.c.status != "finished", tables.c.kind != "practice")
_SITS = exists().where(seats.c.table_id == tables.c.id, seats.c.principal == bindparam("account_id"))
_HOLD_TABLES = select(tables.c.id).where(*_RUNNING, _SITS).order_by(tables.c.id).with_for_update(key_share=True)
_TELL_RUNNING = update(tables).where(*_RUNNING, _SITS).values(told=True)
_SET_TOLD = update(tables).where(tables.c.id == bindparam("table_id")).values(told=bindparam("new_told"))


def add(tx: Connection, webhook: Webhook) -> None:
    """A new webhook."""
    tx.execute(_ADD, {name: getattr(webhook, name) for name in Webhook.__slots__})


def find_all(tx: Connection, account_id: str) -> list[Webhook]:
    """An account's webhooks, the oldest first."""
    return [_webhook(row) for row in tx.execute(_ALL, {"account_id": account_id})]


def remove(tx: Connection, account_id: str, webhook_id: str) -> bool:
    """Forget a webhook of an account, and what waits to be delivered there; whether there was one."""
    held = tx.execute(_HOLD_ONE, {"account_id": account_id, "webhook_id": webhook_id}).scalars().all()
    _forget(tx, held)
    return bool(held)


def remove_all(tx: Connection, account_id: str) -> None:
    """Forget every webhook of an account."""
    _forget(tx, tx.execute(_HOLD, {"account_id": account_id}).scalars().all())


def _forget(tx: Connection, webhook_ids: Sequence[str]) -> None:
    for webhook_id in webhook_ids:
        tx.execute(_FORGET_DELIVERIES, {"webhook_id": webhook_id})
        tx.execute(_FORGET, {"webhook_id": webhook_id})


def has_any(tx: Connection, account_ids: Sequence[str]) -> bool:
    """Whether any of these accounts has a webhook that is in use."""
    return bool(account_ids) and tx.execute(_HAS_ANY, {"account_ids": account_ids}).first() is not None


def told_at(tx: Connection, table_id: str) -> list[Told]:
    """The webhooks in use of those who sit at a table, held so that none is forgotten meanwhile."""
    return [Told(*row) for row in tx.execute(_TOLD_AT, {"table_id": table_id})]


def hold_running(tx: Connection, account_id: str) -> None:
    """Hold the tables that `tell_running` will change: before the account's tokens, as whoever moves there does."""
    tx.execute(_HOLD_TABLES, {"account_id": account_id}).all()


def tell_running(tx: Connection, account_id: str) -> None:
    """From now on somebody is told of what happens at the tables where the account sits; practice is nobody's news."""
    tx.execute(_TELL_RUNNING, {"account_id": account_id})


def set_told(tx: Connection, table_id: str, told: bool) -> None:
    """Whether somebody is told of what happens at a table that is held."""
    tx.execute(_SET_TOLD, {"table_id": table_id, "new_told": told})


def _webhook(row: Row[Any]) -> Webhook:
    return Webhook(**row._mapping)
