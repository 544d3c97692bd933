"""Coins at the web table: signing up, a stake, the clock that plays on, and leaving with its cost asked first."""

import re
from collections.abc import Iterator
from math import ceil

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.served.server import Server
from tests.web import scenes
from tests.web.conftest import Room, Serve, in_room
from tests.web.playing import by_keys, press
from tests.web.scenes import Person
from tests.web.screens import fresh_name

NO_CASH = "Coins have no cash value"
TEN_MINUTES_MS = 600_000


@pytest.fixture(scope="module")
def hasty(serve: Serve) -> Iterator[Server]:
    # A seat that is played for waits so long that it can be looked at, and so does the next deal.
    with serve(
        GINAPI_COIN_MOVE_MS="1500",
        GINAPI_GRACE_MS="100",
        GINAPI_COMPUTER_TURN_MS="60000",
        GINAPI_DEAL_AFTER_MS="60000",
    ) as server:
        yield server


@pytest.fixture
def hasty_room(hasty: Server, browser: Browser) -> Iterator[Room]:
    """A service whose clock at coin tables is short."""
    yield from in_room(hasty, browser)


def sign_up(page: Page, name: str) -> None:
    page.get_by_role("link", name="Sign in", exact=True).click()
    page.get_by_role("button", name="I am new here").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Sign up").click()


def test_who_signs_up_sits_down_for_coins_and_is_asked_before_leaving(room: Room) -> None:
    page = room.page()
    sign_up(page, fresh_name("dora"))
    expect(page.locator(".balance")).to_contain_text("1,000 coins")
    expect(page.locator(".rooms")).to_contain_text(NO_CASH)
    page.get_by_role("radio", name="100", exact=True).first.check()
    page.get_by_role("button", name="Sit down for 100").click()
    expect(page.locator(".stake")).to_have_text("Stake 100")
    page.get_by_label("More").click()
    page.get_by_role("button", name="Leave the table").click()
    asked = page.locator("#leaving[open]")
    expect(asked).to_contain_text("your stake of 100 coins, and a leaving fee of 10 beside it: 110 in all")
    expect(asked).to_contain_text(NO_CASH)
    asked.get_by_role("button", name="Stay").click()
    expect(page.locator("#leaving[open]")).to_have_count(0)
    page.get_by_label("More").click()
    page.get_by_role("button", name="Leave the table").click()
    page.get_by_role("button", name="Leave for 110 coins").click()
    page.get_by_role("link", name="Wallet").click()
    expect(page.locator(".purse")).to_have_text("890 coins")
    expect(page.locator(".sheet")).to_contain_text(NO_CASH)


def test_a_clock_that_runs_out_plays_on_says_so_and_stops_at_a_move_of_ones_own(hasty_room: Room) -> None:
    person = Person(hasty_room.server.url, fresh_name("edda"))
    page = hasty_room.device()
    person.sit(page, "lobby", {"stake": 50})
    page.get_by_role("button", name="Sit down for 50").click()
    expect(page.locator(".clock.fast")).to_have_text("Playing for you")
    expect(page.locator(".lately")).to_contain_text("Time ran out: the table played for you")
    by_keys(page)
    expect(page.locator(".clock .countdown.short")).to_be_visible()


def test_the_end_of_a_hand_says_when_the_next_is_dealt(hasty_room: Room) -> None:
    person = Person(hasty_room.server.url, fresh_name("egon"))
    table = person.open_table(kind="coin", stake=50)
    scenes.until(person, person.hand(table["hand_id"]), lambda hand: hand["phase"] == "finished")
    page = hasty_room.device()
    person.sit(page, f"table={table['id']}")
    expect(page.locator("#next")).to_contain_text("deals in")
    press(page, "n")
    expect(page.locator(".about")).to_contain_text("Hand 2")


def test_the_countdown_is_right_on_a_device_whose_clock_is_wrong(room: Room) -> None:
    person = Person(room.server.url, fresh_name("finn"))
    table = person.open_table(kind="coin", stake=50)
    page = room.device()
    page.add_init_script(f"{{ const real = Date.now; Date.now = () => real() + {TEN_MINUTES_MS}; }}")
    person.sit(page, f"table={table['id']}")
    shown = page.locator(".clock .countdown")
    expect(shown).to_have_text(re.compile(r"1:\d\d"))
    before_s = _remaining_s(person, table["hand_id"])
    minutes, seconds = shown.inner_text().split(":")
    after_s = _remaining_s(person, table["hand_id"])
    assert after_s - 1 <= int(minutes) * 60 + int(seconds) <= before_s + 1


def _remaining_s(person: Person, hand_id: str) -> int:
    """In whole seconds, as a clock shows them: the one that has begun counts."""
    return ceil(person.hand(hand_id)["clock"]["remaining_ms"] / 1000)


def test_a_token_that_died_leads_to_signing_in_and_back(room: Room) -> None:
    person = Person(room.server.url, fresh_name("gwen"))
    table = person.open_table(kind="coin", stake=50)
    page = room.drawing(person, table["id"])
    assert httpx.delete(
        f"{room.server.url}/v1/tokens/current", headers={"Authorization": f"Bearer {person.token}"}
    ).is_success
    page.keyboard.press("s")
    expect(page.get_by_role("heading", name="You are signed out here")).to_be_visible()
    page.locator("main").get_by_role("link", name="Sign in").click()
    page.get_by_label("Name").fill(str(person.name))
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Sign in").click()
    page.locator("#stock.open").wait_for()
