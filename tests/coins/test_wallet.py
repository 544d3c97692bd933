"""The wallet: its statement, a refill when it is due, the stakes, and what is said beside coins (R25, R26, R29)."""

import itertools
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from ginapi.config import TABLES_PER_PLAYER
from ginapi.store import ledger
from ginapi.tables import coins
from tests.accounts.people import ask, open_account, pointers, refused, told
from tests.api.caller import DAY_MS, Api, Player
from tests.coins.seated import NOTE, Sitter, check_statement, faults, operate

OFFERED = [50, 100, 250, 500, 1000, 5000, 10000]
_causes = itertools.count(1)


def take_all_but(api: Api, token: str, left: int) -> None:
    """Leave an account with so many coins to stake, by a transfer to the house that is no part of the service."""
    name = told(ask(api, "GET", "/v1/me", token=token))["name"]
    balance = told(ask(api, "GET", "/v1/wallet", token=token))["balance"]
    if balance == left:
        return
    with api.database.write() as tx:
        account = next(row.id for row in tx.exec_driver_sql("SELECT id, name FROM accounts").all() if row.name == name)
        taken = coins.Transfer(f"test:{next(_causes)}", account, coins.HOUSE, balance - left, "Taken by a test")
        ledger.post(tx, (taken,), api.clock.now_ms, None)


def test_a_new_account_has_its_welcome_coins(fresh_api: Api) -> None:
    token = open_account(fresh_api)
    assert told(ask(fresh_api, "GET", "/v1/wallet", token=token)) == {"balance": 1000, "held": 0, "note": NOTE}
    page = told(ask(fresh_api, "GET", "/v1/wallet/entries", token=token))
    (entry,) = page["items"]
    assert (entry["coins"], entry["balance"], entry["reason"], entry["table_id"]) == (1000, 1000, "Welcome coins", None)
    assert (page["next"], page["note"]) == (None, NOTE)
    assert entry["at"] == "2026-09-21T14:13:20.000Z"


def test_a_house_that_grants_nothing_opens_accounts_all_the_same(under: Callable[..., Api]) -> None:
    api = under(GINAPI_WELCOME_COINS="0")
    token = open_account(api)
    assert told(ask(api, "GET", "/v1/wallet", token=token))["balance"] == 0
    assert told(ask(api, "GET", "/v1/wallet/entries", token=token))["items"] == []
    assert refused(ask(api, "POST", "/v1/wallet/refills", {}, token)) == (409, "refill_not_due")
    assert ask(api, "DELETE", "/v1/me", token=token).status_code == 204
    assert faults(api) == []


def test_the_statement_goes_page_by_page_from_the_newest(fresh_api: Api) -> None:
    first = Sitter(fresh_api, stake=50)
    first.leave()
    Sitter(fresh_api, first.token, 100).leave()
    other = Sitter(fresh_api)
    whole = told(ask(fresh_api, "GET", "/v1/wallet/entries", token=first.token))["items"]
    check_statement(whole[::-1])
    assert [entry["coins"] for entry in whole] == [-10, -100, -5, -50, 1000]
    assert not {entry["id"] for entry in whole} & {entry["id"] for entry in other.entries()}
    for limit in (1, 2, 5):
        pages, cursor = [], ""
        while True:
            page = told(ask(fresh_api, "GET", f"/v1/wallet/entries?limit={limit}{cursor}", token=first.token))
            assert page["note"] == NOTE and len(page["items"]) <= limit
            pages += page["items"]
            if page["next"] is None:
                break
            cursor = f"&cursor={page['next']}"
            # What comes meanwhile is newer than any page that follows.
            Sitter(fresh_api, first.token, 50)
        assert pages[-5:] == whole
        check_statement(pages[::-1][: len(pages)])
        for table in told(ask(fresh_api, "GET", "/v1/tables?mine=true&status=playing", token=first.token))["items"]:
            told(ask(fresh_api, "POST", f"/v1/tables/{table['id']}/leave", {}, first.token))
        whole = told(ask(fresh_api, "GET", "/v1/wallet/entries", token=first.token))["items"][-5:]


def cursor(*parts: object) -> str:
    return urlsafe_b64encode(" ".join(map(str, parts)).encode()).decode().rstrip("=")


NO_CURSORS = ["x", "%00", "é", cursor("before"), cursor("before", -1), cursor("before", "1_0"), "a" * 201]
NO_CURSORS += [cursor("tables", 1), cursor("before", 1, 2)]
HUGE = [10**9 * 10, 2**63, 2**64, 10**29, "9" * 100]


