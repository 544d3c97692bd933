"""Sitting down over HTTP: a table opened, joined by its id or as the best there is, or played at once more."""

from typing import Any

from flask import Response
from sqlalchemy import Connection

from ginapi.api.current import house
from ginapi.api.hands import terms_in
from ginapi.api.incoming import Incoming
from ginapi.api.openapi import ANYBODY, PRIVATE, asks
from ginapi.api.presenting import table_json
from ginapi.api.replies import answer_reply, table_etag
from ginapi.api.schemas_in import Empty
from ginapi.api.schemas_out import OpenedTable, Table
from ginapi.api.schemas_tables_in import OpenTable, Quick, SitDown
from ginapi.api.tables import blueprint
from ginapi.errors import Reason
from ginapi.service import joining, opening, rematches, tables
from ginapi.service.asking import Answer
from ginapi.service.callers import Seated
from ginapi.service.opening import AnyTerms, CoinTerms, OnlineTerms
from ginapi.tables.values import Outcome

SITTING = (
    Reason.NO_TOKEN,
    Reason.BAD_TOKEN,
    Reason.NOT_ALLOWED,
    Reason.TOO_MANY_TABLES,
    Reason.NOT_ENOUGH_COINS,
)
"""What sitting down may be refused for, besides its table."""


@blueprint.post("")
@blueprint.response(201, OpenedTable)
@asks(
    body=OpenTable,
    keyed=True,
    security=ANYBODY,
    refuses=(
        *SITTING,
        Reason.STAKE_NOT_OFFERED,
    ),
    summary="Open a table",
    operationId="open_table",
)
def open_table() -> Response:
    """Against the computer it deals its first hand at once; an online one waits for its second player.

    Without a stake no token is needed: the answer brings one. Coins need an account.
    """
    incoming = Incoming()
    kind = incoming.sent("kind")
    return answer_reply(
        opening.open_table(
            house(),
            incoming.ask,
            lambda: _terms_in(incoming.read(OpenTable)),
            seated_answer,
            needs_account=kind == "coin" or (kind == "online" and incoming.sent_stake() > 0),
        )
    )


def _terms_in(loaded: dict[str, Any]) -> AnyTerms:
    match loaded["kind"]:
        case "coin":
            return CoinTerms(loaded["stake"])
        case "online":
            return OnlineTerms(
                stake=loaded["stake"],
                move_ms=loaded["clock"]["move_ms"] if "clock" in loaded else None,
                private=loaded["private"],
                target=loaded["target"],
                seed=loaded.get("seed"),
                deck=tuple(loaded["deck"]) if "deck" in loaded else None,
            )
    return terms_in(loaded)


def seated_answer(tx: Connection, seated: Seated, outcome: Outcome, token: str | None) -> Answer:
    """A table where the caller has just sat down, and its token where that is new."""
    seen = tables.seen_table(tx, seated)
    headers = {"ETag": table_etag(seen), "Location": f"/v1/tables/{seen.table.id}"}
    return Answer(201, {**table_json(seen), "token": None}, headers, token)


@blueprint.post("/quick")
@blueprint.response(201, OpenedTable)
@asks(
    body=Quick,
    keyed=True,
    security=ANYBODY,
    refuses=(*SITTING, Reason.STAKE_NOT_OFFERED),
    summary="Sit down at the best open table, or open one",
    operationId="quick_table",
)
def quick_table() -> Response:
    """The public table with this stake that waits longest, or a new one; the one where you wait already, if you do."""
    incoming = Incoming()

    def read_stake() -> int:
        stake: int = incoming.read(Quick)["stake"]
        return stake

    return answer_reply(
        joining.quick(house(), incoming.ask, read_stake, seated_answer, needs_account=incoming.sent_stake() > 0)
    )


@blueprint.post("/<table_id>/seats")
@blueprint.response(201, OpenedTable)
@asks(
    body=SitDown,
    keyed=True,
    security=ANYBODY,
    refuses=(*SITTING, Reason.NOT_FOUND, Reason.TABLE_OVER, Reason.ALREADY_SEATED, Reason.TABLE_FULL),
    summary="Sit down at an online table",
    operationId="take_seat",
)
def take_seat(table_id: str) -> Response:
    """It deals its first hand at once. Without a stake no token is needed: the answer brings one."""
    incoming = Incoming()
    invite = incoming.sent("invite")
    return answer_reply(
        joining.join(
            house(),
            incoming.ask,
            table_id,
            invite if isinstance(invite, str) else None,
            lambda: incoming.read(SitDown),
            seated_answer,
        )
    )


@blueprint.post("/<table_id>/rematch")
@blueprint.response(201, Table)
@blueprint.alt_response(202, schema=Table, description="You have asked; the other seat has yet to.")
@asks(
    body=Empty,
    keyed=True,
    refuses=(
        *PRIVATE,
        Reason.NOT_ALLOWED,
        Reason.TABLE_OVER,
        Reason.HAND_RUNNING,
        Reason.STAKE_NOT_OFFERED,
        Reason.TOO_MANY_TABLES,
        Reason.NOT_ENOUGH_COINS,
    ),
    summary="Ask for a rematch",
    operationId="ask_rematch",
)
def ask_rematch(table_id: str) -> Response:
    """Against the computer there is a new table at once; between people as soon as both have asked, within 60 s."""
    incoming = Incoming()

    def answer(tx: Connection, seated: Seated, is_new: bool) -> Answer:
        seen = tables.seen_table(tx, seated)
        headers = {"ETag": table_etag(seen), "Location": f"/v1/tables/{seen.table.id}"}
        return Answer(201 if is_new else 202, table_json(seen), headers)

    return answer_reply(rematches.ask_for(house(), incoming.ask, table_id, lambda: incoming.read(Empty), answer))
