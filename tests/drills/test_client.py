"""How a client of the drills asks: what it sends again, to whom, and when it gives up."""

import random
import socket
import threading
from contextlib import ExitStack

import pytest

from drills.checker import faults
from drills.client import Client, Manner, Unanswered, run
from tests.conftest import Databases
from tests.webhooks.receiver import Receiver, receiving

TWICE = Manner(attempts=2)


def asking(*urls: str) -> Client:
    """A client that sends twice what gets no answer, at the most."""
    return Client([*urls], random.Random(1), TWICE)


def address(receiver: Receiver) -> str:
    return f"http://127.0.0.1:{receiver.port}"


def nowhere() -> str:
    """Where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_what_nobody_answers_twice_is_a_fault() -> None:
    client = asking(nowhere())
    failed = "POST /v1/hands failed 2 times: no answer, ConnectionRefusedError, then no answer, ConnectionRefusedError"
    with pytest.raises(Unanswered, match=failed):
        client.ask("POST", "/v1/hands", {})
    assert (client.asked, client.cut, client.put_off) == (1, 2, 0)


def test_a_fault_that_a_client_met_is_among_those_that_are_found(make_database: Databases) -> None:
    told = run([nowhere()], "a fault", 1, TWICE, lambda: False)
    [fault] = faults(make_database("sqlite"), [told])
    assert fault.startswith("POST /v1/accounts failed 2 times")


def test_what_gets_503_is_sent_once_more_under_its_key() -> None:
    with receiving() as receiver:
        receiver.answers = [503]
        client = asking(address(receiver))
        assert client.ask("POST", "/v1/hands", {}).status_code == 204
        first, second = receiver.sent
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"]
    assert (client.asked, client.cut, client.put_off) == (1, 0, 1)


def test_the_second_time_another_host_is_asked() -> None:
    with ExitStack() as held:
        receivers = [held.enter_context(receiving()) for _ in range(2)]
        for receiver in receivers:
            receiver.answers = [503]
        with pytest.raises(Unanswered, match="failed 2 times: 503 , then 503 "):
            asking(*map(address, receivers)).ask("POST", "/v1/hands", {})
        assert [len(receiver.sent) for receiver in receivers] == [1, 1]


def test_only_503_is_a_reason_to_send_it_once_more() -> None:
    with receiving() as receiver:
        receiver.answers = [429]
        with pytest.raises(AssertionError, match="POST /v1/hands was put off"):
            asking(address(receiver)).ask("POST", "/v1/hands", {})
        assert len(receiver.sent) == 1


def test_what_is_sent_down_a_connection_that_was_closed_gets_no_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer_once_each() -> None:
            for _ in range(2):
                with listener.accept()[0] as line:
                    line.recv(65_536)
                    line.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

        thread = threading.Thread(target=answer_once_each)
        thread.start()
        client = asking(f"http://127.0.0.1:{listener.getsockname()[1]}")
        for _ in range(2):
            assert client.ask("POST", "/v1/hands", {}).status_code == 204
        client.hang_up()
        thread.join()
    assert (client.asked, client.cut, client.put_off) == (2, 1, 0)
