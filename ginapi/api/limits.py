"""Limits over HTTP: taken from as requests come, shown in every answer, and published.

The headers are those of draft-ietf-httpapi-ratelimit-headers-11. A legal move is never refused: moves and deals are
judged first, and only what is not taken counts. Whoever wants to load the service can do so by legal moves, so that
turning others away unjudged would save nothing.
"""

import hashlib
import math
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Any, NamedTuple

import orjson
from flask import Flask, Response, current_app, g, request
from flask_smorest import Blueprint

from ginapi.api.current import held, limiting
from ginapi.api.errors import EXPLAINED, problem
from ginapi.api.incoming import Incoming, bearer_token, read_query
from ginapi.api.openapi import NOBODY, SEATED, asks
from ginapi.api.replies import json_reply
from ginapi.api.schemas_in import NoQuery
from ginapi.api.schemas_out import Limits
from ginapi.config import BODY_BYTES, PAGE_ITEMS, TABLES_PER_PLAYER, WAIT_MS
from ginapi.errors import Reason, Refused
from ginapi.limits import Limit
from ginapi.service import callers
from ginapi.service.hands import table_id_in

blueprint = Blueprint("limits", __name__, url_prefix="/v1/limits", description="How much may be asked for.")

OPENINGS = frozenset({"hands.open_hand", "tables.open_table", "tables.quick_table", "tables.take_seat"})
"""Where a caller without a token becomes a guest."""
PASSWORDS = frozenset({"accounts.open_account", "accounts.make_token"})
"""Where a password is hashed."""
ADVICE = frozenset({"advice.hint", "advice.review"})
"""Where the computer thinks for as long as it does for a move, or for many."""
JUDGED_FIRST = frozenset({"hands.make_move", "tables.deal_hand"})
"""Where a legal request takes nothing, and is never refused."""
_REFUSED_LATER = frozenset(
    explained.status
    for reason, explained in EXPLAINED.items()
    if list(Reason).index(reason) > list(Reason).index(Reason.TOO_MANY_REQUESTS) and explained.status < 500
)
"""The statuses of refusals that come after this one."""


class _Of(NamedTuple):
    """A limit that a request counts for, and whose."""

    name: str
    caller: bytes


class OverLimit(Refused):
    """The caller has used up a limit."""

    def __init__(self, name: str) -> None:
        limit = limiting().limits[name]
        super().__init__(
            Reason.TOO_MANY_REQUESTS,
            f"The limit {name!r}, {limit.quota} in {limit.window_ms // 1000} s, is used up: Retry-After says when the "
            "next are taken.",
        )


def limit_requests(app: Flask) -> None:
    """Hold every request against the limits, and show them in its answer."""
    app.before_request(_take)
    app.after_request(_show)


def _take() -> None:
    g.limits = _limits_of_request()
    # A pre-flight is a browser's own, and what watches the service would take it for dead if it were turned away.
    if request.method == "OPTIONS" or request.endpoint in JUDGED_FIRST or not _asked("limited", True):
        return
    for name, caller in g.limits:
        if not limiting().take(name, caller):
            _refuse_earlier()
            raise OverLimit(name)


def _limits_of_request() -> list[_Of]:
    token = _token() if _security() != NOBODY else None
    address = _address_hash(request.remote_addr or "")
    found = [_Of("requests", address if token is None else hashlib.sha256(f"token {token}".encode()).digest())]
    if request.method == "POST":
        if request.endpoint in PASSWORDS:
            found.append(_Of("passwords", address))
        elif request.endpoint in OPENINGS and token is None:
            found.append(_Of("openings", address))
    elif request.endpoint in ADVICE:
        found.append(_Of("advice", address))
    return found


def _security() -> list[dict[str, list[str]]]:
    """What the route asks of a token. Where none is looked at, made-up ones are not to count as so many callers."""
    return _asked("security", NOBODY)


def _asked(name: str, otherwise: Any) -> Any:
    """What the route says of itself."""
    return getattr(current_app.view_functions.get(request.endpoint or ""), name, otherwise)


