"""What the end of a match makes of a standing: who is counted, who is rated, and who cannot gain."""

from typing import Any

import pytest

from ginapi.tables import online
from ginapi.tables.rating import IDLE_PERIOD_MS, Met, Rating, after_period
from ginapi.tables.standing import Moves, Standing, after_match, is_counted, is_rated, may_gain
from ginapi.tables.table import leave, void
from ginapi.tables.values import Table
from tests.clock.clocked import TERMS
from tests.tables.matches import NOW_MS, TABLE_ID

NEW = Standing()
ITSELF, BY_CLOCK = Moves(12, 0), Moves(12, 4)


def played(ended: str | None = "target", winner: int | None = 0, **otherwise: Any) -> Table:
    """A match between people that has ended, at a fair public table unless said otherwise."""
    table = online.join(online.open_online(TABLE_ID, "standing", NOW_MS, stake=0, clock=TERMS).table, NOW_MS).table
    ends: dict[str, Any] = {"status": "finished", "ended": ended, "winner": winner, "changed_ms": NOW_MS + 60_000}
    return table._replace(**{**ends, **otherwise})


def rated(table: Table, *moves: Moves) -> tuple[Standing, Standing]:
    after = after_match(table, {0: NEW, 1: NEW}, dict(enumerate(moves or (ITSELF, ITSELF))))
    return after[0], after[1]


MATCHES = [
    (played(), True, True),
    (played("left", 1), True, True),
    (played(stake=100), True, True),
    (played(private=True), True, False),
    (played(private=True, fair=False), True, False),
    (played(fair=False), True, False),
    (played("void", None), False, False),
    (played("closed", None), False, False),
    (played(kind="coin"), False, False),
    (played(kind="practice"), False, False),
]


@pytest.mark.parametrize(("table", "counted", "moves_ratings"), MATCHES)
def test_what_counts_and_what_is_rated(table: Table, counted: bool, moves_ratings: bool) -> None:
    assert (is_counted(table), is_rated(table)) == (counted, moves_ratings)


def test_a_running_match_does_not_count() -> None:
    table = played(None, None)
    assert not is_counted(table) and not is_rated(table)


def test_a_match_as_it_ends_by_leaving_or_is_called_off() -> None:
    table = online.join(online.open_online(TABLE_ID, "standing", NOW_MS, stake=0, clock=TERMS).table, NOW_MS).table
    assert is_rated(leave(table, 1, NOW_MS).table)
    assert not is_counted(void(table, NOW_MS, "why").table)
    waits = online.open_online(TABLE_ID, "standing", NOW_MS, stake=0, clock=TERMS).table
    assert not is_counted(leave(waits, 0, NOW_MS).table)


def test_both_are_rated_by_what_the_other_was_before() -> None:
    won, lost = rated(played())
    assert won.rating == after_period(Rating(), [Met(Rating(), 1.0)])
    assert lost.rating == after_period(Rating(), [Met(Rating(), 0.0)])
    assert won.rated_ms == lost.rated_ms == NOW_MS + 60_000
    assert won[2:] == (1, 1, 1, 0)
    assert lost[2:] == (1, 1, 0, 0)
    assert (won.lost_count, lost.lost_count) == (0, 1)


def test_one_who_leaves_has_lost_and_left() -> None:
    left, won = rated(played("left", 1))
    assert (left.lost_count, left.left_count) == (1, 1)
    assert (won.won_count, won.left_count) == (1, 0)
    assert left.rating.rating < 1500 < won.rating.rating


def test_a_match_that_is_not_rated_is_counted_all_the_same() -> None:
    won, lost = rated(played(private=True))
    assert (won.played_count, won.won_count, lost.played_count, lost.lost_count) == (1, 1, 1, 1)
    assert won.rating == lost.rating == Rating()
    assert (won.rated_count, won.rated_ms) == (0, None)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_match_with_a_guest_counts_for_the_account_alone(seat: int) -> None:
    after = after_match(played(winner=seat), {seat: NEW}, {0: ITSELF, 1: ITSELF})
    assert after == {seat: NEW._replace(played_count=1, won_count=1)}


@pytest.mark.parametrize(
    ("made", "by_clock", "may"),
    [
        (0, 0, True),
        (1, 0, True),
        (1, 1, False),
        (3, 1, False),
        (4, 1, True),
        (7, 2, False),
        (8, 2, True),
        (99, 25, False),
    ],
)
def test_a_quarter_by_the_clock_may_gain_and_more_may_not(made: int, by_clock: int, may: bool) -> None:
    assert may_gain(Moves(made, by_clock)) is may


@pytest.mark.parametrize("ended", ["target", "left"])
def test_a_seat_that_the_clock_played_for_does_not_gain(ended: str) -> None:
    won, lost = rated(played(ended), BY_CLOCK, ITSELF)
    assert (won.rating, won.rated_ms, won.rated_count) == (Rating(), None, 0)
    assert (won.played_count, won.won_count) == (1, 1)
    # Who met it is rated as ever.
    assert lost == rated(played(ended))[1]


def test_a_seat_that_the_clock_played_for_loses_as_any_other() -> None:
    assert rated(played(winner=1), BY_CLOCK, ITSELF) == rated(played(winner=1))


def test_a_deviation_that_has_grown_is_the_one_that_is_rated_by() -> None:
    settled = Standing(Rating(1600, 60, 0.06), NOW_MS + 60_000 - 100 * IDLE_PERIOD_MS, 9, 9, 9)
    fresh = settled._replace(rated_ms=NOW_MS + 60_000)
    gained = [
        after_match(played(), {0: one, 1: NEW}, {0: ITSELF, 1: ITSELF})[0].rating.rating for one in (settled, fresh)
    ]
    assert settled.rating_at(NOW_MS + 60_000).deviation > 100
    assert gained[0] > gained[1] > 1600


def test_a_match_that_is_settled_late_does_not_turn_time_back() -> None:
    later = NOW_MS + 10 * IDLE_PERIOD_MS
    before = Standing(Rating(1600, 60, 0.06), later, 1, 1, 1)
    after = after_match(played(), {0: before, 1: NEW}, {0: ITSELF, 1: ITSELF})[0]
    assert (after.rated_ms, after.rated_count) == (later, 2)


def test_one_who_was_never_rated_is_as_unknown_as_ever() -> None:
    assert NEW.rating_at(NOW_MS) == Rating()
