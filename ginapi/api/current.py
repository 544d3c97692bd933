"""What the running app holds: the house, and who waits there."""

from dataclasses import dataclass

from flask import current_app

from ginapi.config import Config
from ginapi.service.house import House
from ginapi.service.waiting import Watch


@dataclass(frozen=True, slots=True)
class Held:
    """What an app is made with, once."""

    config: Config
    house: House
    watch: Watch


def held() -> Held:
    """What this app was made with."""
    found: Held = current_app.extensions["ginapi"]
    return found


def house() -> House:
    return held().house


def watch() -> Watch:
    return held().watch
