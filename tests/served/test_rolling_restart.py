"""The drill of rolling restarts, in short: workers replaced, and hosts stopped in turn, lose nobody a request."""

import random
import socket

import pytest

from drills.rolling_host import Fault, Load
from drills.rolling_restart import Client, Told, run
from tests.conftest import Databases

RESTARTS = 2


@pytest.mark.parametrize(("kind", "hosts"), [("sqlite", 1), ("postgresql", 2)], ids=["workers", "hosts"])
def test_no_request_that_carries_a_key_fails_after_one_retry(kind: str, hosts: int, make_database: Databases) -> None:
    figures, faults = run(Load(make_database(kind, migrated=False), restarts=RESTARTS, hosts=hosts, clients=4))
    assert faults == [], figures


def test_a_request_that_nobody_answers_twice_is_a_fault() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    told = Told()
    with pytest.raises(Fault, match="POST /v1/hands failed after one retry: no answer ConnectionRefusedError"):
        Client([port], told, random.Random(1)).ask("POST", "/v1/hands", {})
    assert (told.requests, told.retried) == (1, 1)
