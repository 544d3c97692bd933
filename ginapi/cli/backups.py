"""`ginapi backup` and `ginapi restore`."""

import os
from pathlib import Path

import click

from ginapi.cli.house import config
from ginapi.store import copies
from ginapi.store.database import Database
from ginapi.store.faults import Busy, Unavailable
from ginapi.store.migrate import migrate

_FILE = click.argument("file", type=click.Path(path_type=Path))


@click.command("backup")
@_FILE
def backup_command(file: Path) -> None:
    """Write the whole database to FILE, which must not be there yet; the service may go on meanwhile."""
    # At whatever schema it is: before an upgrade that is the older one.
    database = Database(config().database_url)
    try:
        copies.back_up(database, file, config().pg_bindir)
    except (copies.NotCopied, Busy, Unavailable) as fault:
        raise click.ClickException(str(fault)) from None
    finally:
        database.close()
    click.echo(f"{file}: {os.path.getsize(file)} bytes.")


@click.command("restore")
@_FILE
def restore_command(file: Path) -> None:
    """Make the backup FILE the whole of the database, which must be empty, and migrate it."""
    url = config().database_url
    database = Database(url)
    try:
        copies.restore(database, file, config().pg_bindir)
        migrate(url)
    except (copies.NotCopied, Busy, Unavailable) as fault:
        raise click.ClickException(str(fault)) from None
    finally:
        database.close()
    click.echo(f"{file} is restored. Run `ginapi audit` before you serve from it.")
