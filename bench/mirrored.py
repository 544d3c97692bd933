"""Whole matches in mirrored pairs: the same deals twice, the seats swapped, so that luck of the deal cancels out."""

import random
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from bench.yardsticks import YARDSTICKS, Choose
from ginapi.game.cards import DECK, Card
from ginapi.game.hand import deal, play
from ginapi.game.match import add_up, next_opener, winner_of
from ginapi.game.rules import Rules
from ginapi.game.score import Result
from ginapi.game.view import view
from ginapi.players import LEVELS

Make = Callable[[], Choose]
"""Makes a player for one hand."""


def always(choose: Choose) -> Make:
    """For a player that remembers nothing from move to move, as the levels: one serves for every hand."""
    return lambda: choose


MAKERS: dict[str, Make] = {**YARDSTICKS, **{level: always(choose) for level, choose in LEVELS.items()}}
"""Who can play."""


class Meeting(NamedTuple):
    """Who meets whom by which rules, and the seed of the deals and of the numbers drawn."""

    player: str
    opponent: str
    rules: Rules
    seed: str


class Pair(NamedTuple):
    """What two mirrored matches gave the player: matches won, and how its hands ended."""

    won: int
    endings: Counter[str]
    """`gin`, `knock` and `undercut` for those that it won, `-gin` … for those that it lost, and `wash`."""


def play_pair(meeting: Meeting, number: int) -> Pair:
    """Both matches of a pair; the same meeting and number give the same pair."""
    return play_pair_of((MAKERS[meeting.player], MAKERS[meeting.opponent]), meeting.rules, meeting.seed, number)


def play_pair_of(makers: tuple[Make, Make], rules: Rules, seed: str, number: int) -> Pair:
    """Both matches of a pair between the first player and the second, who sit down in turn."""
    endings: Counter[str] = Counter()
    won = _play_match(makers, rules, f"{seed}/{number}", 0, endings)
    won += _play_match((makers[1], makers[0]), rules, f"{seed}/{number}", 1, endings)
    return Pair(won, endings)


def _play_match(makers: tuple[Make, Make], rules: Rules, seed: str, seat: int, endings: Counter[str]) -> bool:
    """Whether the seat wins the match; seat 0 opens. The deals are the seed's, whatever the seat."""
    chance = random.Random(f"{seed}/{seat}")
    scores, opener, hands = (0, 0), 0, 0
    while (winner := winner_of(scores, rules.target)) is None:
        deck = tuple(random.Random(f"{seed}/deck/{hands}").sample(DECK, len(DECK)))
        result = _play_hand((makers[0](), makers[1]()), deck, opener, scores, rules, chance)
        endings[result.kind if result.winner in (seat, None) else f"-{result.kind}"] += 1
        scores, opener, hands = add_up(scores, result), next_opener(opener, result, rules), hands + 1
    return winner == seat


def _play_hand(
    players: tuple[Choose, Choose],
    deck: tuple[Card, ...],
    opener: int,
    scores: tuple[int, int],
    rules: Rules,
    chance: random.Random,
) -> Result:
    hand = deal(deck, opener, rules)
    while hand.turn is not None:
        hand = play(hand, hand.turn, players[hand.turn](view(hand, hand.turn, scores), chance.randrange))
    assert hand.result is not None
    return hand.result
