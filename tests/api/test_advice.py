"""Hints and reviews over HTTP: what is told, to whom, and when."""

from collections.abc import Callable
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.accounts.people import refused, told
from tests.api.caller import Api, Player, deck, drawer, keen
from tests.api.test_hands import MINE, THEIRS
from tests.coins.seated import Sitter
from tests.online.pairs import Pair
from tests.secrecy.worlds import other_world, put, unseen, world_of
from tests.shares import numbers

STOCK = {"action": "draw", "from": "stock"}


def hint(player: Player, token: str | None = None) -> TestResponse:
    return player.api.get(f"{player.hand_path}/hint", token or player.token)


def review(player: Player, query: str = "", token: str | None = None) -> TestResponse:
    return player.api.get(f"{player.hand_path}/review{query}", token or player.token)


def advised(player: Player) -> dict[str, Any]:
    """A hint that is taken."""
    found = told(hint(player))
    assert (found["hand_id"], found["version"]) == (player.hand["id"], player.hand["version"])
    return found


@pytest.mark.parametrize("rules", ["house", "contest"])
def test_a_whole_hand_is_played_by_hints_each_posted_as_it_stands(api: Api, rules: str) -> None:
    player = Player(api, seed="by hints", rules=rules)
    while player.hand["phase"] != "finished":
        found = advised(player)
        assert found == advised(player), "the same when it is asked again"
        answer = player.post(found["move"], if_match=str(found["version"]))
        assert answer.status_code == 200, answer.text
        player.hand = answer.json
    items = told(review(player))["items"]
    assert {one["same"] for one in items if one["by"] == "player"} == {True}
    assert {one["difference"] for one in items if one["by"] == "player"} == {0}


def test_a_hint_says_why_from_counted_facts(api: Api) -> None:
    player = Player(api, deck=deck(MINE, THEIRS, up="Ks", stock="As"))
    player.move("draw", source="stock")
    found = advised(player)
    assert found["move"]["action"] in ("discard", "knock")
    assert found["why"].endswith(".") and str(found["deadwood"]) in found["why"]
    assert hint(player).headers["Cache-Control"].startswith("private")


def test_a_hint_changes_nothing(api: Api) -> None:
    player = Player(api)
    before = api.rows()
    advised(player)
    assert api.rows() == before


def test_there_is_nothing_to_hint_at_once_the_hand_is_over(api: Api) -> None:
    api.choose = drawer
    player = Player(api)
    first = player.hand_path
    over = player.play_out(keen)
    answer = hint(player)
    assert refused(answer) == (409, "hand_over")
    assert answer.json["hand"]["result"] == over["result"]
    if player.table()["status"] == "playing":
        player.deal()
        assert refused(api.get(f"{first}/hint", player.token)) == (409, "hand_over")


def test_hints_are_for_practice_alone(api: Api) -> None:
    pair = Pair(api)
    for seated in (Sitter(api), *pair.seats):
        assert refused(hint(seated)) == (403, "not_allowed")
    running = f"/v1/hands/{pair.seats[0].hand['id']}/hint"
    stranger = Player(api).token
    assert refused(api.get(running, stranger)) == (404, "not_found")
    assert refused(api.get(running)) == (401, "no_token")
    pair.play_hand()
    assert refused(api.get(running, stranger)) == (403, "not_allowed")
    assert refused(hint(pair.seats[0])) == (403, "not_allowed")


def test_who_may_not_is_told_so_before_what_is_wrong_with_the_query(api: Api) -> None:
    sitter, player = Sitter(api), Player(api)
    assert refused(api.get(f"{sitter.hand_path}/hint?x=1", sitter.token)) == (403, "not_allowed")
    assert refused(api.get(f"{player.hand_path}/hint?x=1", player.token)) == (422, "invalid_request")
    assert refused(api.get(f"{player.hand_path}/review?x=1", player.token)) == (403, "not_allowed")
    player.play_out(keen)
    assert refused(api.get(f"{player.hand_path}/hint?x=1", player.token)) == (422, "invalid_request")
    assert refused(api.get(f"{player.hand_path}/review?x=1", player.token)) == (422, "invalid_request")


def test_a_review_has_each_move_of_both_seats_beside_hards(api: Api) -> None:
    player = Player(api, seed="reviewed")
    player.play_out(keen)
    page = told(review(player))
    moves = told(api.get(f"{player.hand_path}/moves", player.token))["items"]
    assert page["next"] is None
    assert [(one["version"], one["seat"], one["by"]) for one in page["items"]] == [
        (one["version"], one["seat"], one["by"]) for one in moves
    ]
    for one, record in zip(page["items"], moves, strict=True):
        assert one["played"]["action"] == record["action"]
        assert one["played"].get("from") == record.get("from")
        assert one["difference"] == round(one["played_deadwood"] - one["hard_deadwood"], 2)
        assert one["why"].endswith(".")
        if record["action"] in ("discard", "knock"):
            assert one["played"]["card"] == record["card"]
            assert isinstance(one["played_deadwood"], int)
        if one["same"]:
            assert one["difference"] == 0
    assert page == told(review(player)), "the same when it is asked again"


