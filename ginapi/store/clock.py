"""The database's time, which all hosts share: PostgreSQL's; SQLite has none but the process's own."""

from sqlalchemy import BigInteger, ColumnElement, Connection, literal_column, select


def moment_ms(function: str) -> ColumnElement[int]:
    """One of PostgreSQL's functions that tell the time, as milliseconds since 1970."""
    return literal_column(f"floor(extract(epoch from {function}()) * 1000)::bigint", BigInteger)


_NOW = select(moment_ms("clock_timestamp"))


def now_ms(tx: Connection) -> int | None:
    """PostgreSQL's time as it goes on, not the transaction's; None on SQLite."""
    if tx.dialect.name != "postgresql":
        return None
    told: int = tx.execute(_NOW).scalar_one()
    return told
