"""Bringing a database to the schema that this version needs, and saying so when it is not there."""

import logging
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from ginapi.store.database import Database

_MIGRATIONS = Path(__file__).with_name("migrations")
_NOTHING = "0000"  # how a database without any schema is called
_PATIENCE_MS = 60_000  # for another that migrates the same file
_LOCK_KEY = 0x67696E617069  # "ginapi", in PostgreSQL's one space of advisory locks


class NotMigrated(Exception):
    """What keeps a database from being brought to the schema of this version: a sentence for the operator."""


def migrate(url: str) -> None:
    """Bring the database at `url` to the newest schema, whole or not at all. Raises NotMigrated.

    Several processes may do it at once: one works, the others wait and find it done.
    """
    # It says what it does at level INFO, at every start.
    logging.getLogger("alembic").setLevel(logging.WARNING)
    database = Database(url, lock_wait_ms=_PATIENCE_MS)
    try:
        with database.write() as tx:
            if not database.is_sqlite:  # which is locked as a whole already
                tx.exec_driver_sql("SET LOCAL statement_timeout = 0")
                tx.exec_driver_sql("SET LOCAL lock_timeout = 0")
                tx.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK_KEY})")
                # Whoever waits for a table's lock holds up everybody who comes after: not for long.
                tx.exec_driver_sql("SET LOCAL lock_timeout = '30s'")
            present = revision(tx)
            fault = newer_fault(present)
            if fault is None and present is None and inspect(tx).get_table_names():
                fault = "The database has tables, and none of ginapi's: name one of its own."
            if fault is not None:
                raise NotMigrated(fault)
            command.upgrade(alembic_config(tx), "head")
    finally:
        database.close()


def schema_fault(database: Database) -> str | None:
    """What keeps this version from working with the schema of `database`, and what to do; None if nothing does."""
    needed = _scripts().get_current_head()
    with database.read() as tx:
        present = revision(tx)
    if present == needed:
        return None
    behind = f"Database schema is at {present or _NOTHING}; this version needs {needed}: run `ginapi migrate`."
    return newer_fault(present) or behind


def revision(tx: Connection) -> str | None:
    """The schema that a database is at; None where it has none of ginapi's."""
    return MigrationContext.configure(tx).get_current_revision()


def newer_fault(present: str | None) -> str | None:
    """What is wrong with a schema that this version does not know, and what to do; None for one that it knows."""
    scripts = _scripts()
    if present is None or present in {script.revision for script in scripts.walk_revisions()}:
        return None
    return (
        f"Database schema is at {present}, which is newer than this version knows (it needs "
        f"{scripts.get_current_head()}): install the version of ginapi that made it, or a newer one."
    )


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(alembic_config())


def alembic_config(tx: Connection | None = None) -> Config:
    """Alembic's settings: those of the migrations beside this file, wherever that is installed, to run within `tx`.

    `alembic.command.revision(alembic_config(), "what it does", rev_id="0002")` starts a new one.
    """
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = tx
    return config
