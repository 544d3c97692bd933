"""Two browsers at one table, and two devices at one seat."""

from itertools import cycle, islice

from playwright.sync_api import Page, expect

from tests.web import scenes
from tests.web.conftest import Room
from tests.web.playing import DUE, answered, by_keys, is_match_over, press
from tests.web.scenes import Person

LOOKS = 20_000
"""A match that takes more is not going to end."""


def play_match(pages: list[Page]) -> None:
    """Whoever has something to do does it, until the match is over for both."""
    for page in islice(cycle(pages), LOOKS):
        if all(is_match_over(each) for each in pages):
            return
        if any(page.locator(selector).count() for name, selector in DUE.items() if name != "end"):
            by_keys(page)
        elif page.locator("#next:enabled").count() and not is_match_over(page):
            press(page, "n")
    raise AssertionError("the match does not end")


SEED = "match 1852"
"""A short match: three hands, won in turn by both where both play as `by_keys` does."""


def test_an_invite_brings_two_together_for_a_match_to_100_and_a_rematch(room: Room) -> None:
    host = Person(room.server.url)
    table = host.open_table(kind="online", private=True, seed=SEED)
    mine, theirs = room.device(), room.device(390, 844)
    host.sit(mine, f"table={table['id']}")
    link = mine.get_by_label("Whoever has this link can sit down").input_value()
    theirs.goto(link)
    theirs.get_by_role("button", name="Sit down").click()
    mine.locator("#stock").wait_for()
    expect(theirs.locator(".prompt")).to_have_text("Their turn.")
    play_match([mine, theirs])
    own, other = mine.locator(".score strong").all_inner_texts()
    assert theirs.locator(".score strong").all_inner_texts() == [other, own]
    assert max(int(own), int(other)) >= 100
    outcomes = [page.locator(".match-won").inner_text() for page in (mine, theirs)]
    assert sorted(said.startswith("You win the match") for said in outcomes) == [False, True]
    mine.get_by_role("button", name="Play again").click()
    theirs.get_by_role("button", name="Accept the rematch").click()
    for page in (mine, theirs):
        expect(page.locator(".about")).to_contain_text("Hand 1")
        page.locator("#stock").wait_for()


def waiting_alone(room: Room) -> tuple[Person, scenes.Json]:
    """Somebody at the only table that waits; whoever waited before has somebody to play with."""
    while True:
        host = Person(room.server.url)
        table = host.open_table("/v1/tables/quick", stake=0)
        if table["status"] == "open":
            return host, table


def test_quick_play_sits_down_with_whoever_waits(room: Room) -> None:
    mine, theirs = room.device(), room.page()
    host, table = waiting_alone(room)
    host.sit(mine, f"table={table['id']}")
    mine.get_by_role("heading", name="Waiting for a second player").wait_for()
    theirs.get_by_role("button", name="Quick play").click()
    for page in (mine, theirs):
        page.locator("#stock").wait_for()


def test_two_devices_at_one_seat_show_the_same(room: Room) -> None:
    person = Person(room.server.url)
    hand = person.open_hand(seed="two devices", level="easy")
    here, there = room.device(), room.device(390, 844)
    for page in (here, there):
        person.sit(page, f"table={hand['table_id']}")
        page.locator("#stock.open").wait_for()
    answered(here, lambda: press(here, "s"))
    there.locator("#discard").wait_for()
    assert there.locator(".own .card").count() == 11
    answered(there, lambda: press(there, "End", "Enter", "Enter"))
    here.locator("#stock.open").wait_for()


def test_a_move_decided_on_an_old_state_is_refused_in_words_and_the_state_is_shown(room: Room) -> None:
    person = Person(room.server.url)
    hand = person.open_hand(seed="an old state", level="easy")
    page = room.device()
    # This device does not hear of what the other does.
    page.route("**/v1/tables/*?after=*", lambda route: None)
    person.sit(page, f"table={hand['table_id']}")
    page.locator("#stock.open").wait_for()
    person.move(hand, action="draw", **{"from": "stock"})
    assert answered(page, lambda: press(page, "p")).status == 412
    page.locator("#discard").wait_for()
    expect(page.locator(".prompt.refused")).to_contain_text("version")
    assert page.locator(".own .card").count() == 11
    assert scenes.is_over(person.hand(hand["id"])) is False
