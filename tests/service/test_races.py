"""Requests at once, from threads of one process: one winner for whatever two can touch."""

import hashlib
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import insert
from werkzeug.test import TestResponse

from ginapi.store import schema
from tests.api.caller import BEGAN_MS, Api, Player, keen
from tests.conftest import Databases

AT_ONCE = 8
DRAW = {"action": "draw", "from": "stock"}
KEY = "one-key-for-all-of-them"


def at_once(api: Api, ask: Callable[[Any], TestResponse]) -> list[TestResponse]:
    """The answers to the same question, asked by several threads; each is given a client of its own."""
    answers: list[TestResponse] = []
    gate = threading.Barrier(AT_ONCE)

    def run() -> None:
        client = api.app.test_client()
        gate.wait(10)
        answers.append(ask(client))

    threads = [threading.Thread(target=run) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(answers) == AT_ONCE
    return answers


def post(path: str, body: Any, **headers: str) -> Callable[[Any], TestResponse]:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda client: client.post(path, json=body, headers=sent)


def statuses(answers: list[TestResponse]) -> Counter[tuple[int, str | None]]:
    return Counter((answer.status_code, answer.json.get("code")) for answer in answers)


def test_one_key_has_one_effect_and_one_answer(fresh_api: Api) -> None:
    answers = at_once(fresh_api, post("/v1/hands", {"level": "easy"}, Idempotency_Key=KEY))
    assert statuses(answers) == {(201, None): AT_ONCE}
    assert len({answer.data for answer in answers}) == 1
    assert sum("Idempotent-Replayed" in answer.headers for answer in answers) == AT_ONCE - 1
    rows = fresh_api.rows()
    assert [len(rows[name]) for name in ("tables", "tokens", "requests", "seats")] == [1, 1, 1, 2]


def test_one_key_moves_once(api: Api) -> None:
    player = Player(api, seed="races")
    asked = post(
        f"{player.hand_path}/moves", DRAW, Idempotency_Key="k", Authorization=f"Bearer {player.token}", If_Match='"0"'
    )
    answers = at_once(api, asked)
    assert statuses(answers) == {(200, None): AT_ONCE}
    assert len({answer.data for answer in answers}) == 1
    assert player.see().json["version"] == 1


def test_of_many_moves_on_one_version_one_is_made(api: Api) -> None:
    player = Player(api, seed="races")
    answers = at_once(
        api, post(f"{player.hand_path}/moves", DRAW, Authorization=f"Bearer {player.token}", If_Match='"0"')
    )
    assert statuses(answers) == {(200, None): 1, (412, "stale_version"): AT_ONCE - 1}
    assert player.see().json["version"] == 1


def test_of_many_moves_without_a_version_one_is_made(api: Api) -> None:
    player = Player(api, seed="races")
    answers = at_once(api, post(f"{player.hand_path}/moves", DRAW, Authorization=f"Bearer {player.token}"))
    assert statuses(answers) == {(200, None): 1, (409, "wrong_phase"): AT_ONCE - 1}


def test_the_next_hand_is_dealt_once(api: Api) -> None:
    player = Player(api, seed="races", target=1000)
    player.play_out(keen)
    answers = at_once(api, post(f"{player.table_path}/hands", {}, Authorization=f"Bearer {player.token}"))
    assert statuses(answers) == {(201, None): AT_ONCE}
    assert {answer.json["number"] for answer in answers} == {2}
    assert len({answer.json["version"] for answer in answers}) == 1


def test_a_table_is_left_once(api: Api) -> None:
    player = Player(api, seed="races")
    answers = at_once(api, post(f"{player.table_path}/leave", {}, Authorization=f"Bearer {player.token}"))
    assert statuses(answers) == {(200, None): 1, (409, "table_over"): AT_ONCE - 1}


@pytest.fixture
def hasty_api(make_database: Databases) -> Any:
    """A service that waits for others a tenth of a second, and not the five that it does otherwise."""
    url = make_database("postgresql")
    opened = Api(f"{url}{'&' if '?' in url else '?'}options=-c%20lock_timeout%3D100")
    yield opened
    opened.close()
    make_database.drop(url)


def test_a_request_whose_first_still_runs_is_in_progress(hasty_api: Api) -> None:
    """On PostgreSQL alone: on SQLite a writer is alone, and the second waits for the end of the first."""
    first = {
        "principal": "", "method": "POST", "path": "/v1/hands", "key_hash": hashlib.sha256(KEY.encode()).digest(),
        "fingerprint": b"", "created_ms": BEGAN_MS,
    }  # fmt: skip
    with hasty_api.database.write() as running:
        running.execute(insert(schema.requests), first)
        answer = hasty_api.post("/v1/hands", key=KEY)
        assert (answer.status_code, answer.json["code"]) == (409, "in_progress")
        running.rollback()
    assert hasty_api.post("/v1/hands", key=KEY).status_code == 201
