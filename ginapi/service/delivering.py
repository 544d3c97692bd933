"""What waits to be told, told: signed as Standard Webhooks says, at least once, and one at a time at each webhook.

A delivery is claimed in one short transaction, sent outside any, and in a second one forgotten or put off. Whoever dies
in between has told it, or not: it is sent again, with the same id.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from sqlalchemy import Connection
from standardwebhooks import Webhook as Signer

from ginapi import __version__
from ginapi.config import DELIVERY_KEPT_MS, DELIVERY_LEASE_MS, DELIVERY_PAUSE_MS
from ginapi.service import sending
from ginapi.service.house import House
from ginapi.store import deliveries
from ginapi.store.deliveries import Claimed

_log = logging.getLogger(__name__)

SLOW_MS = 500
SLOW_RECEIVER_WAITS = 3
"""So many times as long as it took, a webhook that was slower than that is left alone: it is not to hold a thread for
good, while others wait for one."""
GONE = 410

Post = Callable[[str, Mapping[str, str], bytes], int]
"""Sends a body, with headers, to a URL: the status of the answer. Raises `sending.Failed`."""


def deliver_next(house: House, post: Post | None = None) -> bool:
    """Send the delivery that waits longest at a webhook where none is under way; whether there was one."""
    if house.db.is_sqlite:
        # A look that waits for nobody: on SQLite a claim would hold every writer up.
        with house.db.read() as tx:
            if not deliveries.is_any_due(tx, house.now_ms()):
                return False
    claimed = house.db.transact(lambda tx: _claim(house, tx))
    if claimed is None:
        return False
    try:
        status = (post or _poster(house))(claimed.url, signed(claimed), claimed.body.encode())
        fault = None if 200 <= status < 300 else f"status {status}"
    except sending.Failed as failed:
        status, fault = 0, str(failed)
    house.db.transact(lambda tx: _settle(tx, claimed, house.now_in(tx), status, fault))
    return True


def pause_ms(failures: int) -> int:
    """How long after so many tries that failed in a row the next is made."""
    first_ms, longest_ms = DELIVERY_PAUSE_MS
    return min(first_ms << min(failures - 1, 30), longest_ms)


def signed(claimed: Claimed) -> dict[str, str]:
    """The headers that a delivery goes out with: what is signed says when it is sent, so that it cannot be replayed."""
    now = datetime.fromtimestamp(claimed.now_ms // 1000, UTC)
    return {
        "Content-Type": "application/json",
        "User-Agent": f"ginapi/{__version__}",
        "webhook-id": claimed.id,
        "webhook-timestamp": str(claimed.now_ms // 1000),
        "webhook-signature": Signer(claimed.secret).sign(claimed.id, now, claimed.body),
    }


def _claim(house: House, tx: Connection) -> Claimed | None:
    now_ms = house.now_in(tx)
    return deliveries.claim(tx, now_ms, now_ms + DELIVERY_LEASE_MS)


def _poster(house: House) -> Post:
    private = house.terms.webhook_private
    return lambda url, headers, body: sending.post(url, headers, body, private=private)


def _settle(tx: Connection, claimed: Claimed, now_ms: int, status: int, fault: str | None) -> None:
    if fault is None:
        took_ms = max(0, now_ms - claimed.now_ms)
        deliveries.taken(tx, claimed, now_ms + (SLOW_RECEIVER_WAITS * took_ms if took_ms > SLOW_MS else 0))
        return
    # Neither the URL nor the answer: they are the account's own.
    about = {"webhook_id": claimed.webhook_id, "delivery_id": claimed.id, "fault": fault}
    if status == GONE:
        _log.info("a webhook is gone", extra=about)
        deliveries.disable(tx, claimed, now_ms)
        return
    free_ms = now_ms + pause_ms(claimed.failures + 1)
    if now_ms - claimed.created_ms >= DELIVERY_KEPT_MS:
        _log.info("a delivery is given up", extra=about)
        deliveries.give_up(tx, claimed, free_ms)
    else:
        _log.info("a delivery is put off", extra=about)
        deliveries.put_off(tx, claimed, now_ms + pause_ms(claimed.attempts), free_ms)
