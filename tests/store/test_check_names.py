"""Checks are called in the database as the schema calls them: a later migration drops them by that name."""

from sqlalchemy import CheckConstraint, inspect

from ginapi.store import schema
from ginapi.store.database import Database


def test_every_check_has_the_name_that_the_schema_gives_it(database: Database) -> None:
    with database.read() as tx:
        found = {
            (table, check["name"])
            for table in schema.metadata.tables
            for check in inspect(tx).get_check_constraints(table)
        }
    named = {
        (table.name, str(one.name))
        for table in schema.metadata.sorted_tables
        for one in table.constraints
        if isinstance(one, CheckConstraint)
    }
    assert found == named and named
