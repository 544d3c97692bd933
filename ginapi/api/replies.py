"""Answers as bytes: JSON, ETags, and who may keep a copy."""

import hashlib
from typing import Any

import orjson
from flask import Response, request

from ginapi.api.errors import EXPLAINED, PROBLEM_TYPE, problem
from ginapi.errors import Refused
from ginapi.service.asking import Answer
from ginapi.service.seen import SeenHand, SeenTable
from ginapi.tables.clock import Clock

PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
"""For whatever a viewer sees as itself."""


def hand_etag(seen: SeenHand) -> str:
    """Opaque to clients; the version stands first, for If-Match. All that a viewer sees changes with one of these."""
    dealt_on = "-next" if seen.next_hand_id else ""
    return f'"{seen.view.version}-{_seen_from(seen.seat)}{dealt_on}{_due(seen.clock)}"'


def _seen_from(seat: int | None) -> str:
    return "o" if seat is None else f"s{seat}"


def _due(clock: Clock | None) -> str:
    """What a clock adds: it may be moved without a move."""
    due_ms = None if clock is None else clock.deadline_ms or clock.next_hand_at_ms
    return "" if due_ms is None else f"-d{due_ms}"


def table_etag(seen: SeenTable) -> str:
    """Opaque; everything at a table changes by a record, but the name of a seat as its account is closed or renamed."""
    names = "|".join(seat.name for seat in seen.seats).encode()
    return f'"{seen.table.version}-{_seen_from(seen.seat)}-{hashlib.sha256(names).hexdigest()[:12]}"'


def json_reply(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Values as JSON."""
    return Response(orjson.dumps(body), status, headers, content_type="application/json")


def text_reply(text: str) -> Response:
    """A record as plain text, to whoever may see it."""
    return Response(text, headers=PRIVATE, content_type="text/plain; charset=utf-8")


def seen_reply(body: dict[str, Any], etag: str) -> Response:
    """A read of one's own: 304 where the caller has it already. ETags are compared weakly: a proxy may weaken them."""
    headers = {**PRIVATE, "ETag": etag}
    if request.if_none_match.contains_weak(etag.strip('"')):
        return Response(status=304, headers=headers)
    return json_reply(body, headers=headers)


def answer_reply(answer: Answer, shown_as: str = "token") -> Response:
    """The answer to a write; a new token is shown in it this once, and again to the same request."""
    body = answer.body if answer.token is None else {**answer.body, shown_as: answer.token}
    headers = {**PRIVATE, **answer.headers}
    if answer.replayed:
        headers["Idempotent-Replayed"] = "true"
    return json_reply(body, answer.status, headers)


def problem_reply(
    refused: Refused, request_id: str, hand: dict[str, Any] | None = None, checks: dict[str, str] | None = None
) -> Response:
    """A refusal as a problem document (RFC 9457)."""
    document = problem(refused.reason, refused.detail, request_id, refused.errors, hand, checks)
    status = EXPLAINED[refused.reason].status
    headers = dict(PRIVATE)
    if status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="ginapi"'
    if status in (429, 503):
        headers["Retry-After"] = str(refused.again_s)
    return Response(orjson.dumps(document), status, headers, content_type=PROBLEM_TYPE)
