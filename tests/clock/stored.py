"""Tables under a clock in a database, opened by the pure code with the ids and the time that a test names."""

from typing import Any

from sqlalchemy import select

from ginapi.service import settling
from ginapi.store import accounts, ledger, schema, tables, tokens
from ginapi.store.accounts import Account
from ginapi.store.database import Database
from ginapi.store.tables import Seat
from ginapi.tables import coins
from ginapi.tables.clock import ClockTerms
from ginapi.tables.table import Outcome, open_coin, open_practice, stakes_put_up
from tests.clock.clocked import TERMS
from tests.tables.matches import NOW_MS

STAKE = 50
LOG = (schema.records, schema.hands, schema.transfers, schema.entries)
"""What is only ever added to: the record of all tables."""


def table_id(number: int) -> str:
    return f"{number:020x}"


def token_of(number: int) -> str:
    return f"ginapi_guest_{number:043d}"


def opened(
    number: int, kind: str = "practice", now_ms: int = NOW_MS, terms: ClockTerms = TERMS, **given: Any
) -> Outcome:
    """Table `number`, seeded by it."""
    seed = f"table {number}"
    if kind == "coin":
        return open_coin(table_id(number), seed, now_ms, stake=STAKE, clock=terms, **given)
    return open_practice(table_id(number), seed, now_ms, clock=terms, **given)


def seat(db: Database, *outcomes: Outcome) -> None:
    """Store tables as they were opened, each with a person of its own in seat 0, who holds `token_of` its number."""
    with db.write() as tx:
        for outcome in outcomes:
            table = outcome.table
            number, now_ms = int(table.id, 16), table.created_ms
            kind = "account" if table.stake else "guest"
            principal = f"{kind}:{number:032x}"
            tokens.add(tx, token_of(number), principal, kind, now_ms)
            tables.add(tx, outcome, (Seat(0, kind, f"p{number}", principal), Seat(1, "computer", "hard", None)))
            if table.stake:
                accounts.add(tx, Account(principal, f"p{number}", "", now_ms, 0, 0, 0, None), f"p{number}")
                ledger.post(tx, coins.welcome(principal, 1_000), now_ms, None)
                ledger.post(tx, stakes_put_up(table, settling.purses(tx, table)), now_ms, table.id)


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
