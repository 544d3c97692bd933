"""Addresses, queries, tokens and keys that are refused: each with its status and code, and nothing changed by it."""

import re

import pytest

from ginapi.api.cursors import cursor_at
from tests.api.places import ACCOUNTS, HANDS, HOOKS, POSTS, REFILLS, TABLES, Places, unchanged

DRAW = {"action": "draw", "from": "stock"}
# What opens something, sent as it should be.
FIT = {HANDS: {}, TABLES: {"kind": "practice"}, ACCOUNTS: {"name": "somebody", "password": "correct horse"}}
NOBODY = "0" * 20

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
    ("GET", "/v1/hands/{hand}/hint?level=hard", "/level"),
    ("GET", "/v1/tables/{table}?mine=true", "/mine"),
    ("GET", "/v1/tables?mine=false", "/mine"),
    ("GET", "/v1/tables?kind=chess", "/kind"),
    ("GET", "/v1/tables?stake=-1", "/stake"),
    ("GET", "/v1/tables?cursor=xyz", "/cursor"),
    ("GET", "/v1/me?name=ana", "/name"),
    ("GET", "/v1/stakes?stake=50", "/stake"),
    ("GET", "/v1/wallet?currency=x", "/currency"),
    ("GET", "/v1/players/places?full=1", "/full"),
    ("GET", "/v1/leaderboard?limit=0", "/limit"),
    ("GET", "/v1/leaderboard?cursor=xyz", "/cursor"),
    ("GET", "/v1/wallet/entries?limit=0", "/limit"),
    ("GET", "/v1/wallet/entries?cursor=xyz", "/cursor"),
    ("GET", "/v1/webhooks?limit=0", "/limit"),
    ("GET", "/v1/webhooks?cursor=xyz", "/cursor"),
    ("DELETE", "/v1/tokens/current?sure=1", "/sure"),
    ("GET", "/v1/tables/{table}?wait_ms=5&wait_ms=5", "/wait_ms"),
    *(("POST", f"{path}?dry=1", "/dry") for path in POSTS),
]


@pytest.mark.parametrize(("method", "template", "pointer"), QUERIES)
def test_a_query_is_refused_by_name(places: Places, method: str, template: str, pointer: str) -> None:
    path, _, query = places.path(template).partition("?")
    body = DRAW if method == "POST" else None
    answer = unchanged(places, lambda: places.api.ask(method, path, body, token=places.token(path), query_string=query))
    assert (answer.status_code, answer.json["code"]) == (422, "invalid_request")
    assert any(error["pointer"].startswith(pointer) for error in answer.json["errors"])


LISTS = [
    ("/v1/tables", "tables", 3),
    ("/v1/wallet/entries", "before", 1),
    ("/v1/leaderboard", "leaderboard", 4),
    ("/v1/hands/{hand}/moves", "after", 1),
]


@pytest.mark.parametrize(("template", "word", "count"), LISTS)
def test_a_made_up_cursor_is_no_fault_of_ours(places: Places, template: str, word: str, count: int) -> None:
    path = places.path(template)
    for number in (0, 2**31, 2**63, 10**29, 10**40):
        for at in range(count):
            cursor = cursor_at(word, *(number if at == one else 1 for one in range(count)))
            answer = places.api.get(path, places.token(path), query_string={"cursor": cursor})
            assert answer.status_code == 200, (number, at)
    for text in (cursor_at(word, *[1] * (count + 1)), cursor_at("other", *[1] * count), cursor_at(word, *[-1] * count)):
        answer = places.api.get(path, places.token(path), query_string={"cursor": text})
        assert (answer.status_code, answer.json["code"]) == (422, "invalid_request"), text


