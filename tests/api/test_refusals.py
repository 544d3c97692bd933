"""What is refused whatever the cards are: each with its status and code, and nothing changed by it."""

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from werkzeug.test import TestResponse

from ginapi.config import BODY_BYTES
from tests.api.caller import Api, Player, deck

DRAW = {"action": "draw", "from": "stock"}
JSON = {"content_type": "application/json"}
LONG_KEY = "k" * 22
NOBODY = "0" * 20


@dataclass
class Places:
    """Where requests go: a table of the caller's, and one of somebody else's."""

    api: Api
    player: Player
    other: Player

    def path(self, template: str) -> str:
        table = self.player.hand["table_id"]
        return template.format(hand=self.player.hand["id"], table=table, other=self.other.hand["id"])


@pytest.fixture(scope="module")
def places(kept_api: Api) -> Places:
    return Places(kept_api, Player(kept_api), Player(kept_api))


def unchanged(places: Places, ask: Callable[[], TestResponse]) -> TestResponse:
    """The answer to `ask`, when everything in the database and the hand's ETag are as before."""
    before, etag = places.api.rows(), places.player.see().headers["ETag"]
    answer = ask()
    assert places.api.rows() == before
    assert places.player.see().headers["ETag"] == etag
    return answer


MOVES, HANDS, TABLES, DEAL, LEAVE = (
    "/v1/hands/{hand}/moves", "/v1/hands", "/v1/tables", "/v1/tables/{table}/hands", "/v1/tables/{table}/leave"
)  # fmt: skip
MELDS, SHOWDOWN = "/v1/analysis/melds", "/v1/analysis/showdown"
NESTED = "[" * 5000 + "]" * 5000
POSTS = (HANDS, TABLES, MOVES, DEAL, LEAVE, MELDS, SHOWDOWN)

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


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("what", RAW)
def test_a_body_is_refused(places: Places, path: str, what: str) -> None:
    status, code, data, content_type = RAW[what]
    token = places.player.token
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
            token=places.player.token,
            input_stream=io.BytesIO(b" " * (BODY_BYTES + 1)),
            headers={"Transfer-Encoding": "chunked"},
            environ_overrides={"wsgi.input_terminated": True},
            **JSON,
        )

    answer = unchanged(places, ask)
    assert (answer.status_code, answer.json["code"]) == (413, "too_large")


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
    (HANDS, {"clock": {"move_ms": 30000}}, "/clock"),
    (HANDS, {"clock": None}, "/clock"),
    (HANDS, {"kind": "practice"}, "/kind"),
    (HANDS, {"\ud800": 1}, "/?"),
    (HANDS, {"\x00": 1}, "/\x00"),
    (HANDS, {"a/b~c": 1}, "/a~1b~0c"),
    (TABLES, {}, "/kind"),
    (TABLES, {"kind": "coin", "stake": 100}, "/kind"),
    (TABLES, {"kind": "online", "stake": 0}, "/kind"),
    (TABLES, {"kind": "chess"}, "/kind"),
    (TABLES, {"kind": "practice", "clock": {"move_ms": 30000}}, "/clock"),
    (TABLES, {"kind": "practice", "stake": 100}, "/stake"),
    (MOVES, {}, "/action"),
    (MOVES, {"action": "fold"}, "/action"),
    (MOVES, {"action": None}, "/action"),
    (MOVES, {"action": "draw"}, "/from"),
    (MOVES, {"action": "draw", "from": "hand"}, "/from"),
    (MOVES, {"action": "draw", "from": "stock", "card": "As"}, "/card"),
    (MOVES, {"action": "draw", "from": "stock", "version": 0}, "/version"),
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
    (MELDS, {}, "/cards"),
    (MELDS, {"cards": []}, "/cards"),
    (MELDS, {"cards": deck()[:12]}, "/cards"),
    (MELDS, {"cards": ["As", "as"]}, "/cards/1"),
    (SHOWDOWN, {"knocker": deck()[:10], "melds": [], "defender": deck()[9:19]}, "/defender/0"),
]


@pytest.mark.parametrize("keyed", [False, True], ids=["bare", "keyed"])
@pytest.mark.parametrize("row", range(len(INVALID)), ids=lambda row: ascii(INVALID[row][1])[:40])
def test_a_field_is_refused_by_name(places: Places, row: int, keyed: bool) -> None:
    path, body, pointer = INVALID[row]
    token, key = places.player.token, f"invalid-{row}" if keyed else None
    answer = unchanged(places, lambda: places.api.post(places.path(path), body, token, key=key))
    assert (answer.status_code, answer.json["code"]) == (422, "invalid_request")
    assert pointer in [error["pointer"] for error in answer.json["errors"]]
    assert ("hand" in answer.json) == (path == MOVES)


