"""The migrations make what schema.py says, once, whoever runs them."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import insert, inspect, select

from ginapi.store import schema
from ginapi.store.database import Database
from ginapi.store.migrate import alembic_config, migrate, schema_fault
from tests.conftest import KINDS, Databases
from tests.store.rows import table_row

EACH_KIND = pytest.mark.parametrize("kind", KINDS)
WITHIN_S = 60


def test_the_migrations_make_the_schema_that_the_code_knows(database: Database) -> None:
    with database.read() as tx:
        options = {"compare_type": True, "compare_server_default": True}
        assert compare_metadata(MigrationContext.configure(tx, opts=options), schema.metadata) == []


def test_constraints_have_the_names_that_the_code_gives_them(database: Database) -> None:
    with database.read() as tx:
        inspector = inspect(tx)
        for table in schema.metadata.sorted_tables:
            assert inspector.get_pk_constraint(table.name)["name"] == f"pk_{table.name}"
            names = {key["name"] for key in inspector.get_foreign_keys(table.name)}
            assert names == {key.name for key in table.foreign_key_constraints}


def test_a_migrated_database_has_no_fault_and_is_left_as_it_is(database: Database, database_url: str) -> None:
    with database.write() as tx:
        tx.execute(schema.tokens.insert(), [_token()])
    migrate(database_url)
    assert schema_fault(database) is None
    with database.read() as tx:
        assert tx.execute(select(schema.tokens.c.principal)).scalars().all() == ["guest-1"]


@EACH_KIND
def test_an_empty_database_is_behind_by_name(kind: str, make_database: Databases) -> None:
    database = Database(make_database(kind, migrated=False))
    assert schema_fault(database) == "Database schema is at 0000; this version needs 0005: run `ginapi migrate`."
    database.close()


def test_a_newer_database_is_refused_by_name(database: Database) -> None:
    with database.write() as tx:
        tx.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    assert schema_fault(database) == (
        "Database schema is at 9999, which is newer than this version knows (it needs 0005): "
        "install the version of ginapi that made it, or a newer one."
    )


@EACH_KIND
def test_a_database_of_each_version_is_brought_up_with_what_it_holds(kind: str, make_database: Databases) -> None:
    database = Database(make_database(kind, migrated=False))
    with database.write() as tx:
        command.upgrade(alembic_config(tx), "0001")
        tx.execute(insert(schema.tables), [table_row("a" * 20)])
    migrate(database.url.render_as_string(hide_password=False))
    assert schema_fault(database) is None
    with database.read() as tx:
        row = tx.execute(select(schema.tables)).one()._mapping
        options = {"compare_type": True, "compare_server_default": True}
        assert compare_metadata(MigrationContext.configure(tx, opts=options), schema.metadata) == []
    assert {name: row[name] for name in table_row("a" * 20)} == table_row("a" * 20)
    # A table of before has no stake and no clock, and nobody is late at it.
    assert (row["stake"], row["move_ms"], row["due_ms"], row["not_before_ms"]) == (0, None, None, 0)
    database.close()


@EACH_KIND
def test_four_processes_migrate_at_once(kind: str, make_database: Databases, tmp_path: Path) -> None:
    url = make_database(kind, migrated=False)
    code = "import sys; from ginapi.store.migrate import migrate; migrate(sys.argv[1])"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, url], cwd=tmp_path, env=_environment(), stderr=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    for process in processes:
        _, errors = process.communicate(timeout=WITHIN_S)
        assert (process.returncode, errors) == (0, "")
    database = Database(url)
    assert schema_fault(database) is None
    database.close()


@EACH_KIND
def test_migrating_is_silent(kind: str, make_database: Databases, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        migrate(make_database(kind, migrated=False))
    assert [record for record in caplog.records if record.name.startswith("alembic")] == []


def _token() -> dict[str, object]:
    return {"hash": b"h" * 32, "principal": "guest-1", "kind": "guest", "created_ms": 2**40, "used_ms": 2**40}


def _environment() -> dict[str, str]:
    return {"PYTHONPATH": str(Path(__file__).parents[2])}
