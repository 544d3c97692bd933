"""The server killed at the worst moments: what it acknowledged is there once, and what is asked again is answered."""

import random
import secrets
import threading
import time
from contextlib import closing

import httpx
import pytest

from tests.served.conftest import Served
from tests.served.playing import Json, answered, choice, connected, opened, play_out, records_of
from tests.served.rigged import DIE_AFTER_COMMIT
from tests.served.stored import audit, count
from tests.shares import numbers, share

ATTEMPTS_LIMIT_S = 60.0


def asked_again(served: Served, caller: httpx.Client, path: str, body: Json) -> httpx.Response:
    """The answer to a post whose first attempt ended with the server, between the commit and the answer."""
    headers = {"Idempotency-Key": secrets.token_urlsafe(24)}
    served.pull(DIE_AFTER_COMMIT)
    with pytest.raises(httpx.TransportError):
        caller.post(path, json=body, headers=headers)
    served.server.wait_until_gone()
    assert not served.is_pulled(DIE_AFTER_COMMIT)
    served.server.start()
    second = caller.post(path, json=body, headers=headers)
    third = caller.post(path, json=body, headers=headers)
    assert second.headers["Idempotent-Replayed"] == third.headers["Idempotent-Replayed"] == "true"
    assert (second.status_code, second.content) == (third.status_code, third.content)
    return second


def test_a_table_opened_as_the_server_died_is_there_once(rigged: Served) -> None:
    before = count(rigged, "tables")
    with connected(rigged.server.url) as nobody:
        hand = answered(asked_again(rigged, nobody, "/v1/hands", {}), 201)
    assert count(rigged, "tables") == before + 1
    with connected(rigged.server.url, hand["token"]) as caller:
        seen = answered(caller.get(f"/v1/hands/{hand['id']}"))
        assert (seen["cards"], seen["version"]) == (hand["cards"], 0)


def test_moves_the_next_hand_and_leaving_as_the_server_died_have_one_effect(rigged: Served) -> None:
    chance = numbers("killed after a commit")
    caller, hand = opened(rigged.server.url, level="easy", target=1000)
    with closing(caller):
        for version in (1, 2):
            path = f"/v1/hands/{hand['id']}/moves"
            hand = answered(asked_again(rigged, caller, path, choice(chance, hand)))
            mine = [record for record in records_of(caller, hand) if record["by"] == "player"]
            assert [record["version"] for record in mine] == list(range(1, version + 1))
        hand = play_out(caller, hand, chance)
        table = f"/v1/tables/{hand['table_id']}"
        dealt = answered(asked_again(rigged, caller, f"{table}/hands", {}), 201)
        assert (dealt["number"], answered(caller.get(table))["hand_id"]) == (2, dealt["id"])
        left = answered(asked_again(rigged, caller, f"{table}/leave", {}))
        assert left["table"] == {**answered(caller.get(table)), "server_time": left["table"]["server_time"]}
    audit(rigged.database_url)


class Killer:
    """Ends the server at moments of chance and starts it again, so many times."""

    def __init__(self, served: Served, chance: random.Random, times: int) -> None:
        self._served, self._chance, self._times = served, chance, times
        self._thread = threading.Thread(target=self._run)
        self.fault: BaseException | None = None

    def __enter__(self) -> "Killer":
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._thread.join()
        if self.fault is not None:
            raise self.fault

    @property
    def is_at_work(self) -> bool:
        return self._thread.is_alive()

    def _run(self) -> None:
        try:
            for _ in range(self._times):
                time.sleep(self._chance.uniform(0, 0.4))  # the moment is what varies: nothing is waited for
                self._served.server.kill()
                self._served.server.start()
        except BaseException as fault:
            self.fault = fault
            raise


def insisting(caller: httpx.Client, path: str, body: Json) -> tuple[httpx.Response, int]:
    """The answer to a post that is sent, with one key, until there is one; and how often it was cut off."""
    headers = {"Idempotency-Key": secrets.token_urlsafe(24)}
    deadline = time.monotonic() + ATTEMPTS_LIMIT_S
    for failed in range(1_000_000):
        try:
            reply = caller.post(path, json=body, headers=headers)
        except httpx.TransportError:
            assert time.monotonic() < deadline, "the server did not come back"
            continue
        return reply, failed
    raise AssertionError("unreachable")


def test_every_acknowledged_move_is_there_once_however_often_the_server_is_killed(rigged: Served) -> None:
    chance = numbers("killed at any moment")
    url = rigged.server.url
    failures = acknowledged = 0
    played: dict[str, list[Json]] = {}
    tokens: dict[str, str] = {}
    with connected(url) as caller, Killer(rigged, chance, times=share(25, 3)) as killer:
        while killer.is_at_work:
            reply, failed = insisting(caller, "/v1/hands", {"level": "easy"})
            failures += failed
            hand = answered(reply, 201)
            tokens[hand["id"]] = hand["token"]
            moves = played[hand["id"]] = []
            caller.headers["Authorization"] = f"Bearer {hand['token']}"
            while hand["phase"] != "finished":
                move = choice(chance, hand)
                reply, failed = insisting(caller, f"/v1/hands/{hand['id']}/moves", move)
                failures += failed
                hand = answered(reply)
                moves.append(move)
                acknowledged += 1
            del caller.headers["Authorization"]
    print(f"{acknowledged} moves acknowledged, {failures} requests cut off")
    assert failures and acknowledged
    for hand_id, moves in played.items():
        with connected(url, tokens[hand_id]) as caller:
            records = records_of(caller, {"id": hand_id})
            assert [record["version"] for record in records] == list(range(1, len(records) + 1))
            mine = [record for record in records if record["by"] == "player"]
            assert [record["action"] for record in mine] == [move["action"] for move in moves]
            for record, move in zip(mine, moves, strict=True):
                assert {name: record[name] for name in move} == move
    audit(rigged.database_url)
