"""What the web table teaches of the API: its last requests as lines that a shell takes as they stand."""

import json
import os
import subprocess

from playwright.sync_api import expect

from tests.web.conftest import Room
from tests.web.playing import answered, press
from tests.web.scenes import Person

LIMIT_S = 60


def test_the_last_request_is_shown_as_a_curl_line_that_works_and_keeps_the_token(room: Room) -> None:
    person = Person(room.server.url)
    hand = person.open_hand(seed="curl", level="easy")
    page = room.drawing(person, hand["table_id"])
    page.get_by_label("More").click()
    page.get_by_role("button", name="Show requests").click()
    said = answered(page, lambda: page.locator("#stock").click()).json()
    page.get_by_text("Before that").click()
    line = page.locator(".request code", has_text="/moves' -H").first.inner_text()
    assert "-X POST" in line and str(person.token) not in line
    done = subprocess.run(
        ["bash", "-c", f"{line} --silent"],
        env={"PATH": os.environ["PATH"], "TOKEN": str(person.token)},
        capture_output=True,
        timeout=LIMIT_S,
        check=True,
    )
    # The key makes it the same request again, and not a second move.
    again = json.loads(done.stdout)
    assert (again["version"], again["cards"]) == (said["version"], said["cards"])
    press(page, "Escape")
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".curl")).to_have_count(0)


def test_a_password_is_not_shown(room: Room) -> None:
    page = room.page()
    page.get_by_role("button", name="Show requests").click()
    page.get_by_role("link", name="Sign in", exact=True).click()
    page.get_by_label("Name").fill("nobody here")
    page.get_by_label("Password").fill("secret words")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".notice.problem")).to_be_visible()
    expect(page.locator(".curl")).to_contain_text('"password":"…"')
    assert "secret words" not in page.locator(".curl").inner_text()
