"""HTTP: what callers send and read, and nothing of the game itself."""

import os

from flask import Flask
from flask_cors import CORS
from werkzeug.middleware.proxy_fix import ProxyFix

from ginapi.api import accounts, analysis, hands, pages, players, sitting, wallets
from ginapi.api.current import Held
from ginapi.api.logs import log_requests, set_up_logs
from ginapi.api.openapi import document_yaml, make_document
from ginapi.api.refusals import answer_refusals
from ginapi.config import BODY_BYTES, Config
from ginapi.service.house import House, Terms
from ginapi.service.waiting import Watch
from ginapi.store.database import Database
from ginapi.store.migrate import schema_fault

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


class SchemaBehind(Exception):
    """The database is not at the schema that this version needs."""


def create_app(config: Config | None = None, house: House | None = None) -> Flask:
    """The service as a WSGI app. Raises `SchemaBehind`; `config` comes from the environment where none is given."""
    config = Config.from_env(os.environ) if config is None else config
    set_up_logs(config.log_level)
    house = House(Database(config.database_url), terms=Terms.of(config)) if house is None else house
    fault = schema_fault(house.db)
    if fault is not None:
        raise SchemaBehind(fault)
    app = bare_app()
    app.extensions["ginapi"] = Held(config, house, Watch(house.db, config.streams))
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
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=count, x_proto=count, x_host=count)  # type: ignore[method-assign]
    return app


def bare_app() -> Flask:
    """The routes and their document, without a database."""
    app = Flask("ginapi.api")
    # One more than is taken: a body without Content-Length ends where this does, and is then seen to be too long.
    app.config["MAX_CONTENT_LENGTH"] = BODY_BYTES + 1
    app.url_map.strict_slashes = False
    log_requests(app)
    document = make_document(app)
    # `sitting` has its routes on the blueprint of `tables`: they are one resource.
    for resource in (hands, sitting, accounts, wallets, players, analysis):
        document.register_blueprint(resource.blueprint)
    document.register_blueprint(pages.blueprint)
    app.register_blueprint(pages.browsed)
    answer_refusals(app)
    app.extensions["ginapi.openapi"] = document_yaml(document)
    return app
