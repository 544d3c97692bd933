"""Accounts that play each other, on either database."""

from tests.accounts.conftest import cheap_passwords, fresh_api
from tests.api.conftest import api, module_api

__all__ = ["api", "cheap_passwords", "fresh_api", "module_api"]