@pytest.mark.parametrize("path", ["/v1/wallet/entries", "/v1/tables"])
def test_what_is_no_cursor_is_refused_and_a_huge_one_is_no_fault(api: Api, path: str) -> None:
    token = open_account(api)
    for wrong in NO_CURSORS:
        assert pointers(ask(api, "GET", f"{path}?cursor={wrong}", token=token)) == ["/cursor"], wrong
    for huge in HUGE:
        places = [(0, huge, 1), (huge, 1, 1), (1, 1, huge)]
        for one in (cursor("before", huge), *(cursor("tables", *place) for place in places)):
            assert ask(api, "GET", f"{path}?cursor={one}", token=token).status_code in (200, 422), one
    for wrong_limit in ("0", "101", "x", "-1", "1.0", ""):
        assert pointers(ask(api, "GET", f"{path}?limit={wrong_limit}", token=token)) == ["/limit"]


def test_the_stakes_say_the_fee_and_whether_one_can_sit(fresh_api: Api) -> None:
    token, guest = open_account(fresh_api), Player(fresh_api).token
    seen = told(ask(fresh_api, "GET", "/v1/stakes"))
    assert (seen["note"], seen["next"]) == (NOTE, None)
    assert [one["stake"] for one in seen["items"]] == OFFERED
    assert all(one["leaving_fee"] * 10 == one["stake"] and one["can_sit"] is None for one in seen["items"])
    for can_sit, sent in ((OFFERED[:4], token), ([], guest)):
        seen = told(ask(fresh_api, "GET", "/v1/stakes", token=sent))
        assert [one["stake"] for one in seen["items"] if one["can_sit"]] == can_sit
        assert not any(one["can_sit"] is None for one in seen["items"])
    take_all_but(fresh_api, token, 550)
    seen = told(ask(fresh_api, "GET", "/v1/stakes", token=token))
    assert [one["can_sit"] for one in seen["items"]] == [True] * 4 + [False] * 3
    take_all_but(fresh_api, token, 549)
    assert told(ask(fresh_api, "GET", "/v1/stakes", token=token))["items"][3]["can_sit"] is False
    assert refused(ask(fresh_api, "GET", "/v1/stakes", token="nobody")) == (401, "bad_token")


def refill(api: Api, token: str, **given: Any) -> Any:
    return ask(api, "POST", "/v1/wallet/refills", {}, token, **given)


@pytest.mark.parametrize("left", [0, 1, 54])
def test_who_cannot_sit_at_the_smallest_stake_is_refilled_up_to_the_grant_once_in_24_hours(
    fresh_api: Api, left: int
) -> None:
    token = open_account(fresh_api)
    take_all_but(fresh_api, token, left)
    before = fresh_api.rows()
    filled = refill(fresh_api, token, key="once")
    assert told(filled, 201) == {"balance": 1000, "held": 0, "note": NOTE}
    assert told(ask(fresh_api, "GET", "/v1/wallet", token=token)) == filled.json
    entry = told(ask(fresh_api, "GET", "/v1/wallet/entries?limit=1", token=token))["items"][0]
    assert (entry["coins"], entry["balance"], entry["reason"]) == (1000 - left, 1000, "Refill")
    again = refill(fresh_api, token, key="once")
    assert (again.status_code, again.data) == (201, filled.data)
    assert len(fresh_api.rows()["transfers"]) == len(before["transfers"]) + 1
    take_all_but(fresh_api, token, left)
    fresh_api.clock.now_ms += DAY_MS - 1
    assert refused(refill(fresh_api, token)) == (409, "refill_not_due")
    fresh_api.clock.now_ms += 1
    assert told(refill(fresh_api, token), 201)["balance"] == 1000
    assert faults(fresh_api) == []


@pytest.mark.parametrize("left", [55, 56, 1000])
def test_who_can_sit_at_the_smallest_stake_is_not_refilled(fresh_api: Api, left: int) -> None:
    token = open_account(fresh_api)
    if left < 1000:
        take_all_but(fresh_api, token, left)
    before = fresh_api.rows()
    answer = refill(fresh_api, token)
    assert refused(answer) == (409, "refill_not_due")
    assert NOTE in answer.json["detail"]
    assert fresh_api.rows() == before


@pytest.mark.parametrize("left", [0, 10, 54])
def test_coins_that_are_held_count_when_a_refill_is_asked_for(fresh_api: Api, left: int) -> None:
    sitter = Sitter(fresh_api, stake=50)
    take_all_but(fresh_api, sitter.token, left)
    assert sitter.wallet() == (left, 55)
    assert refused(refill(fresh_api, sitter.token)) == (409, "refill_not_due")
    sitter.leave()
    assert told(refill(fresh_api, sitter.token), 201)["balance"] == 1000


