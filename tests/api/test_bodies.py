"""Bodies that are refused, whole or for a field: each with its status and code, and nothing changed by it."""

import io
import json
from typing import Any

import pytest
from gunicorn.http.errors import InvalidChunkSize
from werkzeug.test import TestResponse

from ginapi.config import BODY_BYTES
from tests.api.caller import deck
from tests.api.places import (
    ACCOUNTS,
    DEAL,
    HANDS,
    HOOKS,
    LEAVE,
    MELDS,
    MOVES,
    POSTS,
    QUICK,
    REFILLS,
    REMATCH,
    SHOWDOWN,
    TABLES,
    TOKENS,
    Places,
    unchanged,
)

JSON = {"content_type": "application/json"}
NESTED = "[" * 5000 + "]" * 5000

# What the body is wrong in, wherever it goes: status, code, body, content type.
RAW: dict[str, tuple[int, str, bytes, str | None]] = {
    "text that is not JSON": (400, "bad_json", b"{", "application/json"),
    "two values": (400, "bad_json", b"{} {}", "application/json"),
    "NaN": (400, "bad_json", b'{"target": NaN}', "application/json"),
    "Infinity": (400, "bad_json", b'{"target": -Infinity}', "application/json"),
    "no UTF-8": (400, "bad_json", b'{"seed": "\xff"}', "application/json"),
    "UTF-16": (400, "bad_json", '{"seed": "s"}'.encode("utf-16"), "application/json"),
    "half a surrogate pair in UTF-8": (400, "bad_json", b'{"seed": "\xed\xa0\x80"}', "application/json"),
    "a number of 5,000 digits": (400, "bad_json", b'{"target": ' + b"1" * 5000 + b"}", "application/json"),
    "nesting that nobody needs": (400, "bad_json", NESTED.encode(), "application/json"),
    "an array": (422, "invalid_request", b"[]", "application/json"),
    "text": (422, "invalid_request", b'"draw"', "application/json"),
    "null": (422, "invalid_request", b"null", "application/json"),
    "a number": (422, "invalid_request", b"1", "application/json"),
    "no content type": (415, "unsupported_media_type", b"{}", None),
    "a form": (415, "unsupported_media_type", b"level=easy", "application/x-www-form-urlencoded"),
    "plain text": (415, "unsupported_media_type", b"{}", "text/plain"),
    "JSON of another name": (415, "unsupported_media_type", b"{}", "application/problem+json"),
    "more than the limit": (413, "too_large", b" " * (BODY_BYTES + 1), "application/json"),
    "more than the limit and no JSON": (413, "too_large", b"x" * (BODY_BYTES + 1), "text/plain"),
}


@pytest.mark.share_on_postgresql(4)
@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("what", RAW)
def test_a_body_is_refused(places: Places, path: str, what: str) -> None:
    status, code, data, content_type = RAW[what]
    token = places.token(path)
    for key in (None, f"raw {what} {path}".replace(" ", "-")):

        def ask(key: str | None = key) -> TestResponse:
            return places.api.post(places.path(path), token=token, key=key, data=data, content_type=content_type)

        answer = unchanged(places, ask)
        assert (answer.status_code, answer.json["code"]) == (status, code)


@pytest.mark.parametrize("path", POSTS)
def test_a_body_over_the_limit_is_refused_without_its_length_too(places: Places, path: str) -> None:
    def ask() -> TestResponse:
        return places.api.post(
            places.path(path),
            token=places.token(path),
            input_stream=io.BytesIO(b" " * (BODY_BYTES + 1)),
            headers={"Transfer-Encoding": "chunked"},
            environ_overrides={"wsgi.input_terminated": True},
            **JSON,
        )

    answer = unchanged(places, ask)
    assert (answer.status_code, answer.json["code"]) == (413, "too_large")


class BrokenChunks(io.RawIOBase):
    """A body as gunicorn hands it over when the size of a chunk is no number."""

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        raise InvalidChunkSize(b"zz")


# A body that does not come as its headers say: how it is announced, and what can be read of it.
NOT_WHOLE: dict[str, tuple[dict[str, str], io.IOBase]] = {
    "nothing of it": ({"CONTENT_LENGTH": "2"}, io.BytesIO()),
    "less of it": ({"CONTENT_LENGTH": "20"}, io.BytesIO(b"{}")),
    "chunks of no size": ({"HTTP_TRANSFER_ENCODING": "chunked"}, BrokenChunks()),
}


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("what", NOT_WHOLE)
def test_a_body_that_is_cut_off_is_refused(places: Places, path: str, what: str) -> None:
    announced, stream = NOT_WHOLE[what]
    # gunicorn ends the stream itself, also where the caller has hung up.
    environ = {**announced, "wsgi.input": stream, "wsgi.input_terminated": True}

    def ask() -> TestResponse:
        return places.api.post(places.path(path), token=places.token(path), environ_overrides=environ, **JSON)

    answer = unchanged(places, ask)
    assert (answer.status_code, answer.json["code"]) == (400, "bad_json")


