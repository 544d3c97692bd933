"""Whatever goes wrong in a request, as a problem document."""

import logging

from flask import Flask, Response, g, make_response
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound

from ginapi.api.presenting import hand_json
from ginapi.api.replies import hand_etag, problem_reply
from ginapi.errors import Reason, Refused
from ginapi.logs import fault_fields
from ginapi.metrics.counted import count_fault
from ginapi.service.seen import RefusedAtHand
from ginapi.store.faults import Busy, Unavailable
from ginapi.store.tables import Overtaken

_log = logging.getLogger(__name__)

UNAVAILABLE = (Busy, Unavailable, Overtaken)
_REASONS_OF_STATUS = {
    404: Reason.NOT_FOUND,
    405: Reason.METHOD_NOT_ALLOWED,
    413: Reason.TOO_LARGE,
}


def answer_refusals(app: Flask) -> None:
    """Make problem documents of every refusal, of what the framework refuses, and of our own faults."""
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(RefusedAtHand, _refused_at_hand)
    app.register_error_handler(HTTPException, _http)
    for fault in UNAVAILABLE:
        app.register_error_handler(fault, _unavailable)
    app.register_error_handler(Exception, _internal)


def _refused(refused: Refused) -> Response:
    g.refused = refused.reason
    return problem_reply(refused, g.request_id)


def _refused_at_hand(refused: RefusedAtHand) -> Response:
    g.refused = refused.refused.reason
    reply = problem_reply(refused.refused, g.request_id, hand_json(refused.seen))
    reply.headers["ETag"] = hand_etag(refused.seen)
    return reply


def _http(error: HTTPException) -> Response:
    if error.code is not None and error.code < 400:
        return make_response(error.get_response())
    reason = _REASONS_OF_STATUS.get(error.code or 500, Reason.INVALID_REQUEST)
    reply = problem_reply(Refused(reason, _detail_of(error)), g.request_id)
    # Allow on 405 and its like are part of the answer.
    for name, value in error.get_headers():
        if name not in ("Content-Type", "Content-Length"):
            reply.headers[name] = value
    return reply


def _detail_of(error: HTTPException) -> str:
    if isinstance(error, NotFound):
        return "There is nothing at this address: /docs shows every one that there is."
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        return f"This address takes only {', '.join(sorted(error.valid_methods))}."
    return error.description or ""


def log_fault(error: Exception) -> None:
    """Tell the operator what went wrong in a request; nothing of what it says."""
    if isinstance(error, UNAVAILABLE):
        _log.warning("unavailable", extra={"fault": type(error).__name__})
    else:
        _log.error("internal", extra=fault_fields(error))
        count_fault()


def _unavailable(error: Exception) -> Response:
    log_fault(error)
    return problem_reply(
        Refused(Reason.UNAVAILABLE, "The database cannot take this right now: try again."), g.request_id
    )


def _internal(error: Exception) -> Response:
    log_fault(error)
    return problem_reply(Refused(Reason.INTERNAL, "The fault is the service's."), g.request_id)
