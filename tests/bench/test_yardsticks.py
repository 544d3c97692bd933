"""The players that strength is measured against do what their description says."""

import random
from collections.abc import Iterator

import pytest

from bench.mirrored import MAKERS, Meeting, play_pair
from bench.strength import add_up, pairs_of, row
from bench.yardsticks import YARDSTICKS, Lookahead, Simple, gold
from ginapi.game.cards import parse_card
from ginapi.game.hand import Hand, deal, legal_moves, play
from ginapi.game.melds import deadwood
from ginapi.game.moves import Discard, Draw, Knock, Move, Source
from ginapi.game.rules import CONTEST, HOUSE, RULES, Rules
from ginapi.game.view import view
from tests.game.playouts import as_listed
from tests.game.stacked import played, start
from tests.shares import numbers, share

BY_RULES = pytest.mark.parametrize("rules", RULES.values(), ids=RULES)


def hand_played(name: str, chance: random.Random, rules: Rules) -> Iterator[tuple[Hand, Move]]:
    """A hand of a yardstick against itself: every state, and what is played in it."""
    players = (YARDSTICKS[name](), YARDSTICKS[name]())
    hand = deal(tuple(chance.sample(range(52), 52)), 0, rules)
    while hand.turn is not None:
        move = players[hand.turn](view(hand, hand.turn), chance.randrange)
        yield hand, move
        hand = play(hand, hand.turn, move)


@BY_RULES
@pytest.mark.parametrize("name", YARDSTICKS)
def test_every_move_of_a_yardstick_is_legal(name: str, rules: Rules) -> None:
    chance = numbers(f"{name} by {rules.name}")
    for _ in range(share(300, 10)):
        for hand, move in hand_played(name, chance, rules):
            assert hand.turn is not None
            assert as_listed(move) in legal_moves(hand, hand.turn)


@pytest.mark.parametrize("name", ["simple", "gold"])
def test_simple_and_gold_knock_as_soon_as_they_can(name: str) -> None:
    chance = numbers(f"{name} knocks")
    for _ in range(share(300, 20)):
        for hand, move in hand_played(name, chance, HOUSE):
            if isinstance(move, Discard):
                assert hand.turn is not None
                assert deadwood(hand.cards[hand.turn] ^ 1 << move.card) > HOUSE.knock_limit


def test_simple_never_sheds_the_same_card_twice_for_the_same_card_drawn() -> None:
    chance = numbers("pairs")
    for _ in range(share(500, 30)):
        pairs: list[tuple[int | None, int | None, frozenset[int]]] = []
        for hand, move in hand_played("simple", chance, HOUSE):
            if isinstance(move, Discard):
                assert hand.drawn_card is not None
                pairs.append((hand.turn, None, frozenset((hand.drawn_card, move.card))))
        assert len(pairs) == len(set(pairs))


def test_simple_takes_what_forms_any_meld_and_the_others_what_lowers_their_deadwood_too() -> None:
    # 5s lengthens a run; 7s makes a set, and 8h and 9h are loose for it.
    cases: tuple[tuple[str, Source, Source], ...] = (
        ("5s", "discard", "discard"),
        ("7s", "discard", "stock"),
        ("Kc", "stock", "stock"),
    )
    for up, simple, others in cases:
        hand = start("2s 3s 4s 7h 8h 9h 7d Jc Js Jd", "Ad Th 6c 8c 9c Qd Qc Qs Kh Kd", up=up)
        for name, source in (("simple", simple), ("gold", others), ("lookahead", others)):
            assert YARDSTICKS[name]()(view(hand, 0), lambda n: 0) == Draw(source)


def test_lookahead_knocks_with_deadwood_in_its_first_three_turns_alone() -> None:
    hand = played(start(stock="Ac"), "draw stock")
    shown = view(hand, 0)
    player = Lookahead()
    for _ in range(3):
        assert as_listed(player(shown, lambda n: 0)) == Knock(parse_card("Ks"))
    assert isinstance(player(shown, lambda n: 0), Discard)


def test_the_same_meeting_and_number_give_the_same_pair_and_the_count_of_processes_is_nothing() -> None:
    meeting = Meeting("gold", "simple", CONTEST, "test")
    assert play_pair(meeting, 3) == play_pair(meeting, 3)
    alone, beside = (add_up(pairs_of(meeting, 6, processes)) for processes in (1, 2))
    assert alone == beside
    assert row(meeting, alone).startswith("| gold | simple | contest | test | 12 |")


def test_a_player_against_itself_wins_half_of_its_mirrored_matches_where_nothing_is_drawn() -> None:
    assert MAKERS["gold"]() is gold and isinstance(MAKERS["simple"](), Simple)
    assert [play_pair(Meeting("hard", "hard", HOUSE, "half"), number).won for number in range(2)] == [1, 1]
