"""The brute force agrees with every worked case before anything is held against it."""

from typing import Any

import pytest

from tests import case_files, referee


def test_there_are_329_melds_in_the_deck() -> None:
    assert len(referee.MELDS) == len(set(referee.MELDS)) == 13 * 5 + 4 * 66


def test_every_meld_case() -> None:
    wrong = []
    for case in case_files.lines("melds"):
        got = (referee.deadwood(case["hand"]), len(referee.best_layouts(case["hand"])))
        if got != (case["deadwood"], case["layouts"]):
            wrong.append((case, got))
    assert wrong == []


def test_every_showdown_case() -> None:
    wrong = []
    for case in case_files.lines("showdowns"):
        got = referee.showdown(case["knocker"], case["declared"], case["defender"])
        if got._asdict() != {name: case[name] for name in got._fields}:
            wrong.append((case, got))
    assert wrong == []


@pytest.mark.parametrize("case", case_files.lines("traps"), ids=lambda case: case["ask"])
def test_every_trap(case: dict[str, Any]) -> None:
    if case["ask"] == "deadwood":
        assert referee.deadwood(case["hand"]) == case["deadwood"]
        assert len(referee.best_layouts(case["hand"])) == case["layouts"]
    elif case["ask"] == "sheds":
        left = referee.sheds(case["hand"])
        assert left == case["deadwood_after"]
        assert {card for card in left if left[card] <= 10} == set(case["may_knock_with"])
    else:
        assert referee.best_defence(case["defender"], case["declared"]) == case["defender_deadwood"]