def test_a_refill_goes_up_to_the_grant_with_what_is_held(under: Callable[..., Api]) -> None:
    before = under(GINAPI_STAKES="20")
    sitter = Sitter(before, stake=20)
    take_all_but(before, sitter.token, 3)
    sitter.api = under(GINAPI_STAKES="50")
    assert told(refill(sitter.api, sitter.token), 201) == {"balance": 978, "held": 22, "note": NOTE}
    assert sitter.wallet() == (978, 22)
    assert faults(sitter.api) == []


STAKES_NOT_OFFERED = [0, 1, 10, 51, 999, 20000, 2**31 - 1]


@pytest.mark.parametrize("stake", STAKES_NOT_OFFERED)
def test_a_stake_that_is_not_offered(api: Api, stake: int) -> None:
    token = open_account(api)
    answer = ask(api, "POST", "/v1/tables", {"kind": "coin", "stake": stake}, token)
    assert refused(answer) == (409, "stake_not_offered")
    assert NOTE in answer.json["detail"]


def test_a_stake_takes_its_fee_beside_it(fresh_api: Api) -> None:
    token = open_account(fresh_api)
    body = {"kind": "coin", "stake": 1000}
    answer = ask(fresh_api, "POST", "/v1/tables", body, token)
    assert refused(answer) == (409, "not_enough_coins")
    assert NOTE in answer.json["detail"] and "1100" in answer.json["detail"]
    for left, status in ((54, 409), (55, 201)):
        token = open_account(fresh_api)
        take_all_but(fresh_api, token, left)
        assert ask(fresh_api, "POST", "/v1/tables", {"kind": "coin", "stake": 50}, token).status_code == status
    assert told(ask(fresh_api, "GET", "/v1/wallet", token=token)) == {"balance": 0, "held": 55, "note": NOTE}


def test_the_codes_at_a_table_come_in_their_order(fresh_api: Api) -> None:
    token = open_account(fresh_api)
    for _ in range(TABLES_PER_PLAYER - 1):
        told(ask(fresh_api, "POST", "/v1/tables", {"kind": "practice"}, token), 201)
    seated = Sitter(fresh_api, token, 50)
    take_all_but(fresh_api, token, 0)

    def code(stake: int, sent: str | None = token) -> str:
        answer = ask(fresh_api, "POST", "/v1/tables", {"kind": "coin", "stake": stake}, sent)
        return str(answer.json["code"])

    assert code(51) == "stake_not_offered"
    assert code(50) == "too_many_tables"
    seated.leave()
    assert code(51) == "stake_not_offered"
    assert code(50) == "not_enough_coins"
    assert code(51, None) == "no_token"
    assert code(51, Player(fresh_api).token) == "not_allowed"
    assert code(-1, Player(fresh_api).token) == "not_allowed"
    assert code(-1) == "invalid_request"


def test_ones_tables_are_listed_running_ones_first_then_the_newest(fresh_api: Api) -> None:
    token = open_account(fresh_api)
    opened: list[dict[str, Any]] = []
    for number in range(6):
        body = {"kind": "coin", "stake": 50} if number % 2 else {"kind": "practice"}
        opened.append(told(ask(fresh_api, "POST", "/v1/tables", body, token), 201))
        fresh_api.clock.now_ms += 1 if number < 4 else 0  # The last two at the same instant.
    Sitter(fresh_api)
    for number in (1, 4):
        told(ask(fresh_api, "POST", f"/v1/tables/{opened[number]['id']}/leave", {}, token))
    last_two = sorted((opened[4]["id"], opened[5]["id"]), reverse=True)
    running = [opened[n]["id"] for n in (5, 3, 2, 0)]
    over = [opened[n]["id"] for n in (4, 1)]
    assert last_two
    whole = told(ask(fresh_api, "GET", "/v1/tables?mine=true", token=token))
    assert ([table["id"] for table in whole["items"]], whole["next"]) == (running + over, None)
    assert whole["note"] == NOTE
    for table in whole["items"]:
        assert table == told(ask(fresh_api, "GET", f"/v1/tables/{table['id']}", token=token))
    for limit in (1, 2, 4, 6):
        found: list[str] = []
        following = ""
        while True:
            page = told(ask(fresh_api, "GET", f"/v1/tables?mine=true&limit={limit}{following}", token=token))
            found += [table["id"] for table in page["items"]]
            if page["next"] is None:
                break
            following = f"&cursor={page['next']}"
        assert found == running + over

    def listed(query: str) -> list[int]:
        items = told(ask(fresh_api, "GET", f"/v1/tables?{query}", token=token))["items"]
        return [next(n for n, table in enumerate(opened) if table["id"] == item["id"]) for item in items]

    assert listed("kind=coin") == [5, 3, 1]
    assert listed("kind=practice&status=playing") == [2, 0]
    assert listed("status=finished") == [4, 1]
    assert listed("stake=50&status=playing") == [5, 3]
    assert listed("stake=0") == [2, 0, 4]
    assert listed("stake=100") == listed("kind=online") == listed("status=open") == []
    for wrong in ("kind=x", "status=over", "stake=x", "mine=false", "nothing=1", "kind=coin&kind=coin"):
        assert refused(ask(fresh_api, "GET", f"/v1/tables?{wrong}", token=token)) == (422, "invalid_request")


