"""A page that is loaded again, in every phase of a match: it shows what it showed."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.web import scenes, screens
from tests.web.conftest import Room
from tests.web.scenes import Person

# The clocks of a head go on meanwhile.
STAYS = ".scores, .felt, .actions"


def their_turn(url: str, page: Page) -> None:
    """Two people play, and it is for the other to draw."""
    host, guest = Person(url), Person(url)
    table = host.open_table(kind="online", private=True)
    guest.open_table(f"/v1/tables/{table['id']}/seats", invite=table["invite"])
    guest.sit(page, f"table={table['id']}")


def at(wanted: Callable[[scenes.Json], bool], **opened: object) -> screens.Scene:
    return lambda url, page: screens.at_hand(url, page, wanted, **opened)


PHASES: dict[str, tuple[screens.Scene, str]] = {
    "waiting for a second player": (screens.waiting, ".waits"),
    "offer": (at(scenes.is_offered, rules="contest"), "#pass"),
    "draw": (at(scenes.is_late), "#stock.open"),
    "discard": (at(scenes.is_shedding), "#knock:not(.busy)"),
    "layoff": (at(scenes.is_laying_off), "#answer"),
    "their turn": (their_turn, ".prompt:text('Their turn.')"),
    "between hands": (at(scenes.is_over), "#next"),
    "match over": (at(scenes.is_over, target=1), ".match-won"),
}


@pytest.mark.parametrize("phase", list(PHASES))
def test_a_page_that_is_loaded_again_shows_the_same(room: Room, phase: str) -> None:
    scene, shown = PHASES[phase]
    page = room.device()
    scene(room.server.url, page)
    page.locator(shown).wait_for()
    before = page.locator(STAYS).all_inner_texts()
    page.reload()
    page.locator(shown).wait_for()
    assert page.locator(STAYS).all_inner_texts() == before
