"""PostgreSQL killed and started again, and lost for good with a standby promoted: the short forms of the two drills."""

import random
from pathlib import Path

from drills import away, postgres_away, promoted
from drills.checker import counted, faults
from drills.stack import ENDLESS, database, playing, running
from tests.shares import SEED, share


def test_nothing_acknowledged_is_lost_where_postgresql_is_killed(tmp_path: Path) -> None:
    with database("postgresql", tmp_path) as (url, postgresql), running(tmp_path, url, servers=2) as stack:
        assert postgresql is not None
        with playing(stack, postgres_away.CLIENTS, ENDLESS, SEED) as clients:
            told, took_s = away.drill(
                stack, postgres_away.taken(postgresql), clients, share(10, 1), random.Random(SEED)
            )
        print(counted(told), took_s)
        assert faults(url, told) == []


def test_nothing_acknowledged_is_lost_where_a_standby_is_promoted(tmp_path: Path) -> None:
    took_s, told, found = promoted.drill(tmp_path, SEED)
    print(counted(told), took_s)
    assert found == []