def _token() -> str | None:
    """The token, where one was sent as it should be."""
    try:
        return bearer_token()
    except Refused:
        return None


@lru_cache(4096)
def _address_hash(address: str) -> bytes:
    """Who has an address of IPv6 has all that differ from it in their last half only."""
    try:
        known = ip_address(address)
    except ValueError:
        known = None  # A socket in a folder has no address, and all that come by it are one caller.
    if isinstance(known, IPv6Address):
        address = str(known.ipv4_mapped or int(known) >> 64)
    return hashlib.sha256(f"address {address}".encode()).digest()


def _refuse_earlier() -> None:
    """Raise what would be refused before the limits are looked at: the body, and who asks. The latter costs a read."""
    if request.url_rule is None:
        return
    if request.method == "POST":
        Incoming()
    if _security() == NOBODY:
        return
    token, named = bearer_token(), request.view_args or {}
    table_id = named.get("table_id") or (table_id_in(named["hand_id"]) if "hand_id" in named else None)
    if token is not None:
        callers.check_known(held().house, token)
    elif _security() == SEATED:
        callers.needed(None)
    elif request.method != "POST" and table_id is not None:
        callers.check_public(held().house, table_id)


def _show(response: Response) -> Response:
    limits: list[_Of] = g.limits
    if g.get("refused") is Reason.BAD_TOKEN:
        # It speaks for nobody: made-up tokens count for the address that they come from.
        limiting().give_up(*limits[0])
        limits[0] = _Of("requests", _address_hash(request.remote_addr or ""))
        limiting().take(*limits[0])
    elif request.endpoint in JUDGED_FIRST and 400 <= response.status_code < 500:
        may = limiting().take(*limits[0])
        if not may and response.status_code in _REFUSED_LATER:
            _put_over_limit(response, limits[0].name)
    _show_limits(response, limits)
    return response


def _show_limits(response: Response, limits: list[_Of]) -> None:
    here, shown, until_s = limiting(), [], 0
    for name, caller in limits:
        left, until_ms = here.left(name, caller)
        shown.append(f'"{name}";r={left};t={math.ceil(until_ms / 1000)}')
        if not left:
            until_s = max(until_s, math.ceil(until_ms / 1000))
    response.headers["RateLimit"] = ", ".join(shown)
    response.headers["RateLimit-Policy"] = ", ".join(_policy(here.limits[name]) for name, _ in limits)
    if until_s and g.get("refused") is Reason.TOO_MANY_REQUESTS:
        response.headers["Retry-After"] = str(until_s)


def _policy(limit: Limit) -> str:
    return f'"{limit.name}";q={limit.quota};w={limit.window_ms // 1000}'


def _put_over_limit(response: Response, name: str) -> None:
    """Make the answer to a move that was judged and refused one that says only that there were too many."""
    refused = OverLimit(name)
    seen = orjson.loads(response.data).get("hand")
    response.set_data(orjson.dumps(problem(refused.reason, refused.detail, g.request_id, hand=seen)))
    response.status_code = EXPLAINED[refused.reason].status
    g.refused = refused.reason


@blueprint.get("")
@blueprint.response(200, Limits)
@asks(security=NOBODY, summary="The limits", operationId="limits")
def limits() -> Response:
    """How many requests are taken in a time, and what else has an end. Every answer shows how many are left."""
    read_query(NoQuery)
    items = [
        {
            "name": limit.name,
            "quota": limit.quota,
            "window_ms": limit.window_ms,
            "by": limit.by,
            "counts": limit.counts,
        }
        for limit in held().config.rate_limits
    ]
    values = {
        "body_bytes": BODY_BYTES,
        "page_items": PAGE_ITEMS,
        "wait_ms": WAIT_MS,
        "tables_per_player": TABLES_PER_PLAYER,
        "streams_per_worker": held().config.streams,
    }
    return json_reply({"items": items, "next": None, "values": values}, headers={"Cache-Control": "no-cache"})
