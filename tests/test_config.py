"""Settings: what each takes, what it refuses, and what it says then."""

from dataclasses import FrozenInstanceError, fields, replace

import pytest

from ginapi.config import Config, WrongSettings
from ginapi.limits import LIMITS
from ginapi.settings import SETTINGS

DEFAULTS = {
    "port": 8000,
    "worker_count": 2,
    "database_url": "sqlite:///ginapi.db",
    "cors_origins": ("*",),
    "trusted_proxies": 0,
    "streams": 64,
    "log_level": "INFO",
    "coin_move_ms": 90_000,
    "online_move_ms": 30_000,
    "grace_ms": 500,
    "computer_turn_ms": 667,
    "deal_after_ms": 10_000,
    "welcome_coins": 1_000,
    "stakes": (50, 100, 250, 500, 1_000, 5_000, 10_000),
    "rate_limits": LIMITS,
    "scheduler": "worker",
    "metrics_token": None,
    "metrics_port": 0,
    "webhook_private": False,
    "pg_bindir": None,
    "practice_kept_days": 30,
}

TAKEN = [
    ("PORT", "80", "port", 80),
    ("WEB_CONCURRENCY", "8", "worker_count", 8),
    ("GINAPI_DATABASE_URL", "sqlite:////var/gin.db", "database_url", "sqlite:////var/gin.db"),
    ("GINAPI_DATABASE_URL", "postgres://u:p@h:5432/gin", "database_url", "postgresql+psycopg://u:p@h:5432/gin"),
    ("GINAPI_DATABASE_URL", "postgresql://[::1]/gin", "database_url", "postgresql+psycopg://[::1]/gin"),
    (
        "GINAPI_DATABASE_URL",
        "postgresql+psycopg://u@/gin?host=/s",
        "database_url",
        "postgresql+psycopg://u@/gin?host=/s",
    ),
    ("GINAPI_CORS_ORIGINS", "https://a.org,http://b:81", "cors_origins", ("https://a.org", "http://b:81")),
    ("GINAPI_TRUSTED_PROXIES", "2", "trusted_proxies", 2),
    ("GINAPI_STREAMS", "200", "streams", 200),
    ("GINAPI_LOG_LEVEL", "DEBUG", "log_level", "DEBUG"),
    ("GINAPI_COIN_MOVE_MS", "500", "coin_move_ms", 500),
    ("GINAPI_ONLINE_MOVE_MS", "120000", "online_move_ms", 120_000),
    ("GINAPI_GRACE_MS", "0", "grace_ms", 0),
    ("GINAPI_COMPUTER_TURN_MS", "1", "computer_turn_ms", 1),
    ("GINAPI_DEAL_AFTER_MS", "0", "deal_after_ms", 0),
    ("GINAPI_WELCOME_COINS", "0", "welcome_coins", 0),
    ("GINAPI_STAKES", "10", "stakes", (10,)),
    ("GINAPI_RATE_LIMITS", "off", "rate_limits", ()),
    (
        "GINAPI_RATE_LIMITS",
        "passwords=10/3600,requests=1/1",
        "rate_limits",
        (
            replace(LIMITS[0], quota=1, window_ms=1_000),
            LIMITS[1],
            replace(LIMITS[2], quota=10, window_ms=3_600_000),
            LIMITS[3],
        ),
    ),
    ("GINAPI_SCHEDULER", "process", "scheduler", "process"),
    ("GINAPI_METRICS_TOKEN", "0123456789abcdef", "metrics_token", "0123456789abcdef"),
    ("GINAPI_METRICS_PORT", "9100", "metrics_port", 9100),
    ("GINAPI_WEBHOOK_PRIVATE", "on", "webhook_private", True),
    ("GINAPI_PRACTICE_KEPT_DAYS", "7", "practice_kept_days", 7),
    ("GINAPI_PG_BINDIR", "/opt/pg/bin", "pg_bindir", "/opt/pg/bin"),
]

