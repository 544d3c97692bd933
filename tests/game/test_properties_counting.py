"""Counting and defence equal the brute force, on hands as they come in play and on hands made to be hard."""

import random
from itertools import permutations

from ginapi.game.cards import card_text, cards_of, texts
from ginapi.game.defence import best_defence, can_be_laid
from ginapi.game.melds import best_layout, best_layouts, deadwood, deadwood_after, melds_in
from ginapi.game.moves import LaidOff
from tests import referee
from tests.game.spelled import mask, masks, text_set, text_sets
from tests.shares import numbers, share


def pool(chance: random.Random) -> list[str]:
    """Cards to deal two hands from: the whole deck, or few ranks or few suits, where sets and runs compete."""
    kind = chance.randrange(4)
    if kind == 0:
        return list(referee.DECK)
    ranks, suits = [(7, 4), (9, 3), (13, 2)][kind - 1]
    first = chance.randrange(14 - ranks)
    return [
        rank + suit for rank in referee.RANKS[first : first + ranks] for suit in chance.sample(referee.SUITS, suits)
    ]


def as_in_play(chance: random.Random, hand: list[str], rest: list[str]) -> list[str]:
    """The hand after some turns of keeping what counts best, as play makes it."""
    held = mask(hand)
    for drawn in rest[: chance.randrange(16)]:
        # Only to come to such a hand: whether the core counts it right is judged by the referee.
        after = deadwood_after(held | mask([drawn]))
        held = (held | mask([drawn])) & ~(1 << min(after, key=after.__getitem__))
    return texts(held)


def two_hands(chance: random.Random) -> tuple[list[str], list[str]]:
    """Ten cards for each seat."""
    dealt = pool(chance)
    chance.shuffle(dealt)
    one, other, rest = dealt[:10], dealt[10:20], dealt[20:]
    return as_in_play(chance, one, rest[: len(rest) // 2]), as_in_play(chance, other, rest[len(rest) // 2 :])


def test_best_layouts_equal_the_brute_force() -> None:
    chance = numbers("layouts")
    for _ in range(share(20_000, 2_000) // 2):
        for hand in two_hands(chance):
            held = mask(hand)
            expected = referee.best_layouts(hand)
            assert deadwood(held) == referee.deadwood(hand), hand
            assert {text_sets(layout) for layout in best_layouts(held)} == expected, hand
            assert len(best_layouts(held)) == len(expected), hand
            assert text_sets(best_layout(held)) in expected, hand
            assert text_sets(melds_in(held)) == frozenset(referee.melds_in(hand)), hand


def test_sheds_of_eleven_equal_the_brute_force() -> None:
    chance = numbers("sheds")
    for _ in range(share(20_000, 1_000)):
        dealt = pool(chance)
        chance.shuffle(dealt)
        eleven = dealt[:11]
        after = {card_text(card): left for card, left in deadwood_after(mask(eleven)).items()}
        assert after == referee.sheds(eleven), eleven
        assert deadwood(mask(eleven)) == referee.deadwood(eleven), eleven


def a_declared_layout(chance: random.Random, knocker: list[str]) -> list[referee.Cards] | None:
    """Some layout of ten cards that may be knocked with, the best or not, in some order (R9)."""
    may_be = [list(melds) for melds, left in referee.layouts(knocker) if left <= 10]
    if not may_be:
        return None
    melds = chance.choice(may_be)
    chance.shuffle(melds)
    return melds


def assert_best(hand: list[str], declared: list[referee.Cards], answers: list[referee.Answer]) -> None:
    answer = best_defence(mask(hand), masks(declared))
    least = min(one.deadwood for one in answers)
    own = [text_set(meld) for meld in answer.melds]
    laid = [(card_text(one.card), one.onto) for one in answer.layoffs]
    assert answer.deadwood == least, (hand, declared)
    assert referee.answer_left(hand, declared, own, laid) == least, (hand, declared, answer)
    assert len(laid) == min(len(one.layoffs) for one in answers if one.deadwood == least), (hand, declared, answer)
    assert can_be_laid(masks(declared), answer.layoffs)


def test_best_defences_equal_the_brute_force_in_every_order_of_the_declared_melds() -> None:
    chance = numbers("defences")
    wanted, tried, laid_off = share(20_000, 2_000), 0, 0
    while tried < wanted:
        knocker, hand = two_hands(chance)
        declared = a_declared_layout(chance, knocker)
        if declared is None:
            continue
        tried += 1
        answers = referee.answers(hand, declared)
        laid_off += len(answers) > 1
        for order in permutations(declared):
            assert_best(hand, list(order), answers)
    assert laid_off > wanted // 4


def test_an_answer_given_in_part_is_completed_with_the_best() -> None:
    chance = numbers("partial answers")
    wanted, tried = share(5_000, 500), 0
    while tried < wanted:
        knocker, hand = two_hands(chance)
        declared = a_declared_layout(chance, knocker)
        if declared is None:
            continue
        tried += 1
        own = list(chance.choice([melds for melds, _ in referee.layouts(hand)]))
        kept = best_defence(mask(hand), masks(declared), melds=masks(own))
        assert kept.deadwood == referee.best_defence(hand, declared, own), (hand, declared, own)
        laid = [(card_text(one.card), one.onto) for one in kept.layoffs]
        assert referee.answer_left(hand, declared, own, laid) == kept.deadwood
        layoffs = chance.choice(referee.answers(hand, declared)).layoffs
        fixed = best_defence(mask(hand), masks(declared), layoffs=as_laid_off(layoffs))
        rest = set(hand) - {card for card, _ in layoffs}
        assert (fixed.deadwood, fixed.layoffs) == (referee.deadwood(rest), as_laid_off(layoffs)), (
            hand,
            declared,
            layoffs,
        )


def as_laid_off(layoffs: tuple[referee.LaidOff, ...]) -> tuple[LaidOff, ...]:
    return tuple(LaidOff(cards_of(mask([card]))[0], onto) for card, onto in layoffs)
