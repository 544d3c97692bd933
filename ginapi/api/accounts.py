"""Accounts over HTTP: opened, entered by password, seen, closed."""

from dataclasses import replace

from flask import Response
from flask_smorest import Blueprint

from ginapi.api.current import house
from ginapi.api.incoming import Incoming, bearer_token, read_query
from ginapi.api.openapi import ANYBODY, NOBODY, asks
from ginapi.api.presenting import moment
from ginapi.api.replies import PRIVATE as PRIVATE_HEADERS
from ginapi.api.replies import answer_reply, json_reply
from ginapi.api.schemas_coins import Me, OpenedAccount
from ginapi.api.schemas_in import NameAndPassword, NoQuery
from ginapi.errors import Reason
from ginapi.service import accounts
from ginapi.service.asking import Answer
from ginapi.store.accounts import Account

blueprint = Blueprint("accounts", __name__, url_prefix="/v1", description="Names, passwords and tokens.")

_CALLER = (Reason.NO_TOKEN, Reason.BAD_TOKEN)


def _account_answer(account: Account, token: str) -> Answer:
    return Answer(201, {"name": account.name, "token": None}, {}, token)


def _nameless_answer(account: Account, token: str) -> Answer:
    return Answer(201, {"name": None, "token": None}, {}, token)


@blueprint.post("/accounts")
@blueprint.response(201, OpenedAccount)
@asks(
    body=NameAndPassword,
    keyed=True,
    security=ANYBODY,
    refuses=(Reason.BAD_TOKEN, Reason.TOO_MANY_REQUESTS, Reason.NAME_TAKEN),
    summary="Open an account",
    operationId="open_account",
)
def open_account() -> Response:
    """It is granted its welcome coins, which have no cash value. The token is shown this once, and lasts 90 days."""
    incoming = Incoming()

    def read_name_and_password() -> tuple[str, str]:
        loaded = incoming.read(NameAndPassword)
        return loaded["name"], loaded["password"]

    answer = accounts.open_account(house(), incoming.ask, read_name_and_password, _nameless_answer)
    # The request says the name each time that it comes: it need not be kept.
    name, _ = read_name_and_password()
    return answer_reply(replace(answer, body={**answer.body, "name": name}))


@blueprint.post("/tokens")
@blueprint.response(201, OpenedAccount)
@asks(
    body=NameAndPassword,
    security=NOBODY,
    refuses=(Reason.BAD_CREDENTIALS, Reason.TOO_MANY_REQUESTS, Reason.NOT_ALLOWED),
    summary="Get a token for an account",
    operationId="make_token",
)
def make_token() -> Response:
    """By name and password. The token is shown this once, and lasts 90 days after its last use.

    An account that is banned gets none, and is told why.
    """
    loaded = Incoming().read(NameAndPassword)
    return answer_reply(accounts.enter(house(), loaded["name"], loaded["password"], _account_answer))


@blueprint.delete("/tokens/current")
@blueprint.response(204)
@asks(refuses=_CALLER, summary="Revoke the token", operationId="revoke_token")
def revoke_token() -> Response:
    """It is forgotten at once. That is not leaving: its owner stays seated."""
    accounts.revoke(house(), bearer_token(), lambda: read_query(NoQuery))
    return Response(status=204, headers=PRIVATE_HEADERS)


@blueprint.get("/me")
@blueprint.response(200, Me)
@asks(refuses=_CALLER, summary="Who you are", operationId="see_me")
def see_me() -> Response:
    """A guest has no name."""
    caller, account = accounts.see(house(), bearer_token())
    read_query(NoQuery)
    body = {
        "kind": caller.kind,
        "name": None if account is None else account.name,
        "created_at": None if account is None else moment(account.created_ms),
    }
    return json_reply(body, headers=PRIVATE_HEADERS)


@blueprint.delete("/me")
@blueprint.response(204)
@asks(
    refuses=(*_CALLER, Reason.NOT_ALLOWED, Reason.ALREADY_SEATED), summary="Close the account", operationId="close_me"
)
def close_me() -> Response:
    """Its name, its password and its tokens are forgotten, and its coins go back to the house.

    At tables it is called `an account that was closed`. Its name stays for at most 24 hours more in answers that are
    kept for the idempotency keys of those it played with.
    """
    accounts.close(house(), bearer_token(), lambda: read_query(NoQuery))
    return Response(status=204, headers=PRIVATE_HEADERS)
