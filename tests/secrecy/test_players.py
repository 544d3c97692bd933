"""A computer player knows what its seat may see: what it cannot see changes places, and it plays the same."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

import pytest

import ginapi.tables.course
from ginapi.game.cards import Card, card_text, parse_card, texts
from ginapi.game.hand import Deal, Hand, deal, play
from ginapi.game.moves import Discard, Draw, Knock, Move, move_from
from ginapi.game.rules import CONTEST
from ginapi.game.shuffle import DrawNumber
from ginapi.game.shuffle import numbers as numbers_of
from ginapi.game.view import View, view
from ginapi.players import LEVELS, Choose, choose_by_level
from ginapi.tables.records import Record
from ginapi.tables.table import play as play_at
from ginapi.tables.values import Table
from tests import referee
from tests.game.playouts import play_out
from tests.shares import numbers, share
from tests.tables.matches import NOW_MS, person_move, random_match
from tests.tally import Tally

Moves = list[tuple[int, Move]]
EAGER = (0.3, 0.9, 0.5)


def swapped(chance: random.Random, hand: Hand, moves: Moves, cards: set[str]) -> Hand:
    """The hand as it would stand had these cards lain in each other's places from the deal on."""
    before = sorted(cards)
    swap = dict(zip(before, chance.sample(before, len(before)), strict=True))
    deck: tuple[Card, ...] = tuple(parse_card(swap.get(text, text)) for text in texts(hand.deal.deck))
    other = deal(deck, hand.deal.opener, hand.deal.rules)
    for seat, move in moves:
        other = play(other, seat, move)
    return other


class Moment(NamedTuple):
    """A state of random play, the moves that led to it, and the tally of who has seen what."""

    hand: Hand
    moves: Moves
    tally: Tally


def moments(chance: random.Random) -> Iterator[Moment]:
    """States of random hands that are somebody's turn; every knock names the layout that was declared."""
    while True:
        moves: Moves = []
        for hand, tally, last in play_out(chance):
            if last is not None:
                seat, move = last[0], move_from(last[1])
                if isinstance(move, Knock) and hand.knock is not None:
                    move = Knock(move.card, hand.knock.melds)
                moves.append((seat, move))
            if hand.turn is not None and (hand.phase in ("offer", "layoff") or chance.random() < 0.4):
                yield Moment(hand, list(moves), tally)


def decided(level: str, shown: View, seed: str) -> tuple[Move, list[int]]:
    """The move of a level, and below what each number was that it drew for it."""
    draw, asked = numbers_of(seed, "player"), list[int]()

    def noting(n: int) -> int:
        asked.append(n)
        return draw(n)

    return choose_by_level(level, shown, noting), asked


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_plays_the_same_where_what_its_seat_cannot_see_differs(level: str) -> None:
    chance, phases, differ = numbers(f"hidden from {level}"), Counter[str](), 0
    for _, (hand, moves, tally) in zip(range(share(10_000, 2_500)), moments(chance), strict=False):
        assert hand.turn is not None
        seat, scores, seed = hand.turn, (chance.randrange(100), chance.randrange(100)), f"{chance.random()}"
        other = swapped(chance, hand, moves, set(referee.DECK) - tally.seen[seat])
        assert decided(level, view(other, seat, scores), seed) == decided(level, view(hand, seat, scores), seed)
        differ += other.cards[1 - seat] != hand.cards[1 - seat]
        phases[hand.phase] += 1
    assert set(phases) == {"offer", "draw", "discard", "layoff"}
    assert differ > 500


def hidden_from_the_computer(table: Table, log: list[Record], move: Discard | Knock) -> set[str]:
    """What seat 1 cannot see while it answers a move, but for the top of the stock, which it may draw."""
    hand = table.dealt.hand
    tally = Tally(texts(hand.deal.deck), hand.deal.opener, contest=hand.deal.rules == CONTEST)
    for record in log:
        assert record.seat is not None
        tally.apply(record.seat, {"action": record.action, **record.body})
    held = set(texts(hand.cards[0])) if isinstance(move, Knock) else {card_text(move.card)}
    top = {card_text(hand.deal.deck[hand.stock_at])}
    return set(referee.DECK) - tally.seen[1] - held - top


