"""Limits over HTTP: what counts, what is told, what goes before, and that a legal move never meets one."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from werkzeug.test import TestResponse

from ginapi.api import limits as over_http
from ginapi.api.openapi import NOBODY
from ginapi.limits import LIMITS
from tests.api.caller import Api, Player, keen
from tests.api.test_headers import answers

REQUESTS, OPENINGS, PASSWORDS = 40, 12, 5
QUOTAS = f"requests={REQUESTS}/60,openings={OPENINGS}/60,passwords={PASSWORDS}/600"
NOBODY_TOKEN = "ginapi_guest_" + "A" * 43
_ITEM = r'"(?P<name>[a-z]+)";{}=(?P<first>[0-9]+);{}=(?P<second>[0-9]+)'


@pytest.fixture
def narrow(database_url: str) -> Iterator[Api]:
    """The service with limits that are soon used up."""
    opened = Api(database_url, GINAPI_RATE_LIMITS=QUOTAS)
    yield opened
    opened.close()


def items(header: str, first: str, second: str) -> dict[str, tuple[int, int]]:
    """A header of the two, as structured fields have it: each limit's name and its two numbers."""
    found = [re.fullmatch(_ITEM.format(first, second), item) for item in header.split(", ")]
    return {item["name"]: (int(item["first"]), int(item["second"])) for item in found if item}


def left(answer: TestResponse) -> dict[str, tuple[int, int]]:
    """Of each limit, how many requests are left, and seconds until its window ends."""
    return items(answer.headers["RateLimit"], "r", "t")


def policy(answer: TestResponse) -> dict[str, tuple[int, int]]:
    return items(answer.headers["RateLimit-Policy"], "q", "w")


def code(answer: TestResponse) -> tuple[int, str | None]:
    return answer.status_code, answer.json.get("code") if answer.is_json else None


OVER = (429, "too_many_requests")


def use_up(ask: Callable[[], TestResponse]) -> TestResponse:
    """Ask until too much was asked; that answer."""
    for _ in range(10 * REQUESTS):
        answer = ask()
        if answer.status_code == 429:
            return answer
    raise AssertionError("the limit was never reached")


def test_every_answer_shows_the_limits_that_it_counts_for(api: Api) -> None:
    for name, answer in answers(api).items():
        expected = {"requests": (36_000, 60)}
        if name in ("opened", "not JSON", "no media", "too large"):
            expected["openings"] = (12_000, 60)
        assert policy(answer) == expected, name
        told = left(answer)
        assert list(told) == list(expected), name
        assert all(0 <= told[one][0] <= expected[one][0] and 0 < told[one][1] <= 60 for one in told), name
    flight = api.http.options("/v1/hands", headers={"Origin": "https://a.org", "Access-Control-Request-Method": "POST"})
    for answer in (flight, api.get("/docs/start.js", buffered=True), api.get("/problems/not_found")):
        assert policy(answer) == {"requests": (36_000, 60)}
        assert list(left(answer)) == ["requests"]


def test_requests_count_for_their_token(narrow: Api) -> None:
    player, other = Player(narrow), Player(narrow)
    for count in range(1, REQUESTS + 1):
        answer = player.see()
        assert (answer.status_code, left(answer)["requests"]) == (200, (REQUESTS - count, 60))
    assert code(player.see()) == OVER
    assert other.see().status_code == 200
    assert narrow.get("/v1/rules").status_code == 200


def test_a_refusal_says_when_the_next_are_taken_and_that_is_so(narrow: Api) -> None:
    player = Player(narrow)
    began_ms = narrow.clock.now_ms
    player.see()
    narrow.clock.now_ms += 20_500
    answer = use_up(player.see)
    assert (code(answer), answer.headers["Retry-After"], left(answer)) == (OVER, "40", {"requests": (0, 40)})
    assert "'requests', 40 in 60 s" in answer.json["detail"]
    assert "private" in answer.headers["Cache-Control"]
    narrow.clock.now_ms = began_ms + 59_999
    answer = player.see()
    assert (code(answer), answer.headers["Retry-After"]) == (OVER, "1")
    narrow.clock.now_ms += 1_000
    assert left(player.see()) == {"requests": (REQUESTS - 1, 60)}


