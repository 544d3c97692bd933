"""The lobby is read by its index: of a great many tables only those of a page."""

from typing import Any

import pytest
from sqlalchemy import event, insert, text

from ginapi.store import lobby, schema
from ginapi.store.database import Database
from ginapi.store.lobby import Place
from tests.store.rows import table_row

STATUSES = ("open", "playing", "finished")


def test_a_page_and_a_seat_are_found_by_the_index(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "table_of", lambda row: row)  # These rows have no hand to be read.
    database = Database(database_url)
    with database.write() as tx:
        rows = [
            table_row(f"{at:020x}")
            | {"kind": "online", "private": at % 10 != 0, "status": STATUSES[at % 3], "created_ms": at}
            for at in range(2_000)
        ]
        tx.execute(insert(schema.tables), rows)
        tx.execute(text("ANALYZE"))
    asked: list[tuple[str, Any]] = []

    def note(connection: Any, cursor: Any, statement: str, values: Any, *rest: Any) -> None:
        asked.append((statement, values))

    event.listen(database.engine(), "before_cursor_execute", note)
    with database.write() as tx:
        lobby.list_public(tx, 10, None, {})
        lobby.list_public(tx, 10, Place(1, 1_500, "f" * 20), {"stake": 0})
        lobby.find_open(tx, 0, "nobody", 0, 30_000)
    event.remove(database.engine(), "before_cursor_execute", note)
    assert len(asked) >= 3
    with database.read() as tx:
        for statement, values in asked:
            explained = tx.exec_driver_sql(
                ("EXPLAIN QUERY PLAN " if database.is_sqlite else "EXPLAIN ") + statement, values
            )
            plan = "\n".join(str(row) for row in explained)
            assert "ix_tables_public" in plan, plan
    database.close()