def test_a_body_up_to_the_limit_is_read(places: Places) -> None:
    body = json.dumps({"cards": ["As"]}).ljust(BODY_BYTES)
    assert places.api.post(MELDS, data=body, **JSON).status_code == 200
    charset = places.api.post(MELDS, data=body, content_type="Application/JSON; charset=utf-8")
    assert charset.status_code == 200


def test_the_content_type_to_send_is_named(places: Places) -> None:
    answer = places.api.post(HANDS, data=b"{}", content_type="text/plain")
    assert "Content-Type: application/json" in answer.json["detail"]


# What a JSON object is wrong in: path, body, pointer.
INVALID: list[tuple[str, dict[str, Any], str]] = [
    (HANDS, {"levle": "easy"}, "/levle"),
    (HANDS, {"level": "Easy"}, "/level"),
    (HANDS, {"level": 1}, "/level"),
    (HANDS, {"opener": 0}, "/opener"),
    (HANDS, {"target": "100"}, "/target"),
    (HANDS, {"target": 0}, "/target"),
    (HANDS, {"target": 1001}, "/target"),
    (HANDS, {"target": 1.5}, "/target"),
    (HANDS, {"target": True}, "/target"),
    (HANDS, {"target": 10**30}, "/target"),
    (HANDS, {"target": -(10**30)}, "/target"),
    (HANDS, {"target": None}, "/target"),
    (HANDS, {"seed": 7}, "/seed"),
    (HANDS, {"seed": "a\x00b"}, "/seed"),
    (HANDS, {"seed": "a\ud800b"}, "/seed"),
    (HANDS, {"seed": "\udfff"}, "/seed"),
    (HANDS, {"seed": ""}, "/seed"),
    (HANDS, {"deck": deck()[1:]}, "/deck"),
    (HANDS, {"deck": [*deck()[1:], deck()[5]]}, "/deck/51"),
    (HANDS, {"deck": ["1s", *deck()[1:]]}, "/deck/0"),
    (HANDS, {"deck": "As"}, "/deck"),
    (HANDS, {"clock": None}, "/clock"),
    (HANDS, {"clock": {}}, "/clock/move_ms"),
    (HANDS, {"clock": {"move_ms": 499}}, "/clock/move_ms"),
    (HANDS, {"clock": {"move_ms": 10**30}}, "/clock/move_ms"),
    (HANDS, {"clock": {"move_ms": 500, "grace_ms": 0}}, "/clock/grace_ms"),
    (HANDS, {"rules": "Contest"}, "/rules"),
    (HANDS, {"rules": None}, "/rules"),
    (HANDS, {"kind": "practice"}, "/kind"),
    (HANDS, {"\ud800": 1}, "/?"),
    (HANDS, {"\x00": 1}, "/\x00"),
    (HANDS, {"a/b~c": 1}, "/a~1b~0c"),
    (TABLES, {}, "/kind"),
    (TABLES, {"kind": "coin"}, "/stake"),
    (TABLES, {"kind": "coin", "stake": "100"}, "/stake"),
    (TABLES, {"kind": "coin", "stake": 10**30}, "/stake"),
    (TABLES, {"kind": "coin", "stake": 100, "level": "easy"}, "/level"),
    (TABLES, {"kind": "coin", "stake": 100, "deck": deck()}, "/deck"),
    (TABLES, {"kind": "coin", "stake": 100, "rules": "contest"}, "/rules"),
    (TABLES, {"kind": "online", "rules": "contest"}, "/rules"),
    (TABLES, {"kind": "online", "private": True, "rules": "house"}, "/rules"),
    (TABLES, {"kind": "online", "level": "hard"}, "/level"),
    (TABLES, {"kind": "online", "seed": "mine"}, "/seed"),
    (TABLES, {"kind": "online", "target": 50}, "/target"),
    (TABLES, {"kind": "online", "clock": {"move_ms": 4_999}}, "/clock/move_ms"),
    (TABLES, {"kind": "online", "private": 1}, "/private"),
    (QUICK, {}, "/stake"),
    (QUICK, {"stake": "0"}, "/stake"),
    (QUICK, {"stake": 0, "private": True}, "/private"),
    (REMATCH, {"table": "x"}, "/table"),
    (TABLES, {"kind": "chess"}, "/kind"),
    (TABLES, {"kind": "practice", "clock": {"move_ms": True}}, "/clock/move_ms"),
    (TABLES, {"kind": "practice", "stake": 100}, "/stake"),
    (MOVES, {}, "/action"),
    (MOVES, {"action": "fold"}, "/action"),
    (MOVES, {"action": None}, "/action"),
    (MOVES, {"action": "draw"}, "/from"),
    (MOVES, {"action": "draw", "from": "hand"}, "/from"),
    (MOVES, {"action": "draw", "from": "stock", "card": "As"}, "/card"),
    (MOVES, {"action": "draw", "from": "stock", "version": 0}, "/version"),
    (MOVES, {"action": "pass", "from": "discard"}, "/from"),
    (MOVES, {"action": "discard"}, "/card"),
    (MOVES, {"action": "discard", "card": "XX"}, "/card"),
    (MOVES, {"action": "discard", "card": "11s"}, "/card"),
    (MOVES, {"action": "discard", "card": ""}, "/card"),
    (MOVES, {"action": "discard", "card": "A\u017f"}, "/card"),
    (MOVES, {"action": "discard", "card": "\x00"}, "/card"),
    (MOVES, {"action": "discard", "card": "\ud83c"}, "/card"),
    (MOVES, {"action": "discard", "card": 0}, "/card"),
    (MOVES, {"action": "discard", "card": ["As"]}, "/card"),
    (MOVES, {"action": "knock", "card": "As", "melds": [["As", "2s", "3s"]]}, "/melds/0/0"),
    (MOVES, {"action": "knock", "card": "Kd", "melds": [["7s", "7h", "7S"]]}, "/melds/0/2"),
    (MOVES, {"action": "knock", "card": "Kd", "melds": {}}, "/melds"),
    (MOVES, {"action": "layoff", "layoffs": [{"card": "5c", "onto": "1"}]}, "/layoffs/0/onto"),
    (MOVES, {"action": "layoff", "layoffs": [{"card": "5c", "onto": 10**30}]}, "/layoffs/0/onto"),
    (MOVES, {"action": "layoff", "layoffs": [{"card": "5c", "onto": -1}]}, "/layoffs/0/onto"),
    (MOVES, {"action": "layoff", "layoffs": [{"card": "5c", "onto": 0}, {"card": "5C", "onto": 1}]}, "/layoffs/1/card"),
    (DEAL, {"number": 0}, "/number"),
    (DEAL, {"number": "2"}, "/number"),
    (DEAL, {"number": 3}, "/number"),
    (DEAL, {"number": 10**30}, "/number"),
    (DEAL, {"hand": 2}, "/hand"),
    (LEAVE, {"sure": True}, "/sure"),
    (ACCOUNTS, {}, "/name"),
    (ACCOUNTS, {"name": "ana maria"}, "/password"),
    (ACCOUNTS, {"name": "an", "password": "correct horse"}, "/name"),
    (ACCOUNTS, {"name": "ana", "password": "correct"}, "/password"),
    (ACCOUNTS, {"name": "ana", "password": "correct horse", "coins": 5}, "/coins"),
    (TOKENS, {"name": "ana", "password": "correct horse", "kind": "guest"}, "/kind"),
    (REFILLS, {"coins": 5}, "/coins"),
    (HOOKS, {}, "/url"),
    (HOOKS, {"url": "ftp://example.org/"}, "/url"),
    (HOOKS, {"url": "http://10.0.0.1/"}, "/url"),
    (HOOKS, {"url": "https://example.org/", "secret": "whsec_"}, "/secret"),
    (MELDS, {}, "/cards"),
    (MELDS, {"cards": []}, "/cards"),
    (MELDS, {"cards": deck()[:12]}, "/cards"),
    (MELDS, {"cards": ["As", "as"]}, "/cards/1"),
    (SHOWDOWN, {"knocker": deck()[:10], "melds": [], "defender": deck()[9:19]}, "/defender/0"),
]


