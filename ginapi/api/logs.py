"""A line for every request: its id, its route and its status; never a card, a token or a body."""

import logging
import re
import secrets
import time

from flask import Flask, Response, g, request

from ginapi.logs import clear_behalf, set_behalf

_log = logging.getLogger("ginapi.requests")
_REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")


def log_requests(app: Flask) -> None:
    """Give every request an id, its own where it brought a fit one, and log it once it is answered."""
    app.before_request(_begin)
    app.after_request(_end)
    app.teardown_request(_forget)


def _begin() -> None:
    g.began = time.perf_counter()
    sent = request.headers.get("X-Request-Id", "")
    g.request_id = sent if _REQUEST_ID.fullmatch(sent) else secrets.token_hex(8)
    set_behalf("request_id", g.request_id)


def _end(response: Response) -> Response:
    response.headers["X-Request-Id"] = g.request_id
    if _log.isEnabledFor(logging.INFO):
        _log.info(
            "request",
            extra={
                "method": request.method,
                "path": request.path,
                "status": response.status_code,
                "took_ms": round((time.perf_counter() - g.began) * 1000, 2),
            },
        )
    return response


def _forget(error: BaseException | None) -> None:
    clear_behalf()
