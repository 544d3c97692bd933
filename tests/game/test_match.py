"""Hands until the target: R2 and R15."""

import pytest

from ginapi.game.hand import leave
from ginapi.game.match import add_up, next_opener, winner_of
from ginapi.game.rules import CONTEST, HOUSE
from ginapi.game.score import Kind, Result
from tests.game.stacked import played, start

HAND = played(start(stock="5s"), "draw stock", "knock Ks").result
assert HAND is not None
SCORED: tuple[Kind, ...] = ("gin", "knock", "undercut")


def ended(kind: Kind, winner: int | None, points: int) -> Result:
    assert HAND is not None
    return Result(kind, winner, 0, points, HAND.seats)


@pytest.mark.parametrize("opener", [0, 1])
@pytest.mark.parametrize("kind", [*SCORED, "wash"])
def test_r2_the_opener_alternates_hand_by_hand_whatever_a_hand_came_to(kind: Kind, opener: int) -> None:
    assert next_opener(opener, ended(kind, None if kind == "wash" else 1, 0), HOUSE) == 1 - opener


@pytest.mark.parametrize("opener", [0, 1])
def test_r2_by_the_rules_of_contests_the_opener_changes_after_a_scored_hand_alone(opener: int) -> None:
    for winner in (0, 1):
        for kind in SCORED:
            assert next_opener(opener, ended(kind, winner, 30), CONTEST) == 1 - opener
    assert next_opener(opener, ended("wash", None, 0), CONTEST) == opener


def test_r15_scores_add_up_over_hands() -> None:
    scores = (0, 0)
    for result in [
        ended("gin", 0, 35),
        ended("undercut", 1, 31),
        ended("wash", None, 0),
        ended("knock", 1, 7),
        ended("knock", 0, 1),
    ]:
        scores = add_up(scores, result)
    assert scores == (36, 38)


def test_r15_leaving_adds_nothing() -> None:
    result = leave(start(), 0).result
    assert result is not None
    assert add_up((12, 99), result) == (12, 99)


@pytest.mark.parametrize(
    ("scores", "target", "winner"),
    [
        ((0, 0), 100, None),
        ((99, 99), 100, None),
        ((100, 99), 100, 0),
        ((4, 131), 100, 1),
        ((1, 0), 1, 0),
        ((99, 0), 250, None),
    ],
)
def test_r15_first_to_the_target_or_more_wins(scores: tuple[int, int], target: int, winner: int | None) -> None:
    assert winner_of(scores, target) == winner
