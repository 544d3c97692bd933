"""The service with strings that a test can pull, each a file whose presence is the pull; gunicorn serves it like any.

`GINAPI_TEST_STRINGS` is the folder of those files. Each pull works once.
"""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from flask import Flask, has_request_context
from sqlalchemy import Connection

from ginapi import api
from ginapi.config import Config
from ginapi.game.cards import texts
from ginapi.game.moves import Move
from ginapi.game.view import View
from ginapi.players import choose_by_level
from ginapi.service.house import House
from ginapi.store.database import Database

DIE_AFTER_COMMIT = "die-after-commit"
FAIL_TO_CHOOSE = "fail-to-choose"

_Answer = TypeVar("_Answer")


def pulled(name: str) -> bool:
    """Whether the string was pulled; it hangs loose again."""
    try:
        Path(os.environ["GINAPI_TEST_STRINGS"], name).unlink()
    except FileNotFoundError:
        return False
    return True


class MortalDatabase(Database):
    """A database whose commit, of what a request asked, can be the last thing that the whole server does."""

    def transact(self, work: Callable[[Connection], _Answer]) -> _Answer:
        answer = super().transact(work)
        # The scheduler commits too, and may be the first to see the string.
        if has_request_context() and pulled(DIE_AFTER_COMMIT):
            # gunicorn's master leads a group of its own: nobody else's processes are in it.
            assert os.getpgid(0) == os.getppid()
            os.killpg(0, signal.SIGKILL)
        return answer


def choose(level: str, view: View, draw: Callable[[int], int]) -> Move:
    """The computer's move; or a fault whose words tell what it holds."""
    if pulled(FAIL_TO_CHOOSE):
        raise RuntimeError(f"what to do with {texts(view.cards)} {view.cards}")
    return choose_by_level(level, view, draw)


def create_app() -> Flask:
    config = Config.from_env(os.environ)
    return api.create_app(config, House(MortalDatabase(config.database_url), choose=choose))