REFUSED = [
    ("PORT", "0"),
    ("PORT", "65536"),
    ("WEB_CONCURRENCY", "two"),
    ("GINAPI_DATABASE_URL", "sqlite://"),
    ("GINAPI_DATABASE_URL", "sqlite:///"),
    ("GINAPI_DATABASE_URL", "sqlite:///:memory:"),
    ("GINAPI_DATABASE_URL", "sqlite:///file:gin?mode=memory&uri=true"),
    ("GINAPI_DATABASE_URL", "sqlite:///folder/"),
    ("GINAPI_DATABASE_URL", "sqlite:////tmp/%00.db"),
    ("GINAPI_DATABASE_URL", "ginapi.db"),
    ("GINAPI_DATABASE_URL", "mysql://h/gin"),
    ("GINAPI_DATABASE_URL", "postgresql+asyncpg://h/gin"),
    ("GINAPI_DATABASE_URL", "postgresql://h:port/gin"),
    ("GINAPI_DATABASE_URL", "postgresql://h:5432"),
    ("GINAPI_DATABASE_URL", "postgresql://h:5432/"),
    ("GINAPI_CORS_ORIGINS", "example.org"),
    ("GINAPI_CORS_ORIGINS", "https://example.org/"),
    ("GINAPI_CORS_ORIGINS", "https://example.org, https://b.org"),
    ("GINAPI_CORS_ORIGINS", "*,https://example.org"),
    ("GINAPI_TRUSTED_PROXIES", "-1"),
    ("GINAPI_STREAMS", "1_000"),
    ("GINAPI_STREAMS", " 10"),
    ("GINAPI_STREAMS", "１０"),
    ("GINAPI_STREAMS", "0"),
    ("GINAPI_LOG_LEVEL", "verbose"),
    ("GINAPI_COIN_MOVE_MS", "499"),
    ("GINAPI_ONLINE_MOVE_MS", "120001"),
    ("GINAPI_GRACE_MS", "0.5"),
    ("GINAPI_COMPUTER_TURN_MS", "667ms"),
    ("GINAPI_DEAL_AFTER_MS", "1" * 30),
    ("GINAPI_WELCOME_COINS", "-5"),
    ("GINAPI_STAKES", "50,100,"),
    ("GINAPI_STAKES", "100,50"),
    ("GINAPI_STAKES", "50,50"),
    ("GINAPI_STAKES", "55"),
    ("GINAPI_STAKES", "0,50"),
    ("GINAPI_RATE_LIMITS", "false"),
    ("GINAPI_RATE_LIMITS", "requests=0/60"),
    ("GINAPI_RATE_LIMITS", "requests=100/60,"),
    ("GINAPI_RATE_LIMITS", "requests=100/60,requests=200/60"),
    ("GINAPI_RATE_LIMITS", "moves=100/60"),
    ("GINAPI_RATE_LIMITS", "requests=100"),
    ("GINAPI_SCHEDULER", "thread"),
    ("GINAPI_WEBHOOK_PRIVATE", "true"),
    ("GINAPI_PG_BINDIR", "bin"),
    ("GINAPI_PRACTICE_KEPT_DAYS", "0"),
    ("GINAPI_METRICS_TOKEN", "short"),
    ("GINAPI_METRICS_PORT", "65536"),
    ("GINAPI_METRICS_TOKEN", "with spaces in between"),
    *[(setting.name, "") for setting in SETTINGS],
]


def faults(environ: dict[str, str]) -> tuple[str, ...]:
    with pytest.raises(WrongSettings) as caught:
        Config.from_env(environ)
    return caught.value.faults


@pytest.mark.parametrize(("name", "value"), DEFAULTS.items())
def test_default(name: str, value: object) -> None:
    assert getattr(Config.from_env({}), name) == value


def test_every_field_is_one_setting() -> None:
    assert [field.name for field in fields(Config)] == list(DEFAULTS)
    assert sorted(setting.field for setting in SETTINGS) == sorted(DEFAULTS)
    assert len({setting.name for setting in SETTINGS}) == len(SETTINGS)


@pytest.mark.parametrize(("name", "text", "field", "value"), TAKEN)
def test_taken(name: str, text: str, field: str, value: object) -> None:
    assert getattr(Config.from_env({name: text}), field) == value


def test_every_setting_is_seen_taken_and_refused() -> None:
    assert {name for name, *_ in TAKEN} == {name for name, _ in REFUSED} == {setting.name for setting in SETTINGS}


@pytest.mark.parametrize(("name", "text"), REFUSED)
def test_refused_by_name_with_what_would_be_right(name: str, text: str) -> None:
    (fault,) = faults({name: text})
    assert fault.startswith(name) and " must be " in fault


def test_every_fault_is_told_at_once_in_one_line() -> None:
    environ = {"GINAPI_GRACE": "1", "PORT": "http", "GINAPI_STAKES": "5"}
    told = faults(environ)
    assert [fault.split()[0] for fault in told] == ["GINAPI_GRACE", "PORT", "GINAPI_STAKES"]
    with pytest.raises(WrongSettings) as caught:
        Config.from_env(environ)
    assert str(caught.value) == " ".join(told) and "\n" not in str(caught.value)


def test_an_unknown_name_is_refused_with_the_nearest_that_there_is() -> None:
    assert faults({"GINAPI_GRACE": "500"}) == ("GINAPI_GRACE is no setting: did you mean GINAPI_GRACE_MS?",)
    assert faults({"GINAPI_FOO": "1"})[0].startswith(
        "GINAPI_FOO is no setting: after GINAPI_ there may stand COIN_MOVE_MS, COMPUTER_TURN_MS, CORS_ORIGINS, "
    )


def test_names_of_others_and_of_the_tests_are_left_alone() -> None:
    environ = {"GINAPI_TEST_FULL": "1", "HOME": "", "GIN": "x", "ginapi_grace_ms": "x"}
    assert Config.from_env(environ) == Config.from_env({})


@pytest.mark.parametrize("name", ["GINAPI_DATABASE_URL", "GINAPI_METRICS_TOKEN"])
def test_a_secret_is_neither_repeated_in_a_fault_nor_in_the_repr(name: str) -> None:
    assert "hunter2" not in faults({name: "my hunter2"})[0]
    right = "postgresql://ana:hunter2@h/gin" if name == "GINAPI_DATABASE_URL" else "hunter2-hunter2-hunter2"
    assert "hunter2" not in repr(Config.from_env({name: right}))


def test_a_config_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Config.from_env({}).port = 1
