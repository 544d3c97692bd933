"""Many at once at one table between people: one seat, one deal, one rematch, over several processes."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from tests.accounts.people import PASSWORD, new_name
from tests.served.conftest import Served
from tests.served.playing import Json, answered, choice, connected, make_move
from tests.served.stored import audit
from tests.served.together import at_once, each_at_once
from tests.shares import numbers


def post(path: str, body: Any = None) -> Any:
    """One request for `at_once`."""
    return lambda client: client.post(path, json=body or {})


def statuses(replies: Sequence[httpx.Response]) -> Counter[tuple[int, str | None]]:
    return Counter((reply.status_code, reply.json().get("code")) for reply in replies)


def opened_online(url: str, token: str | None = None, **terms: Any) -> Json:
    """A table that waits, with its opener's token."""
    with connected(url, token) as client:
        table = answered(client.post("/v1/tables", json={"kind": "online", **terms}), 201)
    return table | {"token": token or table["token"]}


def seated(url: str, **terms: Any) -> tuple[Json, list[str]]:
    """A table with two guests, and the token of each."""
    table = opened_online(url, **terms)
    with connected(url) as client:
        body = {"invite": table["invite"]} if table["invite"] else {}
        joined = answered(client.post(f"/v1/tables/{table['id']}/seats", json=body), 201)
    return joined, [table["token"], joined["token"]]


def account(url: str) -> str:
    with connected(url) as client:
        token: str = answered(client.post("/v1/accounts", json={"name": new_name(), "password": PASSWORD}), 201)[
            "token"
        ]
    return token


def test_of_a_hundred_who_want_one_seat_one_sits(served: Served) -> None:
    url = served.server.url
    table = opened_online(url)
    replies = at_once(url, None, [post(f"/v1/tables/{table['id']}/seats")] * 100)
    assert statuses(replies) == {(201, None): 1, (409, "table_full"): 99}
    with connected(url, table["token"]) as client:
        seen = answered(client.get(f"/v1/tables/{table['id']}"))
    assert (seen["status"], len(seen["seats"]), seen["version"]) == ("playing", 2, 4)
    audit(served.database_url)


def test_of_those_who_join_with_coins_one_pays(served: Served) -> None:
    url = served.server.url
    table, others = opened_online(url, account(url), stake=100), [account(url) for _ in range(6)]
    sends = [(token, post(f"/v1/tables/{table['id']}/seats")) for token in others]
    assert statuses(each_at_once(url, sends)) == {(201, None): 1, (409, "table_full"): 5}
    balances = []
    for token in others:
        with connected(url, token) as client:
            balances.append(answered(client.get("/v1/wallet"))["balance"])
    assert sorted(balances) == [890] + [1_000] * 5
    audit(served.database_url)


def test_quick_at_once_leaves_at_most_one_waiting(served: Served) -> None:
    url, stake = served.server.url, 250
    sends = [(account(url), post("/v1/tables/quick", {"stake": stake})) for _ in range(9)]
    replies = each_at_once(url, sends)
    assert statuses(replies) == {(201, None): 9}
    tables = Counter(reply.json()["id"] for reply in replies)
    assert sorted(tables.values()) == [1, 2, 2, 2, 2]
    audit(served.database_url)


def test_one_who_opens_and_one_who_leaves_at_once(served: Served) -> None:
    url = served.server.url
    for _ in range(10):
        table = opened_online(url)
        path = f"/v1/tables/{table['id']}"
        left, joined = each_at_once(url, [(table["token"], post(f"{path}/leave")), (None, post(f"{path}/seats"))])
        assert left.status_code == 200
        if joined.status_code == 201:  # Joined first: then it was left.
            assert left.json()["table"]["ended"] == "left"
        else:
            assert (joined.json()["code"], left.json()["table"]["ended"]) == ("table_over", "closed")
    audit(served.database_url)


def test_both_leave_at_once_and_one_has_left(served: Served) -> None:
    url = served.server.url
    for _ in range(10):
        table, tokens = seated(url)
        sends = [(token, post(f"/v1/tables/{table['id']}/leave")) for token in tokens]
        assert statuses(each_at_once(url, sends)) == {(200, None): 1, (409, "table_over"): 1}
    audit(served.database_url)


def test_both_ask_for_the_next_hand_at_once_and_it_is_one(served: Served) -> None:
    url, chance = served.server.url, numbers("next hands")
    table, tokens = seated(url, private=True, target=1_000)
    callers = [connected(url, token) for token in tokens]
    hand_id = table["hand_id"]
    for _ in range(5):
        play(callers, hand_id, chance)
        replies = each_at_once(url, [(token, post(f"/v1/tables/{table['id']}/hands")) for token in tokens * 3])
        assert statuses(replies) == {(201, None): 6}
        assert len({reply.json()["id"] for reply in replies}) == 1
        hand_id = replies[0].json()["id"]
    for caller in callers:
        caller.close()
    audit(served.database_url)


def test_both_ask_for_a_rematch_at_once_and_it_is_one_table(served: Served) -> None:
    url = served.server.url
    for _ in range(10):
        table, tokens = seated(url)
        with connected(url, tokens[0]) as client:
            answered(client.post(f"/v1/tables/{table['id']}/leave", json={}))
        replies = each_at_once(url, [(token, post(f"/v1/tables/{table['id']}/rematch")) for token in tokens * 3])
        assert set(statuses(replies)) <= {(201, None), (202, None)}
        assert len({reply.json()["id"] for reply in replies if reply.status_code == 201}) == 1
    audit(served.database_url)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_move_made_many_times_at_once_is_made_once(served: Served, seat: int) -> None:
    url = served.server.url
    table, tokens = seated(url)
    with connected(url, tokens[0]) as client:
        hand = answered(client.get(f"/v1/hands/{table['hand_id']}"))
        if seat == 1:
            hand = answered(make_move(client, hand, {"action": "draw", "from": "stock"}))
            shed = next(move for move in hand["legal_moves"] if move["action"] == "discard")
            hand = answered(make_move(client, hand, shed))
    move = post(f"/v1/hands/{table['hand_id']}/moves", {"action": "draw", "from": "stock"})
    replies = each_at_once(url, [(tokens[seat], move)] * 10)
    assert statuses(replies) == {(200, None): 1, (409, "wrong_phase"): 9}
    assert len({reply.json().get("hand", reply.json())["drawn_card"] for reply in replies}) == 1


def play(callers: list[httpx.Client], hand_id: str, chance: Any) -> None:
    """Both play a hand to its end."""
    hand = answered(callers[0].get(f"/v1/hands/{hand_id}"))
    while hand["turn"] is not None:
        mover = callers[hand["turn"]]
        if hand["seat"] != hand["turn"]:
            hand = answered(mover.get(f"/v1/hands/{hand_id}"))
        hand = answered(make_move(mover, hand, choice(chance, hand)))
