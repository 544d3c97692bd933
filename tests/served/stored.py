"""What stands in the database behind a server, read past the service."""

from typing import Any

from ginapi.store.database import Database
from tests.served.conftest import Served


def rows(served: Served, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query, read now."""
    database = Database(served.database_url)
    try:
        with database.read() as tx:
            return [tuple(row) for row in tx.exec_driver_sql(query)]
    finally:
        database.close()


def count(served: Served, table: str) -> int:
    return int(rows(served, f"SELECT count(*) FROM {table}")[0][0])
