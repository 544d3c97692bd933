"""Advice over HTTP: a hint for the move that is due, and the review of a hand that is over."""

from itertools import islice
from typing import Any

from flask import Response
from flask_smorest import Blueprint

from ginapi.api.current import house
from ginapi.api.cursors import cursor_at, numbers_in, page_of
from ginapi.api.incoming import bearer_token, read_query
from ginapi.api.openapi import PRIVATE, asks
from ginapi.api.replies import PRIVATE as PRIVATE_HEADERS
from ginapi.api.replies import json_reply
from ginapi.api.schemas_advice import Hint, Review
from ginapi.api.schemas_in import NoQuery, PageQuery
from ginapi.errors import Reason
from ginapi.game.moves import move_dict
from ginapi.players.advice import Reviewed
from ginapi.service import advice

blueprint = Blueprint("advice", __name__, url_prefix="/v1/hands", description="What the player `hard` would do.")


@blueprint.get("/<hand_id>/hint")
@blueprint.response(200, Hint)
@asks(
    refuses=(*PRIVATE, Reason.NOT_ALLOWED, Reason.HAND_OVER, Reason.NOT_YOUR_TURN),
    summary="What a strong player would do now",
    operationId="hint",
)
def hint(hand_id: str) -> Response:
    """At practice tables alone, on your turn: the move that `hard` would make, seeing what you see, and why."""
    seen, advised = advice.hint(house(), bearer_token(), hand_id, lambda: read_query(NoQuery))
    body = {
        "hand_id": seen.hand_id,
        "version": seen.view.version,
        "move": move_dict(advised.move),
        "deadwood": advised.worth.deadwood,
        "why": advised.worth.why,
    }
    return json_reply(body, headers=PRIVATE_HEADERS)


@blueprint.get("/<hand_id>/review")
@blueprint.response(200, Review)
@asks(
    query=PageQuery,
    refuses=(*PRIVATE, Reason.NOT_ALLOWED),
    summary="A finished hand beside what a strong player would have done",
    operationId="review",
)
def review(hand_id: str) -> Response:
    """Move by move of both seats, once the hand is finished, for those who sat there, at every kind of table."""
    moves_after = advice.review(house(), bearer_token(), hand_id)
    query = read_query(PageQuery)
    limit, after = query["limit"], numbers_in(query["cursor"], "review", 1)[0] if "cursor" in query else 0
    found = list(islice(moves_after(after), limit + 1))
    page, following = page_of(found, limit, lambda one: cursor_at("review", one.version))
    return json_reply({"items": [_reviewed_json(one) for one in page], "next": following}, headers=PRIVATE_HEADERS)


def _reviewed_json(one: Reviewed) -> dict[str, Any]:
    hard = one.advice.worth.deadwood
    return {
        "version": one.version,
        "seat": one.seat,
        "by": one.by,
        "played": move_dict(one.played),
        "hard": move_dict(one.advice.move),
        "same": one.is_same,
        "played_deadwood": one.worth.deadwood,
        "hard_deadwood": hard,
        "difference": round(one.worth.deadwood - hard, 2),
        "why": one.advice.worth.why,
    }
