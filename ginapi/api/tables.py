"""Tables over HTTP: seen, dealt at again, left. How one sits down is in `ginapi.api.sitting`."""

from flask import Response, request
from flask_smorest import Blueprint

from ginapi.api.current import house
from ginapi.api.cursors import cursor_at, numbers_in, page_of
from ginapi.api.hands import hand_answer
from ginapi.api.incoming import Incoming, bearer_token, read_query
from ginapi.api.openapi import ANYBODY, PRIVATE, asks
from ginapi.api.presenting import table_json
from ginapi.api.replies import PRIVATE as PRIVATE_HEADERS
from ginapi.api.replies import answer_reply, json_reply, seen_reply, table_etag, text_reply
from ginapi.api.schemas_hand import MoveAnswer
from ginapi.api.schemas_in import Empty, NextHand, NoQuery, TablesQuery, WaitQuery
from ginapi.api.schemas_out import LeaveAnswer, Table, Tables
from ginapi.api.waiting import in_time
from ginapi.config import BIG_WHOLE_NUMBER, WHOLE_NUMBER
from ginapi.errors import Reason
from ginapi.service import accounts, tables
from ginapi.service.asking import Answer
from ginapi.service.callers import needed
from ginapi.service.seen import SeenHand, SeenTable
from ginapi.store.lobby import Place
from ginapi.tables.coins import NOTE
from ginapi.tables.records import Record

blueprint = Blueprint("tables", __name__, url_prefix="/v1/tables", description="Tables: your own, and public ones.")


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
    page, following = page_of(found, limit, lambda one: _cursor_after(one[1]))
    items = [table_json(seen) for seen, _ in page]
    return json_reply({"items": items, "next": following, "note": NOTE}, headers=PRIVATE_HEADERS)


def _cursor_after(place: Place) -> str:
    return cursor_at("tables", place.rank, place.created_ms, int(place.table_id, 16))


def _place_in(cursor: str) -> Place:
    rank, created_ms, number = numbers_in(cursor, "tables", 3)
    # A made-up cursor may hold more than the database can compare with.
    return Place(min(rank, WHOLE_NUMBER), min(created_ms, BIG_WHOLE_NUMBER), f"{number:020x}")


@blueprint.get("/<table:table_id>")
@blueprint.response(200, Table)
@asks(
    query=WaitQuery,
    security=ANYBODY,
    if_none_match=True,
    refuses=PRIVATE,
    summary="The table as you see it",
    operationId="see_table",
)
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


@blueprint.get("/<table:table_id>/record")
@blueprint.response(200, {"type": "string"}, content_type="text/plain", description="The record.")
@asks(
    refuses=(*PRIVATE, Reason.NOT_ALLOWED),
    security=ANYBODY,
    summary="A match that is over as text that replays",
    operationId="match_record",
)
def match_record(table_id: str) -> Response:
    """How it ended, and then every hand as `GET /v1/hands/{hand_id}/record` gives it, an empty line before each."""
    text = tables.record(house(), bearer_token(), table_id)
    read_query(NoQuery)
    return text_reply(text)


@blueprint.post("/<table:table_id>/hands")
@blueprint.response(201, MoveAnswer)
@asks(
    body=NextHand,
    keyed=True,
    refuses=(*PRIVATE, Reason.NOT_ALLOWED, Reason.TABLE_OVER, Reason.HAND_RUNNING),
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


@blueprint.post("/<table:table_id>/leave")
@blueprint.response(200, LeaveAnswer)
@asks(
    body=Empty,
    keyed=True,
    refuses=(*PRIVATE, Reason.NOT_ALLOWED, Reason.TABLE_OVER),
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
