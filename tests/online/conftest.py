"""Two people and the service in process, with passwords that cost little."""

import pytest

from tests.accounts.conftest import cheap_passwords, fresh_api
from tests.api.caller import Api
from tests.api.conftest import api, module_api
from tests.online.pairs import Pair
from tests.served.conftest import served

__all__ = ["api", "cheap_passwords", "fresh_api", "module_api", "served"]


@pytest.fixture
def pair(api: Api) -> Pair:
    """Two guests at a public table, their first hand dealt."""
    return Pair(api)
