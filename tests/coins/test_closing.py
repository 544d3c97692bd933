"""Coins that are to come to an account as it is closed: they come before, and go back to the house, or not at all."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from ginapi.service import wallets
from ginapi.service.house import House
from ginapi.store import accounts
from ginapi.store.database import Database
from tests.accounts.people import ask, new_name, open_account, refused
from tests.api.caller import Api
from tests.coins.seated import balances, faults
from tests.coins.test_wallet import take_all_but
from tests.served.conftest import Served
from tests.served.playing import answered, connected
from tests.served.stored import audit
from tests.shares import share
from tests.waiting import paused_before

COME: dict[str, Callable[[Api, str, str], object]] = {
    "a grant": lambda api, name, token: wallets.grant(api.house, name, 500, "a prize"),
    "a refill": lambda api, name, token: api.app.test_client().post(
        "/v1/wallet/refills", json={}, headers={"Authorization": f"Bearer {token}"}
    ),
}


@pytest.mark.parametrize("come", COME)
def test_coins_that_come_as_the_account_is_closed_do_not_stay_there(
    fresh_api: Api, monkeypatch: pytest.MonkeyPatch, come: str
) -> None:
    name = new_name()
    token = open_account(fresh_api, name)
    take_all_but(fresh_api, token, 7)
    find = accounts.find
    reached, go_on = paused_before(monkeypatch, accounts, "find")  # It knows whose coins, and does not hold them yet.
    ends: list[object] = []

    def run() -> None:
        try:
            ends.append(COME[come](fresh_api, name, token))
        except LookupError as error:
            ends.append(error)

    coming = threading.Thread(target=run)
    coming.start()
    assert reached.wait(10)
    closing = threading.Thread(target=lambda: ends.append(ask(fresh_api, "DELETE", "/v1/me", token=token).status_code))
    closing.start()
    closing.join(0.5)  # On SQLite it waits for the other anyway.
    go_on.set()
    coming.join(20)
    closing.join(20)
    monkeypatch.setattr(accounts, "find", find)
    assert len(ends) == 2 and 204 in ends
    assert balances(fresh_api) == {}
    assert faults(fresh_api) == []
    with pytest.raises(LookupError):
        wallets.grant(fresh_api.house, name, 500, "too late")
    assert refused(ask(fresh_api, "POST", "/v1/wallet/refills", {}, token)) == (401, "bad_token")


def test_no_closed_account_has_coins_however_often_it_is_raced(served: Served) -> None:
    """The grants come from this process, as an operator's would; the accounts are closed by the server's."""
    house = House(Database(served.database_url))
    url = served.server.url
    granted = 0
    try:
        for _ in range(share(200, 15)):
            with connected(url) as nobody:
                body = {"name": new_name() + "raced", "password": "correct horse"}
                token = answered(nobody.post("/v1/accounts", json=body), 201)["token"]
            with connected(url, token) as caller:
                gate = threading.Barrier(2)
                told: list[Any] = []

                def close(gate: threading.Barrier = gate, told: list[Any] = told) -> None:
                    gate.wait(10)
                    told.append(caller.delete("/v1/me").status_code)

                closing = threading.Thread(target=close)
                closing.start()
                gate.wait(10)
                while not told:
                    try:
                        wallets.grant(house, body["name"], 5, "raced")
                        granted += 1
                    except LookupError:
                        break
                closing.join(20)
                assert told == [204]
        with house.db.read() as tx:
            left = tx.exec_driver_sql("SELECT sum(balance_coins) FROM accounts WHERE name = ''").scalar_one()
        assert (left, granted > 0) == (0, True)
        audit(served.database_url)
    finally:
        house.db.close()