def test_a_match_is_played_to_its_end_by_one_who_has_used_up_all_requests(narrow: Api) -> None:
    player = Player(narrow, target=300, seed="limits", level="easy")
    assert code(use_up(player.see)) == OVER
    moves = hands = 0
    while True:
        while player.hand["phase"] != "finished":
            answer = player.post(keen(player.hand))
            assert answer.status_code == 200, answer.text
            assert left(answer)["requests"][0] == 0
            player.hand = answer.json
            moves += 1
        hands += 1
        if max(player.hand["result"]["scores"]) >= 300:
            break
        assert player.deal().status_code == 201
        assert code(player.see()) == OVER
    assert (moves > 3 * REQUESTS, hands > 2) == (True, True)


def test_a_move_that_is_refused_counts_and_in_the_end_says_so_with_the_hand(narrow: Api) -> None:
    player = Player(narrow)
    wrong = {"action": "layoff"}
    told = [player.post(wrong) for _ in range(REQUESTS)]
    assert [code(answer) for answer in told] == [(409, "wrong_phase")] * REQUESTS
    assert [left(answer)["requests"][0] for answer in told] == list(range(REQUESTS - 1, -1, -1))
    before = narrow.rows()
    answer = player.post(wrong)
    assert (code(answer), answer.headers["Retry-After"]) == (OVER, "60")
    assert answer.json["hand"]["legal_moves"] == player.hand["legal_moves"]
    assert answer.headers["ETag"] == told[0].headers["ETag"]
    assert narrow.rows() == before
    for body in ({"action": "peek"}, {}):
        assert code(player.post(body)) == OVER
    assert code(player.post(wrong, if_match='"7"')) == OVER
    assert code(player.deal({"number": 9})) == OVER
    assert code(narrow.post("/v1/hands/x/moves", wrong, player.token)) == OVER
    for earlier, sent in ((400, b"{"), (413, b" " * 20_000)):
        assert player.post(None, data=sent, content_type="application/json").status_code == earlier
    assert code(narrow.post(f"{player.hand_path}/moves", wrong, NOBODY_TOKEN)) == (401, "bad_token")
    assert player.post({"action": "draw", "from": "stock"}).status_code == 200


JSON = "application/json"
EARLIER = [
    ("POST", "/v1/hands", {"data": b"{", "content_type": JSON}, (400, "bad_json")),
    ("POST", "/v1/hands", {"data": b"{}", "content_type": "text/plain"}, (415, "unsupported_media_type")),
    ("POST", "/v1/hands", {"data": b" " * 20_000, "content_type": "text/plain"}, (413, "too_large")),
    ("POST", "/v1/analysis/melds", {"data": b"{", "content_type": JSON}, (400, "bad_json")),
    ("POST", "/v1/hands", {"token": NOBODY_TOKEN}, (401, "bad_token")),
    ("GET", "/v1/hands/{hand}", {"token": NOBODY_TOKEN}, (401, "bad_token")),
    ("GET", "/v1/tables", {"headers": {"Authorization": "Basic x"}}, (401, "bad_token")),
    ("GET", "/v1/hands/{hand}", {}, (401, "no_token")),
    ("HEAD", "/v1/hands/{hand}", {}, (401, None)),
    ("GET", "/v1/hands/x", {}, (401, "no_token")),
    ("GET", "/v1/tables/{table}", {}, (401, "no_token")),
    ("GET", "/v1/wallet", {}, (401, "no_token")),
    ("DELETE", "/v1/me", {}, (401, "no_token")),
    ("POST", "/v1/tables/{table}/leave", {}, (401, "no_token")),
    ("POST", "/v1/hands/{hand}/moves", {"body": {}}, (401, "no_token")),
]
LATER = [
    ("GET", "/nowhere", {}),
    ("PUT", "/v1/hands", {}),
    ("GET", "/v1/rules?x=1", {}),
    ("GET", "/v1/stakes", {}),
    ("GET", "/v1/tables", {}),
    ("GET", "/docs", {}),
    ("GET", "/v1/limits", {}),
    ("POST", "/v1/hands", {"body": {"level": "?"}}),
    ("POST", "/v1/analysis/melds", {"body": {}}),
    ("POST", "/v1/accounts", {"body": {}}),
]


@pytest.mark.parametrize(("method", "path", "sent", "expected"), EARLIER)
def test_what_comes_before_a_limit_is_said_before_it(
    narrow: Api, method: str, path: str, sent: dict[str, Any], expected: tuple[int, str | None]
) -> None:
    player = Player(narrow)
    use_up(lambda: narrow.get("/v1/rules"))
    path = path.format(hand=player.hand["id"], table=player.hand["table_id"])
    if method == "HEAD":
        assert narrow.http.head(path).status_code == expected[0]
    else:
        assert code(narrow.ask(method, path, **sent)) == expected