@pytest.mark.parametrize("what", ["clock", "coin", "online"])
def test_what_is_not_offered_yet_is_refused_by_its_name(places: Places, what: str) -> None:
    body = {"kind": "practice", "clock": {"move_ms": 500}} if what == "clock" else {"kind": what}
    answer = unchanged(places, lambda: places.api.post(TABLES, body))
    assert answer.status_code == 422
    assert what in answer.json["detail"].lower()
    assert "not offered yet" in answer.json["detail"]


QUERIES: list[tuple[str, str, str]] = [
    ("GET", "/v1/hands/{hand}?aftr=1", "/aftr"),
    ("GET", "/v1/hands/{hand}?after=1&after=2", "/after"),
    ("GET", "/v1/hands/{hand}?after=-1", "/after"),
    ("GET", "/v1/hands/{hand}?after=1.0", "/after"),
    ("GET", "/v1/hands/{hand}?after=", "/after"),
    ("GET", "/v1/hands/{hand}?after=%00", "/after"),
    ("GET", "/v1/hands/{hand}?after=%D9%A1", "/after"),
    ("GET", f"/v1/hands/{{hand}}?after={10**30}", "/after"),
    ("GET", "/v1/hands/{hand}?wait_ms=25001", "/wait_ms"),
    ("GET", "/v1/hands/{hand}/moves?limit=0", "/limit"),
    ("GET", "/v1/hands/{hand}/moves?limit=101", "/limit"),
    ("GET", "/v1/hands/{hand}/moves?cursor=xyz", "/cursor"),
    ("GET", "/v1/hands/{hand}/moves?cursor=%00", "/cursor"),
    ("GET", "/v1/hands/{hand}/moves?cursor=", "/cursor"),
    ("GET", "/v1/hands/{hand}/moves?%ed%a0%80=1", "/"),
    ("GET", "/v1/tables/{table}?mine=true", "/mine"),
    ("GET", "/v1/tables/{table}?wait_ms=5&wait_ms=5", "/wait_ms"),
    *(("POST", f"{path}?dry=1", "/dry") for path in POSTS),
]


@pytest.mark.parametrize(("method", "template", "pointer"), QUERIES)
def test_a_query_is_refused_by_name(places: Places, method: str, template: str, pointer: str) -> None:
    path, _, query = places.path(template).partition("?")
    body = DRAW if method == "POST" else None
    answer = unchanged(
        places, lambda: places.api.ask(method, path, body, token=places.player.token, query_string=query)
    )
    assert (answer.status_code, answer.json["code"]) == (422, "invalid_request")
    assert any(error["pointer"].startswith(pointer) for error in answer.json["errors"])


PRIVATE = [
    ("GET", "/v1/hands/{}"),
    ("GET", "/v1/hands/{}/moves"),
    ("GET", "/v1/hands/{}/record"),
    ("POST", "/v1/hands/{}/moves"),
]
PRIVATE_TABLES = [("GET", "/v1/tables/{}"), ("POST", "/v1/tables/{}/hands"), ("POST", "/v1/tables/{}/leave")]
NO_HANDS = (
    "{other}", f"{NOBODY}-1", "{table}-2", "{table}-0", "{table}-01", "{table}-999999", "{table}-9999999", "{table}-x",
    "{table}", "{hand}-1", "x", "%00", "{table}%00-1", "%ff", "%ed%a0%80", "☂", "x" * 400, "{table}-1%20", "-1",
)  # fmt: skip
NO_TABLES = (NOBODY, "{hand}", "x", "%00", "%ff", "x" * 400, "{table}%20")


@pytest.mark.parametrize("keyed", [False, True], ids=["bare", "keyed"])
@pytest.mark.parametrize(("method", "route"), PRIVATE + PRIVATE_TABLES)
def test_what_the_caller_cannot_see_is_not_found(places: Places, method: str, route: str, keyed: bool) -> None:
    of_table = "/tables/" in route
    ids = (*NO_TABLES, places.other.hand["table_id"]) if of_table else NO_HANDS
    told = set()
    for an_id in ids:
        path = places.path(route.format(an_id))
        for body in (None, DRAW, {"nonsense": 1}) if method == "POST" else (None,):
            key = f"nowhere-{len(an_id)}" if keyed and method == "POST" else None
            answer = unchanged(
                places,
                lambda path=path, body=body, key=key: places.api.ask(
                    method, path, body, token=places.player.token, key=key
                ),
            )
            assert (answer.status_code, answer.json["code"]) == (404, "not_found"), an_id
            told.add(answer.json["detail"])
    assert len(told) == 1, "whether it exists is not told"