def test_every_post_is_among_those_that_are_tried(places: Places) -> None:
    routed = {rule.rule for rule in places.api.app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    named = {path.replace("{hand}", "<hand_id>").replace("{table}", "<table:table_id>") for path in POSTS}
    assert named == routed - {"/metrics"}  # Where nothing is, to whatever may not read it.


PRIVATE = [
    ("GET", "/v1/hands/{}"),
    ("GET", "/v1/hands/{}/moves"),
    ("GET", "/v1/hands/{}/record"),
    ("GET", "/v1/hands/{}/hint"),
    ("GET", "/v1/hands/{}/review"),
    ("POST", "/v1/hands/{}/moves"),
]
PRIVATE_TABLES = [
    ("GET", "/v1/tables/{}"),
    ("GET", "/v1/tables/{}/events"),
    ("GET", "/v1/tables/{}/record"),
    ("POST", "/v1/tables/{}/hands"),
    ("POST", "/v1/tables/{}/leave"),
    ("POST", "/v1/tables/{}/tickets"),
    ("POST", "/v1/tables/{}/rematch"),
]
NO_HANDS = (
    "{other}", f"{NOBODY}-1", "{table}-2", "{table}-0", "{table}-01", "{table}-999999", "{table}-9999999", "{table}-x",
    "{table}", "{hand}-1", "x", "%00", "{table}%00-1", "%ff", "%ed%a0%80", "☂", "x" * 400, "{table}-1%20", "-1",
)  # fmt: skip
NO_TABLES = (NOBODY, "{hand}", "x", "%00", "%ff", "x" * 400, "{table}%20")


def test_every_route_of_a_hand_or_a_table_is_among_those_that_are_tried(places: Places) -> None:
    """Where one sits down, anybody may: all else is for those who sit there, or for whoever may look."""
    routed = {
        (method, re.sub("<[^>]*>", "{}", rule.rule))
        for rule in places.api.app.url_map.iter_rules()
        if {"hand_id", "table_id"} & rule.arguments
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert routed - {("POST", "/v1/tables/{}/seats")} == {*PRIVATE, *PRIVATE_TABLES}


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


OWN = [
    ("GET", "/v1/me"), ("DELETE", "/v1/me"), ("DELETE", "/v1/tokens/current"),
    ("GET", "/v1/wallet"), ("GET", "/v1/wallet/entries"), ("POST", REFILLS),
    ("GET", HOOKS), ("POST", HOOKS), ("DELETE", f"{HOOKS}/{'0' * 20}"),
]  # fmt: skip


@pytest.mark.parametrize(("sent", "code"), AUTHORIZATIONS)
@pytest.mark.parametrize(("method", "path"), OWN)
def test_what_is_a_callers_own_needs_its_token(
    places: Places, method: str, path: str, sent: str | None, code: str
) -> None:
    headers = {} if sent is None else {"Authorization": sent}
    for query in ("", "nonsense=1"):
        for body in (None, {"nonsense": 1}) if method == "POST" else (None,):
            answer = unchanged(
                places,
                lambda query=query, body=body: places.api.ask(method, path, body, headers=headers, query_string=query),
            )
            assert (answer.status_code, answer.json["code"]) == (401, code)
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(("method", "path"), [(method, path) for method, path in OWN if path.startswith("/v1/w")])
def test_a_guest_has_no_coins_and_no_webhooks_whatever_it_asks(places: Places, method: str, path: str) -> None:
    for query in ("", "nonsense=1"):
        for body in (None, {"nonsense": 1}) if method == "POST" else (None,):
            answer = unchanged(
                places,
                lambda query=query, body=body: places.api.ask(
                    method, path, body, token=places.player.token, query_string=query
                ),
            )
            assert (answer.status_code, answer.json["code"]) == (403, "not_allowed")


def test_a_guest_cannot_close_an_account_whatever_it_asks(places: Places) -> None:
    for query in ("", "nonsense=1"):
        answer = unchanged(
            places,
            lambda query=query: places.api.ask("DELETE", "/v1/me", token=places.player.token, query_string=query),
        )
        assert (answer.status_code, answer.json["code"]) == (403, "not_allowed")


@pytest.mark.parametrize("sent", [sent for sent, code in AUTHORIZATIONS if sent is not None])
@pytest.mark.parametrize("path", [HANDS, TABLES, ACCOUNTS])
def test_a_bad_token_opens_nothing(places: Places, path: str, sent: str) -> None:
    for body in (FIT[path], {"nonsense": 1}):
        answer = unchanged(places, lambda body=body: places.api.post(path, body, headers={"Authorization": sent}))
        assert (answer.status_code, answer.json["code"]) == (401, "bad_token")


def test_the_scheme_is_read_in_any_case(places: Places) -> None:
    for scheme in ("bearer", "BEARER"):
        headers = {"Authorization": f"{scheme} {places.player.token}"}
        assert places.api.get(places.player.hand_path, headers=headers).status_code == 200


KEYS = [("", True), ("a b", True), ("k" * 256, True), ("é" * 22, True), ("k" * 21, False), ("", False)]


@pytest.mark.parametrize(("key", "with_token"), KEYS)
@pytest.mark.parametrize("path", [HANDS, TABLES, ACCOUNTS])
def test_an_idempotency_key_has_to_be_fit(places: Places, path: str, key: str, with_token: bool) -> None:
    token = places.player.token if with_token else None
    answer = unchanged(places, lambda: places.api.post(path, FIT[path], token, key=key))
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
        ("PUT", "/v1/tables", {"GET", "HEAD", "POST"}),
        ("POST", "/v1/me", {"GET", "HEAD", "DELETE"}),
        ("GET", "/v1/tokens/current", {"DELETE"}),
        ("GET", "/v1/accounts", {"POST"}),
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
