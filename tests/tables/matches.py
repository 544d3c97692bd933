"""Random practice matches at a table held as a value: a person of some temper against the computer."""

import random
from collections.abc import Iterator

from ginapi.game.cards import cards_of
from ginapi.game.hand import legal_moves
from ginapi.game.melds import deadwood_after
from ginapi.game.moves import Discard, Draw, Knock, Move, Pass
from ginapi.game.rules import CONTEST, HOUSE, Rules
from ginapi.game.shuffle import DrawNumber
from ginapi.game.view import View
from ginapi.players import LEVELS, Choose, choose_by_level
from ginapi.tables.table import deal_next, leave, open_practice, play
from ginapi.tables.values import Outcome, Table

TABLE_ID = "0123456789abcdef0123"
NOW_MS = 1_790_000_000_000

Temper = tuple[float, float, float]
# How often a person takes from the pile, sheds what counts best, and knocks when it may.
TEMPERS: list[Temper] = [(0.5, 0.0, 0.0), (0.3, 1.0, 1.0), (0.1, 1.0, 0.2), (0.95, 0.5, 0.0), (0.3, 0.9, 0.3)]


def person_move(chance: random.Random, table: Table, temper: Temper) -> Move:
    """A legal move of seat 0."""
    pile, keen, bold = temper
    hand = table.dealt.hand
    legal = legal_moves(hand, 0)
    if hand.phase in ("offer", "draw"):
        take, takes = Draw("discard"), chance.random() < pile
        return take if takes and take in legal else next(move for move in legal if move != take)
    knocks = [move for move in legal if isinstance(move, Knock)]
    if knocks and chance.random() < bold:
        return chance.choice(knocks)
    discards = [move for move in legal if isinstance(move, Discard)]
    if discards and chance.random() < keen:
        after = deadwood_after(hand.cards[0], sum(1 << move.card for move in discards))
        return Discard(min(after, key=after.__getitem__))
    return chance.choice(discards or legal)


def trader(level: str, view: View, draw_number: DrawNumber) -> Move:
    """A computer that takes every discard and never knocks: hands against it end in a wash, by R13 or R13b."""
    if view.phase == "offer":
        return Draw("discard") if draw_number(2) else Pass()
    if view.phase == "draw":
        return Draw("discard" if draw_number(50) and not view.stock_only else "stock")
    return Discard(next(card for card in cards_of(view.cards) if card != view.just_taken))


def clock(chance: random.Random) -> Iterator[int]:
    """The time at each call, now and then stepping back."""
    now_ms = NOW_MS
    while True:
        yield now_ms
        now_ms += chance.choice([0, 1, 800, 12_000, -5_000])


def random_match(
    chance: random.Random,
    *,
    level: str | None = None,
    temper: Temper | None = None,
    target: int = 100,
    most_hands: int = 1_000,
    choose: Choose = choose_by_level,
    leaves: float = 0.0,
    rules: Rules | None = None,
) -> Iterator[Outcome]:
    """Every outcome of one match, from the opening to its end; the person leaves before a call this often.

    A third is by the rules of contests, where none are given.
    """
    temper = chance.choice(TEMPERS) if temper is None else temper
    times = clock(chance)
    outcome = open_practice(
        TABLE_ID,
        f"{chance.getrandbits(256):064x}",
        next(times),
        level=chance.choice(sorted(LEVELS)) if level is None else level,
        opener=chance.randrange(2),
        target=target,
        rules=chance.choice([HOUSE, HOUSE, CONTEST]) if rules is None else rules,
        choose=choose,
    )
    yield outcome
    while outcome.table.status == "playing":
        table = outcome.table
        if chance.random() < leaves:
            outcome = leave(table, 0, next(times))
        elif table.dealt.hand.phase != "finished":
            outcome = play(table, 0, person_move(chance, table, temper), next(times), choose)
        elif table.dealt.number < most_hands:
            outcome = deal_next(table, next(times), choose)
        else:
            return
        yield outcome
