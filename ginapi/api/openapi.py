"""The OpenAPI document: how routes describe themselves, and the document as YAML."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import yaml
from flask import Flask
from flask_smorest import Api, Blueprint
from marshmallow import Schema

from ginapi import __version__
from ginapi.api.errors import EXPLAINED, PROBLEM_TYPE
from ginapi.api.fields import CardText
from ginapi.api.openapi_unions import register_unions
from ginapi.api.openapi_webhooks import described_webhooks
from ginapi.api.schemas_events import register_events
from ginapi.api.schemas_out import Problem
from ginapi.config import KEY_CHARACTERS, KEY_CHARACTERS_WITHOUT_TOKEN
from ginapi.errors import Reason

_Route = TypeVar("_Route", bound=Callable[..., Any])

_DESCRIPTION = (
    "Gin rummy over HTTP. Open a practice table with `POST /v1/hands`, play one of `legal_moves` at a time with "
    "`POST /v1/hands/{hand_id}/moves`, and every answer shows the new state. Cards are two characters, rank then suit: "
    "`As`, `Td`, `Kc`. A refusal is `application/problem+json` with a `code`; each code has a page under `/problems/`."
)
_TOKEN = {
    "type": "http",
    "scheme": "bearer",
    "description": "The `token` of the answer that opened the table. It serves at every table of its owner.",
}
ANYBODY: list[dict[str, list[str]]] = [{}, {"token": []}]
SEATED: list[dict[str, list[str]]] = [{"token": []}]
NOBODY: list[dict[str, list[str]]] = []

_UNUSED = ("Error", "PaginationMetadata")  # flask-smorest's own shapes, which nothing here answers with
_BODY_REASONS = (Reason.TOO_LARGE, Reason.UNSUPPORTED_MEDIA_TYPE, Reason.BAD_JSON)
KEY_REASONS = (Reason.KEY_REUSED, Reason.IN_PROGRESS)
ALWAYS = (Reason.INVALID_REQUEST, Reason.UNAVAILABLE)
PRIVATE = (Reason.NO_TOKEN, Reason.BAD_TOKEN, Reason.NOT_FOUND)
MOVE_REASONS = (
    Reason.STALE_VERSION,
    Reason.HAND_OVER,
    Reason.TOO_LATE,
    Reason.NOT_YOUR_TURN,
    Reason.WRONG_PHASE,
    Reason.CARD_NOT_IN_HAND,
    Reason.CARD_JUST_TAKEN,
    Reason.BAD_MELDS,
    Reason.BAD_LAYOFF,
    Reason.TOO_MUCH_DEADWOOD,
)

_KEY_HEADER = {
    "in": "header",
    "name": "Idempotency-Key",
    "description": "The same request with the same key is done once, and answered the same again. Without a token at "
    f"least {KEY_CHARACTERS_WITHOUT_TOKEN} characters.",
    "schema": {"type": "string", "minLength": 1, "maxLength": KEY_CHARACTERS, "pattern": "^[!-~]+$"},
}
_IF_MATCH_HEADER = {
    "in": "header",
    "name": "If-Match",
    "description": 'The version that the move was decided on, as an ETag or bare: `"7"`; `*` is refused.',
    "schema": {"type": "string"},
}
_IF_NONE_MATCH_HEADER = {
    "in": "header",
    "name": "If-None-Match",
    "description": "An ETag had before: 304 where nothing but the time has changed since.",
    "schema": {"type": "string"},
}
# None is required: where the limits are turned off the first two are missing.
_ANSWER_HEADERS = {
    "RateLimit": {
        "description": "For each limit that the request counts for: how many more are taken, within how many seconds.",
        "schema": {"type": "string"},
        "example": '"requests";r=35988;t=59',
    },
    "RateLimit-Policy": {
        "description": "Each of those limits: how many requests in how many seconds. `GET /v1/limits` has all.",
        "schema": {"type": "string"},
        "example": '"requests";q=36000;w=60',
    },
    "Retry-After": {"description": "After how many seconds to ask again.", "schema": {"type": "integer"}},
}

_LAST_EVENT_ID_HEADER = {
    "in": "header",
    "name": "Last-Event-ID",
    "description": "The id of the last event that was had before: only what comes after it is sent. Empty is none.",
    "schema": {"type": "string", "pattern": "^[0-9]*$"},
}


def asks(
    *,
    body: type[Schema] | None = None,
    query: type[Schema] | None = None,
    security: list[dict[str, list[str]]] = SEATED,
    if_match: bool = False,
    if_none_match: bool = False,
    keyed: bool = False,
    limited: bool = True,
    last_event_id: bool = False,
    refuses: tuple[Reason, ...] = (),
    **doc: Any,
) -> Callable[[_Route], _Route]:
    """Describe what a route takes and refuses; its docstring is the description that callers read.

    For the document, and for the limits, which look at `security` and `limited`: routes read what they take themselves.

    flask-smorest would judge a body before the route has seen who asks; the contract's order is the other way round.
    """
    parameters: list[dict[str, Any]] = []
    if query is not None:
        parameters.append({"in": "query", "schema": query})
    parameters += [_KEY_HEADER] * keyed + [_IF_MATCH_HEADER] * if_match + [_IF_NONE_MATCH_HEADER] * if_none_match
    parameters += [_LAST_EVENT_ID_HEADER] * last_event_id
    reasons = [*refuses, *ALWAYS, *([Reason.TOO_MANY_REQUESTS] if limited else [])]
    if body is not None:
        reasons += _BODY_REASONS
    if keyed:
        reasons += KEY_REASONS
    doc |= {"parameters": parameters, "security": security, "responses": _refusals(reasons)}
    if if_none_match:
        doc["responses"]["304"] = {"description": "Nothing but the time has changed."}
    if body is not None:
        # No body stands for `{}`: it will do where no field has to be sent.
        needed = any(field.required for field in body().fields.values())
        doc["requestBody"] = {"required": needed, "content": {"application/json": {"schema": body}}}

    def describe(route: _Route) -> _Route:
        described: _Route = Blueprint.doc(**doc, description=inspect.cleandoc(route.__doc__ or ""))(route)
        # Among its attributes, which whatever wraps it takes over.
        vars(described).update(security=security, limited=limited)
        return described

    return describe


def _refusals(reasons: list[Reason]) -> dict[str, Any]:
    by_status: dict[int, list[str]] = {}
    for reason in Reason:
        if reason in reasons:
            by_status.setdefault(EXPLAINED[reason].status, []).append(f"`{reason.value}`")
    return {
        str(status): {"description": ", ".join(codes), "content": {PROBLEM_TYPE: {"schema": Problem}}}
        for status, codes in sorted(by_status.items())
    }


class _Api(Api):
    """flask-smorest's maker of the document, without the errors and pages that it would add of its own."""

    DEFAULT_ERROR_RESPONSE_NAME = None


