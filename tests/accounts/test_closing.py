"""An account closed: not while it sits anywhere, and then for good."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from ginapi.api.schemas_in import NameAndPassword, read
from ginapi.errors import Refused
from ginapi.service import accounts as service
from ginapi.service import passwords
from ginapi.store import ledger, tokens
from ginapi.store.tables import CLOSED
from ginapi.tables import coins
from tests.accounts.people import PASSWORD, ask, new_name, open_account, refused, told
from tests.api.caller import Api
from tests.coins.seated import faults
from tests.waiting import paused_before

COIN = {"kind": "coin", "stake": 100}


def balances(api: Api) -> dict[str, int]:
    with api.database.read() as tx:
        return ledger.balances(tx)


@pytest.mark.parametrize("body", [{"kind": "practice"}, COIN], ids=["practice", "coins"])
def test_an_account_that_sits_at_a_running_table_stays(fresh_api: Api, body: Any) -> None:
    token = open_account(fresh_api)
    table = told(ask(fresh_api, "POST", "/v1/tables", body, token), 201)
    before = fresh_api.rows()
    assert refused(ask(fresh_api, "DELETE", "/v1/me", token=token)) == (409, "already_seated")
    assert fresh_api.rows() == before
    told(ask(fresh_api, "POST", f"/v1/tables/{table['id']}/leave", {}, token))
    assert ask(fresh_api, "DELETE", "/v1/me", token=token).status_code == 204
    assert faults(fresh_api) == []


def test_a_closed_account_leaves_its_name_its_coins_and_no_token(fresh_api: Api) -> None:
    name = new_name()
    first = open_account(fresh_api, name)
    second = told(ask(fresh_api, "POST", "/v1/tokens", {"name": name, "password": PASSWORD}), 201)["token"]
    table = told(ask(fresh_api, "POST", "/v1/tables", COIN, first), 201)
    told(ask(fresh_api, "POST", f"/v1/tables/{table['id']}/leave", {}, first))
    assert balances(fresh_api)[coins.HOUSE] == -890
    gone = ask(fresh_api, "DELETE", "/v1/me", token=second)
    assert (gone.status_code, gone.data) == (204, b"")
    assert set(balances(fresh_api).values()) == {0}
    for token in (first, second):
        for method, path in (("GET", "/v1/me"), ("DELETE", "/v1/me"), ("GET", f"/v1/tables/{table['id']}")):
            assert refused(ask(fresh_api, method, path, token=token)) == (401, "bad_token")
    entered = ask(fresh_api, "POST", "/v1/tokens", {"name": name, "password": PASSWORD})
    assert refused(entered) == (401, "bad_credentials")
    other = open_account(fresh_api, name.upper(), "another password")
    assert told(ask(fresh_api, "GET", "/v1/wallet", token=other))["balance"] == 1000
    assert refused(ask(fresh_api, "GET", f"/v1/tables/{table['id']}", token=other)) == (404, "not_found")
    assert told(ask(fresh_api, "GET", "/v1/wallet/entries", token=other))["items"][0]["number"] == 1
    assert faults(fresh_api) == []


def test_nobody_enters_an_account_by_what_a_closed_one_is_called(fresh_api: Api) -> None:
    token = open_account(fresh_api)
    assert ask(fresh_api, "DELETE", "/v1/me", token=token).status_code == 204
    with fresh_api.database.read() as tx:
        (left,) = tx.exec_driver_sql("SELECT name, password_hash FROM accounts").all()
    assert tuple(left) == ("", "")


def holds(api: Api, text: str) -> set[str]:
    """The tables of the database that hold a text somewhere."""
    return {name for name, rows in api.rows().items() if text.encode() in repr(rows).encode()}


KEY = "a-key-of-22-characters-or-more"


@pytest.mark.parametrize("opened_by", ["nobody", "a guest"])
def test_the_name_of_a_closed_account_stands_nowhere(fresh_api: Api, opened_by: str) -> None:
    guest = None
    if opened_by == "a guest":
        guest = told(ask(fresh_api, "POST", "/v1/hands", {}), 201)["token"]
    body = {"name": "Xanthippe", "password": PASSWORD}
    first = ask(fresh_api, "POST", "/v1/accounts", body, guest, key=KEY)
    token = told(first, 201)["token"]
    assert first.json["name"] == "Xanthippe"
    table = told(ask(fresh_api, "POST", "/v1/tables", COIN, token, key="opened"), 201)
    assert table["seats"][0]["name"] == "Xanthippe"
    told(ask(fresh_api, "POST", f"/v1/tables/{table['id']}/leave", {}, token, key="left"))
    # Told again as it was told first, also without being kept.
    again = ask(fresh_api, "POST", "/v1/accounts", body, guest, key=KEY)
    assert (again.status_code, again.data) == (first.status_code, first.data)
    assert holds(fresh_api, "Xanthippe") == {"accounts", "seats", "requests"}
    assert ask(fresh_api, "DELETE", "/v1/me", token=token).status_code == 204
    assert holds(fresh_api, "Xanthippe") == set()
    assert holds(fresh_api, "xanthippe") == set()
    assert [row[2] for row in fresh_api.rows()["requests"]] == ["/v1/accounts"]
    assert faults(fresh_api) == []


def test_those_who_played_with_a_closed_account_see_its_seat_without_its_name(fresh_api: Api) -> None:
    token, other = open_account(fresh_api, "Xanthippe"), open_account(fresh_api, "Socrates")
    table = told(ask(fresh_api, "POST", "/v1/tables", {"kind": "online"}, token), 201)
    path = f"/v1/tables/{table['id']}"
    told(ask(fresh_api, "POST", f"{path}/seats", {}, other), 201)
    told(ask(fresh_api, "POST", f"{path}/leave", {}, token))
    before = ask(fresh_api, "GET", path, token=other)
    assert ask(fresh_api, "DELETE", "/v1/me", token=token).status_code == 204
    # What was had before is not what there is now.
    after = ask(fresh_api, "GET", path, token=other, headers={"If-None-Match": before.headers["ETag"]})
    assert [(seat["name"], seat["kind"]) for seat in told(after)["seats"]] == [
        (CLOSED, "account"),
        ("Socrates", "account"),
    ]
    assert after.headers["ETag"] != before.headers["ETag"]

    assert faults(fresh_api) == []


def test_nobody_can_be_called_what_the_seat_of_a_closed_account_is() -> None:
    with pytest.raises(Refused):
        read(NameAndPassword(), {"name": CLOSED, "password": PASSWORD})


def test_an_account_without_coins_is_closed_without_a_transfer(fresh_api: Api) -> None:
    token = open_account(fresh_api)
    with fresh_api.database.write() as tx:
        (account,) = tx.exec_driver_sql("SELECT id FROM accounts").scalars()
        ledger.post(tx, coins.closed(account, 1000), 1, None)
    assert ask(fresh_api, "DELETE", "/v1/me", token=token).status_code == 204
    assert faults(fresh_api) == []


def test_who_closes_the_account_while_its_password_is_checked_gets_no_token_in(
    fresh_api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = new_name()
    token = open_account(fresh_api, name)
    is_right = passwords.is_right

    def slow(password: str, password_hash: str | None) -> bool:
        right = is_right(password, password_hash)
        assert ask(fresh_api, "DELETE", "/v1/me", token=token).status_code == 204
        return right

    monkeypatch.setattr(service.passwords, "is_right", slow)
    answer = ask(fresh_api, "POST", "/v1/tokens", {"name": name, "password": PASSWORD})
    assert refused(answer) == (401, "bad_credentials")
    assert fresh_api.rows()["tokens"] == []


@pytest.mark.parametrize("body", [{"kind": "practice"}, COIN], ids=["practice", "coins"])
def test_a_table_opened_as_the_account_is_closed_leaves_nobody_seated(
    fresh_api: Api, monkeypatch: pytest.MonkeyPatch, body: Any
) -> None:
    """Either the account sits and stays, or it is gone and nothing was opened."""
    token = open_account(fresh_api)
    reached, go_on = paused_before(monkeypatch, tokens, "hold")
    answers: dict[str, int] = {}

    def send(name: str, method: str, path: str, sent: Any) -> Callable[[], None]:
        def run() -> None:
            client = fresh_api.app.test_client()
            headers = {"Authorization": f"Bearer {token}"}
            answers[name] = client.open(path, method=method, json=sent, headers=headers).status_code

        return run

    opening = threading.Thread(target=send("open", "POST", "/v1/tables", body))
    closing = threading.Thread(target=send("close", "DELETE", "/v1/me", None))
    opening.start()
    assert reached.wait(10)
    closing.start()
    closing.join(0.3)  # On SQLite it waits for the other anyway.
    go_on.set()
    opening.join(20)
    closing.join(20)
    running = [row for row in fresh_api.rows()["tables"] if "playing" in row]
    assert (answers, len(running)) in [({"open": 201, "close": 409}, 1), ({"open": 401, "close": 204}, 0)]
    assert faults(fresh_api) == []
