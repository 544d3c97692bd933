"""Every line of the worked cases, through the core."""

from typing import Any

import pytest

from ginapi.game.cards import Card, card_text, parse_card
from ginapi.game.defence import best_defence
from ginapi.game.hand import deal, play
from ginapi.game.melds import best_layouts, deadwood, deadwood_after
from ginapi.game.moves import move_from
from ginapi.game.score import showdown
from tests import case_files
from tests.game.spelled import mask, masks


def test_every_meld_case() -> None:
    for case in case_files.lines("melds"):
        held = mask(case["hand"])
        assert deadwood(held) == case["deadwood"], case
        assert len(best_layouts(held)) == case["layouts"], case


@pytest.mark.parametrize("knocker", [0, 1])
def test_every_showdown_case(knocker: int) -> None:
    for case in case_files.lines("showdowns"):
        declared, defender = masks(case["declared"]), mask(case["defender"])
        # On gin the answer is not looked at (R10).
        answer = None if case["kind"] == "gin" else best_defence(defender, declared)
        result = showdown(knocker, mask(case["knocker"]), declared, defender, answer)
        winner = knocker if case["winner"] == "knocker" else 1 - knocker
        assert (result.kind, result.winner, result.knocker, result.points) == (
            case["kind"],
            winner,
            knocker,
            case["points"],
        ), case
        left = (result.seats[knocker].deadwood, result.seats[1 - knocker].deadwood)
        assert left == (case["knocker_deadwood"], case["defender_deadwood"]), case


@pytest.mark.parametrize(
    "case",
    case_files.lines("traps"),
    ids=lambda case: f"{case['ask']}-{'-'.join((case.get('hand') or case['defender'])[:3])}",
)
def test_every_trap(case: dict[str, Any]) -> None:
    if case["ask"] == "defence":
        answer = best_defence(mask(case["defender"]), masks(case["declared"]))
        assert answer.deadwood == case["defender_deadwood"]
        if "points" in case:
            (winner, points), mine = *case["points"].items(), case["knocker_deadwood"]
            assert winner == "defender"
            assert points == 25 + mine - answer.deadwood
        return
    hand = mask(case["hand"])
    if case["ask"] == "deadwood":
        assert (deadwood(hand), len(best_layouts(hand))) == (case["deadwood"], case["layouts"])
    else:
        after = {card_text(card): left for card, left in deadwood_after(hand).items()}
        assert after == case["deadwood_after"]
        assert {card for card, left in after.items() if left <= 10} == set(case["may_knock_with"])


@pytest.mark.parametrize(
    "case", case_files.lines("hands"), ids=lambda case: f"{case['result']['kind']}-{case['deck'][0]}"
)
def test_every_hand_case_move_by_move(case: dict[str, Any]) -> None:
    deck: tuple[Card, ...] = tuple(parse_card(card) for card in case["deck"])
    hand = deal(deck, case["opener"])
    assert hand.turn == case["moves"][0]["seat"]
    for number, step in enumerate(case["moves"], 1):
        hand = play(hand, step["seat"], move_from(step))
        phase = None if hand.phase == "finished" else hand.phase
        top = card_text(hand.pile[-1]) if hand.pile else None
        shown = (hand.stock_count, top, hand.turn, phase, hand.version)
        assert shown == (step["stock_left"], step["discard_top"], step["turn"], step["phase"], number), step
    assert hand.result is not None
    result = {"kind": hand.result.kind, "winner": hand.result.winner, "points": hand.result.points}
    assert result == case["result"]