def written(app: Flask, blueprints: Iterable[Blueprint]) -> str:
    """The document of these routes, as `openapi.yaml` has it. They are registered with `app`, which has none."""
    app.config |= {
        "API_TITLE": "ginapi",
        "API_VERSION": __version__,
        "OPENAPI_VERSION": "3.1.0",
        "API_SPEC_OPTIONS": {
            "info": {"description": _DESCRIPTION},
            "components": {"securitySchemes": {"token": _TOKEN}},
        },
    }
    api = _Api(app)
    api.register_field(CardText, "string", None)
    for blueprint in blueprints:
        api.register_blueprint(blueprint)
    text: str = yaml.dump(_whole(api), Dumper=_WithoutAliases, sort_keys=True, allow_unicode=True, width=120)
    return text


def _whole(api: Api) -> dict[str, Any]:
    register_unions(api.spec)
    webhooks = described_webhooks(api.spec)
    register_events(api.spec)
    _describe_schemas(api)
    document = {**api.spec.to_dict(), "webhooks": webhooks}
    for name in _UNUSED:
        del document["components"]["schemas"][name]
    _describe_headers(document)
    return document


def _describe_schemas(api: Api) -> None:
    """Give each component the docstring of its schema, unless it has a description already."""
    for (schema, *_), name in api.ma_plugin.converter.refs.items():
        if schema.__doc__:
            api.spec.components.schemas[name].setdefault("description", inspect.cleandoc(schema.__doc__))


def _describe_headers(document: dict[str, Any]) -> None:
    """Name the headers that every answer has, and those that only some refusals have."""
    document["components"]["headers"] = _ANSWER_HEADERS
    operations = [one for path in document["paths"].values() for name, one in path.items() if name != "parameters"]
    for operation in operations:
        for status, response in operation["responses"].items():
            names = [name for name in _ANSWER_HEADERS if name != "Retry-After" or status in ("429", "503")]
            response["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in names}


class _WithoutAliases(yaml.SafeDumper):
    """Writes out what stands twice: parsers of YAML often limit aliases, and readers stumble over them."""

    def ignore_aliases(self, data: Any) -> bool:
        return True
