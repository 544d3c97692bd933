"""`ginapi account`: an account banned, let in again, renamed, its tokens revoked; and what was done to it."""

import click

from ginapi.api.schemas_in import NewName, read
from ginapi.cli.house import account_named, why, with_database
from ginapi.service import oversight
from ginapi.service.house import House
from ginapi.service.moments import moment

kept = why("Is kept with the account, for the operator.")


@click.group("account")
def account_group() -> None:
    """Accounts, as their operator sees them. Each act is kept with its reason."""


@account_group.command("ban")
@click.argument("name")
@why("Is told to whoever logs in by the account's password.")
@with_database
def ban(house: House, name: str, why: str) -> None:
    """Take the tokens and webhooks of the account NAME, and let nobody log in to it.

    At its tables the clock plays on for it; a table where it waits alone closes.
    """
    with account_named(name):
        oversight.ban(house, name, why)
    click.echo(f"{name} is banned.")


@account_group.command("unban")
@click.argument("name")
@kept
@with_database
def unban(house: House, name: str, why: str) -> None:
    """Let the account NAME log in again. It adds its webhooks anew."""
    with account_named(name):
        oversight.unban(house, name, why)
    click.echo(f"{name} can log in again.")


@account_group.command("rename")
@click.argument("name")
@click.argument("new_name")
@kept
@with_database
def rename(house: House, name: str, new_name: str, why: str) -> None:
    """Give the account NAME the name NEW_NAME, wherever it is shown."""
    with account_named(name):
        oversight.rename(house, name, read(NewName(), {"name": new_name})["name"], why)
    click.echo(f"{name} is now called {new_name}.")


@account_group.command("revoke-tokens")
@click.argument("name")
@kept
@with_database
def revoke_tokens(house: House, name: str, why: str) -> None:
    """Take every token of the account NAME: it has to log in again."""
    with account_named(name):
        oversight.revoke_tokens(house, name, why)
    click.echo(f"{name} has no token any more.")


@account_group.command("show")
@click.argument("name")
@with_database
def show(house: House, name: str) -> None:
    """Show the account NAME, and what was done to it."""
    with account_named(name):
        account, acts = oversight.seen(house, name)
    banned = "" if account.banned_ms is None else f", banned {moment(account.banned_ms)}"
    click.echo(f"{account.name}: {account.id}, opened {moment(account.created_ms)}{banned}")
    for act in acts:
        click.echo(f"{moment(act.at_ms)} {act.act}: {act.why}")
