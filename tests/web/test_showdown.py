"""A knock at the web table, and the answer to one: the choices that their owner has."""

from playwright.sync_api import Page, expect

from tests.web import scenes
from tests.web.conftest import Room
from tests.web.playing import answered, press
from tests.web.scenes import Person


def test_the_knock_button_says_what_it_would_do(room: Room) -> None:
    person = Person(room.server.url)
    hand = person.open_hand(deck=scenes.GIN_IN_TWO_WAYS)
    page = room.drawing(person, hand["table_id"])
    expect(page.locator("#knock")).to_have_count(0)
    press(page, "s")
    expect(page.locator("#knock")).to_have_text("Gin with K♦")
    press(page, "Home", "Enter")
    expect(page.locator("#knock")).to_be_disabled()


def test_where_melds_can_be_laid_out_in_several_ways_their_owner_chooses(room: Room) -> None:
    person = Person(room.server.url)
    hand = person.open_hand(deck=scenes.GIN_IN_TWO_WAYS)
    page = room.drawing(person, hand["table_id"])
    press(page, "s")
    page.locator("#knock:enabled").click()
    offered = page.locator("#layouts[open] .layout")
    expect(offered).to_have_count(2)
    name = str(offered.nth(1).get_attribute("aria-label"))
    sent = answered(page, offered.nth(1).click).json()["result"]
    assert sent["kind"] == "gin"
    assert name.count("five of") == sum(card[0] == "5" for meld in sent["seats"][0]["melds"] for card in meld)
    expect(page.locator(".verdict h2")).to_have_text("You go gin")
    expect(page.locator(".sum")).to_have_text(
        f"25 for gin + {sent['seats'][1]['deadwood']} deadwood = {sent['points']}"
    )


def answering(room: Room) -> tuple[Page, scenes.Json]:
    person = Person(room.server.url)
    hand = scenes.brought_to(person, scenes.is_laying_off)
    page = room.device()
    person.sit(page, f"table={hand['table_id']}")
    page.locator("#answer").wait_for()
    return page, hand


def test_lay_offs_begin_with_the_best_and_can_be_taken_back_and_made_again(room: Room) -> None:
    page, _ = answering(room)
    laid = page.locator(".declared .card.laid")
    best = page.locator("#answer").inner_text()
    count = laid.count()
    assert best.startswith(f"Lay off {count} card")
    card = str(laid.last.get_attribute("data-card"))
    laid.last.click()
    expect(page.locator("#answer")).not_to_have_text(best)
    page.locator(f".own [data-card='{card}']").click()
    lit = page.locator(".declared .lit")
    expect(lit.first).to_be_visible()
    lit.first.get_by_role("button", name="here").click()
    expect(laid).to_have_count(count)
    expect(page.locator("#answer")).to_have_text(best)


def test_the_answer_is_made_as_it_was_arranged(room: Room) -> None:
    page, _ = answering(room)
    for _ in range(page.locator(".declared .card.laid").count()):
        page.locator(".declared .card.laid").last.click()
    expect(page.locator("#answer")).to_contain_text("Lay off nothing")
    result = answered(page, page.locator("#answer").click).json()["result"]
    assert result["seats"][0]["layoffs"] == []
    expect(page.locator(".verdict")).to_contain_text(f"= {result['points']}")
