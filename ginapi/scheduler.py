"""The scheduler: settle what is due, and deliver what is to be told. It bounds how late a table is settled, no more.

With it off, late or running several times over, the records are the same (R23). Its state is its own and dies with it:
a job store shared between several would run jobs twice, and one job a hand would lose them all in a crash.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from weakref import WeakKeyDictionary

from apscheduler.events import EVENT_SCHEDULER_SHUTDOWN
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler

from ginapi.config import DELIVERY_THREADS
from ginapi.logs import fault_fields, on_behalf_of
from ginapi.metrics.counted import count_fault
from ginapi.service import asking, checking, delivering, forgetting, serving, settling
from ginapi.service.house import House
from ginapi.service.readiness import Heart
from ginapi.store.database import Database
from ginapi.store.faults import Busy, Unavailable

LOOK_EVERY_MS = 50
DELIVER_EVERY_MS = 100
FORGET_EVERY_MS = 60_000
CHECK_EVERY_MS = checking.STEP_EVERY_MS // 2  # so that no more than a half passes between a step and the next
LOOK_AT_CLOCK_EVERY_MS = 1_000
SAY_AGAIN_AFTER_S = 10.0

_log = logging.getLogger(__name__)
_said_s: WeakKeyDictionary[Database, dict[str, float]] = WeakKeyDictionary()
"""When it was last logged that something ended, by `time.monotonic`, until it does not."""


def settle_due(
    house: House, is_stopping: Callable[[], bool] = lambda: False, beat: Callable[[], None] = lambda: None
) -> int:
    """Settle all that is overdue, the longest first, a table a transaction; how many there were.

    A `beat` after each: also whoever has much to do shows that it does it.
    """

    def settle_next(house: House) -> bool:
        was_due = settling.settle_next(house)
        beat()
        return was_due

    return _until_none(settle_next, house, is_stopping, "settling stopped")


def deliver_due(house: House, is_stopping: Callable[[], bool] = lambda: False) -> int:
    """Deliver to webhooks what is due, one after the other; how many tries there were."""
    return _until_none(delivering.deliver_next, house, is_stopping, "delivering stopped")


def forget_lapsed(house: House, is_stopping: Callable[[], bool] = lambda: False) -> int:
    """Forget the answers that have been kept for their keys for long enough, some a transaction."""
    return _until_none(asking.forget_lapsed, house, is_stopping, "forgetting stopped")


def forget_old(house: House, is_stopping: Callable[[], bool] = lambda: False) -> int:
    """Forget what has been kept for long enough, some a transaction; how many tokens, tickets, limits and tables."""
    count = 0
    with _logged(house, "forgetting stopped"):
        for forgotten in forgetting.forget(house):
            count += forgotten
            if is_stopping():
                break
    return count


def check_ledger(house: House) -> None:
    """Take the next step of the walk over the ledger, where nobody else has."""
    with _logged(house, "checking stopped"):
        checking.check_next(house)


def _until_none(do_next: Callable[[House], bool], house: House, is_stopping: Callable[[], bool], ended: str) -> int:
    """How often there was something to do; a database that cannot be used ends it, and is logged."""
    count = 0
    with _logged(house, ended):
        while not is_stopping() and do_next(house):
            count += 1
    return count


@contextmanager
def _logged(house: House, ended: str) -> Iterator[None]:
    """A database that cannot be used ends what is done, and is logged: there is a next time.

    As long as it goes on a line now and then is enough: a job tries many times a second.
    """
    said_s = _said_s.setdefault(house.db, {})
    try:
        yield
    except (Busy, Unavailable) as error:
        now_s = time.monotonic()
        if now_s - said_s.get(ended, -SAY_AGAIN_AFTER_S) >= SAY_AGAIN_AFTER_S:
            said_s[ended] = now_s
            _log.warning(ended, extra={"fault": type(error).__name__})
    else:
        said_s.pop(ended, None)


def beat(house: House) -> None:
    """Say that this process can serve."""
    with _logged(house, "no pulse"):
        serving.beat(house)


def start(
    house: House, *, settles: bool, serves: bool, is_stopping: Callable[[], bool] = lambda: False
) -> BackgroundScheduler:
    """A started scheduler: it settles what is due, delivers, checks the ledger and forgets what is old; where it serves
    it keeps the pulse, and forgets the answers to keys.

    Once `is_stopping` it begins no other table.
    """
    # A run that is skipped because one is under way is no news, and what a job fails of it has said itself.
    logging.getLogger("apscheduler.scheduler").setLevel(logging.ERROR)
    logging.getLogger("apscheduler.executors").setLevel(logging.CRITICAL)
    scheduler = BackgroundScheduler(timezone="UTC")
    # A run that is late is better than one that is dropped; one at a time is enough.
    every = {"trigger": "interval", "misfire_grace_time": None, "coalesce": True, "max_instances": 1}
    if settles:
        settle = _job("settle", settle_due, house, is_stopping, Heart(house).beat)
        scheduler.add_job(settle, seconds=LOOK_EVERY_MS / 1000, id="settle", **every)
        check = _job("check", check_ledger, house)
        scheduler.add_job(check, seconds=CHECK_EVERY_MS / 1000, id="check", **every)
        _deliver_by_threads(scheduler, house, is_stopping)
        forget_what_is_old = _job("forget-old", forget_old, house, is_stopping)
        scheduler.add_job(forget_what_is_old, seconds=FORGET_EVERY_MS / 1000, id="forget-old", **every)
    if serves:
        pulse = _job("beat", beat, house)
        pulse()
        scheduler.add_job(pulse, seconds=serving.PULSE_EVERY_MS / 1000, id="beat", **every)
        forget = _job("forget", forget_lapsed, house, is_stopping)
        scheduler.add_job(forget, seconds=FORGET_EVERY_MS / 1000, id="forget", **every)
    scheduler.start()
    _watch_clock(scheduler)
    return scheduler


def bring_forward(scheduler: BackgroundScheduler) -> None:
    """Run at once each job that would run later than its interval from now: the clock was set back meanwhile."""
    now = datetime.now(UTC)
    for job in scheduler.get_jobs():
        if job.next_run_time - now > job.trigger.interval:
            job.modify(next_run_time=now)


def _watch_clock(scheduler: BackgroundScheduler) -> None:
    """Until it is shut down. APScheduler waits for a time of day: for an hour more where the clock goes back by one."""
    over = threading.Event()
    scheduler.add_listener(lambda _: over.set(), EVENT_SCHEDULER_SHUTDOWN)

    def watch() -> None:
        while not over.wait(LOOK_AT_CLOCK_EVERY_MS / 1000):
            bring_forward(scheduler)

    threading.Thread(target=watch, name="clock", daemon=True).start()


def _deliver_by_threads(scheduler: BackgroundScheduler, house: House, is_stopping: Callable[[], bool]) -> None:
    # Threads of their own: whoever waits for a receiver keeps nothing from being settled. While some wait there, each
    # look is by one more, so that a receiver which takes its time keeps nothing from the others.
    scheduler.add_executor(ThreadPoolExecutor(DELIVERY_THREADS), "deliver")
    scheduler.add_job(
        _job("deliver", deliver_due, house, is_stopping),
        "interval",
        seconds=DELIVER_EVERY_MS / 1000,
        id="deliver",
        executor="deliver",
        misfire_grace_time=None,
        coalesce=True,
        max_instances=DELIVERY_THREADS,
    )


def _job(name: str, work: Callable[..., object], *arguments: object) -> Callable[[], None]:
    """Work as a job whose lines in the log name it. Whatever ends a run does not end the job: the next is tried."""

    def run() -> None:
        with on_behalf_of("job", name):
            try:
                work(*arguments)
            except Exception as fault:
                _log.error("a job failed", extra=fault_fields(fault))
                count_fault()
                raise

    return run
