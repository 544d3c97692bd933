"""What the tests of the store share."""

import pytest
from sqlalchemy import insert

from ginapi.store import schema
from ginapi.store.database import Database
from tests.store.rows import TABLE_ID, table_row


@pytest.fixture
def table(database: Database) -> Database:
    """A database with one table in it, at version 0."""
    with database.write() as tx:
        tx.execute(insert(schema.tables), [table_row(TABLE_ID)])
    return database