@pytest.mark.parametrize(("method", "path", "sent"), LATER)
def test_what_comes_after_a_limit_is_not(narrow: Api, method: str, path: str, sent: dict[str, Any]) -> None:
    use_up(lambda: narrow.get("/v1/rules"))
    assert code(narrow.ask(method, path, **sent)) == OVER


def test_a_public_table_is_looked_at_within_the_limit_of_the_address(narrow: Api) -> None:
    opened = narrow.post("/v1/tables", {"kind": "online"}).json
    path = f"/v1/tables/{opened['id']}"
    assert narrow.get(path).status_code == 200
    assert code(use_up(lambda: narrow.get(path))) == OVER
    assert narrow.get(path, opened["token"]).status_code == 200


@pytest.mark.parametrize(("method", "path", "sent"), [one for one in LATER if one[1].startswith("/v1")])
def test_one_who_sends_a_token_is_known_by_it_and_told_when_it_is_nobodys(
    narrow: Api, method: str, path: str, sent: dict[str, Any]
) -> None:
    player = Player(narrow)
    use_up(player.see)
    answer = narrow.ask(method, path, token=player.token, **sent)
    counted = "security" if code(answer) == OVER else "address"
    view = narrow.app.view_functions.get(
        {rule.rule: rule.endpoint for rule in narrow.app.url_map.iter_rules() if method in (rule.methods or ())}.get(
            path.partition("?")[0], ""
        )
    )
    asks_for_token = getattr(view, "security", NOBODY) != NOBODY
    assert (counted == "security") == asks_for_token


def test_made_up_tokens_count_for_the_address_that_they_come_from(narrow: Api) -> None:
    for count in range(1, REQUESTS + 1):
        answer = narrow.get("/v1/wallet", f"{NOBODY_TOKEN}{count}")
        assert code(answer) == (401, "bad_token")
        assert left(answer) == {"requests": (REQUESTS - count, 60)}
    assert code(narrow.get("/v1/wallet", NOBODY_TOKEN)) == (401, "bad_token")
    assert code(narrow.get("/v1/rules")) == OVER
    # Where no token is looked at, a new one each time is no way round the limit.
    assert code(narrow.get("/v1/rules", f"{NOBODY_TOKEN}x")) == OVER
    assert code(narrow.get("/nowhere", f"{NOBODY_TOKEN}y")) == OVER


def test_every_route_that_asks_for_a_token_looks_at_it(api: Api) -> None:
    for rule in api.app.url_map.iter_rules():
        view = api.app.view_functions[rule.endpoint]
        if getattr(view, "security", NOBODY) == NOBODY:
            continue
        path = re.sub(r"<[^>]*>", "x", rule.rule)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            assert code(api.ask(method, path, token=NOBODY_TOKEN)) == (401, "bad_token"), (method, path)


def test_openings_count_for_the_address_of_guests(narrow: Api) -> None:
    opened = [narrow.post("/v1/hands") for _ in range(OPENINGS)]
    assert [answer.status_code for answer in opened] == [201] * OPENINGS
    assert [left(answer)["openings"][0] for answer in opened] == list(range(OPENINGS - 1, -1, -1))
    for path, body in (("/v1/hands", None), ("/v1/tables", {"kind": "online"}), ("/v1/tables/quick", {"stake": 0})):
        answer = narrow.post(path, body)
        assert (code(answer), answer.headers["Retry-After"]) == (OVER, "60"), path
        assert "'openings'" in answer.json["detail"]
    token = opened[0].json["token"]
    answer = narrow.post("/v1/hands", None, token)
    assert (answer.status_code, list(left(answer))) == (201, ["requests"])


def test_passwords_count_for_the_address(narrow: Api) -> None:
    person = {"name": "limited", "password": "correct horse"}
    assert narrow.post("/v1/accounts", person).status_code == 201
    told = [narrow.post("/v1/tokens", {**person, "password": "wrong horse"}) for _ in range(PASSWORDS)]
    assert [code(answer) for answer in told] == [(401, "bad_credentials")] * (PASSWORDS - 1) + [OVER]
    assert left(told[-1]) == {"requests": (REQUESTS - 1 - PASSWORDS, 60), "passwords": (0, 600)}
    assert told[-1].headers["Retry-After"] == "600"
    assert code(narrow.post("/v1/accounts", {**person, "name": "another"})) == OVER


