"""Tokens of accounts: got by name and password, lasting from use to use, revoked, and not for guests to act with."""

import hashlib
from importlib.util import find_spec, module_from_spec
from typing import Any

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.low_level import Type
from sqlalchemy import select, text

from ginapi.service import passwords
from ginapi.store import schema
from tests.accounts.people import PASSWORD, ask, new_name, open_account, refused, told
from tests.api.caller import DAY_MS, Api, Player

KEY = "a-key-of-22-characters-or-more"


def test_a_token_says_what_it_is_and_holds_160_random_bits_or_more(api: Api) -> None:
    name = new_name()
    seen = {open_account(api, name)}
    for _ in range(3):
        seen.add(told(ask(api, "POST", "/v1/tokens", {"name": name, "password": PASSWORD}), 201)["token"])
    seen.add(told(ask(api, "POST", "/v1/accounts", {"name": new_name(), "password": PASSWORD}, key=KEY), 201)["token"])
    assert len(seen) == 5
    for token in seen:
        assert token.startswith("ginapi_account_")
        assert len(token.removeprefix("ginapi_account_")) * 6 >= 256
    assert told(ask(api, "GET", "/v1/me", token=seen.pop()))["kind"] == "account"


def test_an_account_opened_with_a_token_is_another_caller(api: Api) -> None:
    guest = Player(api)
    token = open_account(api)
    name = new_name()
    for sent in (guest.token, token):
        opened = told(ask(api, "POST", "/v1/accounts", {"name": name, "password": PASSWORD}, sent), 201)
        assert opened["token"] not in (guest.token, token)
        assert told(ask(api, "GET", "/v1/me", token=opened["token"]))["name"] == name
        name = new_name()
    assert api.get(guest.hand_path, opened["token"]).status_code == 404


