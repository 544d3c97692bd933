"""Deliveries to webhooks as rows: written with the move, claimed for one try at a time, and gone once taken."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from ginapi.store.schema import deliveries, webhooks


@dataclass(frozen=True, slots=True)
class Delivery:
    """Something to tell a webhook; `id` and `body` are the same however often it is sent."""

    id: str
    webhook_id: str
    event: str
    number: int
    body: str
    created_ms: int
    due_ms: int
    attempts: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """A delivery that is this process's to send until `lease_ms`, and where to; nobody else sends there meanwhile."""

    id: str
    webhook_id: str
    body: str
    created_ms: int
    attempts: int
    """With this one."""
    url: str
    secret: bytes
    failures: int
    lease_ms: int
    now_ms: int


_ADD = insert(deliveries)
_DUE = (
    select(
        deliveries.c.id,
        deliveries.c.webhook_id,
        deliveries.c.body,
        deliveries.c.created_ms,
        deliveries.c.attempts,
        webhooks.c.url,
        webhooks.c.secret,
        webhooks.c.failures,
    )
    .select_from(deliveries.join(webhooks, webhooks.c.id == deliveries.c.webhook_id))
    .where(
        deliveries.c.due_ms <= bindparam("now_ms"),
        webhooks.c.free_ms <= bindparam("now_ms"),
        webhooks.c.disabled_ms.is_(None),
    )
    # Of those that wait for the same instant first what was tried least: one that is never taken holds up no other.
    .order_by(deliveries.c.due_ms, deliveries.c.attempts, deliveries.c.created_ms, deliveries.c.number, deliveries.c.id)
    .limit(1)
)
# Both are held: of the webhook alone PostgreSQL would look again, and give a delivery that another has just sent.
_CLAIM = _DUE.with_for_update(key_share=True, skip_locked=True, of=(deliveries, webhooks))
_LEASE_WEBHOOK = (
    update(webhooks).where(webhooks.c.id == bindparam("webhook_id")).values(free_ms=bindparam("new_free_ms"))
)
_LEASE = (
    update(deliveries)
    .where(deliveries.c.id == bindparam("delivery_id"))
    .values(due_ms=bindparam("new_due_ms"), attempts=deliveries.c.attempts + 1)
)
# Where the lease has run out somebody else may be sending there: what that one says stands.
_RELEASE = (
    update(webhooks)
    .where(webhooks.c.id == bindparam("webhook_id"), webhooks.c.free_ms == bindparam("lease_ms"))
    .values(free_ms=bindparam("new_free_ms"), failures=bindparam("new_failures"))
)
_FORGET = delete(deliveries).where(deliveries.c.id == bindparam("delivery_id"))
_PUT_OFF = (
    update(deliveries)
    .where(deliveries.c.id == bindparam("delivery_id"), deliveries.c.attempts == bindparam("old_attempts"))
    .values(due_ms=bindparam("new_due_ms"))
)
# The others wait as long as their webhook does: so nobody who looks for work has to pass them by.
_PUT_OFF_OTHERS = (
    update(deliveries)
    .where(deliveries.c.webhook_id == bindparam("of_webhook"), deliveries.c.due_ms < bindparam("until_ms"))
    .values(due_ms=bindparam("until_ms"))
)
_HOLD_WEBHOOK = select(webhooks.c.id).where(webhooks.c.id == bindparam("webhook_id")).with_for_update()
_DISABLE = (
    update(webhooks).where(webhooks.c.id == bindparam("webhook_id")).values(disabled_ms=bindparam("new_disabled_ms"))
)
_FORGET_ALL = delete(deliveries).where(deliveries.c.webhook_id == bindparam("webhook_id"))
_SET_BACK = (
    update(deliveries)
    .where(deliveries.c.due_ms > bindparam("now_ms"))
    .values(due_ms=deliveries.c.due_ms - bindparam("back_ms"))
)
_SET_WEBHOOKS_BACK = (
    update(webhooks)
    .where(webhooks.c.free_ms > bindparam("now_ms"))
    .values(free_ms=webhooks.c.free_ms - bindparam("back_ms"))
)


