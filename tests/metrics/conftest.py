"""The service in process, and a house whose time is set."""

from tests.accounts.conftest import cheap_passwords
from tests.api.conftest import api, fresh_api, module_api
from tests.clock.conftest import house, now

__all__ = ["api", "cheap_passwords", "fresh_api", "house", "module_api", "now"]
