"""The service in process as the tests of the API have it, with passwords that cost little."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from argon2 import PasswordHasher

from ginapi.api import create_app
from ginapi.config import Config
from ginapi.service import passwords
from ginapi.service.house import Terms
from tests.api.caller import Api
from tests.api.conftest import api, fresh_api, module_api
from tests.served.conftest import served

__all__ = ["api", "fresh_api", "module_api", "served"]


@pytest.fixture(scope="module", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """What a password costs is proved elsewhere: here there are hundreds of accounts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        yield


@pytest.fixture
def under(database_url: str) -> Iterator[Callable[..., Api]]:
    """`under(GINAPI_STAKES="50")` is the service under other settings, on one database each time."""
    opened: list[Api] = []

    def with_settings(**settings: str) -> Api:
        api = Api(database_url)
        opened.append(api)
        config = Config.from_env({"GINAPI_DATABASE_URL": database_url, "GINAPI_LOG_LEVEL": "CRITICAL", **settings})
        api.house = replace(api.house, terms=Terms.of(config))
        api.app = create_app(config, api.house)
        api.http = api.app.test_client()
        return api

    yield with_settings
    for one in opened:
        one.close()
