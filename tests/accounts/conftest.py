"""The service in process, as the tests of the API have it; a fresh one is a used one whose database was emptied."""

from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher

from ginapi.service import passwords
from ginapi.store import schema
from tests.api.caller import Api
from tests.api.conftest import api, module_api

__all__ = ["api", "fresh_api", "module_api"]


@pytest.fixture
def fresh_api(api: Api) -> Api:
    """The service on a database that is empty: a new app for every test would take most of the time."""
    with api.database.write() as tx:
        for table in reversed(schema.metadata.sorted_tables):
            tx.execute(table.delete())
    return api


@pytest.fixture(scope="module")
def cheap_passwords() -> Iterator[None]:
    """Passwords that cost little, for tests that are about something else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        yield
