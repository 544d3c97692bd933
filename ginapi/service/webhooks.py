"""Webhooks: added to an account, listed, removed."""

from base64 import b64decode
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from ginapi.config import WEBHOOKS_PER_ACCOUNT
from ginapi.errors import Reason, Refused
from ginapi.service import addresses, asking, callers
from ginapi.service.asking import Answer, Ask, Once
from ginapi.service.callers import WEBHOOK
from ginapi.service.house import House
from ginapi.store import tokens, webhooks
from ginapi.store.webhooks import Webhook

_Read = TypeVar("_Read")


def add(house: House, ask: Ask, read_url: Callable[[], str], answer: Callable[[Webhook, str], Answer]) -> Answer:
    """Have the account told of what happens at its tables, the running ones too; `answer` is given the secret.

    Raises `not_allowed` for a guest, and for an account that has as many webhooks as it may.
    """

    def work(tx: Connection, once: Once) -> Answer:
        account_id = callers.account_of(house, tx, ask.token).principal
        url = read_url()
        _refuse_private(house, url)
        once.check()
        webhooks.hold_running(tx, account_id)
        # Whoever opens a table holds them too: either it sees this webhook, or its table is seen here.
        if not tokens.hold(tx, account_id):
            raise callers.unknown()
        if len(webhooks.find_all(tx, account_id)) >= WEBHOOKS_PER_ACCOUNT:
            raise Refused(
                Reason.NOT_ALLOWED, f"You have {WEBHOOKS_PER_ACCOUNT} webhooks, the most allowed: DELETE one first."
            )
        secret = once.new_token(WEBHOOK)
        key = b64decode(secret.partition("_")[2])
        webhook = Webhook(house.new_webhook_id(), account_id, url, key, house.now_in(tx))
        webhooks.add(tx, webhook)
        webhooks.tell_running(tx, account_id)
        return answer(webhook, secret)

    return asking.write(house, ask, work)


def _refuse_private(house: House, url: str) -> None:
    """Raise `invalid_request` where the URL says itself that nothing will be sent there.

    What a name stands for is looked up, and judged, as each delivery is sent.
    """
    literal = addresses.literal_in(addresses.target_of(url).host)
    if literal is not None and not addresses.is_allowed(literal, private=house.terms.webhook_private):
        detail = f"{literal} is no public address: nothing is sent there."
        raise Refused(Reason.INVALID_REQUEST, f"At /url: {detail}", (("/url", detail),))


def list_all(house: House, token: str | None, read_query: Callable[[], _Read]) -> tuple[list[Webhook], _Read]:
    """The account's webhooks, the oldest first, and the query. Raises `not_allowed` for a guest."""
    known = callers.needed(token)
    with house.db.read() as tx:
        caller = callers.account_of(house, tx, known)
        query = read_query()
        found = webhooks.find_all(tx, caller.principal)
    callers.noted(house, known, caller)
    return found, query


def remove(house: House, token: str | None, webhook_id: str, read_query: Callable[[], object]) -> None:
    """Forget a webhook of the account, and what waits to be sent there. Raises `not_found`, `not_allowed`."""

    def work(tx: Connection) -> None:
        caller = callers.account_of(house, tx, token)
        # Text that is no id may be what a database would not take.
        if (
            not webhook_id.isascii()
            or not webhook_id.isalnum()
            or not webhooks.remove(tx, caller.principal, webhook_id)
        ):
            raise Refused(Reason.NOT_FOUND, "You have no such webhook.")
        read_query()

    house.db.transact(work)
