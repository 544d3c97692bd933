"""Accounts as the tests open them, and answers held against the shapes of the routes about accounts and coins."""

import itertools
from typing import Any

from marshmallow import Schema
from werkzeug.test import TestResponse

from ginapi.api import schemas_coins, schemas_out
from tests.api.caller import Api
from tests.api.shapes import check_object
from tests.served.playing import PASSWORD

SHAPES: dict[tuple[str, str], type[Schema]] = {
    ("POST", "/v1/accounts"): schemas_coins.OpenedAccount,
    ("POST", "/v1/tokens"): schemas_coins.OpenedAccount,
    ("GET", "/v1/me"): schemas_coins.Me,
    ("GET", "/v1/wallet"): schemas_coins.Wallet,
    ("POST", "/v1/wallet/refills"): schemas_coins.Wallet,
    ("GET", "/v1/wallet/entries"): schemas_coins.Entries,
    ("GET", "/v1/stakes"): schemas_coins.Stakes,
    ("GET", "/v1/tables"): schemas_out.Tables,
}
_numbers = itertools.count(1)


def new_name() -> str:
    """A name that nobody has."""
    return f"ana{next(_numbers)}"


def ask(api: Api, method: str, path: str, body: Any = None, token: str | None = None, **given: Any) -> TestResponse:
    """The answer, whatever it is; one that is taken has the shape of its route."""
    answer = api.ask(method, path, body, token=token, **given)
    shape = SHAPES.get((method, path.partition("?")[0]))
    if answer.status_code < 300 and shape is not None:
        check_object(shape(), answer.json, "")
    return answer


def told(answer: TestResponse, status: int = 200) -> dict[str, Any]:
    """The body of an answer that must have this status."""
    assert answer.status_code == status, answer.text
    body: dict[str, Any] = answer.json
    return body


def refused(answer: TestResponse) -> tuple[int, str]:
    """The status and code of a refusal."""
    return answer.status_code, answer.json["code"]


def pointers(answer: TestResponse) -> list[str]:
    """Where in its body a request was refused."""
    assert refused(answer) == (422, "invalid_request"), answer.text
    return [one["pointer"] for one in answer.json["errors"]]


def open_account(api: Api, name: str | None = None, password: str = PASSWORD) -> str:
    """The token of a new account."""
    answer = ask(api, "POST", "/v1/accounts", {"name": name or new_name(), "password": password})
    token: str = told(answer, 201)["token"]
    return token
