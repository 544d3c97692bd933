"""The published shapes: the unions of what callers send, and every name of what they are answered."""

from typing import Any

import pytest
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema

from ginapi.api import schemas_coins, schemas_events, schemas_hand, schemas_out, schemas_webhooks
from ginapi.api.fields import CardText
from ginapi.api.openapi_unions import register_unions
from ginapi.api.schemas_tables_in import OpenTable


def described(*schemas: type[Schema]) -> dict[str, Any]:
    plugin = MarshmallowPlugin()
    spec = APISpec(title="t", version="1", openapi_version="3.1.0", plugins=[plugin])
    plugin.map_to_openapi_type(CardText, "string", None)
    for schema in schemas:
        if schema.__name__ not in spec.components.schemas:
            spec.components.schema(schema.__name__, schema=schema)
    register_unions(spec)
    components: dict[str, Any] = spec.to_dict()["components"]["schemas"]
    return components


def test_the_moves_are_one_union_told_apart_by_action() -> None:
    for components in (described(), described(schemas_hand.Hand)):
        mapping = components["AnyMove"]["discriminator"]["mapping"]
        assert list(mapping) == ["draw", "pass", "discard", "knock", "layoff"]
        for action, reference in mapping.items():
            move = components[reference.rsplit("/", 1)[1]]
            assert move["properties"]["action"]["enum"] == [action]
            assert move["additionalProperties"] is False


def test_the_tables_to_open_are_one_union_told_apart_by_kind() -> None:
    for components in (described(), described(OpenTable)):
        mapping = components["OpenTable"]["discriminator"]["mapping"]
        assert list(mapping) == ["practice", "coin", "online"]
        for kind, reference in mapping.items():
            table = components[reference.rsplit("/", 1)[1]]
            assert table["properties"]["kind"]["enum"] == [kind]
            assert table["additionalProperties"] is False


HAND = (
    "id table_id number version seat opener rules phase turn cards melds deadwood just_taken drawn_card opponent "
    "stock_count discard_pile knock legal_moves clock scores target result commitment next_hand_id next_hand_at "
    "server_time"
)
TABLE = (
    "id kind status fair rules target level private invite seats stake leaving_fee clock hand_id next_hand_at hands "
    "winner ended payout rematch rematch_table_id version note server_time"
)
CLOCK = "seat deadline remaining_ms move_ms grace_ms missed_in_a_row pace"

OF_TABLE = "table_id table_version seat scores"
OF_HAND = f"{OF_TABLE} hand_id number version"

SHAPES: list[tuple[type[Schema], str, str, str]] = [
    # shape, fields that always stand, those of them that may be null, fields that may be missing
    (
        schemas_hand.Hand,
        HAND,
        "seat turn deadwood just_taken drawn_card opponent knock clock result next_hand_id next_hand_at",
        "",
    ),
    (
        schemas_hand.OpenedHand,
        f"{HAND} played token",
        "seat turn deadwood just_taken drawn_card opponent knock clock result next_hand_id next_hand_at token",
        "",
    ),
    (schemas_hand.Opponent, "cards_count known_cards", "", ""),
    (schemas_hand.DeclaredKnock, "seat melds deadwood_cards deadwood", "", ""),
    (schemas_hand.Clock, CLOCK, "", ""),
    (schemas_hand.Record, "version seat by action at", "seat", "from card melds layoffs"),
    (schemas_hand.RecordList, "items next", "next", ""),
    (schemas_hand.Result, "kind winner knocker points scores seats deal", "winner knocker deal", ""),
    (schemas_hand.SeatResult, "cards melds layoffs deadwood", "", ""),
    (schemas_hand.Deal, "deck salt", "", ""),
    (schemas_out.TableClock, CLOCK, "seat deadline remaining_ms missed_in_a_row pace", ""),
    (
        schemas_out.Table,
        TABLE,
        "level invite clock hand_id next_hand_at winner ended payout rematch_table_id note",
        "",
    ),
    (schemas_out.Seat, "seat name kind score you", "", ""),
    (schemas_out.TableHand, "id number kind winner points", "winner", ""),
    (schemas_out.LeaveAnswer, "table forfeited fee", "", ""),
    (schemas_events.Ticket, "ticket expires_at", "", ""),
    (schemas_events.MoveEvent, "hand_id version seat by action at", "seat", "from card melds layoffs"),
    (schemas_events.DealtEvent, "hand_id number opener commitment at", "", ""),
    (schemas_events.ResultEvent, "hand_id kind winner knocker points scores at", "winner knocker", ""),
    (schemas_events.ClockEvent, "moved_ms at", "", ""),
    (schemas_events.SeatEvent, "seat name kind at", "", ""),
    (
        schemas_events.TableEvent,
        "at",
        "winner rematch_table_id",
        "status winner ended why rematch rematch_table_id",
    ),
    (schemas_out.MeldsAnswer, "deadwood layouts may_knock_with", "", ""),
    (schemas_out.Rules, "rules values questions", "", ""),
    (schemas_out.Tables, "items next note", "next", ""),
    (schemas_coins.OpenedAccount, "name token", "", ""),
    (schemas_coins.Me, "kind name created_at", "name created_at", ""),
    (schemas_coins.Wallet, "balance held note", "", ""),
    (schemas_coins.Entries, "items next note", "next", ""),
    (schemas_coins.Entry, "id number at coins balance reason table_id", "table_id", ""),
    (schemas_coins.Stakes, "items next note", "next", ""),
    (schemas_coins.Stake, "stake leaving_fee can_sit", "can_sit", ""),
    (schemas_webhooks.Webhook, "id url created_at failures disabled_at", "disabled_at", ""),
    (schemas_webhooks.NewWebhook, "id url created_at failures disabled_at secret", "disabled_at", ""),
    (schemas_webhooks.Webhooks, "items next", "next", ""),
    (schemas_webhooks.TurnDelivery, "type timestamp data", "", ""),
    (schemas_webhooks.TurnFacts, f"{OF_HAND} phase deadline", "deadline", ""),
    (schemas_webhooks.HandFinishedFacts, f"{OF_HAND} kind winner knocker points", "winner knocker", ""),
    (schemas_webhooks.MatchFinishedFacts, f"{OF_TABLE} winner ended", "winner", ""),
    (schemas_out.Problem, "type title status detail code request_id", "", "errors hand checks"),
]


@pytest.mark.parametrize(("shape", "always", "nullable", "sometimes"), SHAPES)
def test_an_answer_has_the_names_of_the_contract(
    shape: type[Schema], always: str, nullable: str, sometimes: str
) -> None:
    component = described(shape)[shape.__name__]
    assert set(component["required"]) == set(always.split())
    assert set(component["properties"]) == {*always.split(), *sometimes.split()}
    assert {name for name, of in component["properties"].items() if "null" in str(of.get("type", of.get("anyOf")))} == {
        *nullable.split()
    }
    assert component.get("additionalProperties") is None, "answers may gain fields"
