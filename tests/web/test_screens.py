"""Every screen: no serious fault by axe, dark and light; targets of 44 px; all in sight at 320 by 568."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.web.conftest import Room
from tests.web.screens import SCREENS

LEAST_PX = 44
GRAVE = ("serious", "critical")
AXE = Axe()

_SMALL = f"""() => [...document.querySelectorAll('button, select, summary, input:not([type=radio]), .option')]
    .filter((node) => node.offsetParent !== null && !node.closest('dialog:not([open])'))
    .map((node) => [node.getAttribute('aria-label') ?? node.textContent, node.getBoundingClientRect()])
    .filter(([, box]) => box.width && (Math.ceil(box.width) < {LEAST_PX} || Math.ceil(box.height) < {LEAST_PX}))
    .map(([name, box]) => `${{name}}: ${{box.width}} x ${{box.height}}`)"""


# What is played with, and is not in sight: below the window, or under the buttons at its foot.
_HIDDEN = """() => [...document.querySelectorAll('.playing .card, .pile, .playing + .actions button')]
    .filter((node) => node.getBoundingClientRect().bottom >
        (node.closest('.actions') ? innerHeight : document.querySelector('.actions').getBoundingClientRect().top))
    .map((node) => node.getAttribute('aria-label') ?? node.textContent)"""
SMALL_WINDOW = (320, 568)


_CONTRAST = "axe.run(document, {runOnly: ['color-contrast']}).then((found) => found.violations)"


def grave(found: list[dict[str, Any]]) -> list[str]:
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found if one["impact"] in GRAVE]


@pytest.mark.parametrize("name", list(SCREENS))
def test_a_screen_is_for_everybody(room: Room, name: str) -> None:
    page = room.device(390, 844, color_scheme="dark")
    SCREENS[name](room.server.url, page)
    assert grave(AXE.run(page).response["violations"]) == []
    page.emulate_media(color_scheme="light")
    assert grave(page.evaluate(_CONTRAST)) == []
    width, height = SMALL_WINDOW
    page.set_viewport_size({"width": width, "height": height})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(_SMALL) == []
    if name != "requests":
        assert page.evaluate(_HIDDEN) == []


def test_a_page_that_has_lost_its_line_is_for_everybody(room: Room) -> None:
    page = room.device(390, 844, color_scheme="dark")
    SCREENS["drawing"](room.server.url, page)
    page.context.set_offline(True)
    page.locator("#stock").click()
    page.locator(".prompt.sending").wait_for()
    page.get_by_role("status").filter(has_text="Connection lost").first.wait_for()
    assert grave(AXE.run(page).response["violations"]) == []
    page.emulate_media(color_scheme="light")
    assert grave(page.evaluate(_CONTRAST)) == []
