"""Waiting for what another process or thread does."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

LIMIT_S = 30.0
"""Within this it has come about, however busy the machine is."""
LOOK_EVERY_S = 0.02


def wait_until(holds: Callable[[], Any]) -> None:
    until = time.monotonic() + LIMIT_S
    while not holds():
        assert time.monotonic() < until, "it never came to it"
        time.sleep(LOOK_EVERY_S)


def paused_before(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> tuple[threading.Event, threading.Event]:
    """The first call of a function waits: it says that it was reached, and goes on when told to."""
    reached, go_on = threading.Event(), threading.Event()
    function = getattr(module, name)
    calls: list[int] = []

    def paused(*arguments: Any, **named: Any) -> Any:
        calls.append(1)
        if len(calls) == 1:
            reached.set()
            assert go_on.wait(10)
        return function(*arguments, **named)

    monkeypatch.setattr(module, name, paused)
    return reached, go_on
