"""The scheduler: one job, settle what is due. It only bounds how late a table that nobody looks at is settled.

With it off, late or running several times over, the records are the same (R23). Its state is its own and dies with it:
a job store shared between several would run jobs twice, and one job a hand would lose them all in a crash.
"""

import logging
from collections.abc import Callable

from apscheduler.schedulers.background import BackgroundScheduler

from ginapi.service import asking, serving, settling
from ginapi.service.house import House
from ginapi.store.faults import Busy, Unavailable

LOOK_EVERY_MS = 50
FORGET_EVERY_MS = 60_000

_log = logging.getLogger(__name__)


def settle_due(house: House, is_stopping: Callable[[], bool] = lambda: False) -> int:
    """Settle all that is overdue, the longest first, a table a transaction; how many there were."""
    count = 0
    try:
        while not is_stopping() and settling.settle_next(house):
            count += 1
    except (Busy, Unavailable) as error:
        _log.warning("settling stopped", extra={"fault": type(error).__name__})
    return count


def beat(house: House) -> None:
    """Say that this process can serve."""
    try:
        serving.beat(house)
    except (Busy, Unavailable) as error:
        _log.warning("no pulse", extra={"fault": type(error).__name__})


def forget_lapsed(house: House, is_stopping: Callable[[], bool] = lambda: False) -> None:
    """Forget the answers that have been kept for their keys for long enough."""
    try:
        while not is_stopping() and asking.forget_lapsed(house):
            pass
    except (Busy, Unavailable) as error:
        _log.warning("forgetting stopped", extra={"fault": type(error).__name__})


def start(
    house: House, *, settles: bool, serves: bool, is_stopping: Callable[[], bool] = lambda: False
) -> BackgroundScheduler:
    """A started scheduler: it settles what is due; in a process that serves it keeps the pulse, and forgets.

    Once `is_stopping` it begins no other table.
    """
    for name in ("apscheduler.executors", "apscheduler.scheduler"):
        # A run that is skipped because one is under way is no news.
        logging.getLogger(name).setLevel(logging.ERROR)
    scheduler = BackgroundScheduler(timezone="UTC")
    # A run that is late is better than one that is dropped; one at a time is enough.
    every = {"trigger": "interval", "misfire_grace_time": None, "coalesce": True, "max_instances": 1}
    if settles:
        scheduler.add_job(settle_due, seconds=LOOK_EVERY_MS / 1000, args=[house, is_stopping], id="settle", **every)
    if serves:
        beat(house)
        scheduler.add_job(beat, seconds=serving.PULSE_EVERY_MS / 1000, args=[house], id="beat", **every)
        scheduler.add_job(
            forget_lapsed, seconds=FORGET_EVERY_MS / 1000, args=[house, is_stopping], id="forget", **every
        )
    scheduler.start()
    return scheduler
