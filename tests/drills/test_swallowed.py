"""A proxy that swallows answers: what is sent again under its key is done once, and told."""

from pathlib import Path

import pytest

from drills.checker import counted, faults
from drills.stack import database, running
from drills.swallowed import drill
from tests.conftest import KINDS
from tests.shares import SEED, share

MOVES, CLIENTS = share(4_000, 60), share(4, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_swallowed_was_done_once(kind: str, tmp_path: Path) -> None:
    with database(kind, tmp_path) as (url, _), running(tmp_path, url) as stack:
        told, met = drill(stack, MOVES, SEED, CLIENTS)
        print(dict(met), counted(told))
        assert met["swallowed"] and met["not passed on"] and met["cut short"]
        assert faults(url, told) == []
