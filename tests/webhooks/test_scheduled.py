"""Who delivers: the scheduler, by threads of its own, in the workers or as its own process."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from ginapi import scheduler
from ginapi.service.house import House, wall_clock_ms
from ginapi.store import schema
from ginapi.store.database import Database
from tests.api.caller import Api
from tests.conftest import KINDS, Databases
from tests.online.pairs import Pair
from tests.served.playing import PASSWORD, answered, connected
from tests.served.scheduling import start_scheduler
from tests.served.server import Server
from tests.waiting import wait_until
from tests.webhooks.hooked import HAND, MATCH, TURN, hooked, waiting
from tests.webhooks.receiver import LIMIT_S, Receiver, Sent


@contextmanager
def scheduling(house: House) -> Iterator[None]:
    running = scheduler.start(house, settles=True, serves=False)
    try:
        yield
    finally:
        running.shutdown()


class Held:
    """A receiver that takes what it is sent and does not answer until it is let go."""

    def __init__(self, receiver: Receiver) -> None:
        self.go_on = threading.Event()
        receiver.wait = self

    def __call__(self, sent: Sent) -> None:
        self.go_on.wait(LIMIT_S)


def test_a_receiver_that_does_not_answer_keeps_nothing_from_others_nor_from_being_settled(
    fresh_api: Api, house: House, receiver: Receiver, other_receiver: Receiver
) -> None:
    (slow, _), (quick, _) = hooked(fresh_api, receiver.url()), hooked(fresh_api, other_receiver.url())
    held = Held(receiver)
    with scheduling(house):
        pair = Pair(fresh_api, (slow, quick))
        receiver.wait_for(1)
        pair.seats[1].leave()
        assert [one.told["type"] for one in other_receiver.wait_for(2)] == [HAND, MATCH]
        other_receiver.take()
        overdue = Pair(fresh_api, (slow, quick), clock={"move_ms": 5_000})
        opened_at = table_version(fresh_api, overdue.id)
        fresh_api.clock.now_ms += 5_500  # The clock draws for seat 0.
        wait_until(lambda: table_version(fresh_api, overdue.id) > opened_at)
        overdue.seats[1].leave()
        assert [one.told["type"] for one in other_receiver.wait_for(2)] == [HAND, MATCH]
        assert len(receiver.sent) == 1, "one at a time"
        held.go_on.set()
        wait_until(lambda: all_is_told(fresh_api))


def all_is_told(api: Api) -> bool:
    """Whether nothing waits any more; each time that it is asked a second has passed."""
    api.clock.now_ms += 1_000
    return not waiting(api.database)


def table_version(api: Api, table_id: str) -> int:
    with api.database.read() as tx:
        found: int = tx.exec_driver_sql(f"SELECT version FROM tables WHERE id = '{table_id}'").scalar_one()
        return found


def test_many_receivers_that_do_not_answer_are_waited_for_side_by_side(
    fresh_api: Api, house: House, receiver: Receiver
) -> None:
    tokens = [hooked(fresh_api, receiver.url())[0] for _ in range(8)]
    for token in tokens:
        Pair(fresh_api, (token, None))
    held = Held(receiver)
    with scheduling(house):
        assert {one.told["type"] for one in receiver.wait_for(8)} == {TURN}
        held.go_on.set()
        wait_until(lambda: all_is_told(fresh_api))


def account(url: str, name: str) -> str:
    with connected(url) as nobody:
        token: str = answered(nobody.post("/v1/accounts", json={"name": name, "password": PASSWORD}), 201)["token"]
        return token


def play_a_turn(caller: httpx.Client, other: httpx.Client) -> None:
    """A table that both sit at, its first turn made by who opened it, and left by the other."""
    table = answered(caller.post("/v1/tables", json={"kind": "online"}), 201)
    table = answered(other.post(f"/v1/tables/{table['id']}/seats"), 201)
    moves = f"/v1/hands/{table['hand_id']}/moves"
    drawn = answered(caller.post(moves, json={"action": "draw", "from": "stock"}))
    answered(caller.post(moves, json={"action": "discard", "card": drawn["drawn_card"]}))
    answered(other.post(f"/v1/tables/{table['id']}/leave"))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mode", ["worker", "process"])
def test_the_service_delivers_over_http_what_happened_over_http(
    mode: str, kind: str, make_database: Databases, tmp_path: Path, receiver: Receiver
) -> None:
    url = make_database(kind)
    settings = {"WEB_CONCURRENCY": "2", "GINAPI_DATABASE_URL": url, "GINAPI_SCHEDULER": mode}
    server = Server(tmp_path, {**settings, "GINAPI_WEBHOOK_PRIVATE": "on"})
    beside = None
    try:
        with connected(server.url, account(server.url, "ana")) as ana, connected(server.url) as nobody:
            address = f"http://127.0.0.1:{receiver.port}/told"
            secret = answered(ana.post("/v1/webhooks", json={"url": address}), 201)["secret"]
            guest = answered(nobody.post("/v1/hands"), 201)["token"]
            with connected(server.url, guest) as other:
                play_a_turn(ana, other)
        if mode == "process":
            beside = start_scheduler(url, tmp_path / "scheduler.log", GINAPI_WEBHOOK_PRIVATE="on")
        sent = receiver.wait_for(3)
        assert [one.told["type"] for one in sent] == [TURN, HAND, MATCH]
        assert all(one.is_signed_with(secret) for one in sent)
        assert server.stop() == 0
        assert "Traceback" not in server.log()
    finally:
        if beside is not None:
            beside.kill()
            beside.wait()
        server.kill()
        make_database.drop(url)


def one_waits(api: Api, receiver: Receiver) -> dict[str, Any]:
    """The secret of a webhook for which one delivery waits, by real time, at a table where nothing is due."""
    token, webhook = hooked(api, receiver.url())
    Pair(api, (token, None)).seats[1].leave()
    rows = schema.deliveries
    now_ms = wall_clock_ms()
    with api.database.write() as tx:
        tx.execute(rows.delete().where(rows.c.event != TURN))
        tx.execute(rows.update().values(created_ms=now_ms, due_ms=now_ms))
    return webhook


def expire_leases(db: Database) -> None:
    """Their time has run out: nothing here waits a quarter of a minute for it."""
    with db.write() as tx:
        tx.execute(schema.webhooks.update().values(free_ms=0))
        tx.execute(schema.deliveries.update().values(due_ms=0))


def test_a_scheduler_killed_while_it_sends_is_followed_by_one_that_sends_the_same_again(
    fresh_api: Api, receiver: Receiver, tmp_path: Path
) -> None:
    webhook = one_waits(fresh_api, receiver)
    held = Held(receiver)
    url = fresh_api.database.url.render_as_string(hide_password=False)
    killed = start_scheduler(url, tmp_path / "log", GINAPI_WEBHOOK_PRIVATE="on")
    try:
        receiver.wait_for(1)
        killed.kill()
        killed.wait()
        held.go_on.set()
        (row,) = waiting(fresh_api.database)
        assert row["attempts"] == 1
        expire_leases(fresh_api.database)
        after = start_scheduler(url, tmp_path / "log", GINAPI_WEBHOOK_PRIVATE="on")
        try:
            first, second = receiver.wait_for(2)
            assert (first.id, first.body) == (second.id, second.body) == (row["id"], row["body"].encode())
            assert first.is_signed_with(webhook["secret"]) and second.is_signed_with(webhook["secret"])
            wait_until(lambda: not waiting(fresh_api.database))
            after.send_signal(signal.SIGTERM)
            assert after.wait(LIMIT_S) == 0
        finally:
            after.kill()
            after.wait()
    finally:
        killed.kill()
        killed.wait()
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_a_scheduler_that_is_told_to_stop_waits_for_a_receiver_no_longer_than_a_try(
    fresh_api: Api, receiver: Receiver, tmp_path: Path
) -> None:
    one_waits(fresh_api, receiver)
    held = Held(receiver)
    url = fresh_api.database.url.render_as_string(hide_password=False)
    process = start_scheduler(url, tmp_path / "log", GINAPI_WEBHOOK_PRIVATE="on")
    try:
        receiver.wait_for(1)
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT_S) == 0
        assert time.monotonic() - began < 8
    finally:
        held.go_on.set()
        process.kill()
        process.wait()
    (row,) = waiting(fresh_api.database)
    assert row["attempts"] == 1
