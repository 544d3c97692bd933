"""What is counted as it happens: requests, moves, how late automatic ones are, and the streams that are open.

Each worker counts for itself. Where PROMETHEUS_MULTIPROC_DIR is set as this is first imported, in a file there, and
whoever is asked adds them all up; elsewhere in memory.
"""

import os
from collections.abc import Iterable, Sequence
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from ginapi.metrics.folder import VARIABLE

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})

# Each would be told beside when it began, which doubles what a scrape has to carry.
disable_created_metrics()
_FOLDER = os.environ.get(VARIABLE)
_COUNTED = CollectorRegistry()

_REQUESTS = Counter("ginapi_requests", "Requests answered.", ["route", "method", "status"], registry=_COUNTED)
_REQUEST_SECONDS = Histogram(
    "ginapi_request_seconds",
    "Time to the beginning of an answer, without what a long poll waited.",
    ["route", "method"],
    buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
    registry=_COUNTED,
)
_MOVES = Counter("ginapi_moves", "Moves committed, by who made them.", ["by"], registry=_COUNTED)
_LATE_SECONDS = Histogram(
    "ginapi_automatic_move_late_seconds",
    "From when an automatic move fell due to when it was settled.",
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600),
    registry=_COUNTED,
)
_UNSETTLED = Counter(
    "ginapi_settling_failures", "Tries to settle a table that failed for the table's own sake.", registry=_COUNTED
)
_FAULTS = Counter("ginapi_faults", "Requests, streams and jobs that failed by a fault of ours.", registry=_COUNTED)
_PLACES_TAKEN = Gauge(
    "ginapi_streams_open", "Streams and long polls held open.", multiprocess_mode="livesum", registry=_COUNTED
)
_PLACES = Gauge(
    "ginapi_streams_most",
    "How many streams and long polls are held open at most.",
    multiprocess_mode="livesum",
    registry=_COUNTED,
)
# There from the start, so that a first one shows as a rise.
_MOVES_BY: dict[str | None, Counter] = {by: _MOVES.labels(by) for by in ("player", "computer", "clock")}


def count_request(route: str, method: str, status: int, took_s: float) -> None:
    """A request was answered. `route` is a template: what was asked for by it is nobody's to know here."""
    method = method if method in METHODS else "other"
    _requests(route, method, status).inc()
    _request_seconds(route, method).observe(took_s)


# Looking a child up by its labels takes as long as counting does.
@cache
def _requests(route: str, method: str, status: int) -> Counter:
    return _REQUESTS.labels(route, method, status)


@cache
def _request_seconds(route: str, method: str) -> Histogram:
    return _REQUEST_SECONDS.labels(route, method)


def count_moves(made_by: Sequence[str | None]) -> None:
    """Moves were committed, each by somebody."""
    for by in set(made_by):
        _MOVES_BY[by].inc(made_by.count(by))


def count_late(late_ms: Iterable[int]) -> None:
    """Automatic moves were committed, each so long after it fell due."""
    for each_ms in late_ms:
        _LATE_SECONDS.observe(max(0, each_ms) / 1000)


def count_unsettled() -> None:
    """A table could not be settled."""
    _UNSETTLED.inc()


def count_fault() -> None:
    """A request, a stream or a job failed by a fault of ours."""
    _FAULTS.inc()


def take_place() -> None:
    """A stream or a long poll has begun to wait."""
    _PLACES_TAKEN.inc()


def give_place_back() -> None:
    """A stream or a long poll has ended."""
    _PLACES_TAKEN.dec()


def set_places(count: int) -> None:
    """So many streams and long polls can this process hold open."""
    _PLACES.set(count)


def written(beside: Collector) -> bytes:
    """All that was counted, by all workers that count together, and what is collected beside it."""
    everything = CollectorRegistry()
    everything.register(_COUNTED if _FOLDER is None else MultiProcessCollector(None, _FOLDER))
    everything.register(beside)
    return generate_latest(everything)
