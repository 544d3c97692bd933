"""Accounts banned, let in again, renamed, their tokens revoked: at once, with a reason, and harming nobody else."""

from typing import Any

import pytest

from ginapi.service import delivering, oversight
from ginapi.service.house import House
from ginapi.store.faults import Busy
from ginapi.tables import coins
from tests.accounts.people import PASSWORD, ask, new_name, open_account, refused, told
from tests.api.caller import Api, drawer
from tests.coins.seated import faults
from tests.coins.test_closing import balances
from tests.online.pairs import Pair, open_online
from tests.operating.conftest import Command

pytestmark = pytest.mark.usefixtures("cheap_passwords")
WHY = ("--why", "two accounts of one person")
COIN = {"kind": "coin", "stake": 100}


def entered(api: Api, name: str) -> Any:
    return ask(api, "POST", "/v1/tokens", {"name": name, "password": PASSWORD})


def names_at(api: Api, table_id: str, token: str) -> list[str]:
    return [seat["name"] for seat in told(api.get(f"/v1/tables/{table_id}", token))["seats"]]


def test_a_banned_account_is_out_at_once_and_is_told_why_by_its_password_alone(fresh_api: Api, ginapi: Command) -> None:
    name = new_name()
    first = open_account(fresh_api, name)
    second = told(entered(fresh_api, name), 201)["token"]
    assert ginapi("account", "ban", name.upper(), *WHY).output == f"{name.upper()} is banned.\n"
    for token in (first, second):
        assert refused(ask(fresh_api, "GET", "/v1/me", token=token)) == (401, "bad_token")
        assert refused(ask(fresh_api, "POST", "/v1/hands", {}, token)) == (401, "bad_token")
    answer = entered(fresh_api, name)
    assert refused(answer) == (403, "not_allowed") and WHY[1] in answer.json["detail"]
    wrong = ask(fresh_api, "POST", "/v1/tokens", {"name": name, "password": "not the password"})
    assert refused(wrong) == (401, "bad_credentials") and WHY[1] not in wrong.text
    assert refused(ask(fresh_api, "POST", "/v1/accounts", {"name": name, "password": PASSWORD})) == (409, "name_taken")
    assert ginapi("account", "unban", name, *WHY).exit_code == 0
    token = told(entered(fresh_api, name), 201)["token"]
    assert told(ask(fresh_api, "GET", "/v1/wallet", token=token))["balance"] == 1000
    assert refused(ask(fresh_api, "GET", "/v1/me", token=first)) == (401, "bad_token")


def test_at_the_tables_of_a_banned_account_the_clock_plays_on(fresh_api: Api, ginapi: Command) -> None:
    fresh_api.choose = drawer
    names = new_name(), new_name()
    pair = Pair(fresh_api, (open_account(fresh_api, names[0]), open_account(fresh_api, names[1])), stake=100)
    other = pair.seats[1]
    ginapi("account", "ban", names[0], *WHY)
    before = other.table()["version"]
    assert refused(fresh_api.post(f"/v1/hands/{other.hand['id']}/moves", {}, pair.seats[0].token)) == (401, "bad_token")
    fresh_api.clock.now_ms += 60_000
    records = told(other.api.get(f"/v1/hands/{other.look()['id']}/moves", other.token))["items"]
    assert records[0]["seat"] == 0 and records[0]["by"] == "clock"
    assert other.table()["version"] > before and other.table()["status"] == "playing"
    assert other.leave().json["forfeited"] == 100  # What it owes is owed to whoever sits there, banned or not.
    assert balances(fresh_api)[coins.HOUSE] < 0 and faults(fresh_api) == []


def test_a_table_where_a_banned_account_waits_closes_and_gives_the_stake_back(fresh_api: Api, ginapi: Command) -> None:
    name = new_name()
    token = open_account(fresh_api, name)
    opened = open_online(fresh_api, token, stake=100)
    ginapi("account", "ban", name, *WHY)
    other = open_account(fresh_api)
    assert refused(fresh_api.post(f"/v1/tables/{opened['id']}/seats", None, other)) == (409, "table_over")
    ginapi("account", "unban", name, *WHY)
    token = told(entered(fresh_api, name), 201)["token"]
    assert told(fresh_api.get(f"/v1/tables/{opened['id']}", token))["ended"] == "closed"
    assert told(ask(fresh_api, "GET", "/v1/wallet", token=token))["balance"] == 1000
    assert faults(fresh_api) == []


