"""The service in process, with a time that stands still, on either database."""

from collections.abc import Iterator

import pytest

from tests.api.caller import Api, Player
from tests.conftest import KINDS, Databases


@pytest.fixture
def api(database_url: str) -> Iterator[Api]:
    """The service on a fresh database."""
    opened = Api(database_url)
    yield opened
    opened.close()


@pytest.fixture
def player(api: Api) -> Player:
    """One who has opened a table."""
    return Player(api)


@pytest.fixture(scope="module", params=KINDS)
def kept_api(request: pytest.FixtureRequest, make_database: Databases) -> Iterator[Api]:
    """The service on a database that a whole module shares, where each test has tables of its own."""
    url = make_database(request.param)
    opened = Api(url)
    yield opened
    opened.close()
    make_database.drop(url)
