"""A line of JSON for every request: its id, its route and its status; never a card, a token or a body."""

import logging
import re
import secrets
import time

from flask import Flask, Response, g, request
from pythonjsonlogger.orjson import OrjsonFormatter

_log = logging.getLogger("ginapi.requests")
_REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")


def set_up_logs(level: str) -> None:
    """Log to standard error as JSON, once a process."""
    logger = logging.getLogger("ginapi")
    if not logger.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(
            OrjsonFormatter(
                "%(message)s %(process)d", timestamp=True, rename_fields={"levelname": "level", "name": "logger"}
            )
        )
        logger.addHandler(handler)
        logger.propagate = False
    logger.setLevel(level)


def log_requests(app: Flask) -> None:
    """Give every request an id, its own where it brought a fit one, and log it once it is answered."""
    app.before_request(_begin)
    app.after_request(_end)


def _begin() -> None:
    g.began = time.perf_counter()
    sent = request.headers.get("X-Request-Id", "")
    g.request_id = sent if _REQUEST_ID.fullmatch(sent) else secrets.token_hex(8)


def _end(response: Response) -> Response:
    response.headers["X-Request-Id"] = g.request_id
    if _log.isEnabledFor(logging.INFO):
        _log.info(
            "request",
            extra={
                "request_id": g.request_id,
                "method": request.method,
                "path": request.path,
                "status": response.status_code,
                "took_ms": round((time.perf_counter() - g.began) * 1000, 2),
            },
        )
    return response
