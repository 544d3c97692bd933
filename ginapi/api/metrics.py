"""`/metrics`, for Prometheus: who may read it, and what it says; and every request counted.

It is for whoever is on the machine itself, and for whoever brings the token of the settings. A proxy that runs there
asks from loopback too, on behalf of anybody: what came through one is not taken for the machine's own.
"""

import hmac
import ipaddress
import re
import time
from collections.abc import Iterator
from functools import cache
from typing import Any

import flask
from flask import Flask, Response, abort, g, request
from prometheus_client.core import GaugeMetricFamily

from ginapi.api.current import held
from ginapi.metrics import counted
from ginapi.metrics.counted import METHODS
from ginapi.service.house import House
from ginapi.service.watching import watched
from ginapi.store.faults import Busy, Unavailable

# It is no part of the API: it does not stand in the OpenAPI document.
blueprint = flask.Blueprint("metrics", __name__)

NOWHERE = "none"
"""The route of requests for what is not there."""
_PLACEHOLDER = re.compile(r"<(?:[a-z]+:)?([a-z_]+)>")
# What proxies add, and browsers, which would show it to any page that asks them to.
_NOT_OUR_OWN = (
    "HTTP_FORWARDED",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_REAL_IP",
    "HTTP_VIA",
    "HTTP_ORIGIN",
)


def count_requests(app: Flask) -> None:
    """Count every request once it is answered, by its route as a template."""
    app.after_request(_count)


def _count(response: Response) -> Response:
    route = NOWHERE if request.url_rule is None else _template(request.url_rule.rule)
    took_s = time.perf_counter() - g.began - g.get("waited_s", 0.0)
    counted.count_request(route, request.method, response.status_code, took_s)
    return response


@cache
def _template(rule: str) -> str:
    """A rule of ours as the OpenAPI document writes it."""
    return _PLACEHOLDER.sub(r"{\1}", rule)


# By every method: a 405 would tell everybody that something is here.
@blueprint.route("/metrics", methods=[*METHODS, "PUT", "PATCH", "TRACE"], provide_automatic_options=False)
def metrics() -> Response:
    here = held()
    if request.method not in ("GET", "HEAD") or not may_read(request.environ, here.config.metrics_token):
        abort(404)
    return Response(report(here.house), content_type=counted.CONTENT_TYPE)


# What watches the service would take it for dead if it were turned away.
vars(metrics)["limited"] = False


def may_read(environ: dict[str, Any], token: str | None) -> bool:
    """Whether a request comes from this machine itself, or brings the token."""
    sent = environ.get("HTTP_AUTHORIZATION", "")
    scheme, _, given = sent.partition(" ")
    # As bytes: what was sent may be any text.
    is_right = hmac.compare_digest(given.strip().encode(), (token or "").encode())
    if token is not None and scheme.lower() == "bearer" and is_right:
        return True
    # The connection's own address, whatever a trusted proxy says of another.
    peer = environ.get("werkzeug.proxy_fix.orig", environ).get("REMOTE_ADDR", "")
    return _is_loopback(peer) and not any(name in environ for name in _NOT_OUR_OWN)


def _is_loopback(address: str) -> bool:
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return False  # A socket in a folder has no address: who is behind it is not known.
    mapped = known.ipv4_mapped if isinstance(known, ipaddress.IPv6Address) else None
    return (mapped or known).is_loopback


def report(house: House) -> bytes:
    """All metrics as text."""
    return counted.written(_Asked(house))


class _Asked:
    """What is not counted but asked of the database, at each scrape. Where that is away, it says so and no more."""

    def __init__(self, house: House) -> None:
        self._house = house

    def collect(self) -> Iterator[GaugeMetricFamily]:
        try:
            found = watched(self._house)
        except (Busy, Unavailable):
            yield _gauge("ginapi_database_up", "Whether the database answers.", 0)
            return
        yield _gauge("ginapi_database_up", "Whether the database answers.", 1)
        yield _gauge(
            "ginapi_overdue_seconds",
            "For how long the table is overdue that is so longest; those left out that cannot be settled.",
            found.overdue_ms / 1000,
        )
        yield _gauge("ginapi_ledger_faults", "Accounts and tables that do not add up.", found.ledger_faults)
        if found.heartbeat_age_ms is not None:
            yield _gauge(
                "ginapi_settling_age_seconds",
                "Since a scheduler, whichever, last looked for what is due.",
                found.heartbeat_age_ms / 1000,
            )
        if found.ledger_age_ms is not None:
            yield _gauge(
                "ginapi_ledger_age_seconds",
                "Since the last whole check of the ledger began.",
                found.ledger_age_ms / 1000,
            )


def _gauge(name: str, what: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, what, value=value)
