"""The answer to a knock: R11 as tables of facts."""

from itertools import permutations

import pytest

from ginapi.game.defence import Defence, best_defence
from tests import case_files, referee
from tests.game.spelled import cards, laid, mask, masks, melds, text_set, text_sets

ANSWERS = [
    # declared, defender, least deadwood, what is laid off
    ("fourth card of a set", "7s 7h 7d", "7c 2s 4s 9h", 15, "7c"),
    ("either end of a run", "4h 5h 6h", "3h 7h Ks Qd", 20, "3h 7h"),
    ("built on, upwards", "3h 4h 5h", "6h 7h Ks", 10, "6h 7h"),
    ("built on, downwards", "9c Tc Jc", "8c 7c 6c 5d", 5, None),
    ("built on at both ends", "5d 6d 7d", "4d 3d 8d 9d Td", 0, None),
    ("a gap stops it", "3h 4h 5h", "7h 8h Ks", 25, ""),
    ("nothing beyond the King", "Js Qs Ks", "As Ah 9h", 11, ""),
    ("nothing below the Ace", "As 2s 3s", "Ks Kh 4s", 20, "4s"),
    ("no card onto a full set", "7s 7h 7d 7c", "8s 9s 6h", 23, ""),
    ("no suit runs into the next", "Jh Qh Kh", "Ad 2d 9s", 12, ""),
    ("nothing declared", "", "7c 2s 4s", 13, ""),
    ("own melds", "Ks Kh Kd", "3s 4s 5s 9d", 9, ""),
]


@pytest.mark.parametrize(("why", "declared", "hand", "left", "off"), ANSWERS, ids=[row[0] for row in ANSWERS])
def test_r11_least_deadwood(why: str, declared: str, hand: str, left: int, off: str | None) -> None:
    answer = best_defence(cards(hand), melds(declared))
    assert (
        answer.deadwood
        == left
        == referee.best_defence(hand.split(), [one.split() for one in declared.split("|") if one])
    )
    if off is not None:
        assert mask_of_layoffs(answer) == cards(off)


def mask_of_layoffs(answer: Defence) -> int:
    return sum(1 << one.card for one in answer.layoffs)


def test_r11_an_own_meld_is_broken_for_a_better_lay_off() -> None:
    # Own melds first would keep the eights and be left with both nines, 18; an eight laid off takes its nine along.
    answer = best_defence(cards("8s 8h 8d 9s 9h"), melds("5s 6s 7s | 5h 6h 7h"))
    assert (answer.deadwood, answer.melds) == (8, ())
    assert answer.layoffs == laid("8s>0 9s>0 8h>1 9h>1")


def test_r11_lay_offs_first_is_not_the_best_either() -> None:
    # Laying off 8s would break the eights and leave two of them.
    answer = best_defence(cards("8s 8h 8d 2c"), melds("5s 6s 7s"))
    assert (answer.deadwood, text_sets(answer.melds), answer.layoffs) == (2, text_sets(melds("8s 8h 8d")), ())


STEERED = ("5s 6s 7s | 8h 8d 8c | 2c 3c 4c", "8s 9s 5c 6c Kh Qd 9d 3h 2h Jc")


def test_the_steered_lay_off_trap() -> None:
    """8s fits the set as well as the run, but only on the run can 9s follow it, whichever is declared first."""
    declared, defender = melds(STEERED[0]), cards(STEERED[1])
    for order in permutations(declared):
        answer = best_defence(defender, order)
        assert answer.deadwood == 44
        assert len(answer.layoffs) == 4


@pytest.mark.parametrize(
    "case",
    [case for case in case_files.lines("traps") if case["ask"] == "defence"],
    ids=lambda case: case["defender"][0],
)
def test_the_order_of_declared_melds_never_changes_the_best_defence(case: dict[str, list[str]]) -> None:
    answers = [best_defence(mask(case["defender"]), masks(order)) for order in permutations(case["declared"])]
    assert {answer.deadwood for answer in answers} == {case["defender_deadwood"]}
    assert len({len(answer.layoffs) for answer in answers}) == 1


def test_r11_given_melds_stay_and_the_best_lay_offs_are_added() -> None:
    hand, declared = cards("8s 8h 8d 9s Ts Kc"), melds("5s 6s 7s")
    kept = best_defence(hand, declared, melds=melds("8s 8h 8d"))
    assert (text_sets(kept.melds), kept.layoffs, kept.deadwood) == (text_sets(melds("8s 8h 8d")), (), 29)
    none = best_defence(hand, declared, melds=())
    assert (none.melds, none.layoffs, none.deadwood) == ((), laid("8s>0 9s>0 Ts>0"), 26)


def test_r11_given_lay_offs_stay_and_the_best_melds_are_added() -> None:
    hand, declared = cards("8s 8h 8d 9s Ts Kc"), melds("5s 6s 7s")
    none = best_defence(hand, declared, layoffs=())
    assert (text_sets(none.melds), none.layoffs, none.deadwood) == (text_sets(melds("8s 9s Ts")), (), 26)
    one = best_defence(hand, declared, layoffs=laid("8s>0"))
    assert (one.melds, one.layoffs, one.deadwood) == ((), laid("8s>0"), 45)


def test_r11_both_parts_given_are_counted_as_they_stand() -> None:
    answer = best_defence(cards("8s 8h 8d 9s Ts Kc"), melds("5s 6s 7s"), melds=(), layoffs=())
    assert (answer.melds, answer.layoffs, answer.deadwood) == ((), (), 53)


def test_lay_offs_come_in_an_order_in_which_they_can_be_made() -> None:
    declared = "5d 6d 7d | 9s 9h 9c"
    answer = best_defence(cards("Td 9d 8d 4d 3d Jd Kh Kc Ks 2s"), melds(declared))
    given = [(next(iter(text_set(1 << one.card))), one.onto) for one in answer.layoffs]
    assert answer.deadwood == 2
    hand = "Td 9d 8d 4d 3d Jd Kh Kc Ks 2s".split()
    own = [text_set(meld) for meld in answer.melds]
    assert referee.answer_left(hand, [one.split() for one in declared.split("|")], own, given) == 2
