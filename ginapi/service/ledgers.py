"""The ledger checked: every account added up, every table paid out as it ended, and no escrow left when it is over."""

from collections.abc import Iterator

from sqlalchemy import Connection

from ginapi.service import settling
from ginapi.service.audited import LEDGER, Audited
from ginapi.service.house import House
from ginapi.store import accounts, ledger, tables
from ginapi.store.accounts import Account
from ginapi.tables import coins
from ginapi.tables.table import settlement, stakes_put_up
from ginapi.tables.values import Table


def audit(house: House) -> Iterator[Audited]:
    """Every account, every escrow, and the sum of all; at one moment, so that no coin is between two purses."""
    with house.db.read() as tx:
        purses = ledger.balances(tx)
        yield Audited(LEDGER, tuple(_ledger_faults(tx, purses)))
        last = ""
        while (account := accounts.find_after(tx, last)) is not None:
            last = account.id
            yield Audited(account.id, tuple(_account_faults(tx, account, purses.get(account.id, 0))))


def _ledger_faults(tx: Connection, purses: dict[str, int]) -> Iterator[str]:
    if sum(purses.values()) != 0:
        yield f"all purses together hold {sum(purses.values())}, not 0"
    for account_id, number in ledger.strayed(tx):
        yield f"entry {number} of {account_id} is not as its transfer"
    for purse, held in sorted(purses.items()):
        if purse.startswith(coins.ACCOUNT) and held < 0:
            yield f"{purse} holds {held}"
        elif purse.startswith(coins.TABLE):
            should = _put_up(tx, purse)
            if held != should:
                yield f"{purse} holds {held}, not {should}"


def table_faults(tx: Connection, table: Table) -> Iterator[str]:
    """What was moved for a table otherwise than its stake and its end say."""
    purses = settling.purses(tx, table)
    should = set(stakes_put_up(table, purses)) if table.stake else set()
    if table.stake and table.status == "finished":
        should |= set(settlement(table, purses))
    for transfer_id in sorted({moved.id for moved in should ^ ledger.of_table(tx, table.id)}):
        yield f"its transfer {transfer_id} is not what its stake and its end ask for"


def _put_up(tx: Connection, purse: str) -> int:
    """What an escrow should hold: what its seat put up while the table runs, and nothing once it is over."""
    table_id = purse.removeprefix(coins.TABLE).partition(":")[0]
    table: Table | None = tables.find_table(tx, table_id)
    if table is None or table.status == "finished":
        return 0
    return sum(moved.coins for moved in stakes_put_up(table, ("", "")) if moved.credit == purse)


def _account_faults(tx: Connection, account: Account, added_up: int) -> Iterator[str]:
    if account.balance_coins != added_up:
        yield f"its balance is {account.balance_coins}, and its transfers come to {added_up}"
    balance, number = account.balance_coins, account.entry_count
    for entry in ledger.statement(tx, account.id, account.entry_count + 1, account.entry_count + 1):
        if entry.number != number or entry.balance_coins != balance:
            yield f"entry {entry.number} does not lead to the one after it"
            return
        balance, number = balance - entry.coins, number - 1
    if number != 0 or balance != 0:
        yield "its statement does not begin at nothing"