@pytest.mark.share_on_postgresql(5)
@pytest.mark.parametrize("keyed", [False, True], ids=["bare", "keyed"])
@pytest.mark.parametrize("row", range(len(INVALID)), ids=lambda row: ascii(INVALID[row][1])[:40])
def test_a_field_is_refused_by_name(places: Places, row: int, keyed: bool) -> None:
    path, body, pointer = INVALID[row]
    token = places.account_token if body.get("kind") == "coin" else places.token(path)
    key = f"invalid-{row}" if keyed else None
    answer = unchanged(places, lambda: places.api.post(places.path(path), body, token, key=key))
    assert (answer.status_code, answer.json["code"]) == (422, "invalid_request")
    assert pointer in [error["pointer"] for error in answer.json["errors"]]
    assert ("hand" in answer.json) == (path == MOVES)


@pytest.mark.parametrize("levels", [20, 200, 900, 1000, 2500])
@pytest.mark.parametrize("keyed", [False, True], ids=["bare", "keyed"])
def test_a_body_is_refused_however_deep_it_is_nested(places: Places, levels: int, keyed: bool) -> None:
    token, key = places.player.token, f"deep-{levels}" if keyed else None
    for opening, closing in ("[]", ('{"a":', "}")):
        inner = opening * levels + "1" + closing * levels
        for data in (inner, f'{{"seed": {inner}}}', f'{{"deck": {inner}}}', f'{{"cards": {inner}}}'):
            for path in (HANDS, MELDS):
                answer = unchanged(
                    places, lambda data=data, path=path: places.api.post(path, token=token, key=key, data=data, **JSON)
                )
                assert answer.status_code in (400, 422)
