"""Pictures of every screen at two sizes, for the docs: `python -m tests.web.screens [FOLDER]`, docs/play by default."""

import base64
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from tests.served.server import TOP, Server
from tests.web import scenes
from tests.web.browser import ARGUMENTS, chromium
from tests.web.scenes import Person

SIZES = {"phone": (390, 844), "desktop": (1280, 800)}
QUALITY = 62
Scene = Callable[[str, Page], None]
Scheme = Literal["dark", "light"]


def lobby(url: str, page: Page) -> None:
    page.goto(f"{url}/play")
    page.get_by_role("button", name="Quick play").wait_for()


def lobby_signed_in(url: str, page: Page) -> None:
    other = Person(url)
    other.open_table(kind="online")
    person = Person(url, fresh_name("ana"))
    person.open_table(kind="coin", stake=100)
    person.sit(page, "lobby", {"stake": 250})
    page.get_by_role("button", name="Sit down for 250").wait_for()


def lobby_contest(url: str, page: Page) -> None:
    Person(url).sit(page, "lobby", {"rules": "contest"})
    page.get_by_role("button", name="Quick play").wait_for()


def offer(url: str, page: Page) -> None:
    at_hand(url, page, scenes.is_offered, rules="contest")
    page.locator("#pass").wait_for()


def drawing(url: str, page: Page) -> None:
    at_hand(url, page, scenes.is_late)
    page.locator("#stock.open").wait_for()


def shedding(url: str, page: Page) -> None:
    at_hand(url, page, scenes.is_shedding)
    page.locator(".own .card").last.click()


def knocking(url: str, page: Page) -> None:
    at_hand(url, page, scenes.may_knock, {"suits": "four"})
    page.locator("#knock:enabled").wait_for()


def hinted(url: str, page: Page) -> None:
    at_hand(url, page, scenes.is_shedding)
    page.get_by_role("button", name="Hint").click()
    page.locator(".hint").wait_for()


def layouts(url: str, page: Page) -> None:
    person = Person(url)
    hand = person.open_hand(deck=scenes.GIN_IN_TWO_WAYS)
    person.move(hand, action="draw", **{"from": "stock"})
    person.sit(page, f"table={hand['table_id']}")
    page.locator("#knock:enabled").click()
    page.locator("#layouts[open] .layout").first.wait_for()


def answering(url: str, page: Page) -> None:
    at_hand(url, page, scenes.is_laying_off)
    page.locator("#answer").wait_for()


def ending(url: str, page: Page) -> None:
    at_hand(url, page, scenes.is_over)
    page.locator("#next").wait_for()


def match_over(url: str, page: Page) -> None:
    person = Person(url)
    hand = person.open_hand(deck=scenes.GIN_IN_TWO_WAYS)
    hand = person.move(hand, action="draw", **{"from": "stock"})
    person.move(hand, action="knock", card="Kd")
    person.sit(page, f"table={hand['table_id']}")
    page.locator(".match-won").wait_for()


def replay(url: str, page: Page) -> None:
    person = Person(url)
    hand = scenes.brought_to(person, scenes.is_over)
    person.sit(page, f"hand={hand['id']}")
    page.locator(".fair").wait_for()
    for _ in range(5):
        page.get_by_role("button", name="One on").click()
    page.locator(".review").wait_for()


def coins(url: str, page: Page) -> None:
    person = Person(url, fresh_name("bea"))
    table = person.open_table(kind="coin", stake=100)
    person.sit(page, f"table={table['id']}")
    page.locator("#stock.open").wait_for()


def leaving(url: str, page: Page) -> None:
    coins(url, page)
    page.get_by_label("More").click()
    page.get_by_role("button", name="Leave the table").click()
    page.locator("#leaving[open]").wait_for()


def waiting(url: str, page: Page) -> None:
    person = Person(url)
    table = person.open_table(kind="online", private=True)
    person.sit(page, f"table={table['id']}")
    page.get_by_role("button", name="Pass on the link").wait_for()


def invited(url: str, page: Page) -> None:
    page.goto(f"{url}/play#join=3f2a9c0d1e4b5a687790.x")
    page.get_by_role("button", name="Sit down").wait_for()


def learn(url: str, page: Page) -> None:
    page.goto(f"{url}/play#learn")
    page.get_by_role("heading", name="Common questions").wait_for()


def wallet(url: str, page: Page) -> None:
    person = Person(url, fresh_name("cleo"))
    table = person.open_table(kind="coin", stake=50)
    person.post(f"/v1/tables/{table['id']}/leave")
    person.open_table(kind="coin", stake=100)
    person.sit(page, "wallet")
    page.get_by_role("heading", name="Statement").wait_for()


def account(url: str, page: Page) -> None:
    page.goto(f"{url}/play#account")
    page.get_by_label("Password").wait_for()


def requests(url: str, page: Page) -> None:
    at_hand(url, page, scenes.is_shedding, {"curl": True})
    page.locator(".answered").first.scroll_into_view_if_needed()


def settings(url: str, page: Page) -> None:
    page.goto(f"{url}/play#learn")
    page.get_by_role("button", name="Settings").click()


SCREENS: dict[str, Scene] = {
    scene.__name__: scene
    for scene in (
        *(lobby, lobby_signed_in, lobby_contest, invited, waiting, coins, offer, drawing, shedding, hinted, knocking),
        *(layouts, answering, ending, match_over, replay, leaving, learn, wallet, account, requests, settings),
    )
}
_named = iter(range(1000))


def fresh_name(name: str) -> str:
    """A name that no account has yet."""
    number = next(_named)
    return f"{name}{number}" if number else name


def at_hand(
    url: str,
    page: Page,
    wanted: Callable[[scenes.Json], bool],
    settings: dict[str, object] | None = None,
    **opened: object,
) -> None:
    """A page at a hand of a practice table, opened so, that has come to what is wanted."""
    person = Person(url)
    hand = scenes.brought_to(person, wanted, **opened)
    person.sit(page, f"table={hand['table_id']}", settings)


def _picture(browser: Browser, url: str, scene: Scene, size: tuple[int, int], scheme: Scheme, path: Path) -> None:
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        reduced_motion="reduce",
    )
    page = context.new_page()
    scene(url, page)
    page.wait_for_timeout(250)
    shot = context.new_cdp_session(page).send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    path.write_bytes(base64.b64decode(shot["data"]))
    context.close()


def main(folder: Path, names: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as there, sync_playwright() as playwright:
        server = Server(Path(there), {"WEB_CONCURRENCY": "1", "GINAPI_DATABASE_URL": f"sqlite:///{there}/screens.db"})
        try:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
            for name in names or SCREENS:
                for size_name, size in SIZES.items():
                    scheme: Scheme = "light" if name in ("learn", "lobby", "answering", "waiting") else "dark"
                    path = folder / f"{name}-{size_name}.webp"
                    _picture(browser, server.url, SCREENS[name], size, scheme, path)
                    print(path, path.stat().st_size)
        finally:
            server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else TOP / "docs" / "play", sys.argv[2:])
