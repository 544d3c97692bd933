"""Tables under a clock in a database, opened by the pure code with the ids and the time that a test names."""

from typing import Any

from sqlalchemy import Connection, select

from ginapi.service import settling
from ginapi.store import accounts, ledger, schema, tables, tokens
from ginapi.store.accounts import Account
from ginapi.store.database import Database
from ginapi.store.tables import Seat
from ginapi.tables import coins
from ginapi.tables.clock import ClockTerms
from ginapi.tables.online import join, open_online
from ginapi.tables.table import Outcome, open_coin, open_practice, stakes_put_up
from ginapi.tables.values import Table
from tests.clock.clocked import TERMS
from tests.tables.matches import NOW_MS

STAKE = 50
LOG = (schema.records, schema.hands, schema.transfers, schema.entries)
"""What is only ever added to: the record of all tables."""


def table_id(number: int) -> str:
    return f"{number:020x}"


def token_of(number: int, seat: int = 0) -> str:
    """Of whoever sits in a seat of table `number`."""
    return f"ginapi_guest_{seat}{number:042d}"


def opened(
    number: int, kind: str = "practice", now_ms: int = NOW_MS, terms: ClockTerms = TERMS, **given: Any
) -> Outcome:
    """Table `number`, seeded by it; an `online` or `staked` one is joined at once, a `waiting` one is not."""
    seed = f"table {number}"
    if kind in ("online", "staked", "waiting"):
        stake = 0 if kind == "online" else STAKE
        waiting = open_online(table_id(number), seed, now_ms, stake=stake, clock=terms, **given)
        if kind == "waiting":
            return waiting
        joined = join(waiting.table, now_ms)
        return joined._replace(records=waiting.records + joined.records)
    if kind == "coin":
        return open_coin(table_id(number), seed, now_ms, stake=STAKE, clock=terms, **given)
    return open_practice(table_id(number), seed, now_ms, clock=terms, **given)


def seat(db: Database, *outcomes: Outcome) -> None:
    """Store tables as they were opened, each with people of its own, who hold `token_of` its number and their seat."""
    with db.write() as tx:
        for outcome in outcomes:
            table = outcome.table
            seats = tuple(_person(tx, table, at) for at in range(1 if table.level or not table.is_full else 2))
            if table.level is not None:
                seats += (Seat(1, "computer", "hard", None),)
            tables.add(tx, outcome, seats)
            ledger.post(tx, stakes_put_up(table, settling.purses(tx, table)), table.created_ms, table.id)


def _person(tx: Connection, table: Table, seat: int) -> Seat:
    """One who sits there, with a token, and an account where there is a stake."""
    number, now_ms = int(table.id, 16), table.created_ms
    kind, name = "account" if table.stake else "guest", f"p{number}" if seat == 0 else f"q{number}"
    principal = f"{kind}:{seat}{number:031x}"
    tokens.add(tx, token_of(number, seat), principal, kind, now_ms)
    if table.stake:
        accounts.add(tx, Account(principal, name, "", now_ms, 0, 0, 0, None), name)
        ledger.post(tx, coins.welcome(principal, 1_000), now_ms, None)
    return Seat(seat, kind, name, principal)


def log_of(db: Database) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of the record, and how every table stands; not how often settling it failed."""
    with db.read() as tx:
        found = {
            one.name: [tuple(row) for row in tx.execute(select(one).order_by(*one.primary_key.columns))] for one in LOG
        }
        stands = [column for column in schema.tables.columns if column.name not in ("attempts", "not_before_ms")]
        found["tables"] = [tuple(row) for row in tx.execute(select(*stands).order_by(schema.tables.c.id))]
    return found


def column(db: Database, name: str) -> dict[int, Any]:
    """One column of `tables`, by the table's number."""
    with db.read() as tx:
        rows = tx.execute(select(schema.tables.c.id, schema.tables.c[name]))
        return {int(row[0], 16): row[1] for row in rows}


def records_of(db: Database, number: int) -> list[Any]:
    """The log of a table as rows."""
    with db.read() as tx:
        records = schema.records
        return list(
            tx.execute(select(records).where(records.c.table_id == table_id(number)).order_by(records.c.number))
        )
