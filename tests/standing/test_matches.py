"""Matches between people, whole and broken off: what each makes of both standings."""

from typing import Any

import pytest

from ginapi.service import tables
from tests.accounts.people import told
from tests.api.caller import Api, drawer, keen
from tests.coins.seated import faults, idle
from tests.online.pairs import Pair, open_online
from tests.standing.met import LOST, NEW, WON, accounts, leaders, met, rating, record

pytestmark = pytest.mark.usefixtures("cheap_passwords")


def one_sided(hand: dict[str, Any]) -> dict[str, Any]:
    """Seat 0 knocks as soon as it can, and seat 1 never does."""
    return keen(hand) if hand["seat"] == 0 else idle(hand)


@pytest.mark.parametrize("stake", [0, 100])
def test_a_whole_match_is_counted_and_rated(fresh_api: Api, stake: int) -> None:
    pair = met(fresh_api, "ana", "ben", stake=stake)
    over = pair.play_match(one_sided)
    assert (over["ended"], over["winner"]) == ("target", 0)
    assert (rating(fresh_api, "ana"), rating(fresh_api, "ben")) == (WON, LOST)
    assert (record(fresh_api, "ana"), record(fresh_api, "ben")) == ((1, 1, 0, 0), (1, 0, 1, 0))
    assert leaders(fresh_api) == ["ana", "ben"]
    assert faults(fresh_api) == []


def test_nothing_counts_before_the_end(fresh_api: Api) -> None:
    pair = met(fresh_api, "ana", "ben")
    pair.play_hand(one_sided)
    assert (rating(fresh_api, "ana"), record(fresh_api, "ana")) == (NEW, (0, 0, 0, 0))
    assert fresh_api.rows()["standings"] == []


@pytest.mark.parametrize("stake", [0, 100])
def test_one_who_leaves_has_lost_and_left(fresh_api: Api, stake: int) -> None:
    pair = met(fresh_api, "ana", "ben", stake=stake)
    assert pair.seats[0].leave().status_code == 200
    assert (rating(fresh_api, "ana"), rating(fresh_api, "ben")) == (LOST, WON)
    assert (record(fresh_api, "ana"), record(fresh_api, "ben")) == ((1, 0, 1, 1), (1, 1, 0, 0))
    assert faults(fresh_api) == []


UNRATED: list[dict[str, Any]] = [{"private": True}, {"private": True, "seed": "s"}, {"private": True, "target": 30}]


@pytest.mark.parametrize("terms", UNRATED, ids=str)
def test_a_match_at_a_private_table_counts_and_is_not_rated(fresh_api: Api, terms: dict[str, Any]) -> None:
    met(fresh_api, "ana", "ben", **terms).seats[1].leave()
    assert (rating(fresh_api, "ana"), rating(fresh_api, "ben")) == (NEW, NEW)
    assert (record(fresh_api, "ana"), record(fresh_api, "ben")) == ((1, 1, 0, 0), (1, 0, 1, 1))
    assert leaders(fresh_api) == []
    assert faults(fresh_api) == []


@pytest.mark.parametrize("seat", [0, 1])
def test_a_match_with_a_guest_counts_and_is_not_rated(fresh_api: Api, seat: int) -> None:
    (ana,) = accounts(fresh_api, "ana")
    pair = Pair(fresh_api, (ana, None) if seat == 0 else (None, ana))
    pair.seats[1 - seat].leave()
    assert (rating(fresh_api, "ana"), record(fresh_api, "ana")) == (NEW, (1, 1, 0, 0))
    assert len(fresh_api.rows()["standings"]) == 1
    assert faults(fresh_api) == []


def test_what_is_no_match_between_people_is_not_counted(fresh_api: Api) -> None:
    ana, ben = accounts(fresh_api, "ana", "ben")
    void = Pair(fresh_api, (ana, ben), stake=100)
    tables.void(fresh_api.house, void.id, "the house erred")
    closed = open_online(fresh_api, ana)
    fresh_api.post(f"/v1/tables/{closed['id']}/leave", None, ana)
    coin = told(fresh_api.post("/v1/tables", {"kind": "coin", "stake": 100}, ana), 201)
    fresh_api.post(f"/v1/tables/{coin['id']}/leave", None, ana)
    practice = told(fresh_api.post("/v1/tables", {"kind": "practice"}, ana), 201)
    fresh_api.post(f"/v1/tables/{practice['id']}/leave", None, ana)
    assert (record(fresh_api, "ana"), record(fresh_api, "ben")) == ((0, 0, 0, 0), (0, 0, 0, 0))
    assert fresh_api.rows()["standings"] == []
    assert faults(fresh_api) == []


