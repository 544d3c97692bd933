"""What a request says, read in the contract's order: its body, who asks, and under which key."""

import json
import re
from functools import cache
from typing import Any, NoReturn, TypeVar

from flask import request
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge

from ginapi.api.fields import Body, Query
from ginapi.api.schemas_in import read
from ginapi.config import BODY_BYTES, BODY_LEVELS, KEY_CHARACTERS, KEY_CHARACTERS_WITHOUT_TOKEN, WHOLE_NUMBER
from ginapi.errors import Reason, Refused
from ginapi.service.asking import Ask

_Schema = TypeVar("_Schema", Body, Query)

_KEY = re.compile(r"[\x21-\x7e]+")
_ETAG = re.compile(r'(?:W/)?"(?P<tag>[^"]*)"|(?P<bare>[0-9]+)')
_VERSION = re.compile(r"(?P<version>[0-9]{1,9})(?:-[a-z0-9]+)*")
_PATH = re.compile(r"[\x21-\x7e]{1,255}")
_EVENT_ID = re.compile(r"[0-9]{1,19}")
_CUT = "The body does not end as the headers say: send it whole."
_TOO_DEEP = f"The body is nested more than {BODY_LEVELS} levels deep."


def bearer_token() -> str | None:
    """The token sent; None where no Authorization came. Any other scheme is `bad_token`."""
    sent = request.headers.get("Authorization")
    if sent is None:
        return None
    scheme, _, token = sent.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Refused(Reason.BAD_TOKEN, "Send the token as Authorization: Bearer <token>.")
    return token.strip()


class Incoming:
    """A write as it came. What would be 422 is said by `read`, once the caller has been let in."""

    def __init__(self) -> None:
        self._body = _json_body()
        token = bearer_token()
        key = request.headers.get("Idempotency-Key")
        self._key_fault = None if key is None else _key_fault(key, token)
        # Nothing stands at any other path, and a refusal is not kept: there is no use for the key.
        is_kept = self._key_fault is None and _PATH.fullmatch(request.path)
        self.ask = Ask(token, request.method, request.path, self._body, key if is_kept else None)

    def read(self, schema: type[Body]) -> Any:
        """What the schema makes of the body. Raises `invalid_request`, also for a query, a key or an If-Match."""
        _no_query()
        if self._key_fault:
            _refuse_header("Idempotency-Key", self._key_fault)
        if "*" in _if_match():
            _refuse_header("If-Match", "Give the version that you decided on: * is not taken on a move.")
        return read(_made(schema), self._body)

    def sent(self, name: str) -> Any:
        """What the body, not read yet, has under a name; None where it has nothing."""
        return self._body.get(name) if isinstance(self._body, dict) else None

    def sent_stake(self) -> int:
        """The stake in the body, not read yet; 0 where there is none."""
        stake = self.sent("stake")
        return stake if type(stake) is int else 0

    def decided_on(self) -> frozenset[int] | None:
        """The versions that If-Match names, as ETags, weak or strong, or bare; None where it was not sent."""
        sent = _if_match()
        return frozenset(int(version) for version in sent if version.isdigit()) if sent else None


def read_query(schema: type[Query]) -> Any:
    """The query by a schema. Raises `invalid_request` by name, also for a name that comes twice."""
    twice = [name for name, values in request.args.lists() if len(values) > 1]
    if twice:
        errors = tuple((f"/{name}", "This name comes twice in the query.") for name in twice)
        raise Refused(Reason.INVALID_REQUEST, errors[0][1], errors)
    return read(_made(schema), request.args.to_dict())


def last_event_id() -> int | None:
    """The id of the last event that a follower had; None where it had none. Raises `invalid_request`."""
    sent = request.headers.get("Last-Event-ID", "").strip()
    if not sent:
        return None
    if not _EVENT_ID.fullmatch(sent) or int(sent) > WHOLE_NUMBER:
        _refuse_header("Last-Event-ID", "Give the id of an event, a whole number, as the stream gave it.")
    return int(sent)


@cache
def _made(schema: type[_Schema]) -> _Schema:
    """One instance of a schema serves every request: making it costs more than reading with it."""
    return schema()


def _no_query() -> None:
    if request.query_string and request.args:
        errors = tuple((f"/{name}", "This request takes no query.") for name in request.args)
        raise Refused(Reason.INVALID_REQUEST, errors[0][1], errors)


def _refuse_header(name: str, detail: str) -> NoReturn:
    raise Refused(Reason.INVALID_REQUEST, f"{name}: {detail}", ((f"/{name}", detail),))


def _if_match() -> set[str]:
    """The versions that If-Match names, `*` as itself; what can be none of ours matches nothing."""
    sent = request.headers.get("If-Match")
    if sent is None:
        return set()
    named = set()
    for part in sent.split(","):
        if part.strip() == "*":
            return {"*"}
        match = _ETAG.fullmatch(part.strip())
        version = _VERSION.fullmatch(match["tag"] or match["bare"] or "") if match else None
        named.add(str(int(version["version"])) if version else "")
    return named


def _key_fault(key: str, token: str | None) -> str | None:
    if not _KEY.fullmatch(key) or len(key) > KEY_CHARACTERS:
        return f"Give 1 to {KEY_CHARACTERS} visible ASCII characters."
    if token is None and len(key) < KEY_CHARACTERS_WITHOUT_TOKEN:
        return f"Without a token a key needs at least {KEY_CHARACTERS_WITHOUT_TOKEN} characters that nobody can guess."
    return None


def _json_body() -> Any:
    """The body as JSON values, `{}` for an empty one. Raises `too_large`, `unsupported_media_type` or `bad_json`."""
    try:
        raw = request.get_data(cache=False)
    except RequestEntityTooLarge:
        raw = None
    except (OSError, ParseException, ClientDisconnected):
        # gunicorn reads chunks only now, and raises what it would have answered itself before.
        raise Refused(Reason.BAD_JSON, _CUT) from None
    if raw is None or len(raw) > BODY_BYTES:
        raise Refused(Reason.TOO_LARGE, f"The body has more than {BODY_BYTES} bytes.")
    if len(raw) < (request.content_length or 0):
        # Whoever hung up halfway may have meant anything: what came of it is not to be taken for `{}`.
        raise Refused(Reason.BAD_JSON, _CUT)
    if not raw:
        return {}
    if request.mimetype != "application/json":
        raise Refused(Reason.UNSUPPORTED_MEDIA_TYPE, "Send the header Content-Type: application/json with a body.")
    try:
        body = json.loads(raw.decode(), parse_constant=_not_json)
    except RecursionError:
        raise Refused(Reason.BAD_JSON, _TOO_DEEP) from None
    except ValueError as error:
        where = f" at character {error.pos}" if isinstance(error, json.JSONDecodeError) else ""
        raise Refused(Reason.BAD_JSON, f"The body is not JSON in UTF-8{where}.") from None
    if _is_deeper(body, BODY_LEVELS):
        raise Refused(Reason.BAD_JSON, _TOO_DEEP)
    return body


def _is_deeper(value: Any, levels: int) -> bool:
    """Whether arrays and objects stand within each other more than so many levels deep."""
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return False
    return levels == 0 or any(_is_deeper(inner, levels - 1) for inner in value)


def _not_json(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
