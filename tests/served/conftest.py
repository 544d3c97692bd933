"""Servers for the tests that want one: shared ones, and ones of their own that may be killed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import KINDS, Databases
from tests.served.server import APP, Server

WORKERS = 3
SETTINGS = {"WEB_CONCURRENCY": str(WORKERS), "GINAPI_LOG_LEVEL": "DEBUG"}


@dataclass(frozen=True, slots=True)
class Served:
    """A server, and the database that stands behind it."""

    server: Server
    database_url: str


@pytest.fixture(scope="session", params=KINDS)
def served(
    request: pytest.FixtureRequest, make_database: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """A service on each kind of database, shared by all tests that leave it standing."""
    url = make_database(request.param, migrated=False)
    server = Server(tmp_path_factory.mktemp("served"), {**SETTINGS, "GINAPI_DATABASE_URL": url})
    yield Served(server, url)
    server.stop()
    make_database.drop(url)


@pytest.fixture
def serve(database_url: str, tmp_path: Path) -> Iterator[Callable[[str], Served]]:
    """`serve(app)` starts a server of the test's own; GINAPI_TEST_STRINGS of a rigged app is `tmp_path`."""
    started: list[Server] = []

    def start(app: str = APP) -> Served:
        settings = {
            "WEB_CONCURRENCY": "2",
            "GINAPI_LOG_LEVEL": "DEBUG",
            "GINAPI_DATABASE_URL": database_url,
            "GINAPI_TEST_STRINGS": str(tmp_path),
        }
        started.append(Server(tmp_path, settings, app))
        return Served(started[-1], database_url)

    yield start
    for server in started:
        server.stop()