def test_an_operator_grants_coins_and_says_why(fresh_api: Api) -> None:
    token = open_account(fresh_api, "Straße")
    ran = operate(fresh_api, "coins", "grant", "STRASSE", "250", "--why", "Won the spring cup")
    assert ran.exit_code == 0, ran.output
    assert "1250" in ran.stdout and NOTE in ran.stdout
    entry = told(ask(fresh_api, "GET", "/v1/wallet/entries?limit=1", token=token))["items"][0]
    assert (entry["coins"], entry["balance"], entry["reason"]) == (250, 1250, "Won the spring cup")
    before = fresh_api.rows()
    for wrong in (
        ["nobody", "1", "--why", "x"],
        ["Straße", "0", "--why", "x"],
        ["Straße", "-5", "--why", "x"],
        ["Straße", "1.5", "--why", "x"],
        ["Straße", "1000000001", "--why", "x"],
        ["Straße", "1"],
        ["Straße", "1", "--why", ""],
        ["Straße", "1", "--why", "x" * 201],
    ):
        ran = operate(fresh_api, "coins", "grant", *wrong)
        assert ran.exit_code != 0 and isinstance(ran.exception, SystemExit), wrong
    assert fresh_api.rows() == before
    assert operate(fresh_api, "coins", "grant", "Straße", "1", "--why", "é" * 200).exit_code == 0
    assert faults(fresh_api) == []


def test_a_table_is_called_off_by_its_id_and_with_a_reason(fresh_api: Api) -> None:
    sitter = Sitter(fresh_api)
    before = fresh_api.rows()
    for wrong in (["00000000000000000000", "--why", "x"], [sitter.id], [sitter.id, "--why", ""], ["", "--why", "x"]):
        ran = operate(fresh_api, "table", "void", *wrong)
        assert ran.exit_code != 0 and isinstance(ran.exception, SystemExit), wrong
    assert fresh_api.rows() == before
    assert operate(fresh_api, "table", "void", sitter.id, "--why", "a storm").exit_code == 0
    assert "a storm" in repr(fresh_api.rows()["records"])


def test_coins_pass_from_one_account_to_another_by_no_route(fresh_api: Api) -> None:
    """Every route that writes is known here: a new one has to be looked at before this passes again."""
    document = yaml.safe_load(fresh_api.get("/openapi.yaml").data)
    writing = {
        f"{method.upper()} {path}"
        for path, methods in document["paths"].items()
        for method in methods
        if method in ("post", "put", "patch", "delete")
    }
    assert writing == {
        "POST /v1/hands",
        "POST /v1/hands/{hand_id}/moves",
        "POST /v1/tables",
        "POST /v1/tables/quick",
        "POST /v1/tables/{table_id}/seats",
        "POST /v1/tables/{table_id}/rematch",
        "POST /v1/tables/{table_id}/hands",
        "POST /v1/tables/{table_id}/leave",
        "POST /v1/accounts",
        "POST /v1/tokens",
        "DELETE /v1/tokens/current",
        "DELETE /v1/me",
        "POST /v1/wallet/refills",
        "POST /v1/analysis/melds",
        "POST /v1/analysis/showdown",
    }
    sitter, other = Sitter(fresh_api), Sitter(fresh_api)
    # Nobody but its owner acts at a coin table.
    for path in (f"/v1/tables/{sitter.id}", f"/v1/hands/{sitter.hand['id']}", f"/v1/hands/{sitter.hand['id']}/moves"):
        assert refused(ask(fresh_api, "GET", path, token=other.token)) == (404, "not_found")
    for path in (f"/v1/tables/{sitter.id}/leave", f"/v1/tables/{sitter.id}/hands", f"/v1/tables/{sitter.id}/seats"):
        assert refused(ask(fresh_api, "POST", path, {}, other.token)) == (404, "not_found")
    sitter.leave()
    other.win()
    with fresh_api.database.read() as tx:
        moved = tx.exec_driver_sql("SELECT debit, credit FROM transfers").all()
    assert all(not (one.debit.startswith("account:") and one.credit.startswith("account:")) for one in moved)
