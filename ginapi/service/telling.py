"""Whom to tell of what happens at a table: written down in the transaction in which it happens, and sent later.

Only of tables for coins and between people: at a practice table nobody else is waited for.
"""

import hashlib
from typing import Any

import orjson
from sqlalchemy import Connection

from ginapi.config import DELIVERIES_WAITING
from ginapi.service.moments import moment
from ginapi.store import deliveries, webhooks
from ginapi.store.deliveries import Delivery
from ginapi.tables.notices import TURN, Notice, notices
from ginapi.tables.values import Outcome


def tell(tx: Connection, outcome: Outcome) -> None:
    """Write down what a call made of its table for everybody who sits there and wants to be told."""
    told = notices(outcome)
    if not told:
        return
    receivers = webhooks.told_at(tx, outcome.table.id)
    if not receivers:
        # They are gone since the table was noted. It is held: a new one is noted after this, and stays.
        webhooks.set_told(tx, outcome.table.id, False)
        return
    due = [
        _delivery(outcome.table.id, notice, receiver.webhook_id)
        for notice in told
        for receiver in receivers
        if receiver.seat == notice.seat and receiver.waiting_count < DELIVERIES_WAITING
    ]
    if due:
        deliveries.add(tx, due)


def _delivery(table_id: str, notice: Notice, webhook_id: str) -> Delivery:
    # Made of what it tells and whom: whoever were to write it down again would write the same.
    cause = f"{webhook_id}|{table_id}|{notice.number}|{notice.event}"
    body = {"type": notice.event, "timestamp": moment(notice.at_ms), "data": _facts(notice)}
    return Delivery(
        id=f"msg_{hashlib.sha256(cause.encode()).hexdigest()[:28]}",
        webhook_id=webhook_id,
        event=notice.event,
        number=notice.number,
        body=orjson.dumps(body).decode(),
        created_ms=notice.at_ms,
        due_ms=notice.at_ms,
        attempts=0,
    )


def _facts(notice: Notice) -> dict[str, Any]:
    if notice.event != TURN:
        return notice.facts
    return {**notice.facts, "deadline": None if notice.deadline_ms is None else moment(notice.deadline_ms)}
