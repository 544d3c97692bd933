"""Tables over HTTP: opened, seen, dealt at again, left."""

from flask import Response
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
from ginapi.api.schemas_in import Empty, NextHand, OpenTable, TablesQuery, WaitQuery
from ginapi.api.schemas_out import LeaveAnswer, OpenedTable, Table, Tables
from ginapi.api.waiting import in_time
from ginapi.config import BIG_WHOLE_NUMBER, WHOLE_NUMBER
from ginapi.errors import Reason
from ginapi.service import accounts, opening, tables
from ginapi.service.asking import Answer
from ginapi.service.callers import Seated, needed
from ginapi.service.opening import CoinTerms, PracticeTerms
from ginapi.service.seen import SeenHand, SeenTable
from ginapi.store.tables import Place
from ginapi.tables.coins import NOTE
from ginapi.tables.records import Record
from ginapi.tables.values import Outcome

blueprint = Blueprint("tables", __name__, url_prefix="/v1/tables", description="Tables where you sit.")


@blueprint.post("")
@blueprint.response(201, OpenedTable)
@asks(
    body=OpenTable,
    keyed=True,
    security=ANYBODY,
    refuses=(
        Reason.NO_TOKEN,
        Reason.BAD_TOKEN,
        Reason.NOT_ALLOWED,
        Reason.STAKE_NOT_OFFERED,
        Reason.TOO_MANY_TABLES,
        Reason.NOT_ENOUGH_COINS,
    ),
    summary="Open a table",
    operationId="open_table",
)
def open_table() -> Response:
    """It deals its first hand at once. Practice needs no token: the answer brings one. Coins need an account."""
    incoming = Incoming()

    def read_terms() -> PracticeTerms | CoinTerms:
        loaded = incoming.read(OpenTable)
        return CoinTerms(loaded["stake"]) if loaded["kind"] == "coin" else terms_in(loaded)

    def answer(tx: Connection, seated: Seated, outcome: Outcome, token: str | None) -> Answer:
        seen = tables.seen_table(tx, seated)
        headers = {"ETag": table_etag(seen), "Location": f"/v1/tables/{seen.table.id}"}
        return Answer(201, {**table_json(seen), "token": None}, headers, token)

    return answer_reply(
        opening.open_table(house(), incoming.ask, read_terms, answer, needs_account=incoming.is_of_kind("coin"))
    )


@blueprint.get("")
@blueprint.response(200, Tables)
@asks(query=TablesQuery, refuses=(Reason.NO_TOKEN, Reason.BAD_TOKEN), summary="Your tables", operationId="list_tables")
def list_tables() -> Response:
    """Running ones first, then the newest."""
    token = bearer_token()
    callers_token = needed(token)
    accounts.see(house(), callers_token)
    query = read_query(TablesQuery)
    filters = {name: query[name] for name in ("kind", "status", "stake") if name in query}
    after = _place_in(query["cursor"]) if "cursor" in query else None
    limit = query["limit"]
    found = tables.list_seated(house(), callers_token, limit + 1, after, filters)
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
            lambda seen: (seen.table.id, seen.table.version),
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
        body = {"table": table_json(seen), "forfeited": table.stake, "fee": table.leaving_fee}
        return Answer(200, body, {"ETag": table_etag(seen)})

    return answer_reply(tables.leave(house(), incoming.ask, table_id, lambda: incoming.read(Empty), answer))
