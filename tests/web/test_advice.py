"""Hints at practice tables and nowhere else, and a finished hand again beside what a strong player would have done."""

from playwright.sync_api import expect

from tests.web import scenes
from tests.web.conftest import Room
from tests.web.playing import press
from tests.web.scenes import Person
from tests.web.screens import fresh_name


def test_a_hint_says_what_and_why_and_goes_with_the_move(room: Room) -> None:
    person = Person(room.server.url)
    hand = scenes.brought_to(person, scenes.is_shedding)
    advised = person.client.get(f"/v1/hands/{hand['id']}/hint").json()
    page = room.device()
    person.sit(page, f"table={hand['table_id']}")
    page.locator("#discard").wait_for()
    press(page, "h")
    expect(page.locator(".hint")).to_contain_text(advised["why"])
    expect(page.locator("#said")).to_contain_text("Hint: ")
    press(page, "End", "Enter", "Enter")
    expect(page.locator(".hint")).to_have_count(0)


def test_there_is_no_hint_where_coins_are_played_for(room: Room) -> None:
    person = Person(room.server.url, fresh_name("hana"))
    table = person.open_table(kind="coin", stake=50)
    page = room.drawing(person, table["id"])
    expect(page.locator("#hint")).to_have_count(0)


def test_a_hand_is_gone_through_again_with_its_review_and_its_deal_checked(room: Room) -> None:
    person = Person(room.server.url)
    hand = scenes.brought_to(person, scenes.is_over)
    reviewed = person.client.get(f"/v1/hands/{hand['id']}/review").json()["items"]
    other = next(one for one in reviewed if one["seat"] == 0 and not one["same"])
    page = room.device()
    person.sit(page, f"hand={hand['id']}")
    expect(page.locator(".fair")).to_contain_text("as committed to")
    page.get_by_role("button", name="One on").wait_for()
    for _ in range(other["version"]):
        press(page, "ArrowRight")
    expect(page.locator(".review")).to_contain_text(other["why"])
    press(page, "End")
    expect(page.locator(".sum")).to_contain_text(f"= {hand['result']['points']}")
    for seat in (0, 1):
        shown = page.locator(".replay .seat").nth(1 - seat).locator("[data-card]")
        cards = {str(card.get_attribute("data-card")) for card in shown.all()}
        assert cards == set(hand["result"]["seats"][seat]["cards"])
