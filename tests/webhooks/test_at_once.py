"""A webhook added or removed while something happens at its account's tables."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from ginapi.store import deliveries, tokens, webhooks
from tests.accounts.people import open_account, told
from tests.api.caller import Api
from tests.online.pairs import Pair, open_online
from tests.waiting import paused_before
from tests.webhooks.hooked import HAND, MATCH, TURN, events, hook, hooked, is_told, waiting

LIMIT_S = 20.0
ADD = ("POST", "/v1/webhooks", {"url": "https://example.org/told"})


def both(
    api: Api, token: str, first: tuple[str, str, Any], second: tuple[str, str, Any], pause: tuple[Any, Any]
) -> list[int]:
    """The statuses of two requests: the first stands still at its pause until the second is done, or waits for it."""
    reached, go_on = pause
    statuses: list[int] = [0, 0]

    def send(at: int, method: str, path: str, body: Any) -> Callable[[], None]:
        def run() -> None:
            headers = {"Authorization": f"Bearer {token}"}
            statuses[at] = api.app.test_client().open(path, method=method, json=body, headers=headers).status_code

        return run

    threads = [threading.Thread(target=send(at, *sent)) for at, sent in enumerate((first, second))]
    threads[0].start()
    assert reached.wait(LIMIT_S)
    threads[1].start()
    threads[1].join(0.3)  # On SQLite it waits for the other anyway.
    go_on.set()
    for thread in threads:
        thread.join(LIMIT_S)
    return statuses


@pytest.mark.parametrize("adds_first", [True, False])
@pytest.mark.parametrize("before_it_holds", [True, False])
def test_a_table_that_is_opened_as_a_webhook_is_added_is_told_of(
    fresh_api: Api, monkeypatch: pytest.MonkeyPatch, adds_first: bool, before_it_holds: bool
) -> None:
    api = fresh_api
    token = open_account(api)
    opens = ("POST", "/v1/tables", {"kind": "online"})
    if before_it_holds:
        pause = paused_before(monkeypatch, tokens, "hold")
    else:
        pause = paused_before(monkeypatch, webhooks, "add" if adds_first else "has_any")
    order = (ADD, opens) if adds_first else (opens, ADD)
    assert both(api, token, *order, pause) == [201, 201]
    (table,) = api.get("/v1/tables?mine=true", token).json["items"]
    assert is_told(api.database, table["id"])


@pytest.mark.parametrize("adds_first", [True, False])
def test_a_table_that_is_joined_as_a_webhook_is_added_is_told_of(
    fresh_api: Api, monkeypatch: pytest.MonkeyPatch, adds_first: bool
) -> None:
    api = fresh_api
    token, opened = open_account(api), open_online(api)
    joins = ("POST", f"/v1/tables/{opened['id']}/seats", None)
    pause = paused_before(monkeypatch, webhooks, "add" if adds_first else "has_any")
    order = (ADD, joins) if adds_first else (joins, ADD)
    assert both(api, token, *order, pause) == [201, 201]
    assert is_told(api.database, opened["id"])


def test_a_webhook_that_is_added_as_its_table_finds_nobody_to_tell_is_told_after_all(
    fresh_api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = fresh_api
    token, webhook = hooked(api)
    pair = Pair(api, (token, None))
    api.ask("DELETE", f"/v1/webhooks/{webhook['id']}", token=token)
    drawn = pair.seats[0].move("draw", source="stock")
    sheds = ("POST", f"/v1/hands/{drawn['id']}/moves", {"action": "discard", "card": drawn["drawn_card"]})
    pause = paused_before(monkeypatch, webhooks, "set_told")
    assert both(api, token, sheds, ADD, pause) == [200, 201]
    assert is_told(api.database, pair.id)


@pytest.mark.parametrize("removes_first", [True, False])
def test_a_webhook_that_is_removed_as_a_move_tells_it_fails_neither(
    fresh_api: Api, monkeypatch: pytest.MonkeyPatch, removes_first: bool
) -> None:
    api = fresh_api
    token, webhook = hooked(api)
    pair = Pair(api, (token, None))
    leaves = ("POST", f"/v1/tables/{pair.id}/leave", None)
    removes = ("DELETE", f"/v1/webhooks/{webhook['id']}", None)
    pause = (
        paused_before(monkeypatch, webhooks, "_forget")
        if removes_first
        else paused_before(monkeypatch, deliveries, "add")
    )
    order = (removes, leaves) if removes_first else (leaves, removes)
    assert sorted(both(api, token, *order, pause)) == [200, 204]
    assert waiting(api.database) == []
    assert api.rows()["webhooks"] == []


def test_of_many_that_are_added_at_once_no_more_are_taken_than_may_be(fresh_api: Api) -> None:
    api = fresh_api
    token = open_account(api)
    statuses: list[int] = []

    def add() -> None:
        headers = {"Authorization": f"Bearer {token}"}
        statuses.append(api.app.test_client().post("/v1/webhooks", json=ADD[2], headers=headers).status_code)

    threads = [threading.Thread(target=add) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT_S)
    assert sorted(statuses) == [201] * 3 + [403] * 9


def test_both_are_told_of_what_both_do_at_once(fresh_api: Api) -> None:
    """Two webhooks added by the two of a table, at once and while they play: nobody waits for ever for the other."""
    api = fresh_api
    tokens_of = [open_account(api), open_account(api)]
    pairs = [Pair(api, (tokens_of[0], tokens_of[1])) for _ in range(4)]
    barrier = threading.Barrier(2)
    hooks: list[dict[str, Any]] = [{}, {}]

    def run(seat: int) -> None:
        barrier.wait(LIMIT_S)
        headers = {"Authorization": f"Bearer {tokens_of[seat]}"}
        hooks[seat] = api.app.test_client().post("/v1/webhooks", json=ADD[2], headers=headers).json

    threads = [threading.Thread(target=run, args=(seat,)) for seat in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT_S)
    assert all(is_told(api.database, pair.id) for pair in pairs)
    for pair in pairs:
        told(pair.seats[1].leave())
    for one in hooks:
        assert sorted(events(api.database, one["id"])) == sorted([HAND, MATCH] * 4)
    assert TURN not in {row["event"] for row in waiting(api.database)}
    assert hook(api, tokens_of[0])["id"]
