"""Every worked hand between two people: both seats played from outside, at a private table with a stacked deck."""

from typing import Any

import pytest

from tests import case_files
from tests.api.caller import Api, opens
from tests.api.worked import check_record, check_shown, listed, move_in
from tests.online.pairs import Pair, Sitting

HANDS = case_files.lines("hands")


def as_seated(case: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Steps and result with the opener in seat 0, where whoever opens the table sits (R2)."""

    def seat(of_case: int | None) -> int | None:
        return None if of_case is None else of_case ^ case["opener"]

    steps = [{**step, "seat": seat(step["seat"]), "turn": seat(step["turn"])} for step in case["moves"]]
    return steps, {**case["result"], "winner": seat(case["result"]["winner"])}


@pytest.mark.share_on_postgresql(4)
@pytest.mark.parametrize("row", range(len(HANDS)), ids=lambda row: f"{HANDS[row]['result']['kind']}-{row}")
def test_a_hand_case_is_played_between_two_people(api: Api, row: int) -> None:
    steps, result = as_seated(HANDS[row])
    pair = Pair(api, private=True, deck=HANDS[row]["deck"], target=1_000)
    for version, step in enumerate(steps):
        mover, other = pair.seats[step["seat"]], pair.seats[1 - step["seat"]]
        refused = other.post(move_in(step), if_match=f'"{version}"')
        assert refused.json["code"] == "not_your_turn", (step, refused.text)
        answer = mover.post(move_in(step), if_match=f'"{version}"')
        assert answer.status_code == 200, (step, answer.text)
        assert [record["version"] for record in answer.json["played"]] == [version + 1]
        check_record(answer.json["played"][0], step)
        for hand in (answer.json, other.see().json):
            check_shown(hand, step, version + 1)
    for player in pair.seats:
        check_end(player, steps, result, HANDS[row]["deck"])


def check_end(player: Sitting, steps: list[dict[str, Any]], result: dict[str, Any], deck: list[str]) -> None:
    """The finished hand as either seat is shown it: how it ended, and every move."""
    hand = player.look()
    assert {name: hand["result"][name] for name in result} == result
    assert hand["result"]["deal"]["deck"] == deck and opens(hand)
    for record, step in zip(listed(player), steps, strict=True):
        assert record["by"] == "player"
        check_record(record, step)
