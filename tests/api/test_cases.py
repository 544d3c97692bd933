"""Every worked case, over HTTP: whole hands at a practice table, counting through the analysis."""

from typing import Any

import pytest

from ginapi.game.cards import DECK, card_text, value_of
from ginapi.game.moves import LayOff, Move, move_from
from tests import case_files
from tests.api.caller import Api, Player
from tests.api.worked import check_record, check_shown, listed, move_in
from tests.game.spelled import mask

HANDS = case_files.lines("hands")


class Script:
    """The second seat of one case: makes its moves as the line has them."""

    def __init__(self, steps: list[dict[str, Any]]) -> None:
        self._left = [step for step in steps if step["seat"] == 1]

    def __call__(self, level: str, view: Any, draw_number: Any) -> Move:
        step = self._left.pop(0)
        # In the cases the lay-off is the table's own best.
        return LayOff() if step["action"] == "layoff" else move_from(step)


@pytest.mark.parametrize("row", range(len(HANDS)), ids=lambda row: f"{HANDS[row]['result']['kind']}-{row}")
def test_a_hand_case_is_played_over_http(api: Api, row: int) -> None:
    case = HANDS[row]
    steps = case["moves"]
    api.choose = Script(steps)
    player = Player(api, deck=case["deck"], opener="computer" if case["opener"] else "player", target=1000)
    played = list(player.opened["played"])
    if played:
        check_shown(player.hand, steps[len(played) - 1], len(played))
    while len(played) < len(steps):
        step = steps[len(played)]
        assert step["seat"] == 0
        answer = player.post(move_in(step), if_match=f'"{len(played)}"')
        assert answer.status_code == 200, (step, answer.text)
        player.hand = answer.json
        played += player.hand["played"]
        check_shown(player.hand, steps[len(played) - 1], len(played))
    for record, step in zip(played, steps, strict=True):
        check_record(record, step)
    result = player.hand["result"]
    assert {name: result[name] for name in case["result"]} == case["result"]
    assert result["deal"]["deck"] == case["deck"]
    assert [(one["version"], one["action"]) for one in listed(player)] == [
        (number, step["action"]) for number, step in enumerate(steps, 1)
    ]


def analysed(api: Api, cards: list[str]) -> dict[str, Any]:
    answer = api.post("/v1/analysis/melds", {"cards": cards})
    assert answer.status_code == 200
    body: dict[str, Any] = answer.json
    return body


def test_every_meld_case_is_analysed(api: Api) -> None:
    for case in case_files.lines("melds"):
        body = analysed(api, case["hand"])
        assert (body["deadwood"], len(body["layouts"])) == (case["deadwood"], min(case["layouts"], 50)), case
        assert len({frozenset(map(frozenset, layout)) for layout in body["layouts"]}) == len(body["layouts"])
        if len(case["hand"]) < 11:
            assert body["may_knock_with"] == {}


def test_every_showdown_case_is_analysed(api: Api) -> None:
    for case in case_files.lines("showdowns"):
        asked = {"knocker": case["knocker"], "melds": case["declared"], "defender": case["defender"]}
        answer = api.post("/v1/analysis/showdown", asked)
        assert answer.status_code == 200, answer.text
        result = answer.json
        winner = 0 if case["winner"] == "knocker" else 1
        assert (result["kind"], result["winner"], result["knocker"]) == (case["kind"], winner, 0), case
        assert result["points"] == case["points"]
        assert result["scores"][winner] == case["points"]
        assert result["scores"][1 - winner] == 0
        left = [seat["deadwood"] for seat in result["seats"]]
        assert left == [case["knocker_deadwood"], case["defender_deadwood"]], case
        assert result["deal"] is None


TRAPS = case_files.lines("traps")


@pytest.mark.parametrize("row", range(len(TRAPS)), ids=lambda row: f"{TRAPS[row]['ask']}-{row}")
def test_a_trap_is_seen_through(api: Api, row: int) -> None:
    case = TRAPS[row]
    if case["ask"] == "deadwood":
        body = analysed(api, case["hand"])
        assert (body["deadwood"], len(body["layouts"])) == (case["deadwood"], case["layouts"])
    elif case["ask"] == "sheds":
        body = analysed(api, case["hand"])
        after = case["deadwood_after"]
        assert body["may_knock_with"] == {card: after[card] for card in case["may_knock_with"]}
        assert all(left <= 10 for left in body["may_knock_with"].values())
    else:
        check_defence(api, case)


def check_defence(api: Api, case: dict[str, Any]) -> None:
    """Through a showdown; the line names no more of the knocker than its melds and, at most, what it has left."""
    melded = [card for meld in case["declared"] for card in meld]
    free = [text for text in map(card_text, sorted(DECK, key=lambda card: card % 13)) if text not in
            {*melded, *case["defender"]}]  # fmt: skip
    missing = 10 - len(melded)
    if "knocker_deadwood" in case:
        assert missing == 1
        free = [text for text in free if value_of(mask([text])) == case["knocker_deadwood"]]
    asked = {"knocker": melded + free[:missing], "melds": case["declared"], "defender": case["defender"]}
    answer = api.post("/v1/analysis/showdown", asked)
    assert answer.status_code == 200, answer.text
    assert answer.json["seats"][1]["deadwood"] == case["defender_deadwood"]
    if "points" in case:
        assert answer.json["points"] == case["points"]["defender"]
        assert answer.json["winner"] == 1
