"""The files for containers, as far as they can be held against the service without running them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from ginapi import gunicorn_settings
from ginapi.cli import main
from ginapi.config import BODY_BYTES, Config
from ginapi.settings import SETTINGS
from tests.served.server import TOP

GINAPI = ("web-1", "web-2", "scheduler")
DOCKERFILE = (TOP / "Dockerfile").read_text()


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((TOP / "compose.yaml").read_text())
    return found


def instructions(name: str) -> list[str]:
    """What follows an instruction of the Dockerfile, each time that it stands there."""
    return re.findall(rf"^{name} (.+)$", DOCKERFILE, re.MULTILINE)


def test_there_are_two_web_hosts_a_scheduler_postgresql_and_a_proxy(compose: dict[str, Any]) -> None:
    assert set(compose["services"]) == {*GINAPI, "db", "proxy"}
    assert compose["services"]["web-1"] == compose["services"]["web-2"]


@pytest.mark.parametrize("service", GINAPI)
def test_every_setting_is_one_and_is_taken(compose: dict[str, Any], service: str) -> None:
    environ = compose["services"][service]["environment"]
    assert set(environ) <= {setting.name for setting in SETTINGS}
    assert all(isinstance(value, str) for value in environ.values())
    told = {name: re.sub(r"\$\{POSTGRES_PASSWORD:[^}]*\}", "Secret1", value) for name, value in environ.items()}
    config = Config.from_env(told)
    assert config.database_url == "postgresql+psycopg://ginapi:Secret1@db/ginapi"
    assert (config.scheduler, config.trusted_proxies) == ("process", 1)


def test_the_database_is_made_for_the_user_that_the_settings_name(compose: dict[str, Any]) -> None:
    db = compose["services"]["db"]
    assert db["environment"]["POSTGRES_USER"] == "ginapi"  # And so is the database, where nothing else is said.
    assert db["environment"]["POSTGRES_PASSWORD"].startswith("${POSTGRES_PASSWORD:?")
    version = re.fullmatch(r"postgres:([0-9]+)-.*", db["image"])
    assert version is not None and f"postgresql-client-{version[1]} " in DOCKERFILE


def test_commands_are_there(compose: dict[str, Any]) -> None:
    commands = [compose["services"]["scheduler"]["command"], *map(json.loads, instructions("CMD"))]
    assert commands == [["ginapi", "scheduler"], ["ginapi", "serve"]]
    assert {command[1] for command in commands} <= set(main.commands)


def test_the_image_is_installed_as_the_checkout_is_and_runs_as_nobody_of_note() -> None:
    assert "pip install --no-cache-dir -c constraints.txt ." in instructions("RUN")
    assert "-c constraints.txt" in (TOP / "scripts" / "setup").read_text()
    assert instructions("USER") == ["ginapi"] and DOCKERFILE.index("\nUSER ") < DOCKERFILE.index("\nCMD ")
    assert instructions("FROM") == ["python:3.11-slim-bookworm"]
    [setting] = instructions("ENV")
    name, _, url = setting.partition("=")
    folder = Path(Config.from_env({name: url}).database_url.removeprefix("sqlite:///")).parent
    assert folder.is_absolute() and f"install -d -o ginapi {folder}\n" in DOCKERFILE
    ignored = (TOP / ".dockerignore").read_text().split()
    assert {".git", ".venv", "**/*.db*"} <= set(ignored)
    assert not {"ginapi", "setup.cfg", "pyproject.toml", "constraints.txt", "README.md"} & set(ignored)


def test_the_proxy_leads_to_every_web_host_where_it_listens(compose: dict[str, Any]) -> None:
    caddyfile = compose["configs"]["proxy"]["content"]
    port = Config.from_env({}).port
    assert f"reverse_proxy web-1:{port} web-2:{port} {{" in caddyfile
    assert caddyfile.count("{") == caddyfile.count("}")
    # An expression would be asked about answers too, and have those sent again that are well.
    assert re.findall("lb_retry_match (.+)", caddyfile) == ["method GET", "header Idempotency-Key *"]
    assert instructions("EXPOSE") == [str(port)]
    assert f":{port}/healthz" in compose["services"]["web-1"]["healthcheck"]["test"][-1]


def test_what_the_proxy_waits_for_and_holds_fits_the_service(compose: dict[str, Any]) -> None:
    told = dict(re.findall(r"^ *(\w+) ([0-9]+)(?:s|KB)$", compose["configs"]["proxy"]["content"], re.MULTILINE))
    assert int(told["request_buffers"]) * 1000 > BODY_BYTES
    assert int(told["keepalive"]) < gunicorn_settings.keepalive
    # A host that does not answer, and then the other for long enough: however the first is chosen.
    assert int(told["dial_timeout"]) + int(told["fail_duration"]) < int(told["lb_try_duration"])


def test_a_host_has_longer_to_stop_than_it_takes(compose: dict[str, Any]) -> None:
    for service in GINAPI:
        grace = re.fullmatch(r"([0-9]+)s", compose["services"][service]["stop_grace_period"])
        assert grace is not None and int(grace[1]) > gunicorn_settings.graceful_timeout + 2
