"""What the running app holds: the house, who waits there, and what may still be asked."""

import time
from dataclasses import dataclass

from flask import current_app

from ginapi.config import Config
from ginapi.service.house import House
from ginapi.service.limiting import Limiting
from ginapi.service.waiting import Watch


@dataclass(frozen=True, slots=True)
class Held:
    """What an app is made with, once."""

    config: Config
    house: House
    watch: Watch
    limiting: Limiting
    began_s: float
    """When it was made, by `time.monotonic`."""

    @property
    def up_ms(self) -> int:
        """For how long it has been up."""
        return int((time.monotonic() - self.began_s) * 1000)


def held() -> Held:
    """What this app was made with."""
    found: Held = current_app.extensions["ginapi"]
    return found


def house() -> House:
    return held().house


def watch() -> Watch:
    return held().watch


def limiting() -> Limiting:
    return held().limiting
