"""`ginapi openings`: whether new tables are opened, on all hosts at once."""

import click

from ginapi.cli.house import why, with_database
from ginapi.service import openings
from ginapi.service.house import House
from ginapi.service.moments import moment


@click.group("openings")
def openings_group() -> None:
    """Whether new tables are opened; matches that run, and tables that wait, go on either way."""


@openings_group.command("close")
@why("Is kept for the operator.")
@with_database
def close(house: House, why: str) -> None:
    """Open no new tables on any host, until `open`: before an upgrade."""
    openings.close(house, why)
    click.echo("No new tables are opened.")


@openings_group.command("open")
@why("Is kept for the operator.")
@with_database
def reopen(house: House, why: str) -> None:
    """Open new tables again."""
    openings.reopen(house, why)
    click.echo("New tables are opened.")


@openings_group.command("show")
@with_database
def show(house: House) -> None:
    """Say whether new tables are opened."""
    closed = openings.closed_by(house)
    if closed is None:
        click.echo("New tables are opened.")
    else:
        click.echo(f"No new tables are opened since {moment(closed.at_ms)}: {closed.why}")
