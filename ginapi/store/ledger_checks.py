"""The walk over all accounts that holds them against the ledger: where it stands as a row, and a step as two reads."""

from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, bindparam, case, func, literal, not_, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from ginapi.store.schema import accounts, entries, tables, transfers
from ginapi.store.schema_checks import ledger_checks
from ginapi.tables.coins import TABLE


class Walk(NamedTuple):
    """How far it has come, and what the last that came to the end has found; times in milliseconds."""

    after: str
    began_ms: int
    stepped_ms: int
    fault_count: int
    whole_began_ms: int | None
    whole_fault_count: int | None


_NAME = "accounts"
_NEVER = Walk("", 0, 0, 0, None, None)
_STANDS = select(*(ledger_checks.c[name] for name in Walk._fields)).where(ledger_checks.c.name == _NAME)
_BEGIN = {
    "sqlite": sqlite.insert(ledger_checks).on_conflict_do_nothing().returning(ledger_checks.c.name),
    "postgresql": postgresql.insert(ledger_checks).on_conflict_do_nothing().returning(ledger_checks.c.name),
}
_MOVE = (
    update(ledger_checks)
    .where(ledger_checks.c.name == _NAME, ledger_checks.c.stepped_ms == bindparam("old_stepped_ms"))
    .values({name: bindparam(f"new_{name}") for name in Walk._fields})
)

_SOME = (
    select(accounts.c.id, accounts.c.balance_coins, accounts.c.entry_count)
    .where(accounts.c.id > bindparam("after"))
    .order_by(accounts.c.id)
    .limit(bindparam("limit"))
    .subquery("some")
)
_HAS_STRAYED = not_(
    or_(
        and_(transfers.c.credit == entries.c.account_id, transfers.c.coins == entries.c.coins),
        and_(transfers.c.debit == entries.c.account_id, transfers.c.coins == -entries.c.coins),
    )
)
# Of each account: what it says of itself, and what its entries and their transfers say.
_ADDED_UP = (
    select(
        _SOME.c.id,
        _SOME.c.balance_coins,
        _SOME.c.entry_count,
        func.coalesce(func.sum(entries.c.coins), 0).label("entered_coins"),
        func.count(entries.c.number).label("entered_count"),
        func.coalesce(func.sum(case((_HAS_STRAYED, 1), else_=0)), 0).label("strayed_count"),
    )
    .select_from(
        _SOME.outerjoin(entries, entries.c.account_id == _SOME.c.id).outerjoin(
            transfers, transfers.c.id == entries.c.transfer_id
        )
    )
    .group_by(_SOME.c.id, _SOME.c.balance_coins, _SOME.c.entry_count)
    .order_by(_SOME.c.id)
)


def _in_escrow(purse: ColumnElement[str]) -> ColumnElement[int]:
    return func.sum(case((purse.startswith(literal(TABLE) + tables.c.id), transfers.c.coins), else_=0))


_THEIR_TABLES = (
    select(transfers.c.table_id)
    .select_from(
        _SOME.join(entries, entries.c.account_id == _SOME.c.id).join(transfers, transfers.c.id == entries.c.transfer_id)
    )
    .where(transfers.c.table_id.is_not(None))
)
# The tables of those accounts that are over, and still hold coins.
_LEFT_IN_ESCROW = (
    select(tables.c.id)
    .select_from(tables.join(transfers, transfers.c.table_id == tables.c.id))
    .where(tables.c.status == "finished", tables.c.id.in_(_THEIR_TABLES))
    .group_by(tables.c.id)
    .having(_in_escrow(transfers.c.credit) != _in_escrow(transfers.c.debit))
    .order_by(tables.c.id)
)


class Step(NamedTuple):
    """What some accounts were found like."""

    last: str | None
    """The last of them; None where the walk has come to the end."""
    faulty: tuple[str, ...]
    """Those that do not hold what the ledger says."""
    uncleared: tuple[str, ...]
    """Their tables that are over, and hold coins."""


def stands(tx: Connection) -> Walk:
    """Where the walk stands."""
    row = tx.execute(_STANDS).one_or_none()
    return _NEVER if row is None else Walk(*row)


def move(tx: Connection, before: Walk, after: Walk) -> bool:
    """Write down where the walk stands now; False where somebody else has moved it meanwhile."""
    if before == _NEVER:
        return tx.execute(_BEGIN[tx.dialect.name], {"name": _NAME, **after._asdict()}).first() is not None
    new = {f"new_{name}": value for name, value in after._asdict().items()}
    return tx.execute(_MOVE, {**new, "old_stepped_ms": before.stepped_ms}).rowcount == 1


def step(tx: Connection, after: str, limit: int) -> Step:
    """The next accounts, at one moment, each held against its entries, and these against their transfers."""
    some = {"after": after, "limit": limit}
    rows = list(tx.execute(_ADDED_UP, some))
    faulty = (
        row.id
        for row in rows
        if (row.balance_coins, row.entry_count, 0) != (row.entered_coins, row.entered_count, row.strayed_count)
    )
    uncleared = tx.execute(_LEFT_IN_ESCROW, some).scalars()
    return Step(rows[-1].id if len(rows) == limit else None, tuple(faulty), tuple(uncleared))
