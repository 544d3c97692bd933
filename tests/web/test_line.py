"""What the web table makes of a service that is away, and of requests that come to nothing."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.served.server import Server
from tests.waiting import wait_until
from tests.web.conftest import Room, Serve, in_room
from tests.web.playing import due, press
from tests.web.scenes import Person


@pytest.fixture(scope="module")
def frail(serve: Serve) -> Iterator[Server]:
    with serve() as server:
        yield server


@pytest.fixture
def frail_room(frail: Server, browser: Browser) -> Iterator[Room]:
    """A service that may be killed."""
    yield from in_room(frail, browser)


def test_a_move_made_while_the_service_was_away_is_made_once_it_is_back(frail_room: Room) -> None:
    person = Person(frail_room.server.url)
    hand = person.open_hand(seed="restart", level="easy")
    page = frail_room.drawing(person, hand["table_id"])
    frail_room.server.kill()
    press(page, "s")
    expect(page.locator(".prompt.sending")).to_be_visible()
    expect(page.locator(".notice.line")).to_be_visible()
    assert page.locator(".own .card").count() == 10, "nothing is shown as done that the service has not said"
    frail_room.server.start()
    assert due(page) == "shed"
    assert page.locator(".own .card").count() == 11
    moves = person.client.get(f"/v1/hands/{hand['id']}/moves").json()["items"]
    assert [move["action"] for move in moves] == ["draw"]


def _waits_for(page: Page, event: str) -> int:
    """How many listeners the window has for an event."""
    tools = page.context.new_cdp_session(page)
    window = tools.send("Runtime.evaluate", {"expression": "window"})["result"]["objectId"]
    listeners = tools.send("DOMDebugger.getEventListeners", {"objectId": window})["listeners"]
    return sum(listener["type"] == event for listener in listeners)


def test_a_request_that_was_tried_again_leaves_nothing_behind(room: Room) -> None:
    person = Person(room.server.url)
    hand = person.open_hand(seed="tried again", level="easy")
    page = room.drawing(person, hand["table_id"])
    before = _waits_for(page, "lineback")
    page.route("**/v1/hands/*/moves", lambda route: route.abort(), times=3)
    press(page, "s")
    page.locator("#discard").wait_for()
    wait_until(lambda: _waits_for(page, "lineback") <= before)  # A poll may wait for it just now.
