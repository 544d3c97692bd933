"""The service in process as the tests of the API have it, with passwords that cost little."""

from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher

from ginapi.service import passwords
from tests.api.conftest import api, fresh_api, module_api
from tests.served.conftest import served

__all__ = ["api", "fresh_api", "module_api", "served"]


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """What a password costs is proved elsewhere: here there are hundreds of accounts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        yield
