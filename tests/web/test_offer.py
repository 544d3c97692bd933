"""Practice by the rules of contests: chosen in the lobby, and the first face-up card taken or passed on."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web import scenes
from tests.web.conftest import Room
from tests.web.playing import answered, press
from tests.web.scenes import Person

NOT_WANTED = scenes.deck_of("2s 2h 4d 5d 7c 8c Ts Js Ad Qd", "As 3h 6d 9c 5s Qc Jh Td 4s 8d", "Kh", "2d")
"""A deck whose first face-up card helps nobody."""
Way = Callable[[Page], object]

TAKEN: dict[str, Way] = {
    "mouse": lambda page: page.locator("#pile").click(),
    "touch": lambda page: page.locator("#pile").tap(),
    "Enter, with the focus where it is put": lambda page: press(page, "Enter"),
    "a key": lambda page: press(page, "p"),
}
PASSED: dict[str, Way] = {
    "mouse": lambda page: page.locator("#pass").click(),
    "touch": lambda page: page.locator("#pass").tap(),
    "Enter": lambda page: page.locator("#pass").press("Enter"),
    "a key": lambda page: press(page, "o"),
}


def offered(room: Room) -> Page:
    person = Person(room.server.url)
    hand = person.open_hand(deck=NOT_WANTED, rules="contest")
    page = room.device(390, 844, has_touch=True)
    person.sit(page, f"table={hand['table_id']}")
    page.locator("#pile.open:focus").wait_for()
    return page


def test_house_rules_are_chosen_already_and_those_of_contests_can_be(room: Room) -> None:
    page = room.page()
    expect(page.get_by_role("radio", name="House")).to_be_checked()
    page.get_by_role("radio", name="Contest").check()
    expect(page.locator(".hero")).to_contain_text("The first face-up card is offered")
    opened = answered(page, page.get_by_role("button", name="Deal me in").click).json()
    assert (opened["rules"], opened["phase"]) == ("contest", "offer")
    expect(page.locator(".about")).to_contain_text("Contest rules")
    page.get_by_label("Back to the lobby").click()
    expect(page.locator(".tables").first).to_contain_text("Practice, medium, contest rules")
    page.get_by_role("radio", name="House").check()
    assert answered(page, page.get_by_role("button", name="Deal me in").click).json()["rules"] == "house"


def test_an_offer_is_said_and_named_and_only_what_it_allows_is_open(room: Room) -> None:
    page = offered(room)
    expect(page.locator(".prompt")).to_have_text("You are offered K♥: take it, or pass.")
    expect(page.locator("#said")).to_contain_text("You are offered the king of hearts.")
    expect(page.get_by_role("button", name="Discard pile, king of hearts on top: take it")).to_be_enabled()
    expect(page.get_by_role("button", name="Pass on the king of hearts")).to_be_enabled()
    expect(page.get_by_role("button", name="Stock, 31 cards", exact=True)).to_be_disabled()


@pytest.mark.parametrize("way", list(TAKEN))
def test_the_card_that_is_offered_is_taken(room: Room, way: str) -> None:
    page = offered(room)
    answered(page, lambda: TAKEN[way](page))
    expect(page.locator(".own [data-card=Kh].kept")).to_be_visible()
    expect(page.locator("#discard")).to_be_visible()
    expect(page.locator("#pass")).to_have_count(0)


@pytest.mark.parametrize("way", list(PASSED))
def test_the_card_that_is_offered_is_passed_on_and_after_two_passes_the_stock_is_drawn_from(
    room: Room, way: str
) -> None:
    page = offered(room)
    answered(page, lambda: PASSED[way](page))
    page.locator("#stock.open:focus").wait_for()
    expect(page.locator(".lately")).to_contain_text("The computer passed.")
    expect(page.locator("#said")).to_contain_text("Your turn to draw from the stock.")
    expect(page.locator("#pile")).to_be_disabled()
    answered(page, lambda: press(page, "Enter"))
    expect(page.locator(".own [data-card='2d'].drawn")).to_be_visible()
