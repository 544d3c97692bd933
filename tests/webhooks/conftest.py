"""The service in process, where webhooks may lead to loopback, and a receiver there."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from ginapi.service.house import House
from tests.accounts.conftest import cheap_passwords, fresh_api
from tests.api.caller import Api
from tests.api.conftest import api, module_api
from tests.webhooks.hooked import BothTold
from tests.webhooks.posting import Post
from tests.webhooks.receiver import Receiver, receiving

__all__ = ["api", "cheap_passwords", "fresh_api", "module_api"]


@pytest.fixture(autouse=True, scope="module")
def always_cheap(cheap_passwords: None) -> None:
    """Passwords cost little wherever accounts are only needed."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as opened:
        yield opened


@pytest.fixture
def other_receiver() -> Iterator[Receiver]:
    with receiving() as opened:
        yield opened


@pytest.fixture
def house(fresh_api: Api) -> House:
    """The house of `fresh_api`, by which webhooks may lead to loopback."""
    return replace(fresh_api.house, terms=replace(fresh_api.house.terms, webhook_private=True))


@pytest.fixture
def post(fresh_api: Api) -> Post:
    return Post(fresh_api)


@pytest.fixture
def two(fresh_api: Api) -> BothTold:
    return BothTold(fresh_api)
