"""More streams than there are places: those above are told when to come again, and others are answered meanwhile."""

from pathlib import Path

import httpx

from drills.floods import Measured, streams
from drills.stack import database, running
from tests.metrics.scraped import samples_of
from tests.waiting import wait_until

SETTINGS = {"GINAPI_STREAMS": "4"}


def test_streams_above_the_cap_are_refused_and_leave_nothing_behind(tmp_path: Path) -> None:
    with database("sqlite", tmp_path) as (url, _), running(tmp_path, url, schedulers=0, more=SETTINGS) as stack:

        def held_open() -> float:
            return samples_of(httpx.get(f"{stack.urls[0]}/metrics").text)["ginapi_streams_open"]

        for _ in range(2):
            found = Measured()
            streams(stack, found, count=24, by=8, flood_s=1.0)
            assert found.faults == []
            assert found.streams[200] <= 2 * 4
            wait_until(lambda: held_open() == 0)
