"""The drill of rolling restarts, in short: workers replaced, and hosts stopped in turn, lose nobody a request."""

from pathlib import Path

import pytest

from drills.checker import counted, faults
from drills.rolling_restart import MANNER, Measured, drill, hosts, said
from drills.stack import ENDLESS, database, playing
from tests.shares import SEED, share

RESTARTS = share(10, 2)
CLIENTS = share(6, 4)


@pytest.mark.parametrize(("kind", "count"), [("sqlite", 1), ("postgresql", 2)], ids=["workers", "hosts"])
def test_no_request_fails_after_one_retry(kind: str, count: int, tmp_path: Path) -> None:
    found = Measured()
    with database(kind, tmp_path) as (url, _), hosts(tmp_path, url, count) as stack:
        with playing(stack, CLIENTS, ENDLESS, SEED, MANNER) as clients:
            told = drill(stack, clients, RESTARTS, found)
        print(said(stack, found), counted(told))
        assert [*found.faults, *faults(url, told)] == []
