"""Coins over HTTP: what one has, where it came from, a refill, and the stakes."""

from typing import Any

from flask import Response
from flask_smorest import Blueprint

from ginapi.api.current import house
from ginapi.api.cursors import cursor_at, numbers_in, page_of
from ginapi.api.incoming import Incoming, bearer_token, read_query
from ginapi.api.openapi import ANYBODY, asks
from ginapi.api.presenting import moment
from ginapi.api.replies import PRIVATE as PRIVATE_HEADERS
from ginapi.api.replies import answer_reply, json_reply
from ginapi.api.schemas_coins import Entries, Stakes
from ginapi.api.schemas_coins import Wallet as WalletAnswer
from ginapi.api.schemas_in import Empty, NoQuery, PageQuery
from ginapi.config import WHOLE_NUMBER
from ginapi.errors import Reason
from ginapi.service import wallets
from ginapi.service.asking import Answer
from ginapi.service.wallets import Wallet
from ginapi.store.ledger import StatementEntry
from ginapi.tables.coins import NOTE

blueprint = Blueprint("coins", __name__, url_prefix="/v1", description=NOTE)

_ACCOUNT = (Reason.NO_TOKEN, Reason.BAD_TOKEN, Reason.NOT_ALLOWED)


def _wallet_json(wallet: Wallet) -> dict[str, Any]:
    return {"balance": wallet.balance, "held": wallet.held, "note": NOTE}


@blueprint.get("/wallet")
@blueprint.response(200, WalletAnswer)
@asks(refuses=_ACCOUNT, summary="Your coins", operationId="see_wallet")
def see_wallet() -> Response:
    """`balance` is without what is held at running tables: stakes, and leaving fees set aside."""
    wallet = wallets.see(house(), bearer_token())
    read_query(NoQuery)
    return json_reply(_wallet_json(wallet), headers=PRIVATE_HEADERS)


@blueprint.get("/wallet/entries")
@blueprint.response(200, Entries)
@asks(query=PageQuery, refuses=_ACCOUNT, summary="Your statement", operationId="list_entries")
def list_entries() -> Response:
    """Every coin that came or went, newest first, each with its table and a reason in words."""
    token = bearer_token()
    wallets.see(house(), token)
    query = read_query(PageQuery)
    before = numbers_in(query["cursor"], "before", 1)[0] if "cursor" in query else WHOLE_NUMBER
    limit = query["limit"]
    entries = wallets.statement(house(), token, min(before, WHOLE_NUMBER), limit + 1)
    page, following = page_of(entries, limit, lambda entry: cursor_at("before", entry.number))
    body = {"items": [_entry_json(entry) for entry in page], "next": following, "note": NOTE}
    return json_reply(body, headers=PRIVATE_HEADERS)


def _entry_json(entry: StatementEntry) -> dict[str, Any]:
    return {
        "id": entry.transfer_id,
        "number": entry.number,
        "at": moment(entry.at_ms),
        "coins": entry.coins,
        "balance": entry.balance_coins,
        "reason": entry.reason,
        "table_id": entry.table_id,
    }


@blueprint.post("/wallet/refills")
@blueprint.response(201, WalletAnswer)
@asks(
    body=Empty,
    keyed=True,
    refuses=(*_ACCOUNT, Reason.REFILL_NOT_DUE),
    summary="Refill your coins",
    operationId="refill",
)
def refill() -> Response:
    """Once in 24 hours, for an account that could not sit at the smallest stake with all that it has (R29)."""
    incoming = Incoming()

    def answer(wallet: Wallet) -> Answer:
        return Answer(201, _wallet_json(wallet))

    return answer_reply(wallets.refill(house(), incoming.ask, lambda: incoming.read(Empty), answer))


@blueprint.get("/stakes")
@blueprint.response(200, Stakes)
@asks(security=ANYBODY, refuses=(Reason.BAD_TOKEN,), summary="The stakes", operationId="list_stakes")
def list_stakes() -> Response:
    """Each with what leaving costs beside it; with a token also whether you can sit."""
    offered = wallets.stakes(house(), bearer_token())
    read_query(NoQuery)
    items = [{"stake": one.stake, "leaving_fee": one.leaving_fee, "can_sit": one.can_sit} for one in offered]
    return json_reply({"items": items, "next": None, "note": NOTE}, headers=PRIVATE_HEADERS)
