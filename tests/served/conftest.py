"""Servers for the tests that want one, on each kind of database: started once, and shared."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import KINDS, Databases
from tests.served.server import APP, RIGGED, Server


@dataclass(frozen=True, slots=True)
class Served:
    """A server, the database that stands behind it, and the folder where a rigged one's strings hang."""

    server: Server
    database_url: str
    folder: Path

    def pull(self, string: str) -> None:
        """Pull a string of a rigged server."""
        (self.folder / string).touch()

    def is_pulled(self, string: str) -> bool:
        """Whether a pull still waits to work."""
        return (self.folder / string).exists()


def _serving(request: pytest.FixtureRequest, workers: int, app: str = APP) -> Iterator[Served]:
    databases: Databases = request.getfixturevalue("make_database")
    folder: Path = request.getfixturevalue("tmp_path_factory").mktemp("served")
    url = databases(request.param, migrated=False)
    settings = {
        "WEB_CONCURRENCY": str(workers),
        "GINAPI_LOG_LEVEL": "DEBUG",
        "GINAPI_DATABASE_URL": url,
        "GINAPI_TEST_STRINGS": str(folder),
    }
    server = Server(folder, settings, app)
    try:
        yield Served(server, url, folder)
        assert server.stop() == 0
    finally:
        server.kill()
        databases.drop(url)


@pytest.fixture(scope="session", params=KINDS)
def served(request: pytest.FixtureRequest) -> Iterator[Served]:
    """The service on each kind of database, shared by all tests that leave it standing."""
    yield from _serving(request, workers=3)


@pytest.fixture(scope="session", params=KINDS)
def rigged(request: pytest.FixtureRequest) -> Iterator[Served]:
    """The service with strings to pull, shared by the tests that pull them; whoever kills it starts it again."""
    yield from _serving(request, 2, RIGGED)
