"""The settings as a table: each one's name, its default, what it means, and what values it takes."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from ginapi.game.terms import HOUSE_TERMS
from ginapi.limits import LIMITS, Limit

ANSWERING_THREADS = 16
"""Threads of a worker that answer requests, beside those that streams and long polls hold."""

COINS_MOST = 1_000_000_000
ONLINE_MOVE_MS = (5_000, 120_000)
"""The shortest and the longest time for a move between people (R21)."""
# User, password and host may be missing: a socket's folder then stands in the query.
_POSTGRESQL = re.compile(
    r"(?:postgres|postgresql|postgresql\+psycopg)://"
    r"(?P<rest>(?:[^@]*@)?(?:\[[0-9A-Fa-f:.]+\]|[^/:@?#]*)(?::[0-9]{1,5})?/[^/?#]+(?:\?.*)?)"
)
_QUOTA = re.compile(r"(?P<name>[a-z]+)=(?P<quota>[1-9][0-9]{0,8})/(?P<window_s>[1-9][0-9]{0,3})")
_ORIGIN = re.compile(r"https?://(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::[0-9]{1,5})?")


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        # int() alone would also take "1_000", " 5 " and the digits of other scripts.
        if not re.fullmatch(r"[0-9]{1,18}", text) or not least <= int(text) <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return int(text)

    return read


def _one_of(*choices: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(f"one of {', '.join(choices)}")
        return text

    return read


def database_url(text: str) -> str:
    """The URL of a database as the store uses it. ValueError says what would be taken."""
    postgresql = _POSTGRESQL.fullmatch(text)
    if postgresql:
        return "postgresql+psycopg://" + postgresql["rest"]
    path = text.removeprefix("sqlite:///")
    no_file = not path or path.endswith("/") or path.startswith((":memory:", "file:")) or "?" in path or "%00" in path
    if path == text or no_file:
        raise ValueError(
            "sqlite:///<path of a file> (an in-memory database would not outlive a request), "
            "or postgresql+psycopg://<user>:<password>@<host>:<port>/<database>"
        )
    return text


def _stakes(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    # R25: each stake is a multiple of 10, so that the leaving fee is a whole number.
    stakes = tuple(int(part) for part in parts if re.fullmatch(r"[0-9]{1,18}", part))
    whole = len(stakes) == len(parts) and all(
        0 < stake <= COINS_MOST and stake % HOUSE_TERMS.stake_step_coins == 0 for stake in stakes
    )
    if not whole or list(stakes) != sorted(set(stakes)):
        raise ValueError(f"rising multiples of 10, a comma between, each at most {COINS_MOST}, such as 50,100,250")
    return stakes


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(text.split(","))
    if origins != ("*",) and not all(_ORIGIN.fullmatch(origin) for origin in origins):
        raise ValueError("*, or origins with a comma between and no path, such as https://example.org")
    return origins


def _on_or_off(text: str) -> bool:
    return _one_of("on", "off")(text) == "on"


def _rate_limits(text: str) -> tuple[Limit, ...]:
    if text == "off":
        return ()
    limits = {limit.name: limit for limit in LIMITS}
    if text == "on":
        return LIMITS
    parts = [_QUOTA.fullmatch(part) for part in text.split(",")]
    named = [part["name"] for part in parts if part and part["name"] in limits]
    if len(set(named)) < len(parts):
        raise ValueError(
            f"on, off, or other numbers of requests and seconds for any of {', '.join(limits)}, a comma between, such "
            "as openings=600/60"
        )
    for part in filter(None, parts):
        own = replace(limits[part["name"]], quota=int(part["quota"]), window_ms=int(part["window_s"]) * 1000)
        limits[own.name] = own
    return tuple(limits.values())


def _folder(text: str) -> str | None:
    if text and not text.startswith("/"):
        raise ValueError("the whole path of a folder, such as /usr/lib/postgresql/18/bin")
    return text or None


def _token(text: str) -> str | None:
    if text and not re.fullmatch(r"[!-~]{16,255}", text):
        raise ValueError("16 to 255 printable ASCII characters without spaces")
    return text or None


@dataclass(frozen=True, slots=True)
class Setting:
    """One environment variable; `default` is text as it would stand there."""

    name: str
    field: str
    default: str
    meaning: str
    read: Callable[[str], object]
    secret: bool = False


SETTINGS = (
    Setting("PORT", "port", "8000", "Where the service listens, on every address.", _whole(1, 65535)),
    Setting("WEB_CONCURRENCY", "worker_count", "2", "How many worker processes serve.", _whole(1, 256)),
    Setting(
        "GINAPI_DATABASE_URL",
        "database_url",
        "sqlite:///ginapi.db",
        "Where everything is kept: `sqlite:///` and a file's path, or a PostgreSQL `postgresql+psycopg://` "
        "(`postgresql://` and `postgres://` mean the same).",
        database_url,
        secret=True,
    ),
    Setting(
        "GINAPI_CORS_ORIGINS",
        "cors_origins",
        "*",
        "The web origins whose pages may call the API: `*` for all, or a list with commas.",
        _origins,
    ),
    Setting(
        "GINAPI_TRUSTED_PROXIES",
        "trusted_proxies",
        "0",
        "How many proxies stand before the service, and are believed about the caller's address.",
        _whole(0, 10),
    ),
    Setting(
        "GINAPI_STREAMS",
        "streams",
        "64",
        f"How many streams and long polls one worker holds open; it has {ANSWERING_THREADS} threads more than that.",
        _whole(1, 1000),
    ),
    Setting(
        "GINAPI_LOG_LEVEL",
        "log_level",
        "INFO",
        "The least severity that is logged: `DEBUG`, `INFO`, `WARNING`, `ERROR` or `CRITICAL`.",
        _one_of("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"),
    ),
    Setting(
        "GINAPI_COIN_MOVE_MS",
        "coin_move_ms",
        str(HOUSE_TERMS.coin_move_ms),
        "The time for a move at a coin table (R17).",
        _whole(500, 600_000),
    ),
    Setting(
        "GINAPI_ONLINE_MOVE_MS",
        "online_move_ms",
        str(HOUSE_TERMS.online_move_ms),
        "The time for a move at an online table that names none (R21).",
        _whole(*ONLINE_MOVE_MS),
    ),
    Setting(
        "GINAPI_GRACE_MS",
        "grace_ms",
        str(HOUSE_TERMS.grace_ms),
        "How long after its deadline a move is still taken, for the network (R23).",
        _whole(0, 10_000),
    ),
    Setting(
        "GINAPI_COMPUTER_TURN_MS",
        "computer_turn_ms",
        str(HOUSE_TERMS.computer_turn_ms),
        "After how long a seat that missed three moves is played for (R19).",
        _whole(0, 60_000),
    ),
    Setting(
        "GINAPI_DEAL_AFTER_MS",
        "deal_after_ms",
        str(HOUSE_TERMS.deal_after_ms),
        "After how long a table with a clock deals its next hand by itself (R16).",
        _whole(0, 600_000),
    ),
    Setting(
        "GINAPI_WELCOME_COINS",
        "welcome_coins",
        str(HOUSE_TERMS.welcome_coins),
        "What a new account is granted (R29).",
        _whole(0, COINS_MOST),
    ),
    Setting(
        "GINAPI_STAKES",
        "stakes",
        ",".join(map(str, HOUSE_TERMS.stakes_coins)),
        "The stakes that are offered, each a multiple of 10, rising (R25).",
        _stakes,
    ),
    Setting(
        "GINAPI_RATE_LIMITS",
        "rate_limits",
        "on",
        "`off` turns the limits of requests off; `openings=600/60` makes them 600 in 60 seconds, and likewise for the "
        "other names at `/v1/limits`, with commas between.",
        _rate_limits,
    ),
    Setting(
        "GINAPI_SCHEDULER",
        "scheduler",
        "worker",
        "Who settles what is overdue and sends to webhooks: each `worker`, a `process` of its own, or nobody until "
        "somebody looks (`off`).",
        _one_of("worker", "process", "off"),
    ),
    Setting(
        "GINAPI_METRICS_TOKEN",
        "metrics_token",
        "",
        "The bearer token that opens `/metrics` to other than loopback; none, and it stays shut to them.",
        _token,
        secret=True,
    ),
    Setting(
        "GINAPI_METRICS_PORT",
        "metrics_port",
        "0",
        "Where `ginapi scheduler` answers `/metrics`, on every address; `0`, and it answers nowhere.",
        _whole(0, 65535),
    ),
    Setting(
        "GINAPI_WEBHOOK_PRIVATE",
        "webhook_private",
        "off",
        "`on` lets webhooks lead to private and loopback addresses too: for tests, or a closed network.",
        _on_or_off,
    ),
    Setting(
        "GINAPI_PG_BINDIR",
        "pg_bindir",
        "",
        "The folder of the `pg_dump` and `pg_restore` that `ginapi backup` and `restore` use; else they look for those "
        "of the server's version.",
        _folder,
    ),
    Setting(
        "GINAPI_PRACTICE_KEPT_DAYS",
        "practice_kept_days",
        "30",
        "After how many days in which nothing happened there a practice table is forgotten, once its match is over or "
        "its guest is gone.",
        _whole(1, 36_500),
    ),
)
