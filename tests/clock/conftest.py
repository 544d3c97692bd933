"""The service in process, as the tests of the API have it, and a house whose time is set."""

import pytest

from ginapi.service.house import House
from ginapi.store.database import Database
from tests.api.conftest import api, fresh_api, module_api
from tests.clock.clocked import Now, drawer

__all__ = ["api", "fresh_api", "module_api"]


@pytest.fixture
def now() -> Now:
    return Now()


@pytest.fixture
def house(database: Database, now: Now) -> House:
    return House(database, now_ms=now, choose=drawer)
