"""More streams than there are places: those above are told when to come again, and others are answered meanwhile."""

from pathlib import Path

from drills.floods import Measured, sizes, streams
from drills.stack import database, running

SETTINGS = {"GINAPI_STREAMS": "4"}


def test_streams_above_the_cap_are_refused_and_leave_nothing_behind(tmp_path: Path) -> None:
    found = Measured()
    with database("sqlite", tmp_path) as (url, _), running(tmp_path, url, schedulers=0, more=SETTINGS) as stack:
        for _ in range(2):
            streams(stack, found, count=24, by=8, flood_s=1.0)
        assert found.faults == []
        assert found.streams[200] <= 2 * 8
        threads, _ = sizes(stack)
        assert threads < 2 * 32