def answers(name: str, count: int, choose: Choose) -> Iterator[tuple[list[Record], list[Record], bool]]:
    """What follows a person's last move of a turn in two worlds, and whether the person holds other cards in them."""
    chance = numbers(name)
    while True:
        log: list[Record] = []
        before: Table | None = None
        for outcome in random_match(chance, temper=EAGER, most_hands=2, target=1000, choose=choose):
            if before is not None and outcome.records[0].event == "dealt":
                log = []
            elif before is not None and before.dealt.hand.phase == "discard":
                move = last_of_turn(outcome.played[0])
                moves = [(record.seat or 0, move_of(record)) for record in log]
                hidden = hidden_from_the_computer(before, log, move)
                other = swapped(chance, before.dealt.hand, moves, hidden)
                there = before._replace(dealt=before.dealt._replace(hand=other))
                told = play_at(there, 0, move, NOW_MS + 10**9, choose).played
                yield list(outcome.played), list(told), other.cards[0] != before.dealt.hand.cards[0]
                count -= 1
                if not count:
                    return
            log += outcome.played
            before = outcome.table


def move_of(record: Record) -> Move:
    return move_from({"action": record.action, **record.body})


def last_of_turn(record: Record) -> Discard | Knock:
    move = move_of(record)
    assert isinstance(move, Discard | Knock)
    return move


def timeless(records: list[Record]) -> list[Record]:
    return [record._replace(at_ms=0) for record in records]


def test_the_computer_answers_a_turn_the_same_where_the_person_holds_other_cards() -> None:
    """Through the table, which makes the view and draws the numbers: the seed is the same in both worlds."""
    answered, differ = 0, 0
    for here, there, others in answers("answers", share(5_000, 1_000), choose_by_level):
        assert timeless(here) == timeless(there)
        answered += len(here) > 1
        differ += others
    assert answered > 200
    assert differ > 100


def test_a_view_that_told_more_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check can fail: a player that is shown the other hand, and heeds it, answers differently."""

    def leaky(hand: Hand, seat: int, scores: tuple[int, int] = (0, 0)) -> View:
        return view(hand, seat, scores)._replace(opponent_known=hand.cards[1 - seat])

    def heeding(level: str, shown: View, draw_number: DrawNumber) -> Move:
        if shown.phase == "draw" and not shown.stock_only:
            return Draw("discard" if shown.opponent_known % 3 else "stock")
        return choose_by_level(level, shown, draw_number)

    monkeypatch.setattr(ginapi.tables.course, "view", leaky)
    assert any(timeless(here) != timeless(there) for here, there, _ in answers("leak", 60, heeding))


def test_a_player_is_given_a_view_and_a_view_names_no_deck_and_no_other_hand() -> None:
    assert set(View._fields) == {
        *("seat", "opener", "version", "phase", "turn", "stock_count", "pile", "pile_draws", "knock", "result"),
        *("stock_only", "cards", "just_taken", "drawn_card", "own_known", "opponent_known", "opponent_cards_count"),
        *("scores", "rules"),
    }
    given: list[type] = []

    def noting(level: str, shown: View, draw_number: Callable[[int], int]) -> Move:
        given.append(type(shown))
        return choose_by_level(level, shown, draw_number)

    table = next(random_match(numbers("given"), choose=noting)).table
    for _ in range(30):
        if table.dealt.hand.turn == 0:
            table = play_at(table, 0, person_move(numbers("given too"), table, EAGER), NOW_MS, noting).table
    assert given and set(given) == {View}


def test_nothing_within_a_running_hands_view_is_a_hand_a_deal_or_a_deck() -> None:
    for _, (hand, _, tally) in zip(range(share(5_000, 400)), moments(numbers("within")), strict=False):
        for seat in (0, 1):
            shown = view(hand, seat)
            assert shown.result is None
            for part in parts(shown):
                assert not isinstance(part, Hand | Deal)
                assert not isinstance(part, tuple) or len(part) < 52
            assert set(texts(shown.pile)) <= tally.seen[seat]


def parts(value: Any) -> Iterator[Any]:
    """A value and everything that it is made of."""
    yield value
    inside: list[Any] = []
    if isinstance(value, tuple | list | frozenset | set):
        inside = list(value)
    elif is_dataclass(value):
        inside = [getattr(value, field.name) for field in fields(value)]
    for one in inside:
        yield from parts(one)
