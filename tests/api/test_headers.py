"""The headers that every answer has: request ids, who may keep it, and what lets web pages of other origins call."""

from typing import Any, NoReturn

import pytest
from werkzeug.test import TestResponse

from ginapi.store.database import Database
from ginapi.store.faults import Busy
from tests.api.caller import Api, Player

ALLOWED = "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID"
EXPOSED = "ETag, Location, Retry-After, Idempotent-Replayed, RateLimit, RateLimit-Policy, X-Request-Id"


def names(header: str) -> set[str]:
    return {name.strip().lower() for name in header.split(",")}


def answers(api: Api, **given: Any) -> dict[str, TestResponse]:
    """One answer of every sort."""
    player = Player(api)
    path, token = player.hand_path, player.token
    etag = player.see().headers["ETag"]

    def ask(method: str, path: str, headers: dict[str, str] | None = None, **sent: Any) -> TestResponse:
        every = {**(headers or {}), **given}
        return api.ask(method, path, headers=every, **sent)

    return {
        "opened": ask("POST", "/v1/hands"),
        "seen": ask("GET", path, token=token),
        "not modified": ask("GET", path, {"If-None-Match": etag}, token=token),
        "table": ask("GET", player.table_path, token=token),
        "moved": ask("POST", f"{path}/moves", body={"action": "draw", "from": "stock"}, token=token),
        "refused": ask("POST", f"{path}/moves", body={"action": "draw", "from": "stock"}, token=token),
        "stale": ask("POST", f"{path}/moves", {"If-Match": '"0"'}, body={"action": "layoff"}, token=token),
        "invalid": ask("POST", f"{path}/moves", body={}, token=token),
        "records": ask("GET", f"{path}/moves", token=token),
        "left": ask("POST", f"{player.table_path}/leave", token=token),
        "record": ask("GET", f"{path}/record", token=token),
        "no token": ask("GET", path),
        "not found": ask("GET", "/v1/hands/x", token=token),
        "nowhere": ask("GET", "/nowhere"),
        "no method": ask("DELETE", path),
        "not JSON": ask("POST", "/v1/hands", data=b"{", content_type="application/json"),
        "no media": ask("POST", "/v1/hands", data=b"{", content_type="text/plain"),
        "too large": ask("POST", "/v1/hands", data=b" " * 20_000, content_type="application/json"),
        "analysis": ask("POST", "/v1/analysis/melds", body={"cards": ["As"]}),
        "rules": ask("GET", "/v1/rules"),
        "document": ask("GET", "/openapi.yaml"),
        "docs": ask("GET", "/docs"),
        "health": ask("GET", "/healthz"),
        "ready": ask("GET", "/readyz"),
    }


STATUSES = {
    "opened": 201, "not modified": 304, "refused": 409, "stale": 412, "invalid": 422, "no token": 401, "not found": 404,
    "nowhere": 404, "no method": 405, "not JSON": 400, "no media": 415, "too large": 413,
}  # fmt: skip


def test_every_answer_has_a_request_id_of_its_own(api: Api) -> None:
    found = answers(api)
    assert {name: answer.status_code for name, answer in found.items()} == dict.fromkeys(found, 200) | STATUSES
    ids = [answer.headers["X-Request-Id"] for answer in found.values()]
    assert len(set(ids)) == len(ids)


def test_a_fit_request_id_is_told_back(api: Api) -> None:
    for name, answer in answers(api, **{"X-Request-Id": "a-request_of-MINE-1"}).items():
        assert answer.headers["X-Request-Id"] == "a-request_of-MINE-1", name
    for unfit in ("", "short", "x" * 65, 'quo"te-in-it', "with a space", "été-été-été"):
        assert api.get("/healthz", headers={"X-Request-Id": unfit}).headers["X-Request-Id"] != unfit


@pytest.mark.parametrize("origin", [None, "https://example.org"])
def test_every_answer_may_be_read_by_pages_of_any_origin(api: Api, origin: str | None) -> None:
    for name, answer in answers(api, **({} if origin is None else {"Origin": origin})).items():
        assert answer.headers["Access-Control-Allow-Origin"] == "*", name
        assert names(answer.headers["Access-Control-Expose-Headers"]) == names(EXPOSED), name
        assert "Access-Control-Allow-Credentials" not in answer.headers, name


@pytest.mark.parametrize(
    "path", ["/v1/hands", "/v1/hands/x", "/v1/hands/x/moves", "/v1/tables/x/leave", "/v1/rules", "/x"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_a_pre_flight_is_let_through(api: Api, path: str, method: str) -> None:
    asked = {
        "Origin": "https://example.org",
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": ALLOWED,
    }
    answer = api.http.options(path, headers=asked)
    assert answer.status_code in ((200, 204) if path != "/x" else (404,))
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert names(answer.headers["Access-Control-Allow-Headers"]) == names(ALLOWED)
    assert {"get", "post", "delete"} <= names(answer.headers["Access-Control-Allow-Methods"])
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_origins_may_be_named_instead(database_url: str) -> None:
    api = Api(database_url, GINAPI_CORS_ORIGINS="https://one.example,https://two.example")
    for origin, allowed in (("https://two.example", "https://two.example"), ("https://three.example", None)):
        answer = api.post("/v1/hands", headers={"Origin": origin})
        assert answer.headers.get("Access-Control-Allow-Origin") == allowed
    api.close()


def test_what_a_viewer_sees_as_itself_is_for_it_alone(api: Api) -> None:
    public = {"analysis", "rules", "document", "docs", "health", "ready"}
    for name, answer in answers(api).items():
        if name not in public:
            assert "private" in names(answer.headers["Cache-Control"].replace("=", ",")), name
            assert "authorization" in names(answer.headers["Vary"]), name


def test_a_table_opened_says_where_it_stands(api: Api) -> None:
    answer = api.post("/v1/tables", {"kind": "practice"})
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/v1/tables/{answer.json['id']}"
    seen = api.get(answer.headers["Location"], answer.json["token"])
    assert answer.headers["ETag"] == seen.headers["ETag"]
    assert {**seen.json, "token": answer.json["token"]} == answer.json


def test_a_service_without_its_database_says_when_to_try_again(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*asked: object) -> None:
        raise Busy("All connections were in use.")

    monkeypatch.setattr(Database, "read", fail)
    monkeypatch.setattr(Database, "transact", fail)
    for answer in (api.post("/v1/hands"), api.get("/v1/hands/x-1", "x"), api.get("/readyz")):
        assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
        assert int(answer.headers["Retry-After"]) >= 1
    assert api.get("/healthz").status_code == 200


def test_a_fault_of_ours_says_no_more_than_that(api: Api) -> None:
    def fail(*asked: object) -> NoReturn:
        raise ZeroDivisionError("As Kd are in the stock")

    choose, api.choose = api.choose, fail
    before = api.rows()
    answer = api.post("/v1/hands", {"opener": "computer"}, key="k" * 22)
    api.choose = choose
    assert (answer.status_code, answer.json["code"]) == (500, "internal")
    assert "As Kd" not in answer.text
    assert api.rows() == before
    assert api.post("/v1/hands", {"opener": "computer"}, key="k" * 22).status_code == 201
