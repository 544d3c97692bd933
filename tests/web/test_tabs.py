"""Two tabs of one browser: as one becomes somebody else the other shows it, and nobody acts as who is not shown."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web import scenes
from tests.web.conftest import Room
from tests.web.playing import answered, by_keys, due, press, sit_down_to_practice
from tests.web.scenes import Person
from tests.web.screens import fresh_name
from tests.web.test_coins import sign_up

DEAF = "addEventListener('storage', (event) => event.stopImmediatePropagation())"
"""A script for a page that hears nothing of other tabs."""


def tabs(room: Room, person: Person, place: str) -> tuple[Page, Page]:
    """A person's tab at a place, and a second one where its account is shown."""
    here = room.device()
    person.sit(here, place)
    there = room.tab(here.context)
    person.sit(there, "account")
    return here, there


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in", exact=True).wait_for()


def become_another(page: Page, name: str) -> str:
    """Sign out, and sign up by that name; answers the token."""
    sign_out(page)
    with page.expect_response("**/v1/accounts") as reply:
        sign_up(page, name)
    page.get_by_role("link", name=name).wait_for()
    token: str = reply.value.json()["token"]
    return token


def bearer(person: Person, token: str) -> scenes.Json:
    """What the service says to a token."""
    answer: scenes.Json = person.client.get("/v1/me", headers={"Authorization": f"Bearer {token}"}).json()
    return answer


