"""Limits across real workers: together they let through what one would, and a legal move besides."""

import re
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.conftest import KINDS, Databases
from tests.served.playing import answered, choice, connected, make_move, opened
from tests.served.server import Server
from tests.shares import numbers, share

QUOTA = 1_000
CONNECTIONS = 12


@pytest.fixture(params=[(kind, servers) for kind in KINDS for servers in (1, 2)], ids=lambda one: f"{one[0]}-{one[1]}")
def urls(request: pytest.FixtureRequest, make_database: Databases, tmp_path: Path) -> Iterator[list[str]]:
    """Where four workers answer: in one server, or two in each of two on the same database."""
    kind, servers = request.param
    database_url = make_database(kind, migrated=False)
    settings = {
        "WEB_CONCURRENCY": str(4 // servers),
        "GINAPI_DATABASE_URL": database_url,
        "GINAPI_LOG_LEVEL": "WARNING",
        "GINAPI_RATE_LIMITS": f"requests={QUOTA}/600",
    }
    running: list[Server] = []
    with ExitStack() as stack:
        for number in range(servers):
            folder = tmp_path / str(number)
            folder.mkdir()
            server = Server(folder, settings)
            stack.callback(server.kill)
            running.append(server)
        yield [server.url for server in running]
        for server in running:
            assert server.stop() == 0
    make_database.drop(database_url)


def flood(urls: list[str], path: str, token: str | None, most: int) -> list[httpx.Response]:
    """Requests over many connections at once, until each has been turned away ten times; what they were told."""
    told: list[httpx.Response] = []
    gate = threading.Barrier(CONNECTIONS)

    def ask(number: int) -> list[httpx.Response]:
        mine: list[httpx.Response] = []
        with connected(urls[number % len(urls)], token) as client:
            gate.wait(60)
            while len(mine) < most and sum(one.status_code == 429 for one in mine) < 10:
                mine.append(client.get(path))
        return mine

    with ThreadPoolExecutor(CONNECTIONS) as threads:
        for mine in threads.map(ask, range(CONNECTIONS)):
            told += mine
    return told


def test_a_limit_holds_across_workers_within_5_percent_and_stops_no_legal_move(urls: list[str]) -> None:
    caller, hand = opened(urls[0], level="easy")
    with caller:
        token = hand["token"]
        taken = {who: taken_by_a_flood(urls, path, who) for who, path in ((None, "/v1/rules"), (token, "/v1/me"))}
        chance = numbers("limits")
        for number in range(2, 2 + share(20, 2)):
            while hand["phase"] != "finished":
                # Each move over a connection of its own: by whichever worker takes it.
                with connected(urls[hand["version"] % len(urls)], token) as mover:
                    hand = answered(make_move(mover, hand, choice(chance, hand)))
            if max(hand["scores"]) >= hand["target"]:
                break
            hand = answered(caller.post(f"/v1/tables/{hand['table_id']}/hands", json={"number": number}), 201)
        # A worker that the flood did not reach has its own part to hand out yet, and that counts with the rest.
        taken[token] += Counter(one.status_code for one in flood(urls, "/v1/me", token, most=QUOTA))[200]
    assert all(0.95 * QUOTA <= count <= 1.05 * QUOTA for count in taken.values()), taken


def taken_by_a_flood(urls: list[str], path: str, token: str | None) -> int:
    """How many requests were let through of a flood that went on until all its connections were turned away."""
    told = flood(urls, path, token, most=QUOTA)
    for answer in told:
        check_headers(answer)
    counted = Counter(answer.status_code for answer in told)
    assert set(counted) == {200, 429}
    return counted[200]


def check_headers(answer: httpx.Response) -> None:
    """Raises AssertionError where the limit is not shown as it is, or a refusal does not say when to come back."""
    assert answer.headers["RateLimit-Policy"] == f'"requests";q={QUOTA};w=600'
    shown = re.fullmatch(r'"requests";r=([0-9]+);t=([0-9]+)', answer.headers["RateLimit"])
    assert shown and int(shown[1]) < QUOTA and 0 < int(shown[2]) <= 600
    if answer.status_code == 429:
        assert answer.json()["code"] == "too_many_requests"
        assert (shown[1], shown[2]) == ("0", answer.headers["Retry-After"])
