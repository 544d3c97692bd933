"""Webhooks over HTTP: added, listed, removed."""

from typing import Any

from flask import Response
from flask_smorest import Blueprint

from ginapi.api.current import house
from ginapi.api.cursors import cursor_at, numbers_in, page_of
from ginapi.api.incoming import Incoming, bearer_token, read_query
from ginapi.api.openapi import asks
from ginapi.api.replies import PRIVATE as PRIVATE_HEADERS
from ginapi.api.replies import answer_reply, json_reply
from ginapi.api.schemas_in import NoQuery, PageQuery
from ginapi.api.schemas_webhooks import AddWebhook, NewWebhook, Webhooks
from ginapi.errors import Reason
from ginapi.service import webhooks
from ginapi.service.asking import Answer
from ginapi.service.moments import moment
from ginapi.store.webhooks import Webhook

blueprint = Blueprint(
    "webhooks",
    __name__,
    url_prefix="/v1/webhooks",
    description="Being told: your turn, a hand or a match over, at tables for coins and between people.",
)

_ACCOUNT = (Reason.NO_TOKEN, Reason.BAD_TOKEN, Reason.NOT_ALLOWED)


def _webhook_json(webhook: Webhook) -> dict[str, Any]:
    return {
        "id": webhook.id,
        "url": webhook.url,
        "created_at": moment(webhook.created_ms),
        "failures": webhook.failures,
        "disabled_at": None if webhook.disabled_ms is None else moment(webhook.disabled_ms),
    }


@blueprint.post("")
@blueprint.response(201, NewWebhook)
@asks(body=AddWebhook, keyed=True, refuses=_ACCOUNT, summary="Add a webhook", operationId="add_webhook")
def add_webhook() -> Response:
    """The secret is shown this once: all that is sent to the URL is signed with it, as Standard Webhooks says.

    Nothing is sent to private and loopback addresses, and no redirect is followed.
    """
    incoming = Incoming()

    def answer(webhook: Webhook, secret: str) -> Answer:
        return Answer(201, _webhook_json(webhook), {}, secret)

    added = webhooks.add(house(), incoming.ask, lambda: incoming.read(AddWebhook)["url"], answer)
    return answer_reply(added, shown_as="secret")


@blueprint.get("")
@blueprint.response(200, Webhooks)
@asks(query=PageQuery, refuses=_ACCOUNT, summary="Your webhooks", operationId="list_webhooks")
def list_webhooks() -> Response:
    """Without their secrets, the oldest first."""
    found, query = webhooks.list_all(house(), bearer_token(), lambda: read_query(PageQuery))
    if "cursor" in query:
        created_ms, number = numbers_in(query["cursor"], "webhooks", 2)
        found = [one for one in found if (one.created_ms, int(one.id, 16)) > (created_ms, number)]
    page, following = page_of(found, query["limit"], lambda one: cursor_at("webhooks", one.created_ms, int(one.id, 16)))
    return json_reply({"items": [_webhook_json(one) for one in page], "next": following}, headers=PRIVATE_HEADERS)


@blueprint.delete("/<webhook_id>")
@blueprint.response(204)
@asks(refuses=(*_ACCOUNT, Reason.NOT_FOUND), summary="Remove a webhook", operationId="remove_webhook")
def remove_webhook(webhook_id: str) -> Response:
    """What waits to be sent there is forgotten; what is being sent at this moment may still arrive."""
    webhooks.remove(house(), bearer_token(), webhook_id, lambda: read_query(NoQuery))
    return Response(status=204, headers=PRIVATE_HEADERS)
