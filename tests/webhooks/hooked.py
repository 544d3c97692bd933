"""Accounts with webhooks at tables, and what waits to be delivered to them."""

import json
from typing import Any

from sqlalchemy import select

from ginapi.store import schema
from ginapi.store.database import Database
from tests.accounts.people import open_account, told
from tests.api.caller import Api
from tests.online.pairs import Pair

TURN, HAND, MATCH = "hand.turn", "hand.finished", "match.finished"


def hook(api: Api, token: str, url: str = "https://example.org/told", **given: Any) -> dict[str, Any]:
    """A new webhook, its secret with it."""
    return told(api.post("/v1/webhooks", {"url": url}, token, **given), 201)


def hooked(api: Api, url: str = "https://example.org/told") -> tuple[str, dict[str, Any]]:
    """A new account's token, and its webhook."""
    token = open_account(api)
    return token, hook(api, token, url)


def waiting(database: Database, webhook_id: str | None = None) -> list[dict[str, Any]]:
    """The rows of what waits, in the order in which it came about."""
    rows = schema.deliveries
    statement = select(rows).order_by(rows.c.created_ms, rows.c.number, rows.c.id)
    if webhook_id is not None:
        statement = statement.where(rows.c.webhook_id == webhook_id)
    with database.read() as tx:
        return [dict(row._mapping) for row in tx.execute(statement)]


def events(database: Database, webhook_id: str) -> list[str]:
    return [row["event"] for row in waiting(database, webhook_id)]


def forget(database: Database) -> None:
    """Nothing waits any more."""
    with database.write() as tx:
        tx.execute(schema.deliveries.delete())


def is_told(database: Database, table_id: str) -> bool:
    rows = schema.tables
    with database.read() as tx:
        found: bool = tx.execute(select(rows.c.told).where(rows.c.id == table_id)).scalar_one()
        return found


def webhook_row(database: Database, webhook_id: str) -> dict[str, Any]:
    rows = schema.webhooks
    with database.read() as tx:
        return dict(tx.execute(select(rows).where(rows.c.id == webhook_id)).one()._mapping)


class BothTold:
    """Two accounts with a webhook each at an online table, and what each was told since it was last asked."""

    def __init__(self, api: Api, **terms: Any) -> None:
        (self.first, self.first_hook), (self.second, self.second_hook) = hooked(api), hooked(api)
        self.api = api
        self.pair = Pair(api, (self.first, self.second), **terms)
        self.seats = self.pair.seats

    def news(self) -> tuple[list[str], list[str]]:
        first, second = (events(self.api.database, webhook["id"]) for webhook in (self.first_hook, self.second_hook))
        forget(self.api.database)
        return first, second

    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(row["body"]) for row in waiting(self.api.database)]
