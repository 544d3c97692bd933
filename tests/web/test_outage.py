"""30 s without a line: within 2 s of its coming back the page shows how things stand, by itself, however it was cut."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web import scenes
from tests.web.conftest import Room
from tests.web.playing import press
from tests.web.scenes import Person, deadwood_first

OUTAGE_MS = 30_000
AFRESH_MS = 2000
STEP_MS = 500
Cut = Callable[[bool], None]


def offline(page: Page) -> Cut:
    """The device knows that it has no line, and when it has one again."""
    return page.context.set_offline


def in_silence(page: Page) -> Cut:
    """No answer comes while it is cut, nor later to what was asked by then; the device sees nothing of it."""
    isolated = False

    def pass_on(route: Route) -> None:
        # A poll is under way whenever the line is cut.
        if not isolated and "wait_ms" not in route.request.url:
            route.continue_()

    def cut(is_cut: bool) -> None:
        nonlocal isolated
        isolated = is_cut

    page.route("**/*", pass_on)
    return cut


def let_pass(page: Page, length_ms: int) -> None:
    """Move the clock of the page: what it waits for takes no time, and what it asks for as long as it takes."""
    for _ in range(length_ms // STEP_MS):
        page.clock.run_for(STEP_MS)


def cut_off(page: Page, person: Person, hand: scenes.Json, ways: Callable[[Page], Cut]) -> Cut:
    """A page at its turn to draw, with its clock stopped and its line cut."""
    page.clock.install()
    cut = ways(page)
    person.sit(page, f"table={hand['table_id']}")
    page.locator("#stock.open").wait_for()
    page.clock.pause_at((page.evaluate("Date.now()") + STEP_MS) / 1000)
    cut(True)
    return cut


@pytest.mark.parametrize("way", [offline, in_silence])
def test_what_happened_during_an_outage_is_shown_when_it_is_over(room: Room, way: Callable[[Page], Cut]) -> None:
    person = Person(room.server.url)
    hand = person.open_hand(seed="an outage", level="easy")
    page = room.device()
    cut = cut_off(page, person, hand, way)
    hand = person.move(hand, action="draw", **{"from": "stock"})
    hand = person.move(hand, **deadwood_first(hand))
    let_pass(page, OUTAGE_MS)
    expect(page.locator(".notice.line")).to_be_visible()
    expect(page.locator("#stock .label")).not_to_have_text(f"Stock {hand['stock_count']}")
    cut(False)
    let_pass(page, AFRESH_MS)
    # From here on the clock of the page stands still: whatever it has not asked for by now never comes.
    expect(page.locator("#stock .label")).to_have_text(f"Stock {hand['stock_count']}")
    expect(page.locator(".notice.line")).to_have_count(0)


def test_the_lobby_too_shows_how_things_stand_after_an_outage(room: Room) -> None:
    person = Person(room.server.url)
    person.open_hand(level="easy")
    page = room.device()
    page.clock.install()
    person.sit(page, "lobby")
    expect(page.get_by_role("link", name="Go on")).to_have_count(1)
    page.clock.pause_at((page.evaluate("Date.now()") + STEP_MS) / 1000)
    page.context.set_offline(True)
    let_pass(page, OUTAGE_MS)
    person.open_hand(level="hard")
    page.context.set_offline(False)
    let_pass(page, AFRESH_MS)
    expect(page.get_by_role("link", name="Go on")).to_have_count(2)


@pytest.mark.parametrize("way", [offline, in_silence])
def test_a_move_made_during_an_outage_is_made_once_it_is_over(room: Room, way: Callable[[Page], Cut]) -> None:
    person = Person(room.server.url)
    hand = person.open_hand(seed="an outage", level="easy")
    page = room.device()
    cut = cut_off(page, person, hand, way)
    press(page, "s")
    let_pass(page, OUTAGE_MS)
    expect(page.locator(".prompt.sending")).to_be_visible()
    expect(page.locator(".own .card")).to_have_count(10)
    cut(False)
    let_pass(page, AFRESH_MS)
    expect(page.locator(".own .card")).to_have_count(11)
    assert person.hand(hand["id"])["version"] == 1
