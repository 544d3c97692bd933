"""The service whose time and chance are fixed."""

from collections.abc import Iterator

import pytest

from tests.fixed import Fixed


@pytest.fixture
def fixed(database_url: str) -> Iterator[Fixed]:
    service = Fixed(database_url)
    yield service
    service.close()
