"""The `ginapi` command: serve, migrate, openapi, replay, audit."""

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from ginapi import __version__
from ginapi.api import bare_app
from ginapi.config import Config, WrongSettings
from ginapi.errors import Refused
from ginapi.service import audit, hands
from ginapi.service.house import House
from ginapi.store.database import Database
from ginapi.store.faults import Busy, Unavailable
from ginapi.store.migrate import migrate, schema_fault


@click.group()
@click.version_option(__version__)
def main() -> None:
    """Gin rummy as a service."""


def _with_database(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the database of the settings, at the schema that it needs; one line where that cannot be."""

    @wraps(command)
    def wrapped(**arguments: Any) -> None:
        db = Database(_config().database_url)
        try:
            fault = schema_fault(db)
            if fault is not None:
                raise click.ClickException(fault)
            command(House(db), **arguments)
        except (Busy, Unavailable) as error:
            raise click.ClickException(str(error)) from None
        finally:
            db.close()

    return wrapped


def _config() -> Config:
    try:
        return Config.from_env(os.environ)
    except WrongSettings as wrong:
        raise click.ClickException(str(wrong)) from None


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def serve(arguments: tuple[str, ...]) -> None:
    """Serve with gunicorn on PORT; the database is migrated first. ARGUMENTS go to gunicorn."""
    _config()
    program = [sys.executable, "-m", "gunicorn", "--config", "python:ginapi.gunicorn_settings", *arguments]
    os.execv(sys.executable, [*program, "ginapi.api:create_app()"])


@main.command("migrate")
def migrate_command() -> None:
    """Bring the database to the schema that this version needs."""
    try:
        migrate(_config().database_url)
    except (Busy, Unavailable) as error:
        raise click.ClickException(str(error)) from None


@main.command()
def openapi() -> None:
    """Write the OpenAPI document to standard output."""
    click.echo(bare_app().extensions["ginapi.openapi"], nl=False)


@main.command()
@click.argument("hand_id")
@_with_database
def replay(house: House, hand_id: str) -> None:
    """Play a finished hand again and write its record as text."""
    try:
        click.echo(hands.replayed(house, hand_id), nl=False)
    except (LookupError, Refused):
        raise click.ClickException(f"There is no finished hand {hand_id}.") from None
    except ValueError as error:
        raise click.ClickException(f"{hand_id}: {error}") from None


@main.command("audit")
@_with_database
def audit_command(house: House) -> None:
    """Replay every hand and hold it against what is stored; status 1 and a line for each fault."""
    count = 0
    faults = 0
    for found in audit.audit(house):
        count += 1
        for fault in found.faults:
            faults += 1
            click.echo(f"{found.table_id}: {fault}")
    click.echo(f"{count} tables, {faults} faults", err=True)
    if faults:
        raise SystemExit(1)