def test_a_review_counts_what_a_discard_has_cost(api: Api) -> None:
    api.choose = drawer
    player = Player(api, deck=deck(MINE, THEIRS, up="Ks", stock="As"))
    player.move("draw", source="stock")
    held = set(player.hand["cards"])
    melded = [card for meld in player.hand["melds"] for card in meld]
    player.move("discard", card=melded[0])
    player.play_out(keen)
    shed = next(one for one in told(review(player))["items"] if one["version"] == 2)
    assert (shed["seat"], shed["same"]) == (0, False)
    cards = sorted(held - {melded[0]})
    assert told(api.post("/v1/analysis/melds", {"cards": cards}))["deadwood"] == shed["played_deadwood"]
    assert shed["difference"] > 0


def test_a_review_comes_in_pages(api: Api) -> None:
    player = Player(api, seed="pages of a review")
    player.play_out(keen)
    whole = told(review(player))["items"]
    for limit in (1, 5):
        found, query = [], f"?limit={limit}"
        while True:
            page = told(review(player, query))
            assert len(page["items"]) <= limit
            found += page["items"]
            if page["next"] is None:
                break
            query = f"?limit={limit}&cursor={page['next']}"
        assert found == whole


def test_a_review_is_there_once_the_hand_is_finished(api: Api) -> None:
    player = Player(api)
    assert refused(review(player)) == (403, "not_allowed")
    player.move("draw", source="stock")
    player.leave()
    (drawn,) = told(review(player))["items"]
    assert (drawn["version"], drawn["played"]) == (1, STOCK)


def test_a_review_is_for_those_who_sat_there_at_every_kind_of_table(api: Api) -> None:
    pair, sitter, stranger = Pair(api), Sitter(api), Player(api).token
    pair.play_hand()
    first, second = (told(review(seat)) for seat in pair.seats)
    assert first == second
    assert {one["seat"] for one in first["items"]} == {0, 1}
    assert refused(review(pair.seats[0], token=stranger)) == (403, "not_allowed")
    assert refused(api.get(f"{pair.seats[0].hand_path}/review")) == (401, "no_token")
    sitter.play_out(keen)
    assert told(review(sitter))["items"]
    assert refused(review(sitter, token=stranger)) == (404, "not_found")
    private = Pair(api, private=True)
    private.play_hand()
    assert refused(review(private.seats[0], token=stranger)) == (404, "not_found")


def test_a_review_of_a_hand_of_contest_rules_has_its_passes(api: Api) -> None:
    player = Player(api, rules="contest", seed="passes", level="hard")
    player.move("pass")
    player.play_out(keen)
    assert told(review(player))["items"][0]["played"] == {"action": "pass"}


def test_a_hint_is_the_same_where_hidden_cards_and_the_tables_secret_are_others(api: Api) -> None:
    chance = numbers("hints")
    for at in range(6):
        player = Player(api, level="hard")
        for _ in range(chance.randrange(4)):
            if player.hand["phase"] != "finished":
                answer = player.post(chance.choice(player.hand["legal_moves"]))
                player.hand = answer.json
        if player.hand["phase"] == "finished":
            continue
        here = world_of(api.database, player.hand["table_id"])
        there = other_world(chance, here, unseen(here))
        assert there.row["seed"] != here.row["seed"], at
        first = hint(player)
        put(api.database, there)
        second = hint(player)
        put(api.database, here)
        assert first.data == second.data


@pytest.fixture
def narrow(database_url: str) -> Any:
    """The service with few hints and reviews."""
    opened = Api(database_url, GINAPI_RATE_LIMITS="advice=4/60")
    yield opened
    opened.close()


def test_hints_and_reviews_count_together_for_the_address(narrow: Api) -> None:
    one, other = Player(narrow), Player(narrow)
    other.leave()
    asks: list[Callable[[], TestResponse]] = [lambda: hint(one), lambda: review(other)]
    for at in range(4):
        assert asks[at % 2]().status_code == 200
    for ask in asks:
        answer = ask()
        assert refused(answer) == (429, "too_many_requests")
        assert "'advice'" in answer.json["detail"] and answer.headers["Retry-After"] == "60"
    assert refused(narrow.get(f"{one.hand_path}/hint")) == (401, "no_token")
    assert one.see().status_code == 200
    assert one.post(STOCK).status_code == 200
