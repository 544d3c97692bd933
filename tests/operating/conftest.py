"""The service in process, as the tests of the API and of accounts have it; and the command, on its database."""

from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from ginapi.cli import main
from tests.accounts.conftest import cheap_passwords, fresh_api
from tests.api.caller import Api
from tests.api.conftest import api, module_api

__all__ = ["api", "cheap_passwords", "fresh_api", "module_api"]

Command = Callable[..., Result]


def command_on(url: str) -> Command:
    """Runs `ginapi` with some arguments on the database at `url`."""
    return lambda *arguments: CliRunner().invoke(main, list(arguments), env={"GINAPI_DATABASE_URL": url})


@pytest.fixture
def ginapi(fresh_api: Api) -> Command:
    """Runs `ginapi` with some arguments beside the service."""
    return command_on(fresh_api.database.url.render_as_string(hide_password=False))
