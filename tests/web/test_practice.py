"""A practice match at the web table, from the lobby to 100."""

import re

from playwright.sync_api import Page, expect

from tests.web import scenes
from tests.web.conftest import Room
from tests.web.playing import (
    SHORT_MATCH,
    TOUCH_ALONE,
    answered,
    by_keys,
    by_touch,
    deal_from,
    due,
    is_match_over,
    play_hand,
    press,
)
from tests.web.scenes import Person

HANDS = 20
"""A match that takes more is not going to end."""


def assert_won_at_100(page: Page) -> None:
    scores = [int(text) for text in page.locator(".score strong").all_inner_texts()]
    assert max(scores) >= 100 > min(scores)


def assert_dealt_in(page: Page) -> None:
    expect(page.locator("#next")).to_have_count(0)
    assert due(page) in ("draw", "shed")


def test_a_match_to_100_is_played_with_the_keyboard_alone(room: Room) -> None:
    page = room.page()
    deal_from(page, SHORT_MATCH)
    page.get_by_role("button", name="Deal me in").focus()
    answered(page, lambda: press(page, "Enter"))
    for _ in range(HANDS):
        play_hand(page, by_keys)
        if is_match_over(page):
            break
        answered(page, lambda: press(page, "n"))
    assert_won_at_100(page)
    answered(page, lambda: press(page, "Enter"))  # "Play again" has the focus.
    assert_dealt_in(page)


def test_a_match_to_100_is_played_by_touch_alone(room: Room) -> None:
    page = room.device(390, 844, has_touch=True, is_mobile=True)
    page.add_init_script(TOUCH_ALONE)
    deal_from(page, SHORT_MATCH)
    page.goto(room.play)
    page.get_by_role("radio", name="Easy").tap()
    page.get_by_role("radio", name="Medium").tap()
    page.get_by_role("button", name="Deal me in").tap()
    for _ in range(HANDS):
        play_hand(page, by_touch)
        if is_match_over(page):
            break
        answered(page, page.locator("#next").tap)
    assert_won_at_100(page)
    answered(page, page.locator("#next").tap)  # "Play again"
    assert_dealt_in(page)


def test_a_card_can_be_dragged_onto_the_pile_or_to_another_place(room: Room) -> None:
    person = Person(room.server.url)
    hand = person.open_hand(seed="drag", level="easy")
    page = room.device()
    person.sit(page, f"table={hand['table_id']}")
    first, last = page.locator(".own .card").first, page.locator(".own .card").last
    name = str(last.get_attribute("aria-label"))
    corner = {"x": 12, "y": 20}
    last.drag_to(first, source_position=corner, target_position=corner)
    expect(page.locator(".own .card").first).to_have_attribute("aria-label", name)
    answered(page, lambda: press(page, "s"))
    page.locator("#discard").wait_for()
    answered(page, lambda: page.locator(".own .card").first.drag_to(page.locator("#pile"), source_position=corner))
    page.locator("#stock.open").wait_for()
    assert person.hand(hand["id"])["version"] > 2


def test_cards_say_what_they_are_and_where_they_lie_and_what_happens_is_said(room: Room) -> None:
    person = Person(room.server.url)
    hand = scenes.brought_to(person, scenes.is_late)
    page = room.drawing(person, hand["table_id"])
    melded = page.get_by_role("button", name=re.compile(r"^[a-z]+ of [a-z]+, in a (run|set)$"))
    expect(melded).to_have_count(sum(len(meld) for meld in hand["melds"]))
    expect(page.get_by_role("button", name=re.compile("^Stock, [0-9]+ cards: draw$"))).to_have_count(1)
    expect(
        page.get_by_role("button", name=re.compile("^Discard pile, [a-z]+ of [a-z]+ on top: take it$"))
    ).to_have_count(1)
    expect(page.get_by_role("img", name=re.compile("^The computer holds 10 cards, among them "))).to_have_count(1)
    press(page, "p")
    expect(page.get_by_role("button", name=re.compile("just taken, to be kept this turn$"))).to_be_disabled()
    expect(
        page.get_by_role("status").filter(has_text=re.compile("You took the [a-z]+ of [a-z]+ from the pile"))
    ).to_have_count(1)
    answered(page, lambda: press(page, "Home", "Enter", "Enter"))
    expect(page.locator("#said")).to_contain_text(re.compile(r"The computer (drew|took)"))
