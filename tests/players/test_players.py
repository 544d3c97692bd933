"""The three levels: legal everywhere, the same for the same view and numbers, and stronger one than the other."""

import random
from collections import Counter

import pytest

from ginapi.game.cards import Card
from ginapi.game.hand import Hand, deal, legal_moves, play
from ginapi.game.match import add_up, next_opener, winner_of
from ginapi.game.moves import Discard, Draw, Knock, Move, Pass
from ginapi.game.rules import CONTEST, HOUSE, Rules
from ginapi.game.shuffle import deck_from_seed
from ginapi.game.shuffle import numbers as numbers_of
from ginapi.game.view import view
from ginapi.players import LEVELS, choose_by_level
from tests import referee
from tests.game.playouts import as_listed, play_out
from tests.game.spelled import text_set
from tests.game.stacked import played, start
from tests.shares import numbers, share

MATCHES = 60
MOST_MOVES = 400  # several times what two levels need


def chosen(level: str, hand: Hand, seed: str, scores: tuple[int, int] = (0, 0)) -> Move:
    """What a level plays in the seat whose turn it is."""
    assert hand.turn is not None
    return choose_by_level(level, view(hand, hand.turn, scores), numbers_of(seed, f"player|{hand.version}"))


def play_hand(levels: tuple[str, str], deck: tuple[Card, ...], opener: int, seed: str, rules: Rules = HOUSE) -> Hand:
    """A whole hand between two levels; every move of it is listed as legal, and accepted."""
    hand = deal(deck, opener, rules)
    for _ in range(MOST_MOVES):
        if hand.turn is None:
            return hand
        move = chosen(levels[hand.turn], hand, seed)
        assert as_listed(move) in legal_moves(hand, hand.turn)
        hand = play(hand, hand.turn, move)
    raise AssertionError("the hand did not end")


@pytest.mark.parametrize("level", LEVELS)
def test_every_move_is_legal_in_every_state_that_it_leads_to(level: str) -> None:
    # Fixed: of so few hands, one time in a thousand none would be an undercut.
    chance, kinds = random.Random(f"legal {level}"), Counter[str]()
    for _ in range(share(4_000, 250)):
        levels = (level, chance.choice(sorted(LEVELS)))
        deck = tuple(chance.sample(range(52), 52))
        rules = chance.choice([HOUSE, CONTEST])
        hand = play_hand(levels, deck, chance.randrange(2), f"{chance.random()}", rules)
        assert hand.result is not None
        kinds[hand.result.kind] += 1
    assert set(kinds) >= {"gin", "knock", "undercut"}, kinds


@pytest.mark.parametrize("level", LEVELS)
def test_every_move_is_legal_where_random_play_has_led_and_is_the_same_when_asked_again(level: str) -> None:
    chance, phases = numbers(f"anywhere {level}"), Counter[str]()
    for _ in range(share(2_000, 100)):
        for hand, _, _ in play_out(chance):
            if hand.turn is None:
                continue
            seed, scores = f"{chance.random()}", (chance.randrange(100), chance.randrange(100))
            move = chosen(level, hand, seed, scores)
            assert as_listed(move) in legal_moves(hand, hand.turn)
            play(hand, hand.turn, move)
            assert move == chosen(level, hand, seed, scores)
            phases[hand.phase] += 1
    assert set(phases) == {"offer", "draw", "discard", "layoff"}


@pytest.mark.parametrize("level", LEVELS)
def test_a_numbered_choice_stays_below_what_it_is_asked_for(level: str) -> None:
    """Whatever is drawn, highest or lowest, a legal move comes of it."""
    chance = numbers(f"ends of chance {level}")
    for _ in range(share(500, 40)):
        for hand, _, _ in play_out(chance):
            if hand.turn is None:
                continue
            for draw_number in (lambda n: 0, lambda n: n - 1):
                move = choose_by_level(level, view(hand, hand.turn), draw_number)
                assert as_listed(move) in legal_moves(hand, hand.turn)


@pytest.mark.parametrize("level", LEVELS)
def test_gin_is_taken_where_a_shed_gives_it(level: str) -> None:
    hand = played(start(stock="5s"), "draw stock")
    for at in range(20):
        ended = play(hand, 0, chosen(level, hand, f"{at}"))
        assert ended.result is not None
        assert (ended.result.kind, ended.result.winner) == ("gin", 0)


