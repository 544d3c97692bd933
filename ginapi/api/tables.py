"""Tables over HTTP: opened, seen, dealt at again, left."""

from typing import Any

from flask import Response, request
from flask_smorest import Blueprint
from sqlalchemy import Connection

from ginapi.api.current import house
from ginapi.api.cursors import cursor_at, numbers_in
from ginapi.api.hands import hand_answer, terms_in
from ginapi.api.incoming import Incoming, bearer_token, read_query
from ginapi.api.openapi import ANYBODY, PRIVATE, asks
from ginapi.api.presenting import table_json
from ginapi.api.replies import PRIVATE as PRIVATE_HEADERS
from ginapi.api.replies import answer_reply, json_reply, seen_reply, table_etag
from ginapi.api.schemas_hand import MoveAnswer
from ginapi.api.schemas_in import Empty, NextHand, OpenTable, Quick, SitDown, TablesQuery, WaitQuery
from ginapi.api.schemas_out import LeaveAnswer, OpenedTable, Table, Tables
from ginapi.api.waiting import in_time
from ginapi.config import BIG_WHOLE_NUMBER, WHOLE_NUMBER
from ginapi.errors import Reason
from ginapi.service import accounts, joining, opening, rematches, tables
from ginapi.service.asking import Answer
from ginapi.service.callers import Seated, needed
from ginapi.service.opening import AnyTerms, CoinTerms, OnlineTerms
from ginapi.service.seen import SeenHand, SeenTable
from ginapi.store.lobby import Place
from ginapi.tables.coins import NOTE
from ginapi.tables.records import Record
from ginapi.tables.values import Outcome

blueprint = Blueprint("tables", __name__, url_prefix="/v1/tables", description="Tables: your own, and public ones.")

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


@blueprint.get("")
@blueprint.response(200, Tables)
@asks(
    query=TablesQuery,
    security=ANYBODY,
    refuses=(Reason.NO_TOKEN, Reason.BAD_TOKEN),
    summary="Tables that you may see",
    operationId="list_tables",
)
def list_tables() -> Response:
    """The public ones and your own, or with `mine` your own alone: running ones first, then the newest."""
    token = bearer_token()
    if token is not None:
        accounts.see(house(), token)
    elif request.args.get("mine") == "true":
        needed(token)
    query = read_query(TablesQuery)
    filters = {name: query[name] for name in ("kind", "status", "stake") if name in query}
    after = _place_in(query["cursor"]) if "cursor" in query else None
    limit = query["limit"]
    found = tables.list_tables(house(), token, limit + 1, after, filters, mine="mine" in query)
    following = _cursor_after(found[limit - 1][1]) if len(found) > limit else None
    items = [table_json(seen) for seen, _ in found[:limit]]
    return json_reply({"items": items, "next": following, "note": NOTE}, headers=PRIVATE_HEADERS)


def _cursor_after(place: Place) -> str:
    return cursor_at("tables", place.rank, place.created_ms, int(place.table_id, 16))


def _place_in(cursor: str) -> Place:
    rank, created_ms, number = numbers_in(cursor, "tables", 3)
    # A made-up cursor may hold more than the database can compare with.
    return Place(min(rank, WHOLE_NUMBER), min(created_ms, BIG_WHOLE_NUMBER), f"{number:020x}")


@blueprint.get("/<table_id>")
@blueprint.response(200, Table)
@asks(query=WaitQuery, if_none_match=True, refuses=PRIVATE, summary="The table as you see it", operationId="see_table")
def see_table(table_id: str) -> Response:
    """With `after` and `wait_ms`, answers once that version is passed or the match is over, or when the time is up."""
    token = bearer_token()
    seen = tables.see(house(), token, table_id)
    query = read_query(WaitQuery)
    after = query.get("after")
    if after is not None:
        seen = in_time(
            seen,
            lambda: tables.see(house(), token, table_id),
            lambda seen: seen.table.version > after or seen.table.status == "finished",
            query["wait_ms"],
        )
    return seen_reply(table_json(seen), table_etag(seen))


@blueprint.post("/<table_id>/hands")
@blueprint.response(201, MoveAnswer)
@asks(
    body=NextHand,
    keyed=True,
    refuses=(*PRIVATE, Reason.TABLE_OVER, Reason.HAND_RUNNING),
    summary="Deal the next hand",
    operationId="deal_hand",
)
def deal_hand(table_id: str) -> Response:
    """With `number`, that hand: dealt now or before. Without it, also the running one, until you have moved in it."""
    incoming = Incoming()

    def read_number() -> int | None:
        number: int | None = incoming.read(NextHand).get("number")
        return number

    def answer(seen: SeenHand, played: tuple[Record, ...]) -> Answer:
        return hand_answer(seen, played, 201)

    return answer_reply(tables.deal_next(house(), incoming.ask, table_id, read_number, answer))


@blueprint.post("/<table_id>/leave")
@blueprint.response(200, LeaveAnswer)
@asks(
    body=Empty,
    keyed=True,
    refuses=(*PRIVATE, Reason.TABLE_OVER),
    summary="Leave the table",
    operationId="leave_table",
)
def leave_table(table_id: str) -> Response:
    """The other seat wins the match. At a coin table the stake is forfeited, and a tenth of it paid beside (R28)."""
    incoming = Incoming()

    def answer(seen: SeenTable) -> Answer:
        table = seen.table
        lost = table.ended == "left"
        body = {
            "table": table_json(seen),
            "forfeited": table.stake if lost else 0,
            "fee": table.leaving_fee if lost else 0,
        }
        return Answer(200, body, {"ETag": table_etag(seen)})

    return answer_reply(tables.leave(house(), incoming.ask, table_id, lambda: incoming.read(Empty), answer))
