"""`/metrics` of a real server: its workers count together, and one that dies takes only what it held open."""

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from ginapi.service.house import wall_clock_ms
from ginapi.store.database import Database
from tests.clock.clocked import FULL_MS
from tests.clock.stored import opened as opened_table
from tests.clock.stored import seat
from tests.conftest import KINDS, Databases
from tests.metrics.scraped import Samples, samples_of
from tests.served.following import Connection
from tests.served.playing import answered, connected, make_move, opened
from tests.served.scheduling import ended, start_scheduler
from tests.served.server import GINAPI, TOP, Server, environment
from tests.waiting import wait_until

WORKERS = 3
TOKEN = "a-token-for-the-metrics"
HEALTHZ = 'ginapi_requests_total{method="GET",route="/healthz",status="200"}'
MOVES = 'ginapi_requests_total{method="POST",route="/v1/hands/{hand_id}/moves",status="200"}'


def scraped(url: str) -> Samples:
    return samples_of(httpx.get(f"{url}/metrics", timeout=30, trust_env=False).raise_for_status().text)


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest, make_database: Databases, tmp_path: Path) -> Iterator[Server]:
    url = make_database(request.param, migrated=False)
    settings = {"WEB_CONCURRENCY": str(WORKERS), "GINAPI_DATABASE_URL": url, "GINAPI_METRICS_TOKEN": TOKEN}
    server = Server(tmp_path, settings)
    try:
        yield server
        assert server.stop() == 0
        assert "Traceback" not in server.log()
    finally:
        server.kill()
        make_database.drop(url)


def workers_of(server: Server) -> set[int]:
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text()
    return {int(pid) for pid in children.split()}


def test_whichever_worker_is_asked_tells_what_all_have_done_and_a_dead_one_takes_only_what_it_held(
    server: Server,
) -> None:
    for _ in range(60):
        # A connection each, so that every worker gets some.
        httpx.get(f"{server.url}/healthz", trust_env=False)
    caller, hand = opened(server.url, seed="metrics")
    with closing(caller):
        answered(make_move(caller, hand, {"action": "draw", "from": "stock"}))
    for _ in range(2 * WORKERS):
        found = scraped(server.url)
        assert (found[HEALTHZ], found[MOVES], found['ginapi_moves_total{by="player"}']) == (60, 1, 1)
        assert (found["ginapi_streams_open"], found["ginapi_streams_most"]) == (0, WORKERS * 64)
        assert (found["ginapi_database_up"], found["ginapi_ledger_faults"]) == (1, 0)
    with ExitStack() as stack:
        for _ in range(3):
            follower = stack.enter_context(closing(Connection(server.url, hand["token"])))
            assert follower.get(f"/v1/tables/{hand['table_id']}/events").status == 200
        assert scraped(server.url)["ginapi_streams_open"] == 3
        for pid in workers_of(server):
            os.kill(pid, signal.SIGKILL)
    wait_until(lambda: answers(server.url) and scraped(server.url)["ginapi_streams_most"] == WORKERS * 64)
    found = scraped(server.url)
    assert (found[HEALTHZ], found[MOVES], found['ginapi_moves_total{by="player"}']) == (60, 1, 1)
    assert found["ginapi_streams_open"] == 0


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/nothing", trust_env=False).status_code == 404
    except httpx.TransportError:
        return False


def test_its_folder_goes_with_the_server_and_what_a_killed_one_left_with_the_next(
    make_database: Databases, tmp_path: Path
) -> None:
    url = make_database("sqlite", migrated=False)
    server = Server(tmp_path, {"WEB_CONCURRENCY": "1", "GINAPI_DATABASE_URL": url})
    left = folder_of(server)
    assert left.exists()
    server.kill()
    assert left.exists()
    server.start()
    own = folder_of(server)
    assert own != left and own.exists() and not left.exists()
    assert server.stop() == 0
    assert not own.exists()


def folder_of(server: Server) -> Path:
    """Where a worker counts, as its environment says."""
    (pid,) = workers_of(server)
    maps = Path(f"/proc/{pid}/maps").read_text().splitlines()
    (folder,) = {Path(line.split()[-1]).parent for line in maps if "ginapi-metrics-" in line}
    return folder


def test_from_elsewhere_it_takes_the_token(server: Server) -> None:
    with connected(server.url) as caller:
        passed_on = {"X-Forwarded-For": "192.0.2.7"}
        assert caller.get("/metrics", headers=passed_on).status_code == 404
        assert caller.get("/metrics", headers={**passed_on, "Authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert TOKEN not in server.log()


@pytest.mark.parametrize("kind", KINDS)
def test_a_scheduler_by_itself_tells_what_it_settles_on_a_port_of_its_own(
    kind: str, make_database: Databases, tmp_path: Path
) -> None:
    url = make_database(kind)
    db = Database(url)
    seat(db, *(opened_table(number, now_ms=wall_clock_ms() - FULL_MS - 2_000) for number in (1, 2, 3)))
    with socket.create_server(("", 0)) as listener:
        port = listener.getsockname()[1]
    process = start_scheduler(url, tmp_path / "log", GINAPI_METRICS_PORT=str(port))
    here = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: answers(here))
        wait_until(lambda: scraped(here)['ginapi_moves_total{by="clock"}'] >= 3)
        found = scraped(here)
        late = "ginapi_automatic_move_late_seconds"
        assert found[f"{late}_count"] == found['ginapi_moves_total{by="clock"}']
        assert 2 <= found[f"{late}_sum"] / found[f"{late}_count"] < 60
        assert found["ginapi_settling_age_seconds"] < 30
        with connected(here) as caller:
            assert caller.get("/metrics", headers={"Via": "1.1 proxy"}).status_code == 404
            assert caller.get("/").status_code == 404
        assert ended(process, signal.SIGTERM)[0] == 0
        assert (tmp_path / "log").read_text() == ""
    finally:
        process.kill()
        process.wait()
        db.close()
        make_database.drop(url)


def test_a_port_that_is_taken_is_said_in_one_line(make_database: Databases) -> None:
    url = make_database("sqlite")
    with socket.create_server(("", 0)) as listener:
        port = str(listener.getsockname()[1])
        settings = environment(GINAPI_DATABASE_URL=url, GINAPI_METRICS_PORT=port)
        ran = subprocess.run([*GINAPI, "scheduler"], cwd=TOP, env=settings, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == f"Error: GINAPI_METRICS_PORT {port}: Address already in use.\n"
