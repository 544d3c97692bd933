"""Glicko-2, held against the paper's own example and against what must be true of any result."""

import math
import random

import pytest

from ginapi.tables.rating import (
    IDLE_PERIOD_MS,
    NEW_DEVIATION,
    SCALE,
    TAU,
    Met,
    Rating,
    after_idle,
    after_period,
)
from tests.shares import numbers, share

NEW = Rating()


def anybody(chance: random.Random) -> Rating:
    return Rating(chance.uniform(-500, 4000), chance.uniform(20, 350), chance.uniform(0.02, 0.2))


def test_the_papers_example_comes_out_as_in_the_paper() -> None:
    assert TAU == 0.5
    met = [Met(Rating(1400, 30), 1.0), Met(Rating(1550, 100), 0.0), Met(Rating(1700, 300), 0.0)]
    rated = after_period(Rating(1500, 200, 0.06), met)
    assert (round(rated.rating, 2), round(rated.deviation, 2), round(rated.volatility, 5)) == (1464.05, 151.52, 0.06)
    # The paper rounds on its way: 1464.06 and 0.05999.
    assert rated.rating == pytest.approx(1464.06, abs=0.011)
    assert rated.volatility == pytest.approx(0.05999, abs=0.00001)


def test_somebody_new_is_rated_as_the_paper_says() -> None:
    assert NEW == (1500, 350, 0.06)


def test_two_that_are_new_move_alike_and_apart() -> None:
    won, lost = (after_period(NEW, [Met(NEW, score)]) for score in (1.0, 0.0))
    assert won.rating - 1500 == pytest.approx(1500 - lost.rating)
    assert round(won.rating) == 1662
    assert won.deviation == lost.deviation < 350


def test_a_winners_rating_never_falls_and_a_losers_never_rises() -> None:
    chance = numbers("rating")
    for _ in range(share(20_000, 2_000)):
        player, opponent = anybody(chance), anybody(chance)
        won, lost = (after_period(player, [Met(opponent, score)]) for score in (1.0, 0.0))
        assert won.rating >= player.rating >= lost.rating, (player, opponent)
        assert won.rating > lost.rating


def test_the_order_of_a_periods_results_does_not_matter() -> None:
    chance = numbers("order")
    for _ in range(share(2_000, 200)):
        player = anybody(chance)
        met = [Met(anybody(chance), chance.choice([0.0, 1.0])) for _ in range(chance.randint(2, 8))]
        rated = after_period(player, met)
        chance.shuffle(met)
        assert after_period(player, met) == rated


def test_a_deviation_stays_between_nothing_and_that_of_somebody_new() -> None:
    chance = numbers("deviation")
    for _ in range(share(200, 20)):
        player = anybody(chance)
        for _ in range(100):
            player = after_period(player, [Met(anybody(chance), chance.choice([0.0, 1.0]))])
            assert 0 < player.deviation <= NEW_DEVIATION
            assert 0 < player.volatility < 1


def test_a_result_as_expected_tells_little_and_a_surprise_much() -> None:
    strong, weak = Rating(2000, 60, 0.06), Rating(1200, 60, 0.06)
    gained = [after_period(player, [Met(other, 1.0)]).rating - player.rating for player, other in
              ((strong, weak), (strong, strong), (weak, strong))]  # fmt: skip
    assert 0 < gained[0] < 1 < gained[1] < gained[2]


def test_who_is_known_less_moves_more() -> None:
    other = Rating(1500, 80, 0.06)
    moved = [after_period(Rating(1500, deviation, 0.06), [Met(other, 1.0)]).rating for deviation in (40, 100, 350)]
    assert moved == sorted(moved) and moved[0] < moved[2]


def test_players_however_far_apart_can_be_rated() -> None:
    far, near = Rating(20_000, 50, 0.06), Rating(-20_000, 50, 0.06)
    for player, other, score in ((far, near, 1.0), (near, far, 0.0), (far, near, 0.0), (near, far, 1.0)):
        rated = after_period(player, [Met(other, score)])
        assert all(map(math.isfinite, rated))


def test_a_deviation_grows_with_the_time_and_no_further_than_for_somebody_new() -> None:
    player = Rating(1700, 60, 0.06)
    after = [after_idle(player, days * IDLE_PERIOD_MS) for days in (0, 1, 30, 365, 10_000)]
    assert after[0] == pytest.approx(player)
    assert [one.deviation for one in after] == sorted(one.deviation for one in after)
    assert after[1].deviation == pytest.approx(SCALE * math.hypot(60 / SCALE, 0.06))
    assert after[-1].deviation == NEW_DEVIATION
    assert {(one.rating, one.volatility) for one in after} == {(1700, 0.06)}


def test_a_period_in_which_nothing_was_played_is_a_day_that_went_by() -> None:
    player = Rating(1700, 60, 0.06)
    assert after_period(player, []) == after_idle(player, IDLE_PERIOD_MS)


def test_time_that_runs_back_changes_nothing() -> None:
    """Of two matches the one that ended first may be counted last."""
    player = Rating(1700, 60, 0.06)
    assert after_idle(player, -5 * IDLE_PERIOD_MS) == pytest.approx(player)


def test_two_halves_of_a_time_come_to_the_whole() -> None:
    player = Rating(1700, 60, 0.06)
    halves = after_idle(after_idle(player, 7 * IDLE_PERIOD_MS), 7 * IDLE_PERIOD_MS)
    assert halves == pytest.approx(after_idle(player, 14 * IDLE_PERIOD_MS))