def test_every_way_in_without_a_token_is_an_opening_or_takes_a_password(api: Api) -> None:
    named = over_http.OPENINGS | over_http.PASSWORDS
    assert named | over_http.JUDGED_FIRST <= set(api.app.view_functions)
    answers = {
        rule.endpoint
        for rule in api.app.url_map.iter_rules()
        if "POST" in (rule.methods or ())
        and getattr(api.app.view_functions[rule.endpoint], "security", NOBODY) in ([{}, {"token": []}],)
    }
    assert answers <= named


def test_what_watches_the_service_and_a_pre_flight_are_never_turned_away(narrow: Api) -> None:
    use_up(lambda: narrow.get("/v1/rules"))
    for _ in range(2):
        for path in ("/healthz", "/readyz"):
            answer = narrow.get(path)
            assert (answer.status_code, left(answer)["requests"][0]) == (200, 0)
        assert narrow.http.options("/v1/hands").status_code == 200


def test_each_sort_of_request_counts_once(narrow: Api) -> None:
    player = Player(narrow)
    hand, etag = player.hand_path, player.see().headers["ETag"]

    def spent(ask: Callable[[], TestResponse], status: int) -> int:
        before = left(player.see())["requests"][0]
        answer = ask()
        assert answer.status_code == status, answer.text
        return before - left(player.see())["requests"][0] - 1

    assert spent(lambda: player.see(headers={"If-None-Match": etag}), 304) == 1
    own = {"Authorization": f"Bearer {player.token}"}
    assert spent(lambda: narrow.http.head(hand, headers=own), 200) == 1
    assert spent(lambda: narrow.get(f"{hand}?after=0&wait_ms=200", player.token), 200) == 1
    draw = {"action": "draw", "from": "stock"}
    for _ in range(2):  # done, and answered the same again
        assert spent(lambda: player.post(draw, key="key-1"), 200) == 0
    assert spent(lambda: player.post(draw), 409) == 1
    assert spent(lambda: narrow.post(f"{player.table_path}/leave", None, player.token, key="key-2"), 200) == 1
    assert spent(lambda: narrow.post(f"{player.table_path}/leave", None, player.token, key="key-2"), 200) == 1


def test_the_callers_address_is_what_the_trusted_proxies_say(database_url: str) -> None:
    api = Api(database_url, GINAPI_RATE_LIMITS="requests=3/60", GINAPI_TRUSTED_PROXIES="1")

    def ask(forwarded: str) -> int:
        return api.get("/v1/rules", headers={"X-Forwarded-For": forwarded}).status_code

    for one, same, another in (
        ("10.0.0.1", "7.7.7.7, 10.0.0.1", "10.0.0.2"),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::", "2001:db8:1:3::1"),
        ("::ffff:10.1.1.1", "10.1.1.1", "::ffff:10.1.1.2"),
    ):
        assert [ask(one), ask(one), ask(same), ask(same), ask(another)] == [200, 200, 200, 429, 200]
    api.close()


def test_without_trusted_proxies_the_header_is_not_believed(narrow: Api) -> None:
    use_up(lambda: narrow.get("/v1/rules"))
    assert code(narrow.get("/v1/rules", headers={"X-Forwarded-For": "10.0.0.9"})) == OVER


def test_limits_may_be_turned_off(database_url: str) -> None:
    api = Api(database_url, GINAPI_RATE_LIMITS="off")
    for answer in answers(api).values():
        assert "RateLimit" not in answer.headers and "RateLimit-Policy" not in answer.headers
    assert api.get("/v1/limits").json["items"] == []
    api.close()


def test_limits_are_published(api: Api, narrow: Api) -> None:
    assert api.get("/v1/limits").json["items"] == [
        {
            "name": limit.name,
            "quota": limit.quota,
            "window_ms": limit.window_ms,
            "by": limit.by,
            "counts": limit.counts,
        }
        for limit in LIMITS
    ]
    told = narrow.get("/v1/limits").json
    numbers = {item["name"]: (item["quota"], item["window_ms"]) for item in told["items"]}
    assert numbers == {
        "requests": (40, 60_000),
        "openings": (12, 60_000),
        "passwords": (5, 600_000),
        "advice": (600, 60_000),
    }
    assert told["values"]["body_bytes"] == 16_384
