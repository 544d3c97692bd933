"""A practice match at the web table, from the lobby to 100."""

from tests.web.conftest import Room
from tests.web.playing import answered, by_keys, by_touch, due, is_match_over, play_hand, press, sit_down_to_practice


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
