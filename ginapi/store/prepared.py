"""Statements of the hot path: compiled once for each kind of database, and sent past SQLAlchemy.

A move reads a row of forty values, writes one of eight and up to three of ten; naming those and sorting them into place
anew each time costs more than sending them. Only for values that every driver takes as they are: numbers, text,
booleans, bytes and None. Where somebody listens to the engine for statements they go by SQLAlchemy, as all others do.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from operator import attrgetter, methodcaller
from typing import Any

from sqlalchemy import Connection, Table, bindparam, insert
from sqlalchemy.sql import ClauseElement

from ginapi.store.faults import Unavailable, is_dead

# Otherwise psycopg has no count of rows to give once its cursor is closed.
_COUNTED = {"preserve_rowcount": True}
_ROWS_AT_ONCE = 8


class Prepared:
    """A statement whose values are all named by `bindparam`."""

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._compiled: dict[str, tuple[str, tuple[str, ...] | None]] = {}

    def run(self, tx: Connection, values: Mapping[str, Any]) -> int:
        """Send it with these values; how many rows it changed."""
        count: int = self._sent(tx, values, attrgetter("rowcount"))
        return count

    def first(self, tx: Connection, values: Mapping[str, Any]) -> tuple[Any, ...] | None:
        """The first row that it gives, or None, as the driver has it: on SQLite a boolean is a number."""
        row: tuple[Any, ...] | None = self._sent(tx, values, methodcaller("fetchone"))
        return row

    def _sent(self, tx: Connection, values: Mapping[str, Any], read: Callable[[Any], Any]) -> Any:
        text, order = self._compiled_for(tx)
        sent = dict(values) if order is None else tuple([values[name] for name in order])
        if tx.dispatch.before_cursor_execute:
            return read(tx.exec_driver_sql(text, sent, execution_options=_COUNTED))
        try:
            with closing(tx.connection.cursor()) as cursor:
                cursor.execute(text, sent)
                return read(cursor)
        except Exception as error:
            if is_dead(tx, error):
                tx.invalidate()
                raise Unavailable("The database cannot be reached.") from error
            raise

    def _compiled_for(self, tx: Connection) -> tuple[str, tuple[str, ...] | None]:
        """The text for this connection's database, and the order of its values; None where they go by name."""
        kind = tx.dialect.name
        found = self._compiled.get(kind)
        if found is None:
            compiled: Any = self._statement.compile(dialect=tx.dialect)
            order = tuple(compiled.positiontup) if compiled.positional else None
            found = self._compiled[kind] = (str(compiled), order)
        return found


class PreparedInsert:
    """An INSERT of whole rows, several in one statement: a driver's own way of sending many sends each by itself."""

    def __init__(self, table: Table) -> None:
        self._names = [[f"{column.name}_{row}" for column in table.columns] for row in range(_ROWS_AT_ONCE)]
        self._of_count = [self._insert(table, count) for count in range(1, _ROWS_AT_ONCE + 1)]

    def _insert(self, table: Table, count: int) -> Prepared:
        rows: list[dict[str, Any]] = [
            {column.name: bindparam(name) for column, name in zip(table.columns, names, strict=True)}
            for names in self._names[:count]
        ]
        return Prepared(insert(table).values(rows))

    def run(self, tx: Connection, rows: Sequence[Sequence[Any]]) -> None:
        """Insert rows, each with its values in the order of the table's columns."""
        for at in range(0, len(rows), _ROWS_AT_ONCE):
            some = rows[at : at + _ROWS_AT_ONCE]
            values: dict[str, Any] = {}
            for names, row in zip(self._names, some, strict=False):
                values.update(zip(names, row, strict=True))
            self._of_count[len(some) - 1].run(tx, values)
