"""Workers, masters, the scheduler and PostgreSQL killed meanwhile: what was acknowledged is there, once."""

from pathlib import Path

import pytest

from drills.checker import counted, faults
from drills.kills import SERVERS, drill
from drills.stack import database, running
from tests.conftest import KINDS
from tests.shares import SEED, share

MOVES = share(20_000, 160)
KILLS = share(50, 3)


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_acknowledged_is_there_once(kind: str, tmp_path: Path) -> None:
    with database(kind, tmp_path) as (url, postgresql), running(tmp_path, url, servers=SERVERS) as stack:
        told, killer = drill(stack, postgresql, MOVES, KILLS, SEED)
        print(dict(killer.killed), counted(told))
        assert faults(url, told) == []
