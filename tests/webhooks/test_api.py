"""Webhooks over HTTP: added, listed and removed by an account."""

import re

import pytest

from ginapi.config import WEBHOOK_URL_CHARACTERS, WEBHOOKS_PER_ACCOUNT
from tests.accounts.people import ask, open_account, pointers, refused, told
from tests.api.caller import Api, Player
from tests.online.pairs import Pair
from tests.webhooks.hooked import hook, hooked, waiting, webhook_row

HOOKS = "/v1/webhooks"
URL = "https://example.org/told"


def listed(api: Api, token: str, **query: object) -> dict:
    return told(api.get(HOOKS, token, query_string=query))


def test_a_webhook_is_added_with_a_secret_that_is_shown_once(api: Api) -> None:
    token = open_account(api)
    added = hook(api, token)
    assert re.fullmatch("whsec_[A-Za-z0-9+/]{43}=", added.pop("secret"))
    assert re.fullmatch("[0-9a-f]{20}", added["id"])
    assert (added["url"], added["failures"], added["disabled_at"]) == (URL, 0, None)
    assert listed(api, token) == {"items": [added], "next": None}


def test_two_webhooks_have_different_secrets(api: Api) -> None:
    token = open_account(api)
    assert hook(api, token)["secret"] != hook(api, token)["secret"]
    keys = [f"key-{number}" for number in range(2)]
    other = open_account(api)
    assert hook(api, other, key=keys[0])["secret"] != hook(api, other, key=keys[1])["secret"]


def test_a_retry_is_told_the_same_secret_and_adds_nothing(api: Api) -> None:
    token = open_account(api)
    answers = [api.post(HOOKS, {"url": URL}, token, key="a-key-of-mine") for _ in range(3)]
    assert [answer.headers.get("Idempotent-Replayed") for answer in answers] == [None, "true", "true"]
    assert answers[0].json == answers[1].json == answers[2].json
    assert len(listed(api, token)["items"]) == 1
    assert refused(api.post(HOOKS, {"url": f"{URL}/2"}, token, key="a-key-of-mine")) == (422, "key_reused")


def test_a_retry_of_the_last_that_may_be_is_no_refusal(api: Api) -> None:
    token = open_account(api)
    for number in range(WEBHOOKS_PER_ACCOUNT):
        last = api.post(HOOKS, {"url": URL}, token, key=f"key-{number}")
    assert api.post(HOOKS, {"url": URL}, token, key=f"key-{WEBHOOKS_PER_ACCOUNT - 1}").json == last.json


def test_neither_secret_nor_key_can_be_read_where_answers_are_kept(api: Api) -> None:
    token = open_account(api)
    secret = hook(api, token, key="a-key-that-nobody-knows")["secret"]
    kept = repr(api.rows()["requests"])
    assert secret not in kept and secret[6:] not in kept and "a-key-that-nobody-knows" not in kept


def test_an_account_has_a_few_webhooks_at_most(api: Api) -> None:
    token = open_account(api)
    added = [hook(api, token)["id"] for _ in range(WEBHOOKS_PER_ACCOUNT)]
    answer = api.post(HOOKS, {"url": URL}, token)
    assert refused(answer) == (403, "not_allowed")
    assert str(WEBHOOKS_PER_ACCOUNT) in answer.json["detail"]
    assert api.ask("DELETE", f"{HOOKS}/{added[0]}", token=token).status_code == 204
    hook(api, token)


def test_they_are_listed_in_pages_the_oldest_first(api: Api) -> None:
    token = open_account(api)
    added = []
    for _ in range(WEBHOOKS_PER_ACCOUNT):
        added.append(hook(api, token)["id"])
        api.clock.now_ms += 1
    found, cursor = [], None
    for _ in range(WEBHOOKS_PER_ACCOUNT):
        page = listed(api, token, limit=1, **({} if cursor is None else {"cursor": cursor}))
        found += [one["id"] for one in page["items"]]
        cursor = page["next"]
    assert (found, cursor) == (added, None)


