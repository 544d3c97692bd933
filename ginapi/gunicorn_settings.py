"""How gunicorn serves ginapi; `gunicorn.conf.py` at the top of the checkout hands these names to it."""

import gc
import os
import signal
from importlib import import_module
from typing import Any

from ginapi.config import Config, WrongSettings
from ginapi.settings import ANSWERING_THREADS


def _config() -> Config:
    try:
        return Config.from_env(os.environ)
    except WrongSettings as wrong:
        # gunicorn prints a traceback for any other exception that it meets in its settings.
        raise SystemExit(f"ginapi cannot start: {wrong}") from None


_CONFIG = _config()

wsgi_app = "wsgi:app"
bind = f"0.0.0.0:{_CONFIG.port}"
worker_class = "gthread"
workers = _CONFIG.worker_count
# Every stream and long poll holds a thread: those that answer requests come on top of them.
threads = ANSWERING_THREADS + _CONFIG.streams
# A connection or a thread of its own does not survive a fork: every worker makes the app for itself.
preload_app = False
control_socket_disable = True
# Of whoever asks from this machine, a proxy for one, gunicorn would take these headers to say where the app is.
forwarder_headers = ""
graceful_timeout = 10
# Longer than callers and proxies keep a connection that they do not use: whoever sends a request down one that is just
# being closed gets no answer. It holds no thread meanwhile.
keepalive = 75
# The app logs each request itself, without what must not be in a log.
accesslog = None
loglevel = _CONFIG.log_level.lower()


def on_starting(server: Any) -> None:
    """Brings the schema up to date, once and in the master: a worker only checks that it is.

    Opens the folder in which the workers count together: before what counts is imported.
    """
    from ginapi.metrics.folder import open_folder
    from ginapi.store.faults import Busy, Unavailable
    from ginapi.store.migrate import NotMigrated, migrate

    try:
        migrate(_CONFIG.database_url)
    except (Busy, Unavailable) as fault:
        raise SystemExit(f"ginapi cannot start: {fault} Is GINAPI_DATABASE_URL right?") from None
    except NotMigrated as fault:
        raise SystemExit(f"ginapi cannot start: {fault}") from None
    open_folder()
    # Ctrl-C is as clean a stop as SIGTERM; only a second one cuts off whatever has not ended by then.
    server.handle_int = server.handle_term


def when_ready(server: Any) -> None:
    """Imports what a worker is made of, once, in the master: a worker that takes another's place is up at once.

    It makes nothing of it: see `preload_app`. Here, and not at the start: the master already listens to signals.
    """
    for name in ("ginapi.api", "ginapi.scheduler"):
        import_module(name)


def post_worker_init(worker: Any) -> None:
    """Lets those who wait for a table go as soon as the worker is told to stop; keeps its pulse, and the clocks.

    Here and not at import: a thread does not survive a fork.
    """
    from ginapi import scheduler
    from ginapi.logs import without_what_was_sent

    worker.log.error_log.addFilter(without_what_was_sent)
    # A terminal sends Ctrl-C to workers too, and gunicorn's would drop what they are answering: the master tells them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    held = worker.wsgi.extensions["ginapi"]
    held.watch.is_stopping = lambda: not worker.alive
    settles = _CONFIG.scheduler == "worker"
    worker.scheduler = scheduler.start(held.house, settles=settles, serves=True, is_stopping=lambda: not worker.alive)


def worker_exit(server: Any, worker: Any) -> None:
    """Ends the worker's scheduler: what it has begun, it finishes."""
    if hasattr(worker, "scheduler"):
        worker.scheduler.shutdown()
    # All that is left goes with the process; to look through it for cycles first is most of what an end would take.
    gc.freeze()


def child_exit(server: Any, worker: Any) -> None:
    """In the master: what a worker held open when it ended, however it ended, it holds no more."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(worker.pid)


def on_exit(server: Any) -> None:
    """In the master, once its workers have ended."""
    from ginapi.metrics.folder import close_folder

    close_folder()
