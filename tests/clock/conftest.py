"""The service in process, as the tests of the API have it."""

from tests.api.conftest import api, fresh_api, module_api

__all__ = ["api", "fresh_api", "module_api"]
