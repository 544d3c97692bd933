"""Whether an answer has the shape of its route: every name of the schema that has to stand, and no other."""

import re
from typing import Any

from marshmallow import Schema, fields

from ginapi.api import (
    schemas_advice,
    schemas_coins,
    schemas_events,
    schemas_hand,
    schemas_out,
    schemas_players,
    schemas_webhooks,
)
from ginapi.api.errors import EXPLAINED
from ginapi.api.schemas_moves import AnyMove
from ginapi.errors import Reason

SHAPES: list[tuple[str, str, type[Schema]]] = [
    ("POST", "/v1/hands", schemas_hand.OpenedHand),
    ("GET", "/v1/hands/[^/]+", schemas_hand.Hand),
    ("POST", "/v1/hands/[^/]+/moves", schemas_hand.MoveAnswer),
    ("GET", "/v1/hands/[^/]+/moves", schemas_hand.RecordList),
    ("GET", "/v1/hands/[^/]+/hint", schemas_advice.Hint),
    ("GET", "/v1/hands/[^/]+/review", schemas_advice.Review),
    ("POST", "/v1/tables", schemas_out.OpenedTable),
    ("POST", "/v1/tables/quick", schemas_out.OpenedTable),
    ("POST", "/v1/tables/[^/]+/seats", schemas_out.OpenedTable),
    ("POST", "/v1/tables/[^/]+/rematch", schemas_out.Table),
    ("GET", "/v1/tables", schemas_out.Tables),
    ("GET", "/v1/tables/[^/]+", schemas_out.Table),
    ("POST", "/v1/tables/[^/]+/hands", schemas_hand.MoveAnswer),
    ("POST", "/v1/tables/[^/]+/leave", schemas_out.LeaveAnswer),
    ("POST", "/v1/tables/[^/]+/tickets", schemas_events.Ticket),
    ("POST", "/v1/accounts", schemas_coins.OpenedAccount),
    ("POST", "/v1/tokens", schemas_coins.OpenedAccount),
    ("GET", "/v1/me", schemas_coins.Me),
    ("GET", "/v1/wallet", schemas_coins.Wallet),
    ("GET", "/v1/wallet/entries", schemas_coins.Entries),
    ("POST", "/v1/wallet/refills", schemas_coins.Wallet),
    ("GET", "/v1/stakes", schemas_coins.Stakes),
    ("GET", "/v1/players/.+", schemas_players.Player),
    ("GET", "/v1/leaderboard", schemas_players.Leaderboard),
    ("POST", "/v1/webhooks", schemas_webhooks.NewWebhook),
    ("GET", "/v1/webhooks", schemas_webhooks.Webhooks),
    ("POST", "/v1/analysis/melds", schemas_out.MeldsAnswer),
    ("POST", "/v1/analysis/showdown", schemas_hand.Result),
    ("GET", "/v1/rules", schemas_out.Rules),
    ("GET", "/v1/limits", schemas_out.Limits),
]


def check_shape(method: str, path: str, body: Any) -> None:
    """Raises AssertionError where a 2xx answer is not as its route's schema says."""
    for of_method, pattern, schema in SHAPES:
        if method == of_method and re.fullmatch(pattern, path):
            check_object(schema(), body, "")
            return


def check_problem(status: int, content_type: str, body: Any) -> None:
    """Raises AssertionError where a refusal is not a problem document that agrees with itself."""
    assert content_type == "application/problem+json"
    check_object(schemas_out.Problem(), body, "")
    explained = EXPLAINED[Reason(body["code"])]
    assert (body["status"], body["title"], body["type"]) == (status, explained.title, f"/problems/{body['code']}")
    assert explained.status == status
    assert ("errors" in body) == (body["code"] == "invalid_request"), body


def check_object(schema: Schema, value: Any, place: str) -> None:
    if isinstance(schema, AnyMove):
        schema.load(value)
        return
    named = {field.data_key or name: field for name, field in schema.fields.items()}
    assert isinstance(value, dict), place
    assert set(value) <= set(named), f"{place}: {set(value) - set(named)}"
    missing = {name for name, field in named.items() if field.required} - set(value)
    assert not missing, f"{place}: {missing}"
    for name in value:
        _check_value(named[name], value[name], f"{place}/{name}")


def _check_value(field: Any, value: Any, place: str) -> None:
    if value is None:
        assert field.allow_none, f"{place} is null"
    elif isinstance(field, fields.Nested):
        check_object(field.schema, value, place)
    elif isinstance(field, fields.List):
        assert isinstance(value, list), place
        for at, one in enumerate(value):
            _check_value(field.inner, one, f"{place}/{at}")
    else:
        field.deserialize(value)
