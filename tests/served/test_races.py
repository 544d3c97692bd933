"""Many requests at once, over several processes: one effect each, and one winner."""

import itertools
import json
import random
import secrets
from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import Any

import httpx
import pytest

from tests.served.conftest import Served
from tests.served.playing import Json, answered, connected, make_move, opened, play_out, records_of
from tests.served.stored import count
from tests.served.together import at_once
from tests.shares import numbers

AT_ONCE = 20


def new_key() -> str:
    return secrets.token_urlsafe(24)


def token_of(caller: httpx.Client) -> str:
    return caller.headers["Authorization"].removeprefix("Bearer ")


def identical(served: Served, token: str | None, path: str, body: Json) -> httpx.Response:
    """One of many identical posts with one key, all sent at once; they have been held to be answered alike."""
    headers = {"Idempotency-Key": new_key()}

    def send(client: httpx.Client) -> httpx.Response:
        return client.post(path, json=body, headers=headers)

    replies = at_once(served.server.url, token, [send] * AT_ONCE)
    assert {reply.status_code // 100 for reply in replies} == {2}, [reply.text for reply in replies]
    assert len({(reply.status_code, reply.content) for reply in replies}) == 1
    replayed = sorted(reply.headers.get("Idempotent-Replayed", "") for reply in replies)
    assert replayed == [""] + ["true"] * (AT_ONCE - 1)
    assert len({(reply.headers.get("ETag"), reply.headers.get("Location")) for reply in replies}) == 1
    return replies[0]


def finished(served: Served, chance: random.Random) -> tuple[httpx.Client, Json]:
    """A table whose first hand is over and whose match is not."""
    caller, hand = opened(served.server.url, level="easy", target=1000)
    return caller, play_out(caller, hand, chance)


def test_a_table_opened_many_times_with_one_key_is_one_table(served: Served) -> None:
    before = count(served, "tables"), count(served, "tokens"), count(served, "requests")
    reply = identical(served, None, "/v1/hands", {"level": "hard"})
    assert (count(served, "tables"), count(served, "tokens"), count(served, "requests")) == tuple(
        at + 1 for at in before
    )
    hand = answered(reply, 201)
    with connected(served.server.url, hand["token"]) as caller:
        assert answered(caller.get(f"/v1/hands/{hand['id']}"))["cards"] == hand["cards"]


@pytest.mark.parametrize("path", ["/v1/tables", "/v1/hands"])
def test_a_table_opened_many_times_by_one_caller_is_one_table(served: Served, path: str) -> None:
    caller, _ = opened(served.server.url)
    with closing(caller):
        before = count(served, "tables")
        body = {"kind": "practice"} if path == "/v1/tables" else {}
        assert answered(identical(served, token_of(caller), path, body), 201)["token"] is None
        assert count(served, "tables") == before + 1


def test_a_move_made_many_times_with_one_key_is_one_move(served: Served) -> None:
    caller, hand = opened(served.server.url)
    with closing(caller):
        for number in itertools.count(1):
            if hand["phase"] == "finished" or number > 4:
                break
            move = next(move for move in hand["legal_moves"] if move["action"] in ("draw", "discard", "layoff"))
            hand = answered(identical(served, token_of(caller), f"/v1/hands/{hand['id']}/moves", move))
            records = records_of(caller, hand)
            assert [record["version"] for record in records] == list(range(1, hand["version"] + 1))
            assert sum(record["by"] == "player" for record in records) == number


def test_the_next_hand_asked_for_many_times_with_one_key_is_one_deal(served: Served) -> None:
    caller, hand = finished(served, numbers("next hand, one key"))
    with closing(caller):
        table = answered(caller.get(f"/v1/tables/{hand['table_id']}"))
        dealt = answered(identical(served, token_of(caller), f"/v1/tables/{table['id']}/hands", {}), 201)
        assert dealt["number"] == 2
        after = answered(caller.get(f"/v1/tables/{table['id']}"))
        assert after["hand_id"] == dealt["id"]
        assert after["version"] == table["version"] + 1 + len(dealt["played"])


def test_leaving_many_times_with_one_key_is_one_leaving(served: Served) -> None:
    caller, hand = opened(served.server.url)
    with closing(caller):
        left = answered(identical(served, token_of(caller), f"/v1/tables/{hand['table_id']}/leave", {}))
        assert left["table"]["ended"] == "left"
        records = records_of(caller, hand)
        assert [record["action"] for record in records] == ["leave"]


def test_of_many_moves_on_one_version_one_is_made(served: Served) -> None:
    caller, hand = opened(served.server.url)
    with closing(caller):
        hand = answered(make_move(caller, hand, {"action": "draw", "from": "stock"}))
        moves = list(itertools.islice(itertools.cycle(hand["legal_moves"]), AT_ONCE))
        assert len({json.dumps(move) for move in moves}) >= 10
        sends = [partial(moved_at, hand=hand, move=move) for move in moves]
        replies = at_once(served.server.url, token_of(caller), sends)
        won = [(move, reply) for move, reply in zip(moves, replies, strict=True) if reply.status_code == 200]
        assert len(won) == 1, [reply.status_code for reply in replies]
        assert sorted({reply.json()["code"] for reply in replies if reply.status_code != 200}) == ["stale_version"]
        records = records_of(caller, hand)
        assert [record["version"] for record in records] == list(range(1, len(records) + 1))
        mine = [record for record in records if record["by"] == "player"]
        assert [record["action"] for record in mine] == ["draw", won[0][0]["action"]]
        assert mine[1]["card"] == won[0][0]["card"]


def moved_at(client: httpx.Client, hand: Json, move: Json) -> httpx.Response:
    return make_move(client, hand, move, **{"If-Match": f'"{hand["version"]}"'})


def test_of_many_moves_without_a_version_each_is_judged_on_the_hand_as_it_then_stands(served: Served) -> None:
    caller, hand = opened(served.server.url)
    with closing(caller):
        moves: list[Json] = [{"action": "draw", "from": "stock"}] * (AT_ONCE // 2)
        moves += [{"action": "draw", "from": "discard"}] * (AT_ONCE // 2)
        sends = [partial(make_move, hand=hand, move=move) for move in moves]
        replies = at_once(served.server.url, token_of(caller), sends)
        assert sorted(reply.status_code for reply in replies) == [200] + [409] * (AT_ONCE - 1)
        assert {reply.json()["code"] for reply in replies if reply.status_code == 409} == {"wrong_phase"}
        assert [record["version"] for record in records_of(caller, hand)] == [1]


def test_the_next_hand_asked_for_by_many_is_one_deal(served: Served) -> None:
    caller, hand = finished(served, numbers("next hand, no key"))
    with closing(caller):
        path = f"/v1/tables/{hand['table_id']}/hands"

        def ask(body: Json) -> Callable[[httpx.Client], httpx.Response]:
            return lambda client: client.post(path, json=body)

        bodies: list[Json] = [{}, {"number": 2}]
        replies = at_once(served.server.url, token_of(caller), [ask(body) for body in bodies * (AT_ONCE // 2)])
        assert {reply.status_code for reply in replies} == {201}, [reply.text for reply in replies]
        assert len({shown(reply.json()) for reply in replies}) == 1
        assert replies[0].json()["number"] == 2
        table = answered(caller.get(f"/v1/tables/{hand['table_id']}"))
        assert table["hand_id"] == f"{table['id']}-2"


def shown(hand: dict[str, Any]) -> str:
    """A hand but for when it was looked at, and what the one request that dealt it had played."""
    return json.dumps({name: value for name, value in hand.items() if name not in ("server_time", "played")})


def test_of_many_who_leave_the_first_does(served: Served) -> None:
    caller, hand = opened(served.server.url)
    with closing(caller):
        path = f"/v1/tables/{hand['table_id']}/leave"
        replies = at_once(served.server.url, token_of(caller), [lambda client: client.post(path)] * AT_ONCE)
        assert sorted(reply.status_code for reply in replies) == [200] + [409] * (AT_ONCE - 1)
        assert {reply.json()["code"] for reply in replies if reply.status_code == 409} == {"table_over"}


def test_moves_and_leaving_at_once_leave_one_history(served: Served) -> None:
    for _ in range(3):
        caller, hand = opened(served.server.url)
        with closing(caller):
            moves = [partial(make_move, hand=hand, move={"action": "draw", "from": "stock"})] * 3
            leaves = [lambda client, of=hand["table_id"]: client.post(f"/v1/tables/{of}/leave")] * 3
            replies = at_once(served.server.url, token_of(caller), moves + leaves)
            assert sorted(reply.status_code for reply in replies[3:]) == [200, 409, 409]
            actions = [record["action"] for record in records_of(caller, hand)]
            made = [reply.status_code for reply in replies[:3]].count(200)
            assert actions == ["draw"] * made + ["leave"]


def test_the_requests_of_a_race_are_spread_over_the_processes(served: Served) -> None:
    caller, hand = opened(served.server.url)
    with closing(caller):
        processes: set[int] = set()
        for _ in range(10):
            sends = [partial(moved_at, hand=hand, move={"action": "discard", "card": "As"})] * AT_ONCE
            ids = {reply.headers["X-Request-Id"] for reply in at_once(served.server.url, token_of(caller), sends)}
            lines = [json.loads(line) for line in served.server.log().splitlines() if line.startswith("{")]
            processes |= {line["process"] for line in lines if line.get("request_id") in ids}
            if len(processes) > 1:
                break
        assert len(processes) > 1
