"""`ginapi backup` and `ginapi restore`."""

import os
from pathlib import Path

import click

from ginapi.cli.house import config, in_a_line, opened, refuse_bytes
from ginapi.store import copies
from ginapi.store.migrate import NotMigrated, migrate


def _named(context: click.Context, parameter: click.Parameter, file: Path) -> Path:
    refuse_bytes({"file": str(file)})
    if not file.name:
        raise click.BadParameter("This names no file.")
    return file


_FILE = click.argument("file", type=click.Path(path_type=Path), callback=_named)


@click.command("backup")
@_FILE
def backup_command(file: Path) -> None:
    """Write the whole database to FILE, which must not be there yet; the service may go on meanwhile."""
    settings = config()
    # At whatever schema it is: before an upgrade that is the older one.
    with opened(settings) as database, in_a_line(copies.NotCopied):
        copies.back_up(database, file, settings.pg_bindir)
    click.echo(f"{file}: {os.path.getsize(file)} bytes.")


@click.command("restore")
@_FILE
def restore_command(file: Path) -> None:
    """Make the backup FILE the whole of the database, which must be empty, and migrate it."""
    settings = config()
    with opened(settings) as database, in_a_line(copies.NotCopied, NotMigrated):
        copies.restore(database, file, settings.pg_bindir)
        migrate(settings.database_url)
    click.echo(f"{file} is restored. Run `ginapi audit` before you serve from it.")
