"""A table's log over HTTP as it is written: server-sent events, and the tickets that open a stream from a browser."""

import logging
from collections.abc import Iterator
from typing import Any

import orjson
from flask import Response, g, request

from ginapi.api.current import house
from ginapi.api.incoming import Incoming, bearer_token, last_event_id, read_query
from ginapi.api.line import Line
from ginapi.api.openapi import ANYBODY, PRIVATE, asks
from ginapi.api.presenting import moment, record_json
from ginapi.api.refusals import UNAVAILABLE, log_fault
from ginapi.api.replies import answer_reply
from ginapi.api.schemas_events import STREAM, Ticket
from ginapi.api.schemas_in import Empty, EventsQuery
from ginapi.api.tables import blueprint
from ginapi.api.waiting import place_of
from ginapi.config import WHOLE_NUMBER
from ginapi.errors import Reason, Refused
from ginapi.logs import on_behalf_of
from ginapi.service import callers, following, tickets
from ginapi.service.asking import Answer
from ginapi.service.following import Page
from ginapi.service.waiting import Place
from ginapi.tables.records import Record
from ginapi.tables.values import hand_id_of

RETRY_MS = 2_000
_OPENING = f"retry: {RETRY_MS}\n:\n\n".encode()
_HEARTBEAT = b":\n\n"
_HEADERS = {"Cache-Control": "private, no-store", "Vary": "Authorization", "X-Accel-Buffering": "no"}
_TOLD_OF_A_TABLE = ("status", "winner", "ended", "why", "rematch", "rematch_table_id")

_log = logging.getLogger(__name__)


@blueprint.get("/<table:table_id>/events")
@blueprint.response(200, STREAM, content_type="text/event-stream", description="The events.")
@blueprint.alt_response(204, description="The match is over and you have seen all of it: do not ask again.")
@asks(
    query=EventsQuery,
    last_event_id=True,
    security=ANYBODY,
    refuses=PRIVATE,
    summary="Follow the table",
    operationId="follow_table",
)
def follow_table(table_id: str) -> Response:
    """Server-sent events: the table's log, each record with what you may see of it, and then each as it comes.

    `id` is the record's number. The stream ends with the match, or with the answer to a rematch that was asked for; it
    may end at any time. Ask again with the last id in `Last-Event-ID` or `after` (the header goes before) and nothing
    is lost. A comment comes at once, and every 10 s in which nothing else does.
    """
    token = bearer_token()
    ticket = request.args.get("ticket") if token is None else None
    viewer = callers.hash_of(token) if ticket is None else tickets.holder(house(), ticket, table_id)
    # Who may not see the table is told so before anything is said of the query.
    following.look(house(), viewer, table_id, WHOLE_NUMBER)
    query = read_query(EventsQuery)
    if "ticket" in query and ticket is None:
        detail = "Send a token or a ticket: one of the two."
        raise Refused(Reason.INVALID_REQUEST, detail, (("/ticket", detail),))
    seen = last_event_id()
    page = following.look(house(), viewer, table_id, query["after"] if seen is None else seen)
    if page.is_last and not page.records:
        nothing = Response(status=204, headers=_HEADERS)
        del nothing.headers["Content-Type"]
        return nothing
    if request.method == "HEAD":
        return Response(iter(()), headers=_HEADERS, content_type="text/event-stream")
    line = Line(request.environ)
    place = place_of(page.seeing.principal, line)
    if place is None:
        raise Refused(
            Reason.UNAVAILABLE, "No more streams can be held open here, or not by you: close one, or try again."
        )
    try:
        if ticket is not None:
            tickets.spend(house(), ticket, table_id)
        line.bound()
        pages = following.follow(house(), place, viewer, page)
        reply = Response(_sent(pages, place, line, g.request_id), headers=_HEADERS, content_type="text/event-stream")
    except BaseException:
        place.give_back()
        raise
    reply.call_on_close(place.give_back)  # Whether or not anything was read of it.
    return reply


def _sent(pages: Iterator[Page], place: Place, line: Line, request_id: str) -> Iterator[bytes]:
    """The text of a stream, as long as somebody takes it. It ends early while the database is away."""
    with place, on_behalf_of("request_id", request_id):
        yield _OPENING
        try:
            for page in pages:
                for text in [event_text(record, page) for record in page.records] or [_HEARTBEAT]:
                    if not line.takes(place.is_over):
                        return
                    yield text
        except UNAVAILABLE as fault:
            log_fault(fault)
        except Exception as fault:
            # The headers are gone, and with them the place of a problem: the server cuts the stream off.
            log_fault(fault)
            raise


def event_text(record: Record, page: Page) -> bytes:
    """A record as an event of the stream."""
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (
        record.number,
        record.event.encode(),
        orjson.dumps(event_json(record, page)),
    )


def event_json(record: Record, page: Page) -> dict[str, Any]:
    """What an event says to the one who follows, built by naming it."""
    body, at = record.body, moment(record.at_ms)
    if record.hand_number is not None:
        return {"hand_id": hand_id_of(page.seeing.table.id, record.hand_number), **_of_hand(record, page)}
    match record.event:
        case "clock":
            return {"moved_ms": body["moved_ms"], "at": at}
        case "seat":
            seat = page.seats[body["seat"]]
            return {"seat": seat.seat, "name": seat.name, "kind": seat.kind, "at": at}
        case "table":
            return {**{name: body[name] for name in _TOLD_OF_A_TABLE if name in body}, "at": at}
    raise AssertionError(record.event)


def _of_hand(record: Record, page: Page) -> dict[str, Any]:
    body, at = record.body, moment(record.at_ms)
    match record.event:
        case "move":
            return record_json(record, page.seeing.seat, page.is_hand_over(record))
        case "dealt":
            # Neither deck nor salt: they are shown in the hand, once it is over.
            commitment = body["commitment"]
            return {"number": record.hand_number, "opener": body["opener"], "commitment": commitment, "at": at}
        case "result":
            named = ("kind", "winner", "knocker", "points", "scores")
            return {**{name: body[name] for name in named}, "at": at}
    raise AssertionError(record.event)


@blueprint.post("/<table:table_id>/tickets")
@blueprint.response(201, Ticket)
@asks(body=Empty, keyed=True, refuses=PRIVATE, summary="Get a ticket for one stream", operationId="make_ticket")
def make_ticket(table_id: str) -> Response:
    """For `GET /v1/tables/{table_id}/events?ticket=`, once within 30 s: a browser's EventSource sends no token."""
    incoming = Incoming()

    def answer(expires_ms: int) -> Answer:
        return Answer(201, {"ticket": None, "expires_at": moment(expires_ms)})

    issued = tickets.issue(house(), incoming.ask, table_id, lambda: incoming.read(Empty), answer)
    return answer_reply(issued, shown_as="ticket")
