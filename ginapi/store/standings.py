"""Standings as rows: of some accounts, in the order of the leaderboard, and held against the tables that made them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    case,
    delete,
    func,
    literal_column,
    or_,
    select,
    tuple_,
)
from sqlalchemy.dialects import postgresql, sqlite

from ginapi.store.schema import accounts, records, seats, standings, tables
from ginapi.tables.rating import Rating
from ginapi.tables.standing import CLOCK_SHARE, Moves, Standing


class Place(NamedTuple):
    """Where the leaderboard goes on: after the account with this rating and id."""

    rating: float
    account_id: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """A line of the leaderboard."""

    account_id: str
    name: str
    created_ms: int
    standing: Standing

    @property
    def place(self) -> Place:
        return Place(self.standing.rating.rating, self.account_id)


class Counts(NamedTuple):
    """What a standing counts; `rated` is how many matches moved the rating."""

    rated: int
    played: int
    won: int
    left: int


_columns = standings.c


def _is_move(table_id: Any) -> Any:
    """Of a table's records the moves that its seats made, or the clock for them: not their getting up."""
    actions = records.c.action.in_(["draw", "pass", "discard", "knock", "layoff"])
    return and_(records.c.table_id == table_id, records.c.event == "move", actions)


_FIND = select(standings).where(_columns.account_id.in_(bindparam("account_ids", expanding=True)))


def _saving(insert: Any) -> Any:
    new = {column.name: insert.excluded[column.name] for column in standings.columns if not column.primary_key}
    return insert.on_conflict_do_update(index_elements=["account_id"], set_=new)


_SAVE = {"sqlite": _saving(sqlite.insert(standings)), "postgresql": _saving(postgresql.insert(standings))}
_MOVES = (
    select(records.c.seat, func.count(), func.sum(case((records.c.by == "clock", 1), else_=0)))
    .where(_is_move(bindparam("table_id")))
    .group_by(records.c.seat)
)
_FORGET = delete(standings).where(_columns.account_id == bindparam("of_account_id"))
# Written as the index has it, or a statement that PostgreSQL has planned once for every value would not use it.
_RANKED = (
    select(accounts.c.name, accounts.c.created_ms, standings)
    .select_from(standings.join(accounts, accounts.c.id == _columns.account_id))
    .where(_columns.rated_count > literal_column("0"))
    .order_by(_columns.rating.desc(), _columns.account_id.desc())
)


def find(tx: Connection, account_ids: Iterable[str]) -> dict[str, Standing]:
    """The standings of accounts; one that has played nobody has a new one."""
    wanted = list(account_ids)
    found = {row.account_id: _standing(row) for row in tx.execute(_FIND, {"account_ids": wanted})}
    return {account_id: found.get(account_id, Standing()) for account_id in wanted}


def save(tx: Connection, changed: Mapping[str, Standing]) -> None:
    """The standings of accounts that are held, so that nobody else changes them."""
    rows = [
        {
            "account_id": account_id,
            **standing.rating._asdict(),
            "rated_ms": standing.rated_ms,
            "rated_count": standing.rated_count,
            "played_count": standing.played_count,
            "won_count": standing.won_count,
            "left_count": standing.left_count,
        }
        for account_id, standing in changed.items()
    ]
    tx.execute(_SAVE[tx.dialect.name], rows)


def forget(tx: Connection, account_id: str) -> None:
    """Forget the standing of an account."""
    tx.execute(_FORGET, {"of_account_id": account_id})


def moves_at(tx: Connection, table_id: str) -> dict[int, Moves]:
    """How many moves were made at a table, by seat; one that made none is left out."""
    return {seat: Moves(made, int(by_clock)) for seat, made, by_clock in tx.execute(_MOVES, {"table_id": table_id})}


def list_ranked(tx: Connection, limit: int, after: Place | None) -> list[Ranked]:
    """The accounts that have been rated, best first; of two alike the one with the higher id."""
    statement = _RANKED.limit(limit)
    if after is not None:
        statement = statement.where(tuple_(_columns.rating, _columns.account_id) < after)
    return [Ranked(row.account_id, row.name, row.created_ms, _standing(row)) for row in tx.execute(statement)]


def counts(tx: Connection) -> dict[str, Counts]:
    """What every standing counts."""
    return {
        row.account_id: Counts(row.rated_count, row.played_count, row.won_count, row.left_count)
        for row in tx.execute(select(standings))
    }


def counted_from_tables(tx: Connection) -> dict[str, Counts]:
    """What every standing should count, by the tables where open accounts have played each other or guests."""
    return {row.principal: Counts(*map(int, row[1:])) for row in tx.execute(_counted())}


def _counted() -> Select[Any]:
    """By account: its matches between people that were decided, and how they went."""
    won = tables.c.winner == seats.c.seat
    return (
        select(
            seats.c.principal,
            func.sum(case((_moved_rating(won), 1), else_=0)),
            func.count(),
            func.sum(case((won, 1), else_=0)),
            func.sum(case((and_(tables.c.ended == "left", ~won), 1), else_=0)),
        )
        .select_from(
            seats.join(tables, tables.c.id == seats.c.table_id).join(accounts, accounts.c.id == seats.c.principal)
        )
        .where(tables.c.kind == "online", tables.c.ended.in_(["target", "left"]), accounts.c.name != "")
        .group_by(seats.c.principal)
    )


def _moved_rating(won: Any) -> Any:
    other = seats.alias("other")
    against_account = (
        select(other.c.kind).where(other.c.table_id == seats.c.table_id, other.c.seat != seats.c.seat).scalar_subquery()
    )
    # A move by the clock weighs against the others as may_gain has it.
    surplus_of_clock = (
        select(func.coalesce(func.sum(case((records.c.by == "clock", CLOCK_SHARE - 1), else_=-1)), 0))
        .where(_is_move(seats.c.table_id), records.c.seat == seats.c.seat)
        .scalar_subquery()
    )
    return and_(
        tables.c.fair,
        ~tables.c.private,
        against_account == "account",
        or_(~won, surplus_of_clock <= 0),
    )


def _standing(row: Row[Any]) -> Standing:
    return Standing(
        Rating(row.rating, row.deviation, row.volatility),
        row.rated_ms,
        row.rated_count,
        row.played_count,
        row.won_count,
        row.left_count,
    )
