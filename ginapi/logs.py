"""The log: lines of JSON on standard error, each with the request or the job that it was written on behalf of."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pythonjsonlogger.orjson import OrjsonFormatter

_behalf: ContextVar[tuple[str, str] | None] = ContextVar("behalf", default=None)


def set_up_logs(level: str) -> None:
    """Log to standard error as JSON, once a process."""
    logger = logging.getLogger("ginapi")
    if not logger.handlers:
        handler = logging.StreamHandler()
        handler.addFilter(say_on_whose_behalf)
        handler.setFormatter(
            OrjsonFormatter(
                "%(levelname)s %(name)s %(message)s %(process)d",
                timestamp=True,
                rename_fields={"levelname": "level", "name": "logger"},
            )
        )
        logger.addHandler(handler)
        logger.propagate = False
    logger.setLevel(level)


def set_behalf(name: str, value: str) -> None:
    """All that this thread logs from here on is on behalf of this: `request_id` or `job`, and which."""
    _behalf.set((name, value))


def clear_behalf() -> None:
    """What this thread logs from here on is on nobody's behalf."""
    _behalf.set(None)


@contextmanager
def on_behalf_of(name: str, value: str) -> Iterator[None]:
    """As `set_behalf`, for a block."""
    before = _behalf.get()
    set_behalf(name, value)
    try:
        yield
    finally:
        # Not by its token: a generator that is given up may be closed by another thread, which has none of it.
        _behalf.set(before)


def say_on_whose_behalf(record: logging.LogRecord) -> bool:
    """A filter of handlers that lets every line pass, and says on whose behalf it was written."""
    behalf = _behalf.get()
    if behalf is not None:
        setattr(record, *behalf)
    return True


def without_what_was_sent(record: logging.LogRecord) -> bool:
    """A filter for gunicorn's log: of a request that it refuses or fails, not what was sent, which may be a token."""
    for beginning in ("Invalid request", "Error handling request"):
        if str(record.msg).startswith(beginning):
            fault = record.exc_info[1] if record.exc_info else None
            record.msg, record.args = f"{beginning}.", ()
            if fault is not None:
                record.msg = "{0}. {fault} at {where}".format(beginning, **fault_fields(fault))
            record.exc_info = None
    return True


def fault_fields(error: BaseException) -> dict[str, str]:
    """What a line says of an unforeseen fault: what kind, and where. Not its message, which may quote what was sent."""
    frames = error.__traceback__
    while frames is not None and frames.tb_next is not None:
        frames = frames.tb_next
    where = "" if frames is None else f"{frames.tb_frame.f_code.co_filename}:{frames.tb_lineno}"
    return {"fault": type(error).__name__, "where": where}
