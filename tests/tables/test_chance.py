"""Where a table's chance comes from: seed, hand and version, and nothing else; the same seed gives the same game."""

import hashlib
import hmac
from collections.abc import Callable

import pytest

from ginapi.game.cards import cards_of, mask_of, parse_card, texts
from ginapi.game.hand import Hand
from ginapi.game.moves import Discard, Draw, LayOff, Leave, Move, Void
from ginapi.game.shuffle import DrawNumber
from ginapi.game.view import View
from ginapi.players import choose_by_level
from ginapi.tables.records import entry_of
from ginapi.tables.table import deal_next, open_practice, play
from ginapi.tables.values import Table
from tests import referee
from tests.shares import numbers, share
from tests.tables.matches import NOW_MS, TABLE_ID, random_match


def by_recipe(seed: str, purpose: str) -> Callable[[int], int]:
    """Numbers by the published recipe, written from its words: blocks of HMAC, eight words each, some passed over."""
    waiting: list[int] = []
    blocks = 0

    def draw(n: int) -> int:
        nonlocal blocks
        while True:
            if not waiting:
                block = hmac.new(seed.encode(), f"{purpose}|{blocks}".encode(), hashlib.sha256).hexdigest()
                waiting.extend(int(block[at : at + 8], 16) for at in range(0, 64, 8))
                blocks += 1
            word = waiting.pop(0)
            if word < 2**32 - 2**32 % n:
                return word % n

    return draw


def deck_by_recipe(seed: str, number: int) -> list[str]:
    draw, deck = by_recipe(seed, f"deck|{number}"), list(referee.DECK)
    for i in reversed(range(1, 52)):
        j = draw(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def salt_by_recipe(seed: str, number: int) -> str:
    return hmac.new(seed.encode(), f"salt|{number}".encode(), hashlib.sha256).hexdigest()


@pytest.mark.parametrize("opener", [0, 1])
def test_decks_salts_and_commitments_follow_from_the_seed(opener: int) -> None:
    table = open_practice(TABLE_ID, "zażółć 7", NOW_MS, opener=opener, target=1000).table
    for number in range(1, 6):
        dealt = table.dealt
        deck, salt = deck_by_recipe("zażółć 7", number), salt_by_recipe("zażółć 7", number)
        assert (texts(dealt.hand.deal.deck), dealt.salt, dealt.id) == (deck, salt, f"{TABLE_ID}-{number}")
        said = f"{dealt.id}|{salt}|{' '.join(deck)}"
        assert dealt.commitment == hashlib.sha256(said.encode()).hexdigest()
        table = deal_next(finished(table), NOW_MS).table


def plain_move(hand: Hand) -> Move:
    """Draw from the stock, shed the first card held, lay off the best."""
    if hand.phase == "draw":
        return Draw("stock")
    return LayOff() if hand.phase == "layoff" else Discard(cards_of(hand.cards[0])[0])


def finished(table: Table) -> Table:
    """The table once the person has played plain moves to the end of the hand."""
    while table.dealt.hand.phase != "finished":
        table = play(table, 0, plain_move(table.dealt.hand), NOW_MS).table
    return table


DECKS = [
    "Jd 7h 6d 5h Qs 8d 3h 3c Qd 6h Js 8h 6c Td 2h 3d 2s 8c 4c Jc Kh Ts 4d 9d 5s Tc "
    "6s 2d Th 3s 5d 7d Kd Jh 7c Qh 9s Ah Kc Ac 5c 7s 2c 8s Qc As 4s 9c 4h Ad Ks 9h",
    "3c Ks 7d Jc Jh Ah 3h 2c 6h 7h Qd Td Js 8d 4s 6s 2d 8c Qc 7s Qh 5c Tc 2h Kh 5s "
    "Th Ad As 5h 3d 9c 2s 4c 6d 8h 9d 6c Kc Qs 9h Ac Kd 9s 5d Jd 3s 4h 4d 7c 8s Ts",
]
SALTS = [
    "36ba090390608f32c00e0d82297f4febf8c3225373886df097aaa97735fdc37b",
    "d90c3beb1476b028845791e3f04f191f0435a27515b00fbfb08835d43f0dcbff",
]


def test_the_deals_of_a_seed_never_change() -> None:
    table = open_practice(TABLE_ID, "golden", NOW_MS, target=1000).table
    second = deal_next(finished(table), NOW_MS).table
    assert [" ".join(texts(at.dealt.hand.deal.deck)) for at in (table, second)] == DECKS
    assert [at.dealt.salt for at in (table, second)] == SALTS


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_the_computers_numbers_are_those_of_seed_hand_and_version(level: str) -> None:
    drawn: list[tuple[int, int, list[int]]] = []

    def noting(level: str, view: View, draw_number: DrawNumber) -> Move:
        drawn.append((hand_number, view.version, [draw_number(n) for n in (2, 7, 52, 2**31 + 1)]))
        return choose_by_level(level, view, lambda n: 0)

    hand_number = 1
    table = open_practice(TABLE_ID, "numbers", NOW_MS, level=level, opener=1, target=1000, choose=noting).table
    for _ in range(40):
        if table.dealt.hand.phase == "finished":
            hand_number += 1
            table = deal_next(table, NOW_MS, noting).table
        else:
            table = play(table, 0, plain_move(table.dealt.hand), NOW_MS, noting).table
    assert len(drawn) > 20
    for number, version, got in drawn:
        draw = by_recipe("numbers", f"player|{number}|{version}")
        assert got == [draw(n) for n in (2, 7, 52, 2**31 + 1)]


def test_a_match_replayed_from_its_seed_has_the_same_records_whenever_and_wherever() -> None:
    """Same seed, same moves of the person: the computer plays the same, at another time and at another table."""
    chance = numbers("replayed matches")
    for _ in range(share(100, 12)):
        match = list(random_match(chance, most_hands=6))
        first = match[0].table
        again = open_practice(
            "f" * 20,
            first.seed,
            5,
            level=str(first.level),
            opener=first.opener,
            target=first.target,
            rules=first.rules,
        )
        told = [again]
        for outcome in match[1:]:
            by_person = [record for record in outcome.played if record.by == "player"]
            table = told[-1].table
            if by_person:
                move = entry_of(by_person[0]).move
                assert not isinstance(move, Leave | Void)
                told.append(play(table, 0, move, 6))
            else:
                told.append(deal_next(table, 6))
        for outcome, repeated in zip(match, told, strict=True):
            assert [record._replace(at_ms=0) for record in outcome.played] == [
                record._replace(at_ms=0) for record in repeated.played
            ]
            assert outcome.table.dealt.hand == repeated.table.dealt.hand
            assert outcome.table.scores == repeated.table.scores
        assert {record.at_ms for outcome in told for record in outcome.records} <= {5, 6}


def test_a_table_of_another_seed_has_other_deals() -> None:
    decks = {open_practice(TABLE_ID, f"seed {at}", NOW_MS).table.dealt.hand.deal.deck for at in range(200)}
    assert len(decks) == 200
    assert all(mask_of(deck) == mask_of(parse_card(text) for text in referee.DECK) for deck in decks)
