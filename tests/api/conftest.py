"""The service in process, with a time that stands still, on either database."""

from collections.abc import Iterator

import pytest

from tests.api.caller import Api, Player
from tests.api.places import Places
from tests.conftest import KINDS, Databases


@pytest.fixture(scope="module", params=KINDS)
def module_api(request: pytest.FixtureRequest, make_database: Databases) -> Iterator[Api]:
    """The service on a database that a whole module shares: a new one for every test would take most of the time."""
    url = make_database(request.param)
    opened = Api(url)
    yield opened
    opened.close()
    make_database.drop(url)


@pytest.fixture
def api(module_api: Api) -> Api:
    """The service as a test finds it, where it has tables of its own beside those of the others."""
    module_api.start_anew()
    return module_api


@pytest.fixture
def fresh_api(database_url: str) -> Iterator[Api]:
    """The service on a database that is empty."""
    opened = Api(database_url)
    yield opened
    opened.close()


@pytest.fixture
def player(api: Api) -> Player:
    """One who has opened a table."""
    return Player(api)


@pytest.fixture(scope="module")
def places(module_api: Api) -> Places:
    """Two tables, a caller's own and another's, and an account."""
    account = module_api.post("/v1/accounts", {"name": "places", "password": "correct horse"}).json
    return Places(module_api, Player(module_api), Player(module_api), account["token"])
