"""The `ginapi` command: serve and schedule, migrate, replay and audit, and what an operator may do."""

import os
import signal
import sys
import threading

import click

from ginapi import __version__, scheduler
from ginapi.api import bare_app
from ginapi.api.metrics_port import serve_metrics
from ginapi.cli.accounts import account_group
from ginapi.cli.backups import backup_command, restore_command
from ginapi.cli.house import account_named, config, in_a_line, why, with_database
from ginapi.cli.openings import openings_group
from ginapi.errors import Refused
from ginapi.logs import set_up_logs
from ginapi.service import audit, hands, tables, wallets
from ginapi.service.audited import WHOLES
from ginapi.service.house import House
from ginapi.settings import COINS_MOST
from ginapi.store.faults import Busy, Unavailable
from ginapi.store.migrate import NotMigrated, migrate
from ginapi.tables.coins import NOTE

_STOPS = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})


@click.group()
@click.version_option(__version__)
def main() -> None:
    """Gin rummy as a service."""


main.add_command(openings_group)
main.add_command(account_group)
main.add_command(backup_command)
main.add_command(restore_command)


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def serve(arguments: tuple[str, ...]) -> None:
    """Serve with gunicorn on PORT; the database is migrated first. ARGUMENTS go to gunicorn."""
    config()
    program = [sys.executable, "-m", "gunicorn", "--config", "python:ginapi.gunicorn_settings", *arguments]
    os.execv(sys.executable, [*program, "ginapi.api:create_app()"])


@main.command("migrate")
def migrate_command() -> None:
    """Bring the database to the schema that this version needs."""
    with in_a_line(Busy, Unavailable, NotMigrated):
        migrate(config().database_url)


@main.command()
def openapi() -> None:
    """Write the OpenAPI document to standard output."""
    click.echo(bare_app().extensions["ginapi.openapi"](), nl=False)


@main.command()
@click.argument("hand_id")
@with_database
def replay(house: House, hand_id: str) -> None:
    """Play a finished hand again and write its record as text."""
    try:
        click.echo(hands.replayed(house, hand_id), nl=False)
    except (LookupError, Refused):
        raise click.ClickException(f"There is no finished hand {hand_id}.") from None
    except ValueError as error:
        raise click.ClickException(f"{hand_id}: {error}") from None


@main.command("audit")
@with_database
def audit_command(house: House) -> None:
    """Replay every hand, add up every account, hold all against what is stored; status 1 and a line for each fault."""
    count = 0
    faults = 0
    for found in audit.audit(house):
        count += found.name not in WHOLES
        for line in found.told:
            faults += 1
            click.echo(line)
    click.echo(f"{count} tables and accounts, {faults} faults", err=True)
    if faults:
        raise SystemExit(1)


@main.command("scheduler")
@with_database
def scheduler_command(house: House) -> None:
    """Settle what falls due, beside the servers (GINAPI_SCHEDULER=process there), until it is told to stop."""
    # Blocked, in every thread that is started from here on, and waited for: one that a handler is to take may come just
    # before a wait begins, and is slept through.
    signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    settings = config()
    set_up_logs(settings.log_level)
    if settings.metrics_port:
        try:
            serve_metrics(house, settings.metrics_port, settings.metrics_token)
        except OSError as fault:
            raise click.ClickException(f"GINAPI_METRICS_PORT {settings.metrics_port}: {fault.strerror}.") from None
    stopped = threading.Event()
    running = scheduler.start(house, settles=True, serves=False, is_stopping=stopped.is_set)
    signal.sigwait(_STOPS)
    stopped.set()
    running.shutdown()


@main.group("coins")
def coins_group() -> None:
    """Coins, which have no cash value."""


@coins_group.command("grant")
@click.argument("name")
@click.argument("amount", type=click.IntRange(1, COINS_MOST))
@why("Stands in the account's statement.")
@with_database
def grant(house: House, name: str, amount: int, why: str) -> None:
    """Grant AMOUNT coins to the account NAME."""
    with account_named(name):
        wallet = wallets.grant(house, name, amount, why)
    click.echo(f"{name} has {wallet.balance} coins, and {wallet.held} at tables. {NOTE}")


@main.group("table")
def table_group() -> None:
    """Tables, as their operator sees them."""


@table_group.command("void")
@click.argument("table_id")
@why("Stands in the table's log.")
@with_database
def void(house: House, table_id: str, why: str) -> None:
    """Call the match at table TABLE_ID off: stakes and fees go back."""
    try:
        tables.void(house, table_id, why)
    except LookupError:
        raise click.ClickException(f"There is no table {table_id}.") from None
    except Refused as refused:
        raise click.ClickException(refused.detail) from None
    click.echo(f"{table_id} is void.")
