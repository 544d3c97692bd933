"""The settings in force, read once and checked, and the limits that nobody can set."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from ginapi.limits import Limit
from ginapi.settings import SETTINGS, Setting

BODY_BYTES = 16_384
BODY_LEVELS = 16  # of arrays and objects within each other
ERRORS_SHOWN = 20  # of one body or query
PAGE_ITEMS = 100
CURSOR_CHARACTERS = 200
WAIT_MS = 25_000
CALLER_PLACES = 4  # of one caller among the streams and long polls of a worker, or a quarter of all where that is more
TICKET_MS = 30_000
TICKET_CHARACTERS = 100
TABLES_PER_PLAYER = 100
HAND_NUMBER = 10_000
TARGET_POINTS = 1_000
SEED_CHARACTERS = 128
NAME_CHARACTERS = (3, 24)
PASSWORD_CHARACTERS = (8, 128)
REASON_CHARACTERS = 200  # an operator's, for what was done
OPENINGS_AGAIN_S = 60  # after so long whoever was told that no new tables are opened is to ask again
PRACTICE_MOVE_MS = (500, 600_000)
INVITE_CHARACTERS = 64
# In a body: more could not be held, or laid off.
MELDS_SENT = 11
MELD_CARDS_SENT = 11
LAYOFFS_SENT = 10
WHOLE_NUMBER = 2**31 - 1  # what an Integer column takes
BIG_WHOLE_NUMBER = 2**63 - 1  # and a BigInteger column
KEY_CHARACTERS = 255
# A caller without a token is known by its idempotency key alone: that has to be long enough not to be guessed.
KEY_CHARACTERS_WITHOUT_TOKEN = 22
KEY_KEPT_MS = 24 * 3_600_000
GUEST_TOKEN_MS = 7 * 24 * 3_600_000
ACCOUNT_TOKEN_MS = 90 * 24 * 3_600_000
LIMITS_KEPT_MS = 24 * 3_600_000  # longer than any window
TOKEN_NOTED_MS = 3_600_000  # how coarsely the last use of a token is written down
LAYOUTS_SHOWN = 50
WEBHOOKS_PER_ACCOUNT = 3
WEBHOOK_URL_CHARACTERS = 2_000
DELIVERIES_WAITING = 1_000  # at one webhook: while there are so many, nothing more is written down for it
DELIVERY_TRY_MS = 5_000  # all in all, from the look-up of the name to the status of the answer
DELIVERY_LEASE_MS = 15_000  # after which one that was being sent, and of which nothing was heard, is sent again
DELIVERY_PAUSE_MS = (5_000, 3_600_000)  # after a try that failed: twice as long each time, from the first to the second
DELIVERY_KEPT_MS = 24 * 3_600_000  # from what it tells of on; one that has not arrived by then is given up
DELIVERY_THREADS = 16  # a process that settles: as many receivers are waited for at once
METRICS_CONNECTIONS = 8  # to the port of a process that serves nothing else, at once


class WrongSettings(Exception):
    """The environment holds settings that cannot be served with: `faults` lists every one of them, a sentence each."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Config:
    """The settings in force, checked. The defaults stand in SETTINGS: `Config.from_env({})` has them all."""

    port: int
    worker_count: int
    # Kept out of the repr, and so out of logs: it holds a password.
    database_url: str = field(repr=False)
    cors_origins: tuple[str, ...]
    trusted_proxies: int
    streams: int
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]
    coin_move_ms: int
    online_move_ms: int
    grace_ms: int
    computer_turn_ms: int
    deal_after_ms: int
    welcome_coins: int
    stakes: tuple[int, ...]
    rate_limits: tuple[Limit, ...]
    scheduler: Literal["worker", "process", "off"]
    metrics_token: str | None = field(repr=False)
    metrics_port: int
    webhook_private: bool
    pg_bindir: str | None
    practice_kept_days: int

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Self:
        """Raises WrongSettings with every fault at once. Names that start GINAPI_TEST_ are not the service's."""
        faults = _unknown(environ)
        values: dict[str, Any] = {}
        for setting in SETTINGS:
            try:
                values[setting.field] = _value(setting, environ)
            except ValueError as fault:
                shown = "" if setting.secret else f" {environ[setting.name]!r}"
                faults.append(f"{setting.name}{shown} is not taken: it must be {fault}.")
        if faults:
            raise WrongSettings(tuple(faults))
        return cls(**values)


def _value(setting: Setting, environ: Mapping[str, str]) -> object:
    given = environ.get(setting.name)
    if given == "":
        # Most often a variable that some other script failed to fill in: not to be taken for the default.
        raise ValueError("left unset, or given a value")
    return setting.read(setting.default if given is None else given)


def _unknown(environ: Mapping[str, str]) -> list[str]:
    prefix = "GINAPI_"
    known = sorted(setting.name.removeprefix(prefix) for setting in SETTINGS if setting.name.startswith(prefix))
    faults = []
    for name in sorted(environ):
        rest = name.removeprefix(prefix)
        if rest == name or rest in known or rest.startswith("TEST_"):
            continue
        near = difflib.get_close_matches(rest, known, n=1)
        right = f"did you mean {prefix}{near[0]}?" if near else f"after {prefix} there may stand {', '.join(known)}."
        faults.append(f"{name} is no setting: {right}")
    return faults
