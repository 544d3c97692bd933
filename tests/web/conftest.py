"""A browser, and a service for it; a page fails its test by an error, a complaint of the console or of the policy."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.conftest import Databases
from tests.served.server import Server
from tests.web.browser import ARGUMENTS, chromium
from tests.web.scenes import Person

PATIENCE_MS = 60_000
"""Within this a page shows what it is waited for, however busy the machine is."""
# Chromium's own words for an answer of 4xx or a cut line: the page shows those in its own way.
EXPECTED = "Failed to load resource"


@dataclass(frozen=True, slots=True)
class Room:
    """A service and a browser, and what its pages complained of."""

    server: Server
    browser: Browser
    complaints: list[str]

    @property
    def play(self) -> str:
        return f"{self.server.url}/play"

    def page(self, width: int = 1280, height: int = 800, **options: Any) -> Page:
        """A new device, in the lobby."""
        page = self.device(width, height, **options)
        page.goto(self.play)
        return page

    def device(self, width: int = 1280, height: int = 800, **options: Any) -> Page:
        """A new device that nobody has used, and that shows nothing yet."""
        context: BrowserContext = self.browser.new_context(
            viewport={"width": width, "height": height},
            reduced_motion="reduce",
            **options,
        )
        context.set_default_timeout(PATIENCE_MS)
        return self.tab(context)

    def tab(self, context: BrowserContext) -> Page:
        """One more tab of a device, that shows nothing yet."""
        page = context.new_page()
        page.on("console", lambda message: self._heard(message))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def drawing(self, person: Person, table_id: str) -> Page:
        """A new device of a person's, at a table where it is its turn to draw."""
        page = self.device()
        person.sit(page, f"table={table_id}")
        page.locator("#stock.open").wait_for()
        return page

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not message.text.startswith(EXPECTED):
            self.complaints.append(message.text)


Serve = Callable[..., AbstractContextManager[Server]]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        yield opened
        opened.close()


@pytest.fixture(scope="package")
def serve(make_database: Databases, tmp_path_factory: pytest.TempPathFactory) -> Serve:
    """`with serve(GINAPI_…="…") as server`: a service of its own with those settings."""

    @contextmanager
    def serving(**settings: str) -> Iterator[Server]:
        folder: Path = tmp_path_factory.mktemp("web")
        url = make_database("sqlite", migrated=False)
        server = Server(folder, {"WEB_CONCURRENCY": "1", "GINAPI_DATABASE_URL": url, **settings})
        try:
            yield server
        finally:
            server.stop()
            make_database.drop(url)

    return serving


@pytest.fixture(scope="package")
def served(serve: Serve) -> Iterator[Server]:
    with serve() as server:
        yield server


def in_room(server: Server, browser: Browser) -> Iterator[Room]:
    room = Room(server, browser, [])
    yield room
    for context in browser.contexts:
        context.close()
    assert room.complaints == []


@pytest.fixture
def room(served: Server, browser: Browser) -> Iterator[Room]:
    """The service that all share, as it is set by default."""
    yield from in_room(served, browser)
