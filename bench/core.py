"""Random hands played out, and ten-card hands counted: ginapi's core beside OpenSpiel's and RLCard's gin rummy.

All in one process on one core, in CPU seconds. Run as `python -m bench.core`.
"""

import argparse
import random
import time
from collections.abc import Callable, Iterator
from itertools import islice

import numpy
import pyspiel
from rlcard.games.gin_rummy.game import GinRummyGame

from bench.rounds import last_core, report, stay_on, take_turns
from ginapi.game.cards import DECK, mask_of
from ginapi.game.hand import deal, legal_moves, play
from ginapi.game.melds import deadwood

OPENSPIEL_GAME = pyspiel.load_game("gin_rummy")
OPENSPIEL_COUNTER = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)

Draw = Callable[[], float]
"""A number from 0 up to 1: the one kind of chance that every side is given."""
HandPlayed = Callable[[Draw], int]
"""Plays one hand out and says how many decisions it took."""


def play_ginapi(draw: Draw) -> int:
    """One hand through the public core. The shuffle is paid for here too; a bare lay-off is the one legal lay-off."""
    hand = deal(tuple(sorted(DECK, key=lambda card: draw())), int(draw() * 2))
    decisions = 0
    while hand.turn is not None:
        moves = legal_moves(hand, hand.turn)
        hand = play(hand, hand.turn, moves[int(draw() * len(moves))])
        decisions += 1
    return decisions


def play_openspiel(draw: Draw) -> int:
    """One hand through OpenSpiel's Python calls, the fastest way that they allow.

    At a chance node every outcome is as likely as the next and `legal_actions` lists them (`check_chance` makes sure),
    so that chance and players can be drawn alike. Counts chance nodes too: see `openspiel_decisions`.
    """
    state = OPENSPIEL_GAME.new_initial_state()
    steps = 0
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(draw() * len(actions))])
        steps += 1
    return steps


def play_rlcard(draw: Draw) -> int:
    """One hand through RLCard's bare game, without the environment round it. The forced steps that score count too."""
    game = GinRummyGame()
    game.np_random = RLCARD_CHANCE
    game.init_game()
    decisions = 0
    while not game.is_over():
        actions = game.judge.get_legal_actions()
        game.step(actions[int(draw() * len(actions))])
        decisions += 1
    return decisions


RLCARD_CHANCE = numpy.random.RandomState(0)
"""Seeded once and not for each hand: making one costs more than a shuffle."""


def openspiel_decisions(draw: Draw, hands: int) -> float:
    """How many decisions of players an OpenSpiel hand takes on average, chance nodes left out."""
    decisions = 0
    for _ in range(hands):
        state = OPENSPIEL_GAME.new_initial_state()
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])
    return decisions / hands


def check_chance(draw: Draw, hands: int) -> None:
    """Raises when drawing from `legal_actions` at a chance node would not be OpenSpiel's own distribution."""
    for _ in range(hands):
        state = OPENSPIEL_GAME.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                if list(outcomes) != actions or max(odds) - min(odds) > 1e-9:
                    raise RuntimeError("A chance node of OpenSpiel is not uniform over its legal actions.")
            state.apply_action(actions[int(draw() * len(actions))])


class HandsPlayed:
    """One side of the playouts: as many hands as fit into a turn, and how long they were."""

    def __init__(self, play_hand: HandPlayed, seconds: float) -> None:
        self.play_hand = play_hand
        self.seconds = seconds
        self.draw = random.Random(0).random
        self.hands = 0
        self.decisions = 0

    def __call__(self) -> float:
        hands = 0
        start = now = time.process_time()
        while now - start < self.seconds:
            self.decisions += self.play_hand(self.draw)
            hands += 1
            now = time.process_time()
        self.hands += hands
        return hands / (now - start)


