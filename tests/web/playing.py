"""How a person plays at the web table: by keys, or by touch; what is due is read off the page and nowhere else."""

from collections.abc import Callable
from typing import Literal

from playwright.sync_api import Page, Response, Route

Due = Literal["draw", "shed", "answer", "end"]

# The policy of the page lets no test run scripts of its own to wait: what is due is told by what is there.
DUE: dict[Due, str] = {
    "end": "#next:enabled",
    "answer": "#answer:enabled",
    "draw": "#stock.open",
    "shed": "#knock:not(.busy)",
}


def due(page: Page) -> Due:
    """What is to be done now; waits until it is our turn."""
    while True:  # What was seen may give way to the next before it is asked which it was.
        page.locator(", ".join(DUE.values())).first.wait_for()
        for name, selector in DUE.items():
            if page.locator(selector).count():
                return name


def _is_write(reply: Response) -> bool:
    return reply.request.method == "POST" and "/analysis/" not in reply.url


def answered(page: Page, act: Callable[[], object]) -> Response:
    """Do what sends a request, and wait for its answer."""
    with page.expect_response(_is_write) as reply:
        act()
    return reply.value


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def may_knock(page: Page) -> bool:
    return page.locator("#knock").is_enabled()


def knock(page: Page, act: Callable[[], object], choose: Callable[[], object]) -> None:
    """Knock; where the melds can be laid out in several ways, `choose` takes the first."""
    with page.expect_response(_is_write):
        with page.expect_response("**/v1/analysis/melds") as counted:
            act()
        if len(counted.value.json()["layouts"]) > 1:
            page.locator("#layouts[open] .layout:focus").wait_for()
            choose()


def by_keys(page: Page) -> Due:
    """Do what is due with the keyboard alone; answers what it was."""
    now = due(page)
    if now == "draw":
        answered(page, lambda: press(page, "s"))
    elif now == "answer":
        answered(page, lambda: press(page, "Enter"))
    elif now == "shed" and may_knock(page):
        knock(page, lambda: press(page, "k"), lambda: press(page, "Enter"))
    elif now == "shed":
        answered(page, lambda: press(page, "End", "Enter", "Enter"))
    return now


def by_touch(page: Page) -> Due:
    """Do what is due by tapping alone."""
    now = due(page)
    if now == "draw":
        answered(page, lambda: page.locator("#stock").tap())
    elif now == "answer":
        answered(page, lambda: page.locator("#answer").tap())
    elif now == "shed" and may_knock(page):
        knock(page, lambda: page.locator("#knock").tap(), lambda: page.locator(".layout").first.tap())
    elif now == "shed":
        page.locator(".own .card").last.tap()
        answered(page, lambda: page.locator("#discard").tap())
    return now


SHORT_MATCH = "match 466"
"""The seed of a match with *medium* that ends soon where one plays as here: discards, knocks and an answer to one."""


def deal_from(page: Page, seed: str) -> None:
    """Have the practice that the page asks for be dealt from this seed."""

    def seeded(route: Route) -> None:
        route.continue_(post_data={**route.request.post_data_json, "seed": seed})

    page.route("**/v1/hands", seeded)


def sit_down_to_practice(page: Page, level: str = "Easy") -> None:
    page.get_by_role("radio", name=level).check()
    page.get_by_role("button", name="Deal me in").click()
    due(page)


TOUCH_ALONE = """
addEventListener('keydown', () => console.error('a key was used'), true);
addEventListener('pointerdown', ({pointerType}) => pointerType === 'touch' || console.error(pointerType), true);
addEventListener('pointermove', ({buttons}) => buttons && console.error('something was dragged'), true);
"""
"""A script for a page that complains of whatever is not a tap."""


def play_hand(page: Page, play: Callable[[Page], Due]) -> None:
    """Until the end of the hand is shown."""
    while play(page) != "end":
        pass


def is_match_over(page: Page) -> bool:
    return page.locator(".match-won").count() > 0
