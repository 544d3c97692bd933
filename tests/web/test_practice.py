"""A practice match at the web table, from the lobby to 100."""

from playwright.sync_api import expect

from tests.web.conftest import Room
from tests.web.playing import answered, by_keys, by_touch, due, is_match_over, play_hand, press, sit_down_to_practice
from tests.web.scenes import Person


def test_a_match_to_100_is_played_with_the_keyboard_alone(room: Room) -> None:
    page = room.page()
    page.get_by_role("button", name="Deal me in").focus()
    answered(page, lambda: press(page, "Enter"))
    for _ in range(100):
        play_hand(page, by_keys)
        if is_match_over(page):
            break
        answered(page, lambda: press(page, "n"))
    scores = [int(text) for text in page.locator(".score strong").all_inner_texts()]
    assert max(scores) >= 100 > min(scores)
    answered(page, lambda: press(page, "Enter"))  # "Play again" has the focus.
    assert due(page) in ("draw", "shed")


def test_a_hand_is_played_by_touch_alone(room: Room) -> None:
    page = room.page(390, 844, has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Deal me in").tap()
    play_hand(page, by_touch)
    page.locator("#next").tap()
    assert due(page) in ("draw", "shed")


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


def test_each_phase_outlives_a_reload(room: Room) -> None:
    page = room.page()
    sit_down_to_practice(page)
    seen = set()
    for _ in range(400):
        now = due(page)
        if now not in seen:
            seen.add(now)
            before = page.locator("main").inner_text()
            page.reload()
            assert due(page) == now
            assert page.locator("main").inner_text() == before
        if seen == {"draw", "shed", "answer", "end"}:
            break
        if now == "end":
            answered(page, lambda: press(page, "n"))
        else:
            by_keys(page)
    assert seen == {"draw", "shed", "answer", "end"}
