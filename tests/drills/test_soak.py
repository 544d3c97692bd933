"""The soak in short: too short to tell whether memory grows, and long enough for everybody to come and be answered."""

from collections import Counter
from pathlib import Path

from drills.soak import soak
from drills.stack import database, running
from tests.shares import FULL, SEED


def test_nobody_who_visits_meets_a_fault(tmp_path: Path) -> None:
    with database("sqlite", tmp_path) as (url, _), running(tmp_path, url) as stack:
        looks, visitors = soak(stack, 30.0 if FULL else 0.05, SEED)
        log = stack.log()
    statuses = sum((visitor.statuses for visitor in visitors), Counter[int]())
    assert looks and log == ""
    assert statuses[200] and statuses[201] and not [status for status in statuses if status >= 500]