def add(tx: Connection, found: Sequence[Delivery]) -> None:
    """Deliveries that wait from now on."""
    tx.execute(_ADD, [{name: getattr(one, name) for name in Delivery.__slots__} for one in found])


def is_any_due(tx: Connection, now_ms: int) -> bool:
    """Whether there is anything to send: a look that holds nothing."""
    return tx.execute(_DUE, {"now_ms": now_ms}).first() is not None


def claim(tx: Connection, now_ms: int, lease_ms: int) -> Claimed | None:
    """The delivery that waits longest at a webhook where none is under way, now the caller's to send until `lease_ms`.

    Should the caller never come back, it is due again then.
    """
    row = tx.execute(_CLAIM, {"now_ms": now_ms}).first()
    if row is None:
        return None
    tx.execute(_LEASE_WEBHOOK, {"webhook_id": row.webhook_id, "new_free_ms": lease_ms})
    tx.execute(_LEASE, {"delivery_id": row.id, "new_due_ms": lease_ms})
    return Claimed(
        row.id,
        row.webhook_id,
        row.body,
        row.created_ms,
        row.attempts + 1,
        row.url,
        row.secret,
        row.failures,
        lease_ms,
        now_ms,
    )


def taken(tx: Connection, claimed: Claimed, free_ms: int) -> None:
    """It arrived; the webhook is left alone until `free_ms`."""
    _release(tx, claimed, free_ms, 0)
    tx.execute(_FORGET, {"delivery_id": claimed.id})


def put_off(tx: Connection, claimed: Claimed, due_ms: int, free_ms: int) -> None:
    """It did not arrive: it is due again at `due_ms`, and all else that waits there at `free_ms` at the soonest."""
    _release(tx, claimed, free_ms, claimed.failures + 1)
    tx.execute(
        _PUT_OFF, {"delivery_id": claimed.id, "old_attempts": claimed.attempts, "new_due_ms": max(due_ms, free_ms)}
    )
    tx.execute(_PUT_OFF_OTHERS, {"of_webhook": claimed.webhook_id, "until_ms": free_ms})


def give_up(tx: Connection, claimed: Claimed, free_ms: int) -> None:
    """It did not arrive, and is not sent again."""
    _release(tx, claimed, free_ms, claimed.failures + 1)
    tx.execute(_FORGET, {"delivery_id": claimed.id})
    tx.execute(_PUT_OFF_OTHERS, {"of_webhook": claimed.webhook_id, "until_ms": free_ms})


def disable(tx: Connection, claimed: Claimed, now_ms: int) -> None:
    """The webhook's receiver is gone for good: nothing is sent there any more, nor written down for it."""
    # Whole: whoever tells of a move at this moment is waited for, and what it wrote down goes too.
    if tx.execute(_HOLD_WEBHOOK, {"webhook_id": claimed.webhook_id}).first() is not None:
        tx.execute(_DISABLE, {"webhook_id": claimed.webhook_id, "new_disabled_ms": now_ms})
        tx.execute(_FORGET_ALL, {"webhook_id": claimed.webhook_id})


def set_back(tx: Connection, now_ms: int, back_ms: int) -> None:
    """The time was set back: what waits for a later one waits no longer than it would have."""
    tx.execute(_SET_BACK, {"now_ms": now_ms, "back_ms": back_ms})
    tx.execute(_SET_WEBHOOKS_BACK, {"now_ms": now_ms, "back_ms": back_ms})


def _release(tx: Connection, claimed: Claimed, free_ms: int, failures: int) -> None:
    tx.execute(
        _RELEASE,
        {
            "webhook_id": claimed.webhook_id,
            "lease_ms": claimed.lease_ms,
            "new_free_ms": free_ms,
            "new_failures": failures,
        },
    )
