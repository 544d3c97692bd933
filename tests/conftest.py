"""Databases for the tests that want one: each gets its own, migrated and empty, of either kind; and the log, whole."""

import logging
import shutil
import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from ginapi.store.database import Database
from ginapi.store.migrate import migrate
from tests.postgres import Server
from tests.shares import share

KINDS = ("sqlite", "postgresql")


class Databases:
    """Makes databases; called with a kind, answers the URL of a new one. PostgreSQL starts when first asked for.

    With `migrated=False` the database has no schema.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._server: Server | None = None

    def __call__(self, kind: str, migrated: bool = True) -> str:
        name = f"t_{uuid.uuid4().hex}"
        if kind == "sqlite":
            if migrated:
                shutil.copy(self._sqlite_template(), self._folder / f"{name}.db")
            return f"sqlite:///{self._folder / name}.db"
        assert kind == "postgresql", kind
        template = "migrated" if migrated else "template0"
        self.server.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.server.url(name)

    def drop(self, url: str) -> None:
        """Remove the database at `url`, whoever may still be connected to it."""
        if url.startswith("sqlite"):
            for path in self._folder.glob(f"{Path(url).name}*"):
                path.unlink()
        else:
            self.server.run(f"DROP DATABASE {Database(url).url.database} WITH (FORCE)")

    @property
    def server(self) -> Server:
        """The PostgreSQL of this session."""
        if self._server is None:
            self._server = Server()
            self._server.run("CREATE DATABASE migrated TEMPLATE template0")
            migrate(self._server.url("migrated"))
        return self._server

    def _sqlite_template(self) -> Path:
        template = self._folder / "migrated.db"
        if not template.exists():
            migrate(f"sqlite:///{template}")
        return template

    def close(self) -> None:
        """End the server, if it was started."""
        if self._server is not None:
            self._server.stop()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of each test marked `share_on_postgresql(n)` every n-th case runs on PostgreSQL, in a full run all of them.

    The last of its parameters changes fastest: where `n` and the count of its values have a factor in common, some of
    those values never come up.
    """
    cases: Counter[str] = Counter()
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        name, _, case = item.nodeid.partition("[")
        mark = item.get_closest_marker("share_on_postgresql")
        if mark is None or "postgresql" not in case:
            kept.append(item)
            continue
        (kept if cases[name] % share(1, *mark.args) == 0 else left_out).append(item)
        cases[name] += 1
    items[:] = kept
    config.hook.pytest_deselected(items=left_out)


@pytest.fixture(scope="session")
def make_database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    """`make_database("postgresql")` answers the URL of a new database; it lives until the session ends."""
    databases = Databases(tmp_path_factory.mktemp("databases"))
    yield databases
    databases.close()


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest, make_database: Databases) -> Iterator[str]:
    """The URL of a fresh database, once on SQLite and once on PostgreSQL."""
    url = make_database(request.param)
    yield url
    make_database.drop(url)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A fresh database, opened."""
    opened = Database(database_url)
    yield opened
    opened.close()


@pytest.fixture
def caplog(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """With the service's own log, whole: once an app was made it goes to standard error alone, at that app's level."""
    logger = logging.getLogger("ginapi")
    level, propagate = logger.level, logger.propagate
    logger.addHandler(caplog.handler)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    yield caplog
    logger.removeHandler(caplog.handler)
    logger.setLevel(level)
    logger.propagate = propagate
