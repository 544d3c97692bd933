"""Standing, counted as a match ends and audited: every match once, in the transaction that ends it."""

from collections.abc import Iterator

from sqlalchemy import Connection

from ginapi.service.audited import STANDINGS, Audited
from ginapi.service.house import House
from ginapi.store import accounts, standings, tables
from ginapi.store.standings import Counts
from ginapi.tables.standing import after_match, is_counted
from ginapi.tables.values import Table

_NOTHING = Counts(0, 0, 0, 0)


def count(tx: Connection, table: Table) -> None:
    """Count a match that has just ended for the accounts that played it; both are held until the transaction ends."""
    if not is_counted(table):
        return
    account_ids = {seat.seat: seat.principal for seat in tables.find_seats(tx, table.id) if seat.kind == "account"}
    held = {seat: account_id for seat, account_id in account_ids.items() if account_id is not None}
    if not held:
        return
    for account_id in sorted(held.values()):
        accounts.find(tx, account_id, to_change=True)
    found = standings.find(tx, held.values())
    before = {seat: found[account_id] for seat, account_id in held.items()}
    after = after_match(table, before, standings.moves_at(tx, table.id))
    standings.save(tx, {held[seat]: standing for seat, standing in after.items()})


def audit(house: House) -> Audited:
    """The counts of every standing against the tables; at one moment, so that no match ends between the two."""
    with house.db.read() as tx:
        return Audited(STANDINGS, tuple(_faults(standings.counts(tx), standings.counted_from_tables(tx))))


def _faults(counted: dict[str, Counts], at_tables: dict[str, Counts]) -> Iterator[str]:
    for account_id in sorted(counted.keys() | at_tables.keys()):
        told, should_be = counted.get(account_id, _NOTHING), at_tables.get(account_id, _NOTHING)
        if told != should_be:
            yield f"{account_id} counts {_said(told)}; its tables come to {_said(should_be)}"


def _said(counts: Counts) -> str:
    return ", ".join(f"{number} {name}" for name, number in counts._asdict().items())
