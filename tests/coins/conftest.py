"""The service in process as the tests of the API have it, with passwords that cost little."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from ginapi.api import create_app
from ginapi.config import Config
from ginapi.service.house import Terms
from tests.accounts.conftest import cheap_passwords, fresh_api
from tests.api.caller import Api
from tests.api.conftest import api, module_api
from tests.served.conftest import served

__all__ = ["api", "cheap_passwords", "fresh_api", "module_api", "served"]


@pytest.fixture(scope="module", autouse=True)
def always_cheap(cheap_passwords: None) -> None:
    """What a password costs is proved elsewhere: here there are hundreds of accounts."""


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