def test_a_webhook_is_removed_with_what_waits_for_it(fresh_api: Api) -> None:
    (token, mine), (other_token, other) = hooked(fresh_api), hooked(fresh_api)
    Pair(fresh_api, (token, other_token)).seats[0].leave()
    assert waiting(fresh_api.database, mine["id"])
    answer = ask(fresh_api, "DELETE", f"{HOOKS}/{mine['id']}", token=token)
    assert (answer.status_code, answer.data) == (204, b"")
    assert waiting(fresh_api.database, mine["id"]) == []
    assert waiting(fresh_api.database, other["id"])
    assert listed(fresh_api, token)["items"] == []
    assert refused(ask(fresh_api, "DELETE", f"{HOOKS}/{mine['id']}", token=token)) == (404, "not_found")


@pytest.mark.parametrize("webhook_id", ["0" * 20, "x", "%00", "%ed%a0%80", "é", "a" * 300])
def test_what_is_not_there_is_not_found(api: Api, webhook_id: str) -> None:
    token, _ = hooked(api)
    assert refused(api.ask("DELETE", f"{HOOKS}/{webhook_id}", token=token)) == (404, "not_found")


def test_nobody_sees_or_removes_what_is_anothers(api: Api) -> None:
    token, mine = hooked(api)
    other = open_account(api)
    assert listed(api, other)["items"] == []
    assert refused(api.ask("DELETE", f"{HOOKS}/{mine['id']}", token=other)) == (404, "not_found")
    assert [one["id"] for one in listed(api, token)["items"]] == [mine["id"]]


def test_a_guest_has_none(api: Api) -> None:
    guest, (_, somebodys) = Player(api).token, hooked(api)
    for method, path in (("GET", HOOKS), ("POST", HOOKS), ("DELETE", f"{HOOKS}/{somebodys['id']}")):
        for token, code in ((guest, (403, "not_allowed")), (None, (401, "no_token")), ("nobody", (401, "bad_token"))):
            body = {"url": URL} if method == "POST" else None
            assert refused(api.ask(method, path, body, token=token)) == code


@pytest.mark.parametrize(
    "url",
    [None, 1, "", "example.org", "ftp://example.org/", "https://ana@example.org/", "https://example.org/#x",
     f"https://{'a' * 64}.org/", "https://example.org/\x00", f"https://example.org/{'a' * WEBHOOK_URL_CHARACTERS}"],
)  # fmt: skip
def test_a_url_has_to_be_fit(api: Api, url: object) -> None:
    assert pointers(api.post(HOOKS, {"url": url}, open_account(api))) == ["/url"]


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:8000", "10.1.2.3", "192.168.0.1", "169.254.169.254", "0.0.0.0", "[::1]:80",
             "[fd00::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]"],
)  # fmt: skip
def test_a_private_address_is_refused_at_once(api: Api, host: str) -> None:
    assert pointers(api.post(HOOKS, {"url": f"http://{host}/"}, open_account(api))) == ["/url"]


def test_the_longest_url_is_kept_whole(api: Api) -> None:
    url = "https://example.org/"
    url += "a" * (WEBHOOK_URL_CHARACTERS - len(url))
    token, added = hooked(api, url)
    assert listed(api, token)["items"][0]["url"] == added["url"] == url


def test_a_closed_account_leaves_neither_webhooks_nor_deliveries(fresh_api: Api) -> None:
    (token, mine), (other_token, other) = hooked(fresh_api), hooked(fresh_api)
    Pair(fresh_api, (token, other_token)).seats[0].leave()
    assert waiting(fresh_api.database, mine["id"])
    assert ask(fresh_api, "DELETE", "/v1/me", token=token).status_code == 204
    assert waiting(fresh_api.database, mine["id"]) == []
    assert [row[0] for row in fresh_api.rows()["webhooks"]] == [other["id"]]
    assert waiting(fresh_api.database, other["id"])


def test_the_secret_is_kept_as_bytes_and_alone(api: Api) -> None:
    token, added = hooked(api)
    row = webhook_row(api.database, added["id"])
    assert len(row["secret"]) == 32
    assert added["secret"] not in repr(listed(api, token))
