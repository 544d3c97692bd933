"""gunicorn's settings for the ceiling: the product's own, less what looks after its app."""

from typing import Any

from ginapi.gunicorn_settings import *  # noqa: F403  # as gunicorn.conf.py does: they are names for gunicorn


def post_worker_init(worker: Any) -> None:
    """The ceiling has nobody who waits."""