def by_the_clock(pair: Pair, moves: int) -> None:
    """Let the clock make so many moves of the hand, of whichever seat."""
    pair.api.choose = drawer
    for _ in range(moves):
        pair.api.clock.now_ms += 30_500
        assert pair.seats[0].look()["phase"] != "finished"


def test_a_seat_that_the_clock_played_for_does_not_gain(fresh_api: Api) -> None:
    """Seat 0 made one move of four, and wins as the other leaves."""
    pair = met(fresh_api, "ana", "ben")
    by_the_clock(pair, 2)
    pair.seats[1].look()
    for action in ("draw", "discard"):
        pair.seats[1].move(**first(pair.seats[1].look(), action))
    by_the_clock(pair, 1)
    pair.seats[0].move(**first(pair.seats[0].look(), "discard"))
    pair.seats[1].leave()
    assert (rating(fresh_api, "ana"), rating(fresh_api, "ben")) == (NEW, LOST)
    assert (record(fresh_api, "ana"), record(fresh_api, "ben")) == ((1, 1, 0, 0), (1, 0, 1, 1))
    assert leaders(fresh_api) == ["ben"]
    assert faults(fresh_api) == []


def test_a_seat_that_the_clock_played_for_loses_all_the_same(fresh_api: Api) -> None:
    pair = met(fresh_api, "ana", "ben")
    by_the_clock(pair, 2)
    pair.seats[0].leave()
    assert (rating(fresh_api, "ana"), rating(fresh_api, "ben")) == (LOST, WON)
    assert faults(fresh_api) == []


def test_getting_up_is_no_move(fresh_api: Api) -> None:
    """Seat 1 made a move of four through the clock, which is no more than a quarter; seat 0 leaves in the hand."""
    pair = met(fresh_api, "ana", "ben")
    for seat, action in ((0, "draw"), (0, "discard"), (1, "draw"), (1, "discard"), (0, "draw"), (0, "discard")):
        pair.seats[seat].move(**first(pair.seats[seat].look(), action))
    by_the_clock(pair, 1)
    pair.seats[1].move(**first(pair.seats[1].look(), "discard"))
    pair.seats[0].leave()
    assert (rating(fresh_api, "ana"), rating(fresh_api, "ben")) == (LOST, WON)
    assert faults(fresh_api) == []


def test_a_match_that_only_the_clock_played_is_settled_for_whoever_looks(fresh_api: Api) -> None:
    """Nobody gains by it; to look at either player is enough to have it counted."""
    met(fresh_api, "ana", "ben")
    fresh_api.clock.now_ms += 24 * 3_600_000
    played = [record(fresh_api, name) for name in ("ana", "ben")]
    assert sorted(played) == [(1, 0, 1, 0), (1, 1, 0, 0)]
    ratings = [rating(fresh_api, name)["rating"] for name in ("ana", "ben")]
    assert sorted(ratings) == [1338, 1500]
    assert faults(fresh_api) == []


def test_a_match_after_another_is_rated_from_there(fresh_api: Api) -> None:
    pair = met(fresh_api, "ana", "ben")
    pair.seats[1].leave()
    for seat in pair.seats:
        fresh_api.post(f"/v1/tables/{pair.id}/rematch", None, seat.token)
    table_id = pair.seats[0].table()["rematch_table_id"]
    fresh_api.post(f"/v1/tables/{table_id}/leave", None, pair.seats[1].token)
    ana, ben = rating(fresh_api, "ana"), rating(fresh_api, "ben")
    assert ana["rating"] > 1700 and ben["rating"] < 1300
    assert ana["rated_count"] == 2 and ana["deviation"] < 290
    assert record(fresh_api, "ben") == (2, 0, 2, 2)
    assert faults(fresh_api) == []


def first(hand: dict[str, Any], action: str) -> dict[str, Any]:
    """The first legal move of an action, as `Player.move` takes it."""
    move = next(dict(one) for one in hand["legal_moves"] if one["action"] == action)
    return {
        **{name: value for name, value in move.items() if name != "from"},
        **({"source": move["from"]} if "from" in move else {}),
    }