def test_a_tab_shows_who_another_tab_has_become_and_asks_no_more_about_who_was_there(room: Room) -> None:
    person = Person(room.server.url, fresh_name("Anneliese"))
    here, there = tabs(room, person, "account")
    here.get_by_role("button", name="Close the account").click()
    expect(here.locator("#closing[open]")).to_contain_text(f"Close {person.name}'s account?")
    sign_out(there)
    expect(here.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(here.locator("#closing[open]")).to_have_count(0)
    name = fresh_name("Bertram")
    sign_up(there, name)
    expect(here.get_by_role("heading", name=name)).to_be_visible()
    expect(here.get_by_role("navigation")).to_contain_text(name)
    expect(here.get_by_role("status").filter(has_text=f"you are {name} here now")).to_be_visible()


def close_account(page: Page) -> None:
    page.get_by_role("button", name="Close the account").click()
    page.get_by_role("button", name="Close it").click()


def sit_down(page: Page) -> None:
    page.get_by_role("button", name="Sit down").click()


def only_writes(page: Page) -> list[str]:
    """Leave unanswered what the page looks up from here on: one that is refused would tell it. Lists what it does."""
    sent: list[str] = []

    def pass_on(route: Route) -> None:
        if route.request.method != "GET":
            sent.append(route.request.url)
            route.continue_()

    page.route("**/v1/**", pass_on)
    return sent


ACTS: list[tuple[str, Callable[[Page], None]]] = [
    ("account", close_account),
    ("account", lambda page: page.get_by_role("button", name="Sign out").click()),
    ("join=TABLE", sit_down),
    ("lobby", lambda page: page.get_by_role("button", name="Sit down for 50").click()),
    ("lobby", lambda page: page.get_by_role("button", name="Quick play").click()),
]


@pytest.mark.parametrize(("place", "act"), ACTS)
def test_what_was_shown_for_one_is_not_done_as_another(room: Room, place: str, act: Callable[[Page], None]) -> None:
    host = Person(room.server.url)
    table = host.open_table(kind="online", private=True)
    person = Person(room.server.url, fresh_name("Anneliese"))
    here = room.device()
    here.add_init_script(DEAF)
    person.sit(here, place.replace("TABLE", f"{table['id']}.{table['invite']}"), {"stake": 50})
    here.get_by_role("navigation").get_by_text(str(person.name)).wait_for()
    if place == "lobby":
        here.locator(".balance").wait_for()
    sent = only_writes(here)
    there = room.tab(here.context)
    there.goto(f"{room.server.url}/play#account")
    name = fresh_name("Bertram")
    token = become_another(there, name)
    act(here)
    expect(here.get_by_role("alert")).to_contain_text("Not sent: another tab has changed who is here.")
    expect(here.get_by_role("navigation")).to_contain_text(name)
    assert sent == []
    assert bearer(person, token)["name"] == name


def test_an_invite_says_who_sits_down_by_now(room: Room) -> None:
    table = Person(room.server.url).open_table(kind="online", private=True)
    person = Person(room.server.url, fresh_name("Anneliese"))
    here, there = tabs(room, person, f"join={table['id']}.{table['invite']}")
    expect(here.locator("main")).to_contain_text(f"You sit down as {person.name}.")
    name = fresh_name("Bertram")
    become_another(there, name)
    expect(here.locator("main")).to_contain_text(f"You sit down as {name}.")


def test_the_wallet_and_the_lobby_show_the_coins_of_who_is_here_now(room: Room) -> None:
    person = Person(room.server.url, fresh_name("Anneliese"))
    person.open_table(kind="coin", stake=100)
    wallet, there = tabs(room, person, "wallet")
    lobby = room.tab(wallet.context)
    person.sit(lobby, "lobby")
    for page in (wallet, lobby):
        expect(page.locator(".purse, .balance")).to_contain_text("held at tables")
    expect(lobby.get_by_role("link", name="Go on")).to_have_count(1)
    become_another(there, fresh_name("Bertram"))
    for page in (wallet, lobby):
        expect(page.locator(".purse, .balance")).to_have_text("1,000 coins")
    expect(lobby.get_by_role("link", name="Go on")).to_have_count(0)


def test_the_table_of_who_has_signed_out_is_shown_no_longer(room: Room) -> None:
    person = Person(room.server.url, fresh_name("Anneliese"))
    table = person.open_table(kind="coin", stake=50)
    here, there = tabs(room, person, f"table={table['id']}")
    here.locator("#stock.open").wait_for()
    here.get_by_label("More").click()
    here.get_by_role("button", name="Leave the table").click()
    become_another(there, fresh_name("Bertram"))
    expect(here.locator("dialog[open]")).to_have_count(0)
    expect(here.locator("#stock")).to_have_count(0)
    expect(here.get_by_role("heading", name="not yours to see")).to_be_visible()


def test_a_guest_plays_on_while_another_tab_signs_up(room: Room) -> None:
    here = room.page()
    sit_down_to_practice(here)
    while due(here) != "shed":
        by_keys(here)
    there = room.tab(here.context)
    there.goto(room.play)
    here.locator(".own .card").last.click()
    shown = here.locator("#discard").inner_text()
    assert shown.startswith("Discard")
    sign_up(there, fresh_name("Bertram"))
    there.locator(".balance").wait_for()
    # What was chosen stays so: the table is not opened anew.
    expect(here.locator("#discard")).to_have_text(shown)
    assert answered(here, lambda: here.locator("#discard").click()).ok
    assert answered(here, lambda: by_keys(here)).ok


def test_two_tabs_play_one_table(room: Room) -> None:
    here = room.page()
    sit_down_to_practice(here)
    there = room.tab(here.context)
    there.goto(here.url)
    due(there)
    assert answered(here, lambda: press(here, "s")).ok
    there.locator("#discard").wait_for()
    assert answered(there, lambda: press(there, "End", "Enter", "Enter")).ok
    here.locator("#stock.open, #next, #answer").first.wait_for()


def test_a_form_that_is_filled_in_stays_while_another_tab_sits_down_as_a_guest(room: Room) -> None:
    here = room.page()
    here.get_by_role("link", name="Sign in", exact=True).click()
    here.get_by_role("button", name="I am new here").click()
    here.get_by_label("Name").fill("Anneliese")
    there = room.tab(here.context)
    there.goto(room.play)
    sit_down_to_practice(there)
    expect(here.get_by_role("heading", name="Sign up")).to_be_visible()
    expect(here.get_by_label("Name")).to_have_value("Anneliese")
    expect(here.get_by_label("Name")).to_be_focused()


def test_an_account_that_was_renamed_is_called_by_its_new_name_from_the_next_load_on(room: Room) -> None:
    person = Person(room.server.url, fresh_name("Otto"))
    name, person.name = person.name, "as it was called before"
    here, there = tabs(room, person, "learn")
    for page in (here, there):
        expect(page.get_by_role("navigation")).to_contain_text(str(name))
        expect(page.get_by_role("navigation")).not_to_contain_text(person.name)
    expect(there.get_by_role("heading", name=str(name))).to_be_visible()
    there.route("**/v1/me", lambda route: route.abort())
    there.reload()
    expect(there.get_by_role("heading", name=str(name))).to_be_visible()