AUTHORIZATIONS = [
    (None, "no_token"), ("Bearer nobody", "bad_token"), ("Bearer ", "bad_token"), ("Bearer", "bad_token"),
    ("Basic dXNlcjpwYXNz", "bad_token"), ("", "bad_token"), ("Bearer é", "bad_token"),
    ("Bearer a b", "bad_token"),
]  # fmt: skip


@pytest.mark.parametrize(("sent", "code"), AUTHORIZATIONS)
@pytest.mark.parametrize(("method", "route"), PRIVATE + PRIVATE_TABLES)
def test_no_seat_is_known_without_its_token(
    places: Places, method: str, route: str, sent: str | None, code: str
) -> None:
    headers = {} if sent is None else {"Authorization": sent}
    mine = places.player.hand["table_id" if "/tables/" in route else "id"]
    told = []
    for an_id in (mine, f"{NOBODY}-1", "x"):
        for body in (None, {"nonsense": 1}) if method == "POST" else (None,):
            path = route.format(an_id)
            answer = unchanged(places, lambda path=path, body=body: places.api.ask(method, path, body, headers=headers))
            assert (answer.status_code, answer.json["code"]) == (401, code)
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")
            told.append({name: value for name, value in answer.json.items() if name != "request_id"})
    assert all(one == told[0] for one in told), "whether it exists is not told"


@pytest.mark.parametrize("sent", [sent for sent, code in AUTHORIZATIONS if sent is not None])
@pytest.mark.parametrize("path", [HANDS, TABLES])
def test_a_bad_token_opens_nothing(places: Places, path: str, sent: str) -> None:
    body = {"kind": "practice"} if path == TABLES else {}
    answer = unchanged(places, lambda: places.api.post(path, body, headers={"Authorization": sent}))
    assert (answer.status_code, answer.json["code"]) == (401, "bad_token")


def test_the_scheme_is_read_in_any_case(places: Places) -> None:
    for scheme in ("bearer", "BEARER"):
        headers = {"Authorization": f"{scheme} {places.player.token}"}
        assert places.api.get(places.player.hand_path, headers=headers).status_code == 200


KEYS = [("", True), ("a b", True), ("k" * 256, True), ("é" * 22, True), ("k" * 21, False), ("", False)]


@pytest.mark.parametrize(("key", "with_token"), KEYS)
@pytest.mark.parametrize("path", [HANDS, TABLES])
def test_an_idempotency_key_has_to_be_fit(places: Places, path: str, key: str, with_token: bool) -> None:
    body = {"kind": "practice"} if path == TABLES else {}
    token = places.player.token if with_token else None
    answer = unchanged(places, lambda: places.api.post(path, body, token, key=key))
    assert (answer.status_code, answer.json["code"]) == (422, "invalid_request")
    assert answer.json["errors"][0]["pointer"] == "/Idempotency-Key"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/v1/hands", {"POST"}),
        ("PUT", "/v1/hands/x", {"GET", "HEAD"}),
        ("PATCH", "/v1/hands/x/moves", {"GET", "HEAD", "POST"}),
        ("GET", "/v1/tables/x/leave", {"POST"}),
        ("GET", "/v1/analysis/melds", {"POST"}),
        ("POST", "/v1/rules", {"GET", "HEAD"}),
        ("POST", "/healthz", {"GET", "HEAD"}),
    ],
)
def test_another_method_is_told_the_ones_that_are_taken(
    places: Places, method: str, path: str, allowed: set[str]
) -> None:
    answer = unchanged(places, lambda: places.api.ask(method, path, token=places.player.token))
    assert (answer.status_code, answer.json["code"]) == (405, "method_not_allowed")
    assert set(answer.headers["Allow"].split(", ")) - {"OPTIONS"} == allowed


@pytest.mark.parametrize(
    "path", ["/v1", "/v2/hands", "/nothing", "/v1/hands/x/y", "/problems/nothing", "/docs/nothing"]
)
def test_an_address_of_nothing_is_not_found(places: Places, path: str) -> None:
    answer = unchanged(places, lambda: places.api.get(path))
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")


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
