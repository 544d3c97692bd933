"""When somebody's table is noted as one that is told of, and what that costs."""

import pytest

from ginapi.config import DELIVERIES_WAITING
from ginapi.store import schema
from tests.accounts.people import open_account, told
from tests.api.caller import Api, Player, drawer
from tests.coins.seated import Sitter
from tests.online.pairs import Pair, open_online
from tests.service.test_statements import counted
from tests.webhooks.hooked import HAND, MATCH, TURN, BothTold, events, hook, hooked, is_told, waiting


def test_a_table_of_those_without_webhooks_is_not_noted(fresh_api: Api) -> None:
    hooked(fresh_api)  # Somebody else's.
    pair = Pair(fresh_api, (open_account(fresh_api), open_account(fresh_api)))
    guests = Pair(fresh_api)
    assert not is_told(fresh_api.database, pair.id)
    assert not is_told(fresh_api.database, guests.id)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("how", ["join", "quick", "invite"])
def test_a_table_is_noted_whoever_of_both_has_a_webhook(fresh_api: Api, seat: int, how: str) -> None:
    api = fresh_api
    with_webhook, webhook = hooked(api)
    tokens = [open_account(api), open_account(api)]
    tokens[seat] = with_webhook
    opened = open_online(api, tokens[0], private=how == "invite")
    assert is_told(api.database, opened["id"]) == (seat == 0)
    if how == "quick":
        joined = told(api.post("/v1/tables/quick", {"stake": 0}, tokens[1]), 201)
        assert joined["id"] == opened["id"]
    else:
        body = {"invite": opened["invite"]} if how == "invite" else None
        told(api.post(f"/v1/tables/{opened['id']}/seats", body, tokens[1]), 201)
    assert is_told(api.database, opened["id"])
    assert events(api.database, webhook["id"]) == ([TURN] if seat == 0 else [])


def test_a_webhook_that_is_added_is_told_of_running_tables_too(fresh_api: Api) -> None:
    api = fresh_api
    api.choose = drawer
    token = open_account(api)
    pair = Pair(api, (token, None))
    coins, practice, waiting_alone = Sitter(api, token), Player(api, token), open_online(api, token)
    over = Pair(api, (token, None))
    over.seats[0].leave()
    webhook = hook(api, token)
    noted = {one: is_told(api.database, one) for one in (pair.id, coins.id, waiting_alone["id"])}
    assert set(noted.values()) == {True}
    assert not is_told(api.database, practice.hand["table_id"])
    assert not is_told(api.database, over.id)
    hand = pair.seats[0].move("draw", source="stock")
    pair.seats[0].move("discard", card=hand["drawn_card"])
    assert waiting(api.database) == []
    hand = pair.seats[1].look() and pair.seats[1].move("draw", source="stock")
    pair.seats[1].move("discard", card=hand["drawn_card"])
    assert events(api.database, webhook["id"]) == [TURN]


def test_once_all_webhooks_are_gone_the_table_is_noted_as_such_at_the_next_news(two: BothTold) -> None:
    api = two.api
    for token, webhook in ((two.first, two.first_hook), (two.second, two.second_hook)):
        assert api.ask("DELETE", f"/v1/webhooks/{webhook['id']}", token=token).status_code == 204
    assert is_told(api.database, two.pair.id)
    hand = two.seats[0].move("draw", source="stock")
    two.seats[0].move("discard", card=hand["drawn_card"])
    assert not is_told(api.database, two.pair.id)
    assert waiting(api.database) == []
    two.second_hook = hook(api, two.second)
    assert is_told(api.database, two.pair.id)
    two.seats[1].look()
    two.seats[1].leave()
    assert two.news() == ([], [HAND, MATCH])


def test_while_one_of_both_is_told_the_table_stays_noted(two: BothTold) -> None:
    two.api.ask("DELETE", f"/v1/webhooks/{two.first_hook['id']}", token=two.first)
    two.news()
    hand = two.seats[0].move("draw", source="stock")
    two.seats[0].move("discard", card=hand["drawn_card"])
    assert is_told(two.api.database, two.pair.id)
    assert two.news() == ([], [TURN])


def test_a_webhook_that_is_disabled_is_told_nothing_more(two: BothTold) -> None:
    rows = schema.webhooks
    with two.api.database.write() as tx:
        tx.execute(rows.update().where(rows.c.id == two.first_hook["id"]).values(disabled_ms=1))
    two.news()
    two.seats[0].leave()
    assert two.news() == ([], [HAND, MATCH])


def test_where_too_much_waits_nothing_more_is_written_down_and_others_are_told(two: BothTold) -> None:
    two.news()
    fill(two.api, two.first_hook["id"], DELIVERIES_WAITING - 1)
    two.seats[0].leave()
    # What one move tells is written down together.
    assert len(waiting(two.api.database, two.first_hook["id"])) == DELIVERIES_WAITING + 1
    assert events(two.api.database, two.second_hook["id"]) == [HAND, MATCH]
    Pair(two.api, (two.first, None))
    assert len(waiting(two.api.database, two.first_hook["id"])) == DELIVERIES_WAITING + 1


def fill(api: Api, webhook_id: str, count: int) -> None:
    row = {"webhook_id": webhook_id, "event": TURN, "number": 1, "body": "{}", "created_ms": 1, "due_ms": 1}
    with api.database.write() as tx:
        tx.execute(schema.deliveries.insert(), [{**row, "id": f"msg_{at}", "attempts": 0} for at in range(count)])


def test_a_move_that_is_news_to_nobody_costs_three_at_a_table_that_is_noted_too(two: BothTold) -> None:
    plain = ["SELECT", "UPDATE", "INSERT"]
    assert counted(two.api, lambda: two.seats[0].post({"action": "draw", "from": "stock"})) == plain
    shed = {"action": "discard", "card": two.seats[0].look()["drawn_card"]}
    assert counted(two.api, lambda: two.seats[0].post(shed)) == [*plain, "SELECT", "INSERT"]
