"""Many at once at one account's coins: as many tables as it has coins for, one leaver, one refill."""

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.accounts.people import PASSWORD, ask, new_name, open_account, told
from tests.api.caller import Api
from tests.coins.seated import Sitter, balances, faults, house_has
from tests.coins.test_wallet import take_all_but
from tests.served.conftest import Served
from tests.served.playing import answered, connected
from tests.served.stored import audit
from tests.served.together import at_once

AT_ONCE = 20
COIN = {"kind": "coin", "stake": 100}


def together(api: Api, token: str, path: str, body: Any, key: str | None = None) -> Counter[tuple[int, str | None]]:
    """How the same request, sent by twenty threads at once, was answered."""
    answers: list[tuple[int, str | None]] = []
    gate = threading.Barrier(AT_ONCE)
    headers = {"Authorization": f"Bearer {token}"} | ({"Idempotency-Key": key} if key else {})

    def run() -> None:
        client = api.app.test_client()
        gate.wait(10)
        answer = client.post(path, json=body, headers=headers)
        answers.append((answer.status_code, answer.json.get("code")))

    threads = [threading.Thread(target=run) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(answers) == AT_ONCE
    return Counter(answers)


def test_of_twenty_tables_opened_at_once_by_coins_for_three_three_are(fresh_api: Api) -> None:
    token = open_account(fresh_api)
    take_all_but(fresh_api, token, 3 * 110 + 109)
    answers = together(fresh_api, token, "/v1/tables", COIN)
    assert answers == {(201, None): 3, (409, "not_enough_coins"): AT_ONCE - 3}
    seen = told(ask(fresh_api, "GET", "/v1/wallet", token=token))
    assert (seen["balance"], seen["held"]) == (109, 330)
    assert len(fresh_api.rows()["tables"]) == 3
    assert faults(fresh_api) == []


def test_of_twenty_who_leave_one_table_at_once_one_leaves(fresh_api: Api) -> None:
    sitter = Sitter(fresh_api)
    answers = together(fresh_api, sitter.token, f"/v1/tables/{sitter.id}/leave", {})
    assert answers == {(200, None): 1, (409, "table_over"): AT_ONCE - 1}
    assert sitter.wallet() == (890, 0)
    assert house_has(fresh_api) == -1000 + 110
    assert faults(fresh_api) == []


def test_one_key_leaves_once_and_is_told_so_twenty_times(fresh_api: Api) -> None:
    sitter = Sitter(fresh_api)
    answers = together(fresh_api, sitter.token, f"/v1/tables/{sitter.id}/leave", {}, "one-key")
    assert answers == {(200, None): AT_ONCE}
    assert sitter.wallet() == (890, 0)


def test_of_twenty_refills_at_once_one_is_given(fresh_api: Api) -> None:
    token = open_account(fresh_api)
    take_all_but(fresh_api, token, 7)
    answers = together(fresh_api, token, "/v1/wallet/refills", {})
    assert answers == {(201, None): 1, (409, "refill_not_due"): AT_ONCE - 1}
    assert told(ask(fresh_api, "GET", "/v1/wallet", token=token))["balance"] == 1000
    assert faults(fresh_api) == []


def test_of_twenty_accounts_of_one_name_at_once_one_is_opened(fresh_api: Api) -> None:
    gate = threading.Barrier(8)
    statuses: list[int] = []

    def run() -> None:
        client = fresh_api.app.test_client()
        gate.wait(10)
        statuses.append(client.post("/v1/accounts", json={"name": "Straße", "password": PASSWORD}).status_code)

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert Counter(statuses) == {201: 1, 409: 7}
    assert balances(fresh_api) == {"house": -1000} | {row[0]: 1000 for row in fresh_api.rows()["accounts"]}


ENDS: list[tuple[str, str]] = [("leave", "hands"), ("leave", "leave"), ("hands", "leave")]


@pytest.mark.parametrize("ends", ENDS, ids=str)
def test_tables_opened_and_left_at_once_add_up(fresh_api: Api, ends: tuple[str, str]) -> None:
    token = open_account(fresh_api)
    sitters = [Sitter(fresh_api, token, 50) for _ in range(4)]
    asked: list[Callable[[Any], Any]] = []
    headers = {"Authorization": f"Bearer {token}"}
    for sitter in sitters:
        for end in ends:
            path = f"/v1/tables/{sitter.id}/{end}"
            asked.append(lambda client, path=path: client.post(path, json={}, headers=headers))
        asked.append(lambda client: client.post("/v1/tables", json={"kind": "coin", "stake": 50}, headers=headers))
    gate = threading.Barrier(len(asked))
    statuses: list[int] = []

    def run(one: Callable[[Any], Any]) -> None:
        client = fresh_api.app.test_client()
        gate.wait(10)
        statuses.append(one(client).status_code)

    threads = [threading.Thread(target=run, args=(one,)) for one in asked]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(statuses) == len(asked) and set(statuses) <= {200, 201, 409}
    assert sitters[0].wallet() == (1000 - 4 * 55 - 4 * 55, 4 * 55)
    assert faults(fresh_api) == []


def test_of_twenty_tables_opened_over_several_processes_three_are(served: Served) -> None:
    url = served.server.url
    with connected(url) as nobody:
        body = {"name": new_name(), "password": PASSWORD}
        token = answered(nobody.post("/v1/accounts", json=body), 201)["token"]
    with connected(url, token) as caller:
        for stake in (500, 50, 10):  # 1000 - 550 - 55 = 395: three at 100, and 65 left.
            caller.post("/v1/tables", json={"kind": "coin", "stake": stake})

        def send(client: httpx.Client) -> httpx.Response:
            return client.post("/v1/tables", json=COIN)

        replies = at_once(url, token, [send] * AT_ONCE)
        assert Counter(reply.status_code for reply in replies) == {201: 3, 409: AT_ONCE - 3}
        assert {reply.json()["code"] for reply in replies if reply.status_code == 409} == {"not_enough_coins"}
        seen = answered(caller.get("/v1/wallet"))
        assert (seen["balance"], seen["held"]) == (65, 550 + 55 + 330)
        tables = answered(caller.get("/v1/tables?mine=true&stake=100"))["items"]
        path = f"/v1/tables/{tables[0]['id']}/leave"
        replies = at_once(url, token, [lambda client: client.post(path)] * AT_ONCE)
        assert Counter(reply.status_code for reply in replies) == {200: 1, 409: AT_ONCE - 1}
        seen = answered(caller.get("/v1/wallet"))
        assert (seen["balance"], seen["held"]) == (65, 550 + 55 + 220)
    audit(served.database_url)
