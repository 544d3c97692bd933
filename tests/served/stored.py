"""What stands in the database behind a server, read past the service."""

from typing import Any

from click.testing import CliRunner

from ginapi.cli import main
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


def audit(database_url: str) -> None:
    """`ginapi audit`, which must find nothing."""
    audited = CliRunner().invoke(main, ["audit"], env={"GINAPI_DATABASE_URL": database_url})
    assert audited.exit_code == 0, audited.output