def compare_playouts(rounds: int, seconds: float) -> None:
    """Prints the table of hands played out."""
    check_chance(random.Random(1).random, 20)
    sides = {
        "ginapi": HandsPlayed(play_ginapi, seconds),
        "OpenSpiel": HandsPlayed(play_openspiel, seconds),
        "RLCard": HandsPlayed(play_rlcard, seconds),
    }
    rates = take_turns(sides, rounds)
    lengths = {name: side.decisions / side.hands for name, side in sides.items()}
    lengths["OpenSpiel"] = openspiel_decisions(random.Random(2).random, 300)
    print("Random hands played out, hands a CPU second:")
    report(rates, "ginapi", "hands/s", {name: f" of {length:.0f} decisions" for name, length in lengths.items()})


def random_play() -> Iterator[list[int]]:
    """Each hand of ten as its seat's turn begins, both seats moving at random, without end. OpenSpiel plays."""
    draw = random.Random(3).random
    while True:
        state = OPENSPIEL_GAME.new_initial_state()
        while not state.is_terminal():
            if state.current_phase() == pyspiel.gin_rummy.Phase.DRAW and not state.is_chance_node():
                yield state.hands()[state.current_player()]
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])


def sensible_play() -> Iterator[list[int]]:
    """The same between two of OpenSpiel's simple players: hands with melds in them, as people hold."""
    draw = random.Random(4).random
    bots = [pyspiel.make_simple_gin_rummy_bot(OPENSPIEL_GAME.get_parameters(), seat) for seat in (0, 1)]
    while True:
        state = OPENSPIEL_GAME.new_initial_state()
        for bot in bots:
            bot.restart()
        while not state.is_terminal():
            if state.is_chance_node():
                actions = state.legal_actions()
                state.apply_action(actions[int(draw() * len(actions))])
                continue
            if state.current_phase() == pyspiel.gin_rummy.Phase.DRAW:
                yield state.hands()[state.current_player()]
            state.apply_action(bots[state.current_player()].step(state))


def unseen(hands: Iterator[list[int]], seen: set[int]) -> Iterator[list[int]]:
    """Each hand once, so that no table of answers can have it: the count is what is measured."""
    for hand in hands:
        mask = mask_of(hand)
        if mask not in seen:
            seen.add(mask)
            yield hand


class Counting:
    """One side of the counts: fresh hands each turn, in the form that the counter takes."""

    def __init__(self, count: Callable[..., int], batches: Iterator[list[object]]) -> None:
        self.count = count
        self.batches = batches

    def __call__(self) -> float:
        hands = next(self.batches)
        count = self.count
        start = time.process_time()
        for hand in hands:
            count(hand)
        return len(hands) / (time.process_time() - start)


def compare_counts(title: str, source: Iterator[list[int]], rounds: int, size: int) -> None:
    """Prints the table of counts over hands of one source: the same hands for both sides, new ones every round."""
    fresh = unseen(source, set())
    batches = [list(islice(fresh, size)) for _ in range(rounds + 1)]
    for hand in batches[0]:
        if deadwood(mask_of(hand)) != OPENSPIEL_COUNTER.min_deadwood(hand):
            raise RuntimeError(f"The counters differ on {hand}.")
    sides = {
        "ginapi": Counting(deadwood, iter([[mask_of(hand) for hand in batch] for batch in batches])),
        "OpenSpiel": Counting(OPENSPIEL_COUNTER.min_deadwood, iter(batches)),
    }
    rates = take_turns(sides, rounds)
    print(f"Ten-card counts, {title}, counts a CPU second:")
    report(rates, "ginapi", "counts/s", {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="rounds that count; the figure is their median")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds a side and round, for the playouts")
    parser.add_argument("--counts", type=int, default=20_000, help="hands a side and round, for the counts")
    chosen = parser.parse_args()
    stay_on(last_core())
    compare_playouts(chosen.rounds, chosen.seconds)
    compare_counts("hands of random play", random_play(), chosen.rounds, chosen.counts)
    compare_counts("hands of sensible play", sensible_play(), chosen.rounds, chosen.counts)


if __name__ == "__main__":
    main()
