"""A worker stopped with SQLite's lock, and one of two schedulers: the others go on, and nothing is done twice.

On PostgreSQL it can take a minute to catch one inside a transaction: there the drill is run by hand.
"""

from pathlib import Path

from drills.checker import faults
from drills.stack import ENDLESS, database, playing, running
from drills.stopped import MANNER, SCHEDULERS, STOPPED_S, drill, said
from tests.shares import FULL, SEED, share

CLIENTS = share(4, 2)


def test_who_is_stopped_keeps_others_out_for_a_while_and_does_nothing_twice(tmp_path: Path) -> None:
    with database("sqlite", tmp_path) as (url, _), running(tmp_path, url, schedulers=SCHEDULERS) as stack:
        with playing(stack, CLIENTS, ENDLESS, SEED, MANNER) as clients:
            told, found = drill(stack, clients, share(3, 1), SEED, STOPPED_S if FULL else 1.5, until_ended=FULL)
        print(said(found))
        assert [*found.faults, *faults(url, told)] == []