def test_a_wrong_name_and_a_wrong_password_are_told_the_same_and_cost_the_same(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = new_name()
    open_account(api, name)
    verified: list[str] = []
    verify = PasswordHasher.verify

    def counted(self: PasswordHasher, stored: str, password: str) -> Any:
        verified.append(stored)
        return verify(self, stored, password)

    monkeypatch.setattr(PasswordHasher, "verify", counted)
    answers = [
        ask(api, "POST", "/v1/tokens", {"name": name, "password": PASSWORD + "!"}),
        ask(api, "POST", "/v1/tokens", {"name": "nobody", "password": PASSWORD}),
        ask(api, "POST", "/v1/tokens", {"name": "nobody", "password": "no account has this name"}),
    ]
    assert len(verified) == 3
    assert len({repr(extract_parameters(stored)) for stored in verified}) == 1
    assert {refused(answer) for answer in answers} == {(401, "bad_credentials")}
    assert len({answer.json["detail"] for answer in answers}) == 1
    assert {answer.headers["WWW-Authenticate"] for answer in answers} == {'Bearer realm="ginapi"'}


def test_the_first_unknown_name_of_a_process_costs_what_any_does(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = find_spec(passwords.__name__)
    assert spec is not None and spec.loader is not None
    fresh = module_from_spec(spec)  # As a process that has just started has it.
    spec.loader.exec_module(fresh)
    spent: list[Any] = []
    hash_, verify = PasswordHasher.hash, PasswordHasher.verify

    def hashed(self: PasswordHasher, password: str) -> str:
        spent.append("a hash")
        return hash_(self, password)

    def verified(self: PasswordHasher, stored: str, password: str) -> Any:
        spent.append(extract_parameters(stored))
        return verify(self, stored, password)

    kept = fresh.hashed(PASSWORD)
    monkeypatch.setattr(PasswordHasher, "hash", hashed)
    monkeypatch.setattr(PasswordHasher, "verify", verified)
    for password in (PASSWORD, "", "no account has this name"):
        assert fresh.is_right(password, None) is False
    assert fresh.is_right(PASSWORD, kept) is True
    assert spent == [extract_parameters(kept)] * 4


def test_passwords_are_kept_as_argon2id_over_19_mib(fresh_api: Api) -> None:
    open_account(fresh_api)
    open_account(fresh_api)
    with fresh_api.database.read() as tx:
        stored = list(tx.execute(select(schema.accounts.c.password_hash)).scalars())
    assert len(set(stored)) == 2  # Salted: the same password is not kept the same.
    for one in stored:
        kept = extract_parameters(one)
        assert (kept.type, kept.memory_cost, kept.time_cost, kept.parallelism) == (Type.ID, 19 * 1024, 2, 1)
        assert kept.salt_len >= 16 and kept.hash_len >= 32
    assert passwords.AT_ONCE == 2


def test_a_token_lasts_90_days_from_use_to_use(fresh_api: Api) -> None:
    token = open_account(fresh_api)
    table = told(ask(fresh_api, "POST", "/v1/tables", {"kind": "practice"}, token), 201)
    for _ in range(3):
        fresh_api.clock.now_ms += 90 * DAY_MS
        assert ask(fresh_api, "GET", f"/v1/tables/{table['id']}", token=token).status_code == 200
    fresh_api.clock.now_ms += 90 * DAY_MS + 1
    for path in (f"/v1/tables/{table['id']}", "/v1/me", "/v1/wallet", "/v1/stakes", "/v1/tables?mine=true"):
        assert refused(ask(fresh_api, "GET", path, token=token)) == (401, "bad_token")


USES = {
    "me": ("GET", "/v1/me", None),
    "the wallet": ("GET", "/v1/wallet", None),
    "the statement": ("GET", "/v1/wallet/entries", None),
    "the list of tables": ("GET", "/v1/tables?mine=true", None),
    "the stakes": ("GET", "/v1/stakes", None),
    "a coin table": ("POST", "/v1/tables", {"kind": "coin", "stake": 50}),
    "a practice table": ("POST", "/v1/tables", {"kind": "practice"}),
}


@pytest.mark.parametrize("use", USES)
def test_every_use_of_a_token_keeps_it_alive(fresh_api: Api, use: str) -> None:
    token = open_account(fresh_api)
    method, path, body = USES[use]
    for _ in range(2):
        fresh_api.clock.now_ms += 90 * DAY_MS
        assert ask(fresh_api, method, path, body, token).status_code in (200, 201)


def test_a_revoked_token_is_dead_and_its_owners_others_live(api: Api) -> None:
    name = new_name()
    first = open_account(api, name)
    second = told(ask(api, "POST", "/v1/tokens", {"name": name, "password": PASSWORD}), 201)["token"]
    table = told(ask(api, "POST", "/v1/tables", {"kind": "coin", "stake": 50}, first), 201)
    gone = ask(api, "DELETE", "/v1/tokens/current", token=first)
    assert (gone.status_code, gone.data) == (204, b"")
    for method, path in (("GET", "/v1/me"), ("DELETE", "/v1/tokens/current"), ("GET", f"/v1/tables/{table['id']}")):
        assert refused(ask(api, method, path, token=first)) == (401, "bad_token")
    # Revoking is not leaving (R28): the seat is the account's.
    assert told(ask(api, "GET", f"/v1/tables/{table['id']}", token=second))["status"] == "playing"
    assert told(ask(api, "GET", "/v1/wallet", token=second))["held"] == 55


def test_a_guest_revokes_its_token_too(api: Api) -> None:
    guest = Player(api)
    assert told(ask(api, "GET", "/v1/me", token=guest.token)) == {"kind": "guest", "name": None, "created_at": None}
    assert ask(api, "DELETE", "/v1/tokens/current", token=guest.token).status_code == 204
    assert refused(guest.see()) == (401, "bad_token")


OF_ACCOUNTS = [
    ("GET", "/v1/wallet", None),
    ("GET", "/v1/wallet/entries", None),
    ("POST", "/v1/wallet/refills", {}),
    ("DELETE", "/v1/me", None),
    ("POST", "/v1/tables", {"kind": "coin", "stake": 50}),
]
OF_CALLERS = [("GET", "/v1/me", None), ("DELETE", "/v1/tokens/current", None), ("GET", "/v1/tables?mine=true", None)]


@pytest.mark.parametrize("route", OF_ACCOUNTS, ids=lambda route: f"{route[0]} {route[1]}")
def test_what_is_of_accounts_is_not_for_guests(api: Api, route: tuple[str, str, Any]) -> None:
    guest = Player(api)
    before = api.rows()
    assert refused(ask(api, *route, guest.token)) == (403, "not_allowed")
    assert api.rows() == before


@pytest.mark.parametrize("route", OF_ACCOUNTS + OF_CALLERS, ids=lambda route: f"{route[0]} {route[1]}")
def test_nobody_gets_nothing(api: Api, route: tuple[str, str, Any]) -> None:
    before = api.rows()
    assert refused(ask(api, *route)) == (401, "no_token")
    for token in ("ginapi_account_nobody", "x", "ginapi_guest_"):
        assert refused(ask(api, *route, token)) == (401, "bad_token")
    assert refused(ask(api, *route, headers={"Authorization": "Basic YW5hOmFuYQ=="})) == (401, "bad_token")
    assert api.rows() == before


@pytest.mark.parametrize("route", OF_ACCOUNTS + OF_CALLERS, ids=lambda route: f"{route[0]} {route[1]}")
def test_what_is_wrong_with_a_request_is_said_after_who_asks_and_before_anything_is_done(
    api: Api, route: tuple[str, str, Any]
) -> None:
    method, path, body = route
    wrong = f"{path}&x=1" if "?" in path else f"{path}?x=1"
    token = open_account(api)
    before = api.rows()
    assert refused(ask(api, method, wrong, body, "nobody")) == (401, "bad_token")
    assert refused(ask(api, method, wrong, body, token)) == (422, "invalid_request")
    assert api.rows() == before


def test_a_bad_token_comes_before_a_bad_body_when_an_account_is_opened(api: Api) -> None:
    assert refused(ask(api, "POST", "/v1/accounts", {"name": ""}, "nobody")) == (401, "bad_token")


def test_the_same_opening_under_its_key_is_one_account_and_one_token(fresh_api: Api) -> None:
    body = {"name": "Ana", "password": PASSWORD}
    first = ask(fresh_api, "POST", "/v1/accounts", body, key=KEY)
    after = fresh_api.rows()
    for _ in range(2):
        fresh_api.clock.now_ms += 1_000
        again = ask(fresh_api, "POST", "/v1/accounts", body, key=KEY)
        assert (again.status_code, again.data) == (first.status_code, first.data)
        assert again.headers["Idempotent-Replayed"] == "true"
    assert fresh_api.rows() == after
    assert told(ask(fresh_api, "GET", "/v1/me", token=first.json["token"]))["name"] == "Ana"
    for other in ({**body, "password": PASSWORD + "!"}, {**body, "name": "ana"}):
        assert refused(ask(fresh_api, "POST", "/v1/accounts", other, key=KEY)) == (422, "key_reused")
    # Without the key, or under another, the name is simply taken.
    for key in (None, KEY + "2"):
        assert refused(ask(fresh_api, "POST", "/v1/accounts", body, key=key)) == (409, "name_taken")


def test_a_short_key_without_a_token_is_refused(api: Api) -> None:
    body = {"name": new_name(), "password": PASSWORD}
    assert refused(ask(api, "POST", "/v1/accounts", body, key="k" * 21)) == (422, "invalid_request")
    assert ask(api, "POST", "/v1/accounts", body, key="k" * 22).status_code == 201


def test_a_log_in_takes_no_key_and_gives_another_token_each_time(api: Api) -> None:
    name = new_name()
    open_account(api, name)
    body = {"name": name, "password": PASSWORD}
    before = len(api.rows()["requests"])
    answers = [ask(api, "POST", "/v1/tokens", body, key=KEY) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert len({answer.json["token"] for answer in answers}) == 2
    assert not any("Idempotent-Replayed" in answer.headers for answer in answers)
    assert len(api.rows()["requests"]) == before


def test_neither_token_nor_password_nor_key_can_be_read_anywhere(
    fresh_api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    secret, body = "s3cret-passw0rd", {"name": "Ana", "password": "s3cret-passw0rd"}
    opened = ask(fresh_api, "POST", "/v1/accounts", body, key=KEY).json["token"]
    entered = ask(fresh_api, "POST", "/v1/tokens", body).json["token"]
    ask(fresh_api, "POST", "/v1/tables", {"kind": "coin", "stake": 50}, opened, key="another-key-of-its-owner")
    ask(fresh_api, "POST", "/v1/accounts", {**body, "password": secret + "2"}, key=KEY)
    ask(fresh_api, "POST", "/v1/accounts", {"name": secret * 9, "password": "x"}, key=KEY + "3")
    hidden = [secret, KEY, "another-key-of-its-owner"]
    for token in (opened, entered):
        hidden += [token, token.removeprefix("ginapi_account_")]
    shown = {"the log": caplog.text.encode()}
    for name, rows in fresh_api.rows().items():
        values = [value for row in rows for value in row]
        shown[name] = b"\n".join(value if isinstance(value, bytes) else str(value).encode() for value in values)
    for name, content in shown.items():
        assert not any(one.encode() in content for one in hidden), name
    hashes = {hashlib.sha256(token.encode()).digest() for token in (opened, entered)}
    with fresh_api.database.read() as tx:
        assert set(tx.execute(select(schema.tokens.c.hash)).scalars()) == hashes
        assert tx.execute(text("SELECT count(*) FROM accounts")).scalar_one() == 1