def test_a_ban_that_was_cut_short_is_done_when_it_is_run_again(
    fresh_api: Api, ginapi: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = new_name()
    opened = open_online(fresh_api, open_account(fresh_api, name), stake=100)

    def fail(*given: Any) -> None:
        raise Busy("All 32 connections were in use.")

    with monkeypatch.context() as patch:
        patch.setattr(oversight, "_close", fail)
        assert ginapi("account", "ban", name, *WHY).exit_code == 1
    assert refused(entered(fresh_api, name)) == (403, "not_allowed")
    assert ginapi("account", "ban", name, *WHY).exit_code == 0
    other = open_account(fresh_api)
    assert refused(fresh_api.post(f"/v1/tables/{opened['id']}/seats", None, other)) == (409, "table_over")
    assert ginapi("account", "ban", name, *WHY).exit_code == 1
    assert faults(fresh_api) == []


def test_nobody_is_agreed_a_rematch_with_by_one_who_is_banned(fresh_api: Api, ginapi: Command) -> None:
    names = new_name(), new_name()
    pair = Pair(fresh_api, (open_account(fresh_api, names[0]), open_account(fresh_api, names[1])))
    pair.seats[0].leave()
    assert fresh_api.post(f"/v1/tables/{pair.id}/rematch", None, pair.seats[0].token).status_code == 202
    ginapi("account", "ban", names[0], *WHY)
    agreed = fresh_api.post(f"/v1/tables/{pair.id}/rematch", None, pair.seats[1].token)
    assert refused(agreed) == (409, "table_over")


def test_nothing_more_is_sent_to_the_webhooks_of_a_banned_account(fresh_api: Api, ginapi: Command) -> None:
    names = new_name(), new_name()
    pair = Pair(fresh_api, (open_account(fresh_api, names[0]), open_account(fresh_api, names[1])))
    hook = {"url": "https://hooks.example.org/gin"}
    assert fresh_api.post("/v1/webhooks", hook, pair.seats[1].token).status_code == 201
    pair.seats[0].move("draw", source="stock")
    shed = pair.seats[0].hand["legal_moves"][0]["card"]
    pair.seats[0].move("discard", card=shed)
    ginapi("account", "ban", names[1], *WHY)
    assert fresh_api.rows()["webhooks"] == [] == fresh_api.rows()["deliveries"]
    assert not delivering.deliver_next(fresh_api.house)
    pair.seats[0].leave()
    assert fresh_api.rows()["deliveries"] == []
    ginapi("account", "unban", names[1], *WHY)
    assert told(fresh_api.get("/v1/webhooks", told(entered(fresh_api, names[1]), 201)["token"]))["items"] == []


def test_a_renamed_account_has_its_new_name_everywhere_and_its_old_one_is_free(fresh_api: Api, ginapi: Command) -> None:
    old, new = new_name(), f"Ána {new_name()}"
    token = open_account(fresh_api, old)
    running = told(fresh_api.post("/v1/tables", COIN, token), 201)["id"]
    over = told(fresh_api.post("/v1/tables", {"kind": "practice"}, token), 201)["id"]
    fresh_api.post(f"/v1/tables/{over}/leave", None, token)
    before = fresh_api.get(f"/v1/tables/{running}", token).headers["ETag"]
    assert ginapi("account", "rename", old, new, *WHY).output == f"{old} is now called {new}.\n"
    for table_id in (running, over):
        assert names_at(fresh_api, table_id, token) == [new, "hard" if table_id == running else "medium"]
    changed = fresh_api.get(f"/v1/tables/{running}", token, headers={"If-None-Match": before})
    assert changed.status_code == 200 and changed.headers["ETag"] != before
    assert told(ask(fresh_api, "GET", "/v1/me", token=token))["name"] == new
    assert told(fresh_api.get(f"/v1/players/{new}"))["name"] == new
    assert fresh_api.get(f"/v1/players/{old}").status_code == 404
    assert refused(entered(fresh_api, old)) == (401, "bad_credentials")
    told(entered(fresh_api, new.upper()), 201)
    open_account(fresh_api, old)
    assert faults(fresh_api) == []


@pytest.mark.parametrize("taken", [str.upper, str], ids=["in other letters", "as it is"])
def test_a_name_that_another_has_is_not_given_twice(fresh_api: Api, ginapi: Command, taken: Any) -> None:
    first, second = new_name(), new_name()
    open_account(fresh_api, first)
    open_account(fresh_api, second)
    before = fresh_api.rows()
    ran = ginapi("account", "rename", second, taken(first), *WHY)
    assert ran.exit_code == 1 and "is taken" in ran.stderr and len(ran.stderr.splitlines()) == 1
    assert fresh_api.rows() == before
    assert ginapi("account", "rename", second, second.upper(), *WHY).exit_code == 0  # Its own, in other letters.


@pytest.mark.parametrize("name", ["ab", "a" * 25, " ana", "a\u200bna"])
def test_a_name_that_nobody_could_choose_is_given_to_nobody(fresh_api: Api, ginapi: Command, name: str) -> None:
    old = new_name()
    open_account(fresh_api, old)
    ran = ginapi("account", "rename", old, name, *WHY)
    assert ran.exit_code == 1 and ran.stderr.startswith("Error: At /name: ")


def test_revoked_tokens_are_of_no_more_use_and_the_password_gives_another(fresh_api: Api, ginapi: Command) -> None:
    name = new_name()
    token = open_account(fresh_api, name)
    ticket_table = told(fresh_api.post("/v1/tables", COIN, token), 201)["id"]
    ticket = told(fresh_api.post(f"/v1/tables/{ticket_table}/tickets", None, token), 201)["ticket"]
    assert ginapi("account", "revoke-tokens", name, *WHY).exit_code == 0
    assert refused(ask(fresh_api, "GET", "/v1/me", token=token)) == (401, "bad_token")
    assert fresh_api.get(f"/v1/tables/{ticket_table}/events?ticket={ticket}").status_code == 401
    again = told(entered(fresh_api, name), 201)["token"]
    assert names_at(fresh_api, ticket_table, again)[0] == name


def test_what_was_done_is_kept_with_its_reason(fresh_api: Api, ginapi: Command) -> None:
    name = new_name()
    open_account(fresh_api, name)
    ginapi("account", "ban", name, *WHY)
    ginapi("account", "unban", name, "--why", "it was a brother")
    ginapi("account", "rename", name, f"{name} II", "--why", "asked for it")
    ginapi("account", "revoke-tokens", f"{name} II", "--why", "lost a telephone")
    head, *acts = ginapi("account", "show", f"{name} II").output.splitlines()
    assert head.startswith(f"{name} II: account:") and "banned" not in head
    assert [act.partition(" ")[2] for act in acts] == [
        "tokens revoked: lost a telephone",
        "renamed: asked for it",
        "unbanned: it was a brother",
        f"banned: {WHY[1]}",
    ]
    ginapi("account", "ban", f"{name} II", *WHY)
    assert "banned" in ginapi("account", "show", f"{name} II").output.splitlines()[0]


@pytest.mark.parametrize(
    "arguments",
    [("ban", *WHY), ("unban", *WHY), ("rename", "other", *WHY), ("revoke-tokens", *WHY), ("show",)],
    ids=lambda arguments: arguments[0],
)
def test_an_account_that_is_not_there_is_one_line(fresh_api: Api, ginapi: Command, arguments: tuple[str, ...]) -> None:
    command, *rest = arguments
    ran = ginapi("account", command, "nobody", *rest)
    assert (ran.exit_code, ran.stderr) == (1, "Error: There is no account 'nobody'.\n")


@pytest.mark.parametrize(
    "arguments",
    [("account", "ban", "x\udcff"), ("account", "show", "x\udcff"), ("coins", "grant", "x\udcff", "5")],
    ids=lambda arguments: arguments[1],
)
def test_a_name_that_is_no_text_is_one_line(fresh_api: Api, ginapi: Command, arguments: tuple[str, ...]) -> None:
    ran = ginapi(*arguments, *(() if arguments[1] == "show" else WHY))
    assert (ran.exit_code, ran.stderr.splitlines()[-1]) == (2, "Error: NAME is not text in UTF-8.")


def test_what_holds_already_is_said_and_not_done_again(fresh_api: Api, ginapi: Command) -> None:
    name = new_name()
    open_account(fresh_api, name)
    assert ginapi("account", "unban", name, *WHY).stderr == f"Error: {name} is not banned.\n"
    ginapi("account", "ban", name, *WHY)
    ran = ginapi("account", "ban", name, "--why", "again")
    assert (ran.exit_code, ran.stderr) == (1, f"Error: {name} is banned already: {WHY[1]}\n")


def test_a_login_that_was_under_way_as_the_account_was_banned_gives_no_token(
    fresh_api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = new_name()
    open_account(fresh_api, name)
    house: House = fresh_api.house

    def checked(*given: Any) -> bool:
        oversight.ban(house, name, WHY[1])
        return True

    monkeypatch.setattr("ginapi.service.passwords.is_right", checked)
    assert refused(entered(fresh_api, name)) == (403, "not_allowed")
    assert fresh_api.rows()["tokens"] == []
