"""Two people and the service in process; streams that end where they would wait."""

import pytest

from tests.accounts.conftest import cheap_passwords, fresh_api
from tests.api.caller import Api
from tests.api.conftest import api, module_api
from tests.online.pairs import Pair

__all__ = ["api", "cheap_passwords", "fresh_api", "module_api"]


@pytest.fixture
def pair(api: Api) -> Pair:
    """Two guests at a public table, their first hand dealt."""
    return Pair(api)


@pytest.fixture
def ending(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process about to end: a stream tells all that there is, and ends."""
    monkeypatch.setattr(api.app.extensions["ginapi"].watch, "is_stopping", lambda: True)
