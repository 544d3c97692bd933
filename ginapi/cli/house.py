"""What commands are given: the settings, the house on their database, and the reason that an operator gives."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import wraps
from typing import Any

import click

from ginapi.config import REASON_CHARACTERS, Config, WrongSettings
from ginapi.errors import Refused
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
    with closing(Database(settings.database_url)) as db, in_a_line(Busy, Unavailable):
        yield db


@contextmanager
def in_a_line(*faults: type[Exception]) -> Iterator[None]:
    """What is said by these faults is all that is written of them."""
    try:
        yield
    except faults as fault:
        raise click.ClickException(str(fault)) from None


@contextmanager
def account_named(name: str) -> Iterator[None]:
    """One line for an account that is not there, or to which this cannot be done."""
    try:
        yield
    except LookupError:
        raise click.ClickException(f"There is no account {name!r}.") from None
    except Refused as refused:
        raise click.ClickException(refused.detail) from None


def refuse_bytes(arguments: dict[str, Any]) -> None:
    """Refuse what is no text in UTF-8: no database keeps it, and no name is like it."""
    for name, given in arguments.items():
        if isinstance(given, str) and not given.isascii():
            try:
                given.encode()
            except UnicodeEncodeError:
                raise click.UsageError(f"{name.upper()} is not text in UTF-8.") from None


def config() -> Config:
    with in_a_line(WrongSettings):
        return Config.from_env(os.environ)


def reason(context: click.Context, parameter: click.Parameter, why: str) -> str:
    """The reason that was given, as long as a statement can keep it."""
    if not 1 <= len(why.strip()) <= len(why) <= REASON_CHARACTERS:
        raise click.BadParameter(f"Give 1 to {REASON_CHARACTERS} characters.")
    return why


def why(shown_in: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option `--why`, which has to be given; its help says where the reason is shown."""
    return click.option("--why", required=True, callback=reason, help=shown_in)
