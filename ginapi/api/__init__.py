"""HTTP: what callers send and read, and nothing of the game itself."""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask
from flask_cors import CORS
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import Map, PathConverter, UnicodeConverter

from ginapi import web
from ginapi.api import (
    accounts,
    advice,
    analysis,
    events,
    hands,
    limits,
    metrics,
    pages,
    players,
    sitting,
    wallets,
    webhooks,
)
from ginapi.api.current import Held
from ginapi.api.logs import log_requests
from ginapi.api.openapi import written
from ginapi.api.refusals import answer_refusals
from ginapi.config import BODY_BYTES, Config
from ginapi.logs import set_up_logs
from ginapi.metrics import counted
from ginapi.service.house import House, Terms
from ginapi.service.limiting import Limiting
from ginapi.service.waiting import Watch
from ginapi.store.database import Database
from ginapi.store.faults import Busy, Unavailable
from ginapi.store.migrate import schema_fault

_log = logging.getLogger(__name__)

_ALLOWED = ("Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID")
_EXPOSED = (
    "ETag",
    "Location",
    "Retry-After",
    "Idempotent-Replayed",
    "RateLimit",
    "RateLimit-Policy",
    "X-Request-Id",
)


_RESOURCES = (hands, advice, sitting, events, accounts, wallets, players, webhooks, analysis, limits, pages)
# `sitting` and `events` have their routes on the blueprint of `tables`, once: they are one resource.
_DESCRIBED = tuple(dict.fromkeys(resource.blueprint for resource in _RESOURCES))
_DESCRIBING = threading.Lock()


class SchemaBehind(Exception):
    """The database is not at the schema that this version needs."""


def create_app(config: Config | None = None, house: House | None = None) -> Flask:
    """The service as a WSGI app. Raises `SchemaBehind`; `config` comes from the environment where none is given.

    A database that cannot be reached is no reason not to start: gunicorn's master ends for good where a worker does
    not, and `/readyz` asks again.
    """
    config = Config.from_env(os.environ) if config is None else config
    set_up_logs(config.log_level)
    house = House(Database(config.database_url), terms=Terms.of(config)) if house is None else house
    try:
        fault = schema_fault(house.db)
    except (Busy, Unavailable) as error:
        _log.warning("the schema is not known yet", extra={"fault": type(error).__name__})
    else:
        if fault is not None:
            raise SchemaBehind(fault)
    app = bare_app()
    limiting = Limiting(house, config.rate_limits, config.worker_count)
    counted.set_places(config.streams)
    app.extensions["ginapi"] = Held(config, house, Watch(house.db, config.streams), limiting, time.monotonic())
    if config.rate_limits:
        limits.limit_requests(app)
    CORS(
        app,
        origins=list(config.cors_origins),
        allow_headers=list(_ALLOWED),
        expose_headers=list(_EXPOSED),
        methods=["GET", "HEAD", "POST", "DELETE", "OPTIONS"],
        max_age=600,
        send_wildcard=config.cors_origins == ("*",),
    )
    if config.trusted_proxies:
        count = config.trusted_proxies
        app.entrance = ProxyFix(app.wsgi_app, x_for=count, x_proto=count, x_host=count)
    return app


class _TableId(UnicodeConverter):
    """What may stand where a table's id does: not the words that routes beside it are made of."""

    def __init__(self, url_map: Map) -> None:
        super().__init__(url_map)
        self.regex = f"(?!quick$){self.regex}"


class _Name(PathConverter):
    """A name whole, whatever slashes are in it."""

    part_isolating = False
    regex = ".+"


class _App(Flask):
    """The service's Flask, without its routes."""

    def __init__(self) -> None:
        super().__init__("ginapi.api")
        # One more than is taken: a body without Content-Length ends where this does, and is then seen to be too long.
        self.config["MAX_CONTENT_LENGTH"] = BODY_BYTES + 1
        self.url_map.strict_slashes = False
        # No redirect: it would go to whatever host the request named, and a token with it.
        self.url_map.merge_slashes = False
        self.url_map.converters |= {"table": _TableId, "name": _Name}
        self.entrance: WSGIApplication = self.wsgi_app
        """Where requests come in: the app, or what stands before it."""

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        return self.entrance(environ, start_response)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function as it is: none of ours is a coroutine, and Flask looks eight times a request."""
        return func


def bare_app() -> _App:
    """The routes and their document, without a database."""
    app = _App()
    log_requests(app)
    metrics.count_requests(app)
    for blueprint in _DESCRIBED:
        app.register_blueprint(blueprint)
    app.register_blueprint(pages.browsed)
    app.register_blueprint(metrics.blueprint)
    app.register_blueprint(web.blueprint)
    answer_refusals(app)
    app.extensions["ginapi.openapi"] = _document
    return app


@cache
def _document_once() -> str:
    return written(_App(), _DESCRIBED)


def _document() -> str:
    """The text of openapi.yaml. It takes a while, so it is made when first asked for, by an app of its own."""
    with _DESCRIBING:  # Whoever asks meanwhile waits for it, and does not make it too.
        return _document_once()
