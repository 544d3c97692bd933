"""What `hard` counts, held against slower counts of the same, and what it does where the right move is plain."""

import random

import pytest

from ginapi.game.cards import DECK, VALUES, Mask, cards_of, mask_of, parse_card, value_of
from ginapi.game.defence import union
from ginapi.game.hand import deal, play
from ginapi.game.melds import MELDS, deadwood, deadwood_after
from ginapi.game.moves import Draw, Knock
from ginapi.game.view import view
from ginapi.players import appraisal, hard, weighing
from ginapi.players.counting import completing, forms_meld, unseen_by
from ginapi.players.danger import danger
from ginapi.players.knocking import knock_figures, layout_to_declare
from ginapi.players.prospects import UNIT, prospects
from ginapi.players.signs import SIGNS, signs
from tests.game.playouts import play_out
from tests.game.stacked import played, start
from tests.shares import numbers, share


def held(text: str) -> Mask:
    return mask_of(parse_card(card) for card in text.split())


def some_hands(chance: random.Random, count: int) -> list[Mask]:
    """Ten cards each; every other hand of few suits and ranks, so that there are melds in it."""
    few = [card for card in DECK if card % 13 in range(4, 10)]
    return [mask_of(chance.sample(few if at % 2 else DECK, 10)) for at in range(count)]


def test_completing_names_each_card_that_forms_a_meld_and_no_other() -> None:
    for cards in some_hands(numbers("completing"), share(5_000, 300)):
        lacking = ((meld, meld & ~cards) for meld in MELDS)
        formed = union(tuple(lacks or meld for meld, lacks in lacking if lacks.bit_count() <= 1))
        assert completing(cards) == formed
        assert all(forms_meld(cards, card) == bool(formed >> card & 1) for card in DECK)


def test_prospects_are_those_of_counting_every_draw_and_every_shed() -> None:
    chance = numbers("prospects")
    for cards in some_hands(chance, share(3_000, 150)):
        unseen = mask_of(chance.sample([card for card in DECK if not cards >> card & 1], 25))
        nexts = sorted(min(deadwood_after(cards | 1 << card).values()) for card in cards_of(unseen))
        figures = prospects(cards, unseen)
        assert figures[0] == min(deadwood(cards), 60) * 6
        assert figures[2] == sum(nexts) * 6 // 25
        assert figures[3] == min(nexts.count(0) * 3 * UNIT // 25, 96)
        assert figures[4] == sum(left <= 10 for left in nexts) * UNIT // 25
        assert figures[6] == sum(nexts[:7]) * 6 // 7
        loose = [card for card in cards_of(cards) if deadwood(cards ^ 1 << card) == deadwood(cards) - VALUES[card]]
        assert figures[7] == len(loose) * 8
        assert figures[8:10] == tuple(6 * value for value in sorted([0, 0, *(VALUES[card] for card in loose)])[:-3:-1])


def test_a_network_adds_up_its_rows_where_they_are_above_zero() -> None:
    zeros = " 0" * (SIGNS - 1)
    network = appraisal.network(f"1 2{zeros} 3\n  4 10\n-1 0{zeros} -1 0 100\n5")
    for sign, one, other, worth in ((1, 1, 1, 10 * (UNIT + 2 + 3 + 4)), (0, -200, 1, 100 * (200 - UNIT))):
        got = network.worth(network.begun((sign, *[0] * (SIGNS - 1))), (one, other))
        assert got == 5 * UNIT + worth


def test_the_networks_take_as_many_figures_as_are_counted() -> None:
    hand = start(up="5s")
    shown = view(hand, 0)
    unseen = unseen_by(shown)
    own = prospects(shown.cards, unseen)
    assert len(signs(shown, unseen)) == SIGNS
    counts = (
        (weighing.DISCARD_NETWORK, len(own) + len(danger(shown, 3, shown.cards, unseen))),
        (weighing.STOCK_NETWORK, len(own)),
        (weighing.KNOCK_NETWORK, len(knock_figures(shown.cards, unseen, 0))),
    )
    for network, count in counts:
        assert (len(network.of_signs), len(network.of_choice)) == (SIGNS, count)


@pytest.mark.parametrize(("known", "declared"), [("3c", "2s 3s 4s"), ("5s", "3s 3h 3d")])
def test_a_knock_is_declared_in_the_layout_that_the_other_seat_lays_off_the_least_onto(
    known: str, declared: str
) -> None:
    # The run and the set leave the same deadwood.
    kept = held("2s 3s 4s 3h 3d Kh Kd Kc Ks Ah")
    assert held(declared) in layout_to_declare(kept, 0, held(known))


def test_the_layout_declared_is_a_best_one() -> None:
    for cards in some_hands(numbers("layouts"), share(500, 40)):
        layout = layout_to_declare(cards, 0, 0)
        assert deadwood(cards) == value_of(cards & ~union(layout))


def test_hard_decides_the_same_whatever_number_it_would_draw() -> None:
    chance = numbers("no number")
    for _ in range(share(300, 20)):
        for hand, _, _ in play_out(chance):
            if hand.turn is not None:
                shown = view(hand, hand.turn)
                assert hard.choose(shown, lambda n: 0) == hard.choose(shown, lambda n: n - 1)


def test_danger_counts_what_the_other_seat_may_hold_beside_a_card_and_what_lies_in_the_pile() -> None:
    shown = view(start(), 0)._replace(
        cards=held("7h 7d 2s 3s 4s Jd Jc Js As Ks Qh"),
        opponent_known=held("7c 8s"),
        pile=tuple(parse_card(card) for card in ("9s", "6h", "7s")),
    )
    # For 8h: its rank is held once and may be twice more; 9h Th is the one run left, since 6h and 7h are seen.
    kept = shown.cards ^ held("Qh")
    of_8h = danger(shown, parse_card("8h"), kept, unseen_by(shown))
    assert of_8h[:6] == (8 * 6, 2 * 20, 1 * 32, 20, 1 * 20, 0)
    # The top and the third were shed by the other seat: none of its rank or suit; this seat's 6h is two away from it.
    assert of_8h[6:10] == (0, 0, 0, 16)
    # 9s has 8s, known to be held, below it: with 7s in the pile only Ts can go with it.
    assert danger(shown, parse_card("9s"), kept, unseen_by(shown))[5] == 32


def test_hard_takes_the_card_that_makes_gin() -> None:
    hand = start("2s 3s 4s 7h 8h 9h Jd Jc Js Ks", up="Jh")
    assert hard.choose(view(hand, 0), lambda n: 0) == Draw("discard")
    assert isinstance(hard.choose(view(played(hand, "draw discard"), 0), lambda n: 0), Knock)


def test_scores_beyond_the_target_of_a_short_match_are_taken_as_near_it() -> None:
    hand = deal(tuple(random.Random("scores").sample(range(52), 52)), 0)
    shown = [signs(view(hand, 0, scores), 0) for scores in ((99, 99), (400, 300))]
    assert shown[0] == shown[1]
    assert play(hand, 0, hard.choose(view(hand, 0, (400, 300)), lambda n: 0))
