"""Whom is told of what: written down with the move, and never a card."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from ginapi.config import DELIVERIES_WAITING
from ginapi.game.cards import DECK
from ginapi.game.moves import Discard, Draw
from ginapi.service import hands, settling
from ginapi.store import schema
from ginapi.tables import online
from ginapi.tables import table as at_table
from ginapi.tables.clock import ClockTerms
from ginapi.tables.notices import notices
from tests.accounts.people import open_account, refused, told
from tests.api.caller import BEGAN_MS, Api, Player, deck, drawer, keen
from tests.coins.seated import Sitter, idle
from tests.online.pairs import Pair, open_online
from tests.webhooks.hooked import HAND, MATCH, TURN, events, forget, hook, hooked, is_told, waiting

KNOCKS = ("7s 7h 7d 2c 3c 4c Ts Th Td Kd", "2s 2h 2d 9s 9h 9d 5c 6c Kh Qh")


class Told:
    """Two accounts with a webhook each at an online table, and what each was told since it was last asked."""

    def __init__(self, api: Api, **terms: Any) -> None:
        (self.first, self.first_hook), (self.second, self.second_hook) = hooked(api), hooked(api)
        self.api = api
        self.pair = Pair(api, (self.first, self.second), **terms)
        self.seats = self.pair.seats

    def news(self) -> tuple[list[str], list[str]]:
        hooks = (self.first_hook["id"], self.second_hook["id"])
        news = tuple(events(self.api.database, webhook) for webhook in hooks)
        forget(self.api.database)
        return news  # type: ignore[return-value]

    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(row["body"]) for row in waiting(self.api.database)]


@pytest.fixture
def two(fresh_api: Api) -> Told:
    return Told(fresh_api)


def test_the_opener_is_told_as_the_second_player_sits_down(two: Told) -> None:
    assert two.news() == ([TURN], [])


def test_a_turn_is_told_to_the_other_seat_alone_and_a_move_within_a_turn_to_nobody(two: Told) -> None:
    two.news()
    hand = two.seats[0].move("draw", source="stock")
    assert two.news() == ([], [])
    two.seats[0].move("discard", card=hand["drawn_card"])
    (delivery,) = two.bodies()
    table = two.seats[1].table()
    assert delivery == {
        "type": TURN,
        "timestamp": "2026-09-21T14:13:20.000Z",
        "data": {
            "table_id": table["id"],
            "table_version": table["version"],
            "seat": 1,
            "hand_id": table["hand_id"],
            "number": 1,
            "version": 2,
            "phase": "draw",
            "scores": [0, 0],
            "deadline": table["clock"]["deadline"],
        },
    }
    assert two.news() == ([], [TURN])


def test_the_defender_is_told_of_a_knock_and_both_of_the_end_of_the_hand(fresh_api: Api) -> None:
    two = Told(fresh_api, private=True, deck=deck(*KNOCKS, up="Ks", stock="As"))
    two.news()
    two.seats[0].move("draw", source="stock")
    two.seats[0].move("knock", card="Kd")
    assert [one["data"]["phase"] for one in two.bodies()] == ["layoff"]
    assert two.news() == ([], [TURN])
    two.seats[1].look()
    two.seats[1].move("layoff")
    hand = two.seats[0].look()
    first, second = two.bodies()
    result = hand["result"]
    assert first["data"] == {
        "table_id": two.pair.id,
        "table_version": two.seats[0].table()["version"],
        "seat": first["data"]["seat"],
        "hand_id": hand["id"],
        "number": 1,
        "version": hand["version"],
        "scores": result["scores"],
        "kind": "knock",
        "winner": 0,
        "knocker": 0,
        "points": result["points"],
    }
    assert {first["data"].pop("seat"), second["data"].pop("seat")} == {0, 1}
    assert first == second
    assert two.news() == ([HAND], [HAND])
    assert two.seats[0].deal().status_code == 201
    assert two.news() == ([], [TURN])  # R2: the opener alternates.


def test_a_match_that_is_over_is_told_to_both_after_its_last_hand(fresh_api: Api) -> None:
    two = Told(fresh_api, private=True, target=1, seed="over soon")
    two.pair.play_match()
    table = two.seats[0].table()
    last = two.bodies()[-4:]
    assert [one["type"] for one in last] == [HAND, HAND, MATCH, MATCH]
    assert {one["data"].pop("seat") for one in last[2:]} == {0, 1}
    assert last[2]["data"] == {
        "table_id": table["id"],
        "table_version": table["version"],
        "winner": table["winner"],
        "ended": "target",
        "scores": [seat["score"] for seat in table["seats"]],
    }


def test_leaving_is_told_to_both(two: Told) -> None:
    two.news()
    two.seats[0].leave()
    assert [one["data"]["ended"] for one in two.bodies() if one["type"] == MATCH] == ["left", "left"]
    assert two.news() == ([HAND, MATCH], [HAND, MATCH])


def test_what_the_clock_does_is_told_at_the_instant_that_it_was_due(two: Told) -> None:
    two.news()
    api = two.api
    due_ms = api.clock.now_ms + 30_500
    api.clock.now_ms += 40_000
    settling.settle(api.house, two.pair.id)
    rows = waiting(api.database)
    assert [(row["event"], row["created_ms"], row["due_ms"]) for row in rows] == [(TURN, due_ms, due_ms)]
    # The clock drew for seat 0, which now has a discard to make.
    assert json.loads(rows[0]["body"])["data"]["seat"] == 0
    assert two.news() == ([TURN], [])


def test_an_open_table_that_closes_is_told_to_who_waited(fresh_api: Api) -> None:
    token, webhook = hooked(fresh_api)
    opened = open_online(fresh_api, token)
    assert waiting(fresh_api.database) == []
    fresh_api.clock.now_ms += 600_000
    settling.settle(fresh_api.house, opened["id"])
    (row,) = waiting(fresh_api.database, webhook["id"])
    facts = json.loads(row["body"])["data"]
    assert (row["event"], facts["ended"], facts["winner"], facts["seat"]) == (MATCH, "closed", None, 0)


def test_a_rematch_is_told_to_its_opener(two: Told) -> None:
    two.seats[0].leave()
    two.news()
    path = f"/v1/tables/{two.pair.id}/rematch"
    told(two.api.post(path, None, two.first), 202)
    assert two.news() == ([], [])
    new = told(two.api.post(path, None, two.second), 201)
    assert is_told(two.api.database, new["id"])
    assert [one["data"]["table_id"] for one in two.bodies()] == [new["id"]]
    assert two.news() == ([], [TURN])


def test_at_a_coin_table_the_caller_is_told_of_what_it_did_not_ask_for(fresh_api: Api) -> None:
    """The computer answers in the same request; the clock does not."""
    api = fresh_api
    api.choose = drawer
    token, webhook = hooked(api)
    sitter = Sitter(api, token)
    hand = sitter.move("draw", source="stock")
    sitter.move("discard", card=hand["drawn_card"])
    assert waiting(api.database) == []
    api.clock.now_ms += 90_500
    settling.settle(api.house, sitter.id)
    assert events(api.database, webhook["id"]) == [TURN]
    forget(api.database)
    sitter.leave()
    assert events(api.database, webhook["id"]) == [HAND, MATCH]


@pytest.mark.parametrize("terms", [{}, {"clock": {"move_ms": 500}}])
def test_of_a_practice_table_nobody_is_told(fresh_api: Api, terms: Any) -> None:
    token, _ = hooked(fresh_api)
    player = Player(fresh_api, token, **terms)
    hook(fresh_api, token)
    fresh_api.clock.now_ms += 60_000
    player.table()
    player.leave()
    assert waiting(fresh_api.database) == []
    assert not is_told(fresh_api.database, player.hand["table_id"])


def test_whoever_has_two_webhooks_is_told_at_both_each_with_an_id_of_its_own(fresh_api: Api) -> None:
    token, first = hooked(fresh_api)
    second = hook(fresh_api, token)
    Pair(fresh_api, (token, None))
    rows = waiting(fresh_api.database)
    assert {row["webhook_id"] for row in rows} == {first["id"], second["id"]}
    assert len({row["id"] for row in rows}) == 2
    assert rows[0]["body"] == rows[1]["body"]
    assert all(re.fullmatch("msg_[0-9a-f]{28}", row["id"]) for row in rows)


# When somebody's table is noted as one that is told of.


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


def test_once_all_webhooks_are_gone_the_table_is_noted_as_such_at_the_next_news(two: Told) -> None:
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


def test_while_one_of_both_is_told_the_table_stays_noted(two: Told) -> None:
    two.api.ask("DELETE", f"/v1/webhooks/{two.first_hook['id']}", token=two.first)
    two.news()
    hand = two.seats[0].move("draw", source="stock")
    two.seats[0].move("discard", card=hand["drawn_card"])
    assert is_told(two.api.database, two.pair.id)
    assert two.news() == ([], [TURN])


def test_a_webhook_that_is_disabled_is_told_nothing_more(two: Told) -> None:
    rows = schema.webhooks
    with two.api.database.write() as tx:
        tx.execute(rows.update().where(rows.c.id == two.first_hook["id"]).values(disabled_ms=1))
    two.news()
    two.seats[0].leave()
    assert two.news() == ([], [HAND, MATCH])


def test_where_too_much_waits_nothing_more_is_written_down_and_others_are_told(two: Told) -> None:
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


# With the move or not at all.


def test_a_move_that_is_refused_tells_nobody(two: Told) -> None:
    two.news()
    before = two.api.rows()
    assert refused(two.seats[0].post({"action": "discard", "card": "As"}))[0] == 409
    assert refused(two.seats[1].post({"action": "draw", "from": "stock"})) == (409, "not_your_turn")
    assert two.api.rows() == before


def test_a_move_that_is_rolled_back_tells_nobody(two: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    hand = two.seats[0].move("draw", source="stock")
    before = two.api.rows()

    def broken(*given: Any) -> Any:
        raise RuntimeError("after it was written down")

    monkeypatch.setattr(hands, "seen_after", broken)
    answer = two.seats[0].post({"action": "discard", "card": hand["drawn_card"]})
    assert answer.status_code == 500
    assert two.api.rows() == before


def test_a_retry_tells_once(two: Told) -> None:
    hand = two.seats[0].move("draw", source="stock")
    two.news()
    for _ in range(3):
        two.seats[0].post({"action": "discard", "card": hand["drawn_card"]}, key="once")
    assert two.news() == ([], [TURN])


VERBS = re.compile(r"\b(SELECT|UPDATE|INSERT|DELETE)\b")


def counted(api: Api, work: Callable[[], Any]) -> list[str]:
    with api.statements() as sent:
        work()
    return [VERBS.search(statement)[1] for statement in sent]  # type: ignore[index]


def test_a_move_that_is_news_to_nobody_costs_three_at_a_table_that_is_noted_too(two: Told) -> None:
    plain = ["SELECT", "UPDATE", "INSERT"]
    assert counted(two.api, lambda: two.seats[0].post({"action": "draw", "from": "stock"})) == plain
    shed = {"action": "discard", "card": two.seats[0].look()["drawn_card"]}
    assert counted(two.api, lambda: two.seats[0].post(shed)) == [*plain, "SELECT", "INSERT"]


# Nothing that is hidden.

CARD = re.compile(r"\b(?:[A2-9TJQK]|10)[shdc]\b")
HIDDEN = {"deck", "salt", "card", "cards", "melds", "deadwood", "seed", "just_taken", "drawn_card", "commitment"}


def names_in(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {name for one in value.values() for name in names_in(one)}
    return {name for one in value for name in names_in(one)} if isinstance(value, list) else set()


@pytest.mark.parametrize("choose", [keen, idle], ids=["keen", "idle"])
def test_no_delivery_of_a_whole_match_has_a_card_in_it(fresh_api: Api, choose: Any) -> None:
    two = Told(fresh_api, private=True, seed="cards", target=60)
    if choose is keen:
        two.pair.play_match(keen)
    else:
        two.pair.play_hand(idle)
        two.seats[1].leave()
    bodies = two.bodies()
    assert {one["type"] for one in bodies} == {TURN, HAND, MATCH}
    for one in bodies:
        assert not CARD.search(json.dumps(one)), one
        assert not names_in(one) & HIDDEN
        assert one["data"]["seat"] in (0, 1)


def test_what_a_seat_is_told_does_not_depend_on_what_it_cannot_know() -> None:
    """Two decks that differ in every card give the same notices for the same course."""
    seen = []
    for order in (DECK, DECK[::-1]):
        opened = online.open_online(
            "t" * 20, "seed", BEGAN_MS, stake=0, clock=ClockTerms(30_000, 500, 667, 10_000), deck=order
        )
        outcomes = [online.join(opened.table, BEGAN_MS)]
        outcomes.append(at_table.play(outcomes[-1].table, 0, Draw("stock"), BEGAN_MS))
        drawn = outcomes[-1].table.dealt.hand.drawn_card
        assert drawn is not None
        outcomes.append(at_table.play(outcomes[-1].table, 0, Discard(drawn), BEGAN_MS))
        outcomes.append(at_table.leave(outcomes[-1].table, 1, BEGAN_MS))
        seen.append([notices(outcome) for outcome in outcomes])
    assert seen[0] == seen[1]
    assert [[(one.event, one.seat) for one in of_call] for of_call in seen[0]] == [
        [(TURN, 0)],
        [],
        [(TURN, 1)],
        [(HAND, 0), (HAND, 1), (MATCH, 0), (MATCH, 1)],
    ]
