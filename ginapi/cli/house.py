"""What commands are given: the settings, the house on their database, and the reason that an operator gives."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import click

from ginapi.config import REASON_CHARACTERS, Config, WrongSettings
from ginapi.service.house import House, Terms
from ginapi.store.database import Database
from ginapi.store.faults import Busy, Unavailable
from ginapi.store.migrate import schema_fault


def with_database(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the database of the settings, at the schema that it needs; one line where that cannot be."""

    @wraps(command)
    def wrapped(**arguments: Any) -> None:
        refuse_bytes(arguments)
        settings = config()
        with opened(settings) as db:
            fault = schema_fault(db)
            if fault is not None:
                raise click.ClickException(fault)
            command(House(db, terms=Terms.of(settings)), **arguments)

    return wrapped


@contextmanager
def opened(settings: Config) -> Iterator[Database]:
    """The database of the settings, whatever its schema; one line where it cannot be used."""
    db = Database(settings.database_url)
    try:
        yield db
    except (Busy, Unavailable) as error:
        raise click.ClickException(str(error)) from None
    finally:
        db.close()


def refuse_bytes(arguments: dict[str, Any]) -> None:
    """Refuse what is no text in UTF-8: no database keeps it, and no name is like it."""
    for name, given in arguments.items():
        if isinstance(given, str) and not given.isascii():
            try:
                given.encode()
            except UnicodeEncodeError:
                raise click.UsageError(f"{name.upper()} is not text in UTF-8.") from None


def config() -> Config:
    try:
        return Config.from_env(os.environ)
    except WrongSettings as wrong:
        raise click.ClickException(str(wrong)) from None


def reason(context: click.Context, parameter: click.Parameter, why: str) -> str:
    """The reason that was given, as long as a statement can keep it."""
    if not 1 <= len(why.strip()) <= len(why) <= REASON_CHARACTERS:
        raise click.BadParameter(f"Give 1 to {REASON_CHARACTERS} characters.")
    return why


def why(shown_in: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option `--why`, which has to be given; its help says where the reason is shown."""
    return click.option("--why", required=True, callback=reason, help=shown_in)