@pytest.mark.parametrize("level", LEVELS)
def test_gin_is_taken_wherever_random_play_offers_it(level: str) -> None:
    chance, offered = numbers(f"gin {level}"), 0
    hands = 0
    while offered < share(200, 15) and hands < 20_000:
        hands += 1
        hand = deal(tuple(chance.sample(range(52), 52)), 0)
        while hand.turn is not None and hand.phase != "layoff":
            if hand.phase == "discard" and could_be_gin(hand):
                offered += 1
                ended = play(hand, hand.turn, chosen(level, hand, f"{offered}"))
                assert ended.result is not None and ended.result.kind == "gin"
            hand = play(hand, hand.turn, patient(chance, hand))
    assert offered >= share(200, 15)


def could_be_gin(hand: Hand) -> bool:
    assert hand.turn is not None
    knocks = [move.card for move in legal_moves(hand, hand.turn) if isinstance(move, Knock)]
    cards = hand.cards[hand.turn]
    return any(referee.deadwood(text_set(cards ^ 1 << card)) == 0 for card in knocks)


def patient(chance: random.Random, hand: Hand) -> Move:
    """What `hard` would play, but it never knocks: so gins come up."""
    move = chosen("hard", hand, f"{chance.random()}")
    return Discard(move.card) if isinstance(move, Knock) else move


@pytest.mark.parametrize("level", LEVELS)
def test_r11_a_knock_is_answered_with_the_best_defence(level: str) -> None:
    chance, answered = numbers(f"defence {level}"), 0
    for _ in range(share(1_000, 80)):
        for hand, tally, _ in play_out(chance):
            if hand.phase != "layoff" or hand.turn is None:
                continue
            ended = play(hand, hand.turn, chosen(level, hand, "defence"))
            assert ended.result is not None and tally.declared is not None
            least = referee.best_defence(tally.hands[hand.turn], tally.declared, None)
            assert ended.result.seats[hand.turn].deadwood == least
            answered += 1
    assert answered > 10


def test_r5_no_level_sheds_the_card_just_taken() -> None:
    # The King taken is the dearest card by far, and in no meld.
    hand = played(start("2s 3s 4s 7h 8h 9h Jd Jc Js As", up="Ks"), "draw discard")
    for level in LEVELS:
        for at in range(20):
            move = chosen(level, hand, f"{at}")
            assert isinstance(move, Discard | Knock)
            assert move.card != hand.just_taken


def play_match(levels: tuple[str, str], seed: str) -> tuple[int, int]:
    """The scores of a whole match between two levels, seat 0 opening."""
    scores, number, opener = (0, 0), 0, 0
    while winner_of(scores, 100) is None:
        number += 1
        result = play_hand(levels, deck_from_seed(seed, number), opener, f"{seed}|{number}").result
        assert result is not None
        scores, opener = add_up(scores, result), next_opener(opener, result, HOUSE)
    return scores


@pytest.mark.parametrize(("stronger", "weaker"), [("hard", "medium"), ("medium", "easy"), ("hard", "easy")])
def test_over_mirrored_matches_the_stronger_level_scores_more(stronger: str, weaker: str) -> None:
    """The seeds are fixed, and so the outcome: this fails when a level has changed, never by bad luck."""
    points = Counter[str]()
    for at in range(MATCHES):
        for levels in ((stronger, weaker), (weaker, stronger)):
            for level, score in zip(levels, play_match(levels, f"match {at}"), strict=True):
                points[level] += score
    print(dict(points))
    assert points[stronger] > points[weaker]


def test_a_draw_from_the_pile_is_for_a_meld() -> None:
    # Ks makes a meld of nothing here; 5s lengthens a run.
    useless, useful = start(up="Kc"), start(up="5s")
    for level in LEVELS:
        assert chosen(level, useless, "pile") == Draw("stock")
        assert chosen(level, useful, "pile") == Draw("discard")


@pytest.mark.parametrize("level", LEVELS)
def test_r3_an_offer_is_decided_like_a_draw_and_after_two_passes_the_stock_is_drawn_from(level: str) -> None:
    useless, useful = (start(up=up, rules=CONTEST) for up in ("Kc", "5s"))
    assert chosen(level, useless, "offer") == Pass()
    assert chosen(level, useful, "offer") == Draw("discard")
    # What seat 0 would have taken, had it not passed it.
    assert chosen(level, played(useful, "pass", "pass"), "offer") == Draw("stock")
