"""Melds and counting: R6, R7 and R14 as tables of facts."""

import pytest

from ginapi.game.cards import cards_of, mask_of
from ginapi.game.melds import best_layout, best_layouts, deadwood, deadwood_after, is_meld, melds_in
from tests import referee
from tests.game.spelled import card, cards, melds, spell, text_set, text_sets


@pytest.mark.parametrize(
    "text",
    [
        "7s 7h 7d",
        "7s 7d 7c",
        "7s 7h 7d 7c",
        "Ks Kh Kd Kc",
        "As 2s 3s",
        "Js Qs Ks",
        "3h 4h 5h 6h",
        "As 2s 3s 4s 5s 6s 7s 8s 9s Ts",
        "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc",
    ],
)
def test_r6_is_a_meld(text: str) -> None:
    assert is_meld(cards(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7s",
        "7s 7h",
        "3s 4s",
        "3s 4s 6s",
        "3s 4s 5h",
        "7s 7h 8s",
        "7s 7h 7d 8d",
        "3s 4s 5s 5h",
        "Qs Ks As",
        "Ks As 2s",
        "Js Qs Ks As",
        "Qs Ks Ah",
        # Neighbours in the order of the deck, not in a suit.
        "Qs Ks Ah 2h",
        "Kh Ad 2d",
        "3s 4s 5s 7s 8s 9s",
    ],
)
def test_r6_is_no_meld(text: str) -> None:
    assert not is_meld(cards(text))


def test_r6_the_melds_of_the_deck_are_the_65_sets_and_264_runs() -> None:
    every = melds_in(mask_of(range(52)))
    assert len(every) == 13 * 5 + 4 * 66
    assert text_sets(every) == frozenset(referee.MELDS)


COUNTS = [
    # hand, least deadwood, how many layouts reach it
    ("", 0, 1),
    ("As", 1, 1),
    ("Ks Qs", 20, 1),
    ("7s 7h 7d", 0, 1),
    ("Qs Ks As 2s 3d 4h 6c 8d 9h Jc", 63, 1),
    # A card is in one meld at most.
    ("5s 6s 7s 7h 7d", 11, 1),
    ("3s 4s 5s 5h 5d", 7, 1),
    ("2s 3s 4s 4h 4d", 5, 1),
    # Two equally good melds compete for one card.
    ("Js Qs Ks Jh Jd", 20, 2),
    ("9s Ts Js Jh Jd Jc", 0, 1),
    # A run of six is also two runs of three.
    ("3h 4h 5h 6h 7h 8h", 0, 2),
    # A square is three sets or three runs.
    ("3s 4s 5s 3h 4h 5h 3d 4d 5d", 0, 2),
    ("Ad As Ah Ac 2c 3c 4c 4h 4d 4s", 0, 3),
]


@pytest.mark.parametrize(("hand", "least", "layouts"), COUNTS)
def test_r7_least_deadwood_and_how_many_layouts_reach_it(hand: str, least: int, layouts: int) -> None:
    assert deadwood(cards(hand)) == least
    assert len(best_layouts(cards(hand))) == len(set(best_layouts(cards(hand)))) == layouts
    assert text_sets(best_layout(cards(hand))) in {text_sets(layout) for layout in best_layouts(cards(hand))}


def test_a_run_longer_than_five_is_one_meld() -> None:
    hand = cards("2h 3h 4h 5h 6h 7h 8h Ks Qd Jc")
    assert deadwood(hand) == 30
    assert cards("2h 3h 4h 5h 6h 7h 8h") in {one for layout in best_layouts(hand) for one in layout}


def test_a_whole_hand_may_be_one_run_of_ten() -> None:
    hand = cards("As 2s 3s 4s 5s 6s 7s 8s 9s Ts")
    assert deadwood(hand) == 0
    assert text_sets(best_layout(hand)) in referee.best_layouts(text_set(hand))


def test_a_set_of_four_is_broken_to_save_a_run() -> None:
    hand = cards("7s 7h 7d 7c 8c 9c Ks Kh 2d 3h")
    assert deadwood(hand) == 25
    assert best_layouts(hand) == (best_layout(hand),)
    assert text_sets(best_layout(hand)) == text_sets(melds("7s 7h 7d | 7c 8c 9c"))


def test_a_set_of_four_gives_a_card_to_each_of_two_runs_and_is_none() -> None:
    hand = cards("7s 7h 7d 7c 8c 9c 8s 9s Kh Qh")
    # 7h and 7d alone are no set: 14 and the two court cards, or the set less one and a loose 8 and 9.
    assert deadwood(hand) == 34
    assert text_sets(best_layout(hand)) == text_sets(melds("7s 8s 9s | 7c 8c 9c"))


def test_a_run_is_cut_in_the_middle_to_save_a_set() -> None:
    hand = cards("2h 3h 4h 5h 6h 7h 8h 5s 5d Kc")
    assert deadwood(hand) == 10
    assert text_sets(best_layout(hand)) == text_sets(melds("2h 3h 4h | 5s 5h 5d | 6h 7h 8h"))


@pytest.mark.parametrize("limit", [1, 2, 3, 50])
def test_best_layouts_stop_at_the_limit(limit: int) -> None:
    hand = cards("Ad As Ah Ac 2c 3c 4c 4h 4d 4s")
    assert len(best_layouts(hand, limit)) == min(limit, 3)
    assert set(best_layouts(hand, limit)) <= set(best_layouts(hand))


def test_r14_eleven_cards_are_counted_over_every_shed() -> None:
    eleven = cards("2c 2d 2h 2s 3c 3d 4c 4d 5c 5d 5h")
    # All eleven lie in melds but for a deuce, or for three fives: what ten keep is another matter.
    after = {spell(1 << shed): left for shed, left in deadwood_after(eleven).items()}
    assert after == {"2c": 5, "2d": 5, "2h": 2, "2s": 2, "3c": 4, "3d": 4, "4c": 3, "4d": 3, "5c": 5, "5d": 5, "5h": 0}


def test_r14_shedding_from_a_meld_may_be_best_where_all_eleven_are_melded() -> None:
    eleven = cards("As 2s 3s 4s 7h 7d 7c Th Jh Qh Kh")
    assert deadwood(eleven) == 0
    after = deadwood_after(eleven)
    assert sorted(spell(1 << shed) for shed, left in after.items() if left == 0) == ["4s", "As", "Kh", "Th"]
    # The best layout of eleven less its dearest card would be -10.
    assert min(after.values()) == 0


def test_r14_counts_only_the_cards_that_may_be_shed() -> None:
    eleven = cards("As 2s 3s 4s 7h 7d 7c Th Jh Qh Kh")
    may_shed = eleven & ~cards("Kh")
    assert set(deadwood_after(eleven, may_shed)) == set(cards_of(may_shed))
    assert card("Kh") not in deadwood_after(eleven, may_shed)
