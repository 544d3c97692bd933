"""Advice: what moves are worth in deadwood, counted again by brute force, and the same wherever hidden cards lie."""

import random
from collections import Counter

import pytest

from ginapi.game.cards import card_text, texts
from ginapi.game.hand import Hand, deal, leave, legal_moves, play
from ginapi.game.moves import Discard, Draw, Knock, LayOff, Leave, Move, Pass, move_from
from ginapi.game.notation import Entry
from ginapi.game.rules import CONTEST
from ginapi.game.shuffle import DrawNumber, numbers
from ginapi.game.view import View, view
from ginapi.players import choose_by_level
from ginapi.players.advice import advised, reviewed
from ginapi.players.worth import worth_of
from tests import referee
from tests.game.playouts import play_out
from tests.game.spelled import card
from tests.game.stacked import move, played, start
from tests.secrecy.test_players import moments, swapped
from tests.shares import numbers as chance_of
from tests.shares import rounds, share
from tests.tally import Tally

HAND_ID = "0123456789abcdef0123-4"


def by_hand(tally: Tally, seat: int, made: Move) -> float:
    """What a move leaves, counted by brute force from what the seat has seen."""
    held = tally.hands[seat]
    match made:
        case Discard(shed):
            return referee.deadwood(held - {card_text(shed)})
        case Knock(shed, melds):
            kept = held - {card_text(shed)}
            return referee.deadwood(kept) if melds is None else referee.deadwood_of(kept, map(texts, melds))
        case Draw("discard"):
            eleven = held | {tally.pile[-1]}
            return min(referee.deadwood(eleven - {one}) for one in held)
        case LayOff():
            assert tally.declared is not None
            return referee.best_defence(held, tally.declared)
    unseen = set(referee.DECK) - held - set(tally.pile) - tally.known[1 - seat]
    leaves = [min(referee.deadwood((held | {one}) - {shed}) for shed in held | {one}) for one in unseen]
    return round(sum(leaves) / len(leaves), 2)


def test_what_a_move_leaves_is_what_brute_force_counts() -> None:
    chance, kinds = chance_of("worth"), Counter[str]()
    wanted = {"offer Pass", "offer Draw", "draw Draw", "discard Discard", "discard Knock", "layoff LayOff"}
    for _ in rounds(200, 12, lambda: set(kinds) >= wanted):
        for hand, tally, _ in play_out(chance):
            if hand.turn is None or (hand.phase in ("draw", "discard") and chance.random() < 0.8):
                continue
            shown = view(hand, hand.turn)
            legal = legal_moves(hand, hand.turn)
            for made in chance.sample(legal, min(2, len(legal))):
                assert worth_of(shown, made).deadwood == by_hand(tally, hand.turn, made), made
                kinds[f"{hand.phase} {type(made).__name__}"] += 1
    assert set(kinds) >= wanted, kinds


def why(hand: Hand, text: str) -> str:
    assert hand.turn is not None
    return worth_of(view(hand, hand.turn), move(text)).why


def test_a_discard_says_what_it_leaves_and_how_many_cards_complete_a_meld() -> None:
    hand = played(start("2s 3s 7h 7d Qh Kh 9c 5d Jc As", "4h 4c 4d 6h 6c 6d 8s 8c 8d Th", stock="Ad"), "draw stock")
    # The 4s, 6d, 7s, 7c, Jh, Ah and Ac: whether in the stock or in the other hand it cannot know.
    assert why(hand, "discard Jc") == "Leaves 49 deadwood and 7 unseen cards that complete a meld."
    assert worth_of(view(hand, 0), move("discard Jc")).deadwood == 49


def test_a_knock_says_that_it_is_enough_and_gin_what_it_brings() -> None:
    near, gin = played(start(stock="Ad"), "draw stock"), played(start(stock="5s"), "draw stock")
    assert why(near, "knock Ks") == "Leaves 1 deadwood, and 10 is enough to knock."
    assert why(near, "knock Ks: 2s 3s 4s | 7h 8h 9h") == "Leaves 31 deadwood, and 10 is enough to knock."
    assert why(gin, "knock Ks") == "Gin: 25 points and all of the other seat's deadwood."


def test_a_draw_and_a_pass_say_what_there_is_to_hope_for() -> None:
    hand = start(up="5s")
    assert why(hand, "draw discard") == "With the 5s you can come from 10 deadwood to 0."
    stock = why(hand, "draw stock")
    assert stock.endswith("unseen cards lower your 10 deadwood; the 5s would leave 0.")
    offered = start(up="5s", rules=CONTEST)
    assert why(offered, "pass") == stock
    both = played(offered, "pass", "pass")
    assert why(both, "draw stock") == stock.replace("; the 5s would leave 0", "")


def test_a_lay_off_says_what_is_left_against_what_and_whether_it_is_an_undercut() -> None:
    knocked = played(start(other="6s 8s 5s Jh Th 6h 2c 2h Kd Kc", up="Kh", stock="Ad"), "draw stock", "knock Ks")
    assert why(knocked, "layoff") == "Lays off 5 cards and leaves 32 deadwood against 1."
    assert why(knocked, "layoff / ") == "Lays off 0 cards and leaves 69 deadwood against 1."
    under = played(start(stock="Td"), "draw stock", "knock Ks")
    assert why(under, "layoff") == "Lays off 0 cards and leaves 10 deadwood against 10, which is an undercut."


def test_advice_is_the_move_of_hard_and_the_same_where_hidden_cards_and_seed_differ() -> None:
    chance, differ = chance_of("advice"), 0
    for _, (hand, moves, tally) in zip(range(share(3_000, 150)), moments(chance), strict=False):
        assert hand.turn is not None
        seat, scores = hand.turn, (chance.randrange(100), chance.randrange(100))
        shown = view(hand, seat, scores)
        here = advised(HAND_ID, shown, choose_by_level)
        draw_number = numbers(HAND_ID, f"hint|{hand.version}")
        assert here.move == choose_by_level("hard", shown, draw_number)
        play(hand, seat, here.move)
        other = swapped(chance, hand, moves, set(referee.DECK) - tally.seen[seat])
        assert advised(HAND_ID, view(other, seat, scores), choose_by_level) == here
        differ += other.cards[1 - seat] != hand.cards[1 - seat]
    assert differ > 20


def entries_of(chance: random.Random) -> tuple[Hand, list[Entry], list[Hand]]:
    """A random hand as it was dealt, its records, and the states between them."""
    entries, states = [], []
    for hand, _, last in play_out(chance):
        states.append(hand)
        if last is not None:
            made = move_from(last[1])
            if isinstance(made, Knock) and hand.knock is not None:
                made = Knock(made.card, hand.knock.melds)
            entries.append(Entry(hand.version, last[0], "player", 0, made, hand.drawn_card))
    return states[0], entries, states


def test_a_review_has_every_move_beside_what_was_advised_from_that_view() -> None:
    chance = chance_of("reviews")
    for _ in range(share(100, 8)):
        dealt, entries, states = entries_of(chance)
        scores = (chance.randrange(100), chance.randrange(100))
        found = list(reviewed(HAND_ID, dealt.deal, scores, entries, choose_by_level))
        assert [(one.version, one.seat, one.by, one.played) for one in found] == [
            (entry.version, entry.seat, entry.by, entry.move) for entry in entries
        ]
        for one, before in zip(found, states, strict=False):
            shown = view(before, one.seat, scores)
            assert one.advice == advised(HAND_ID, shown, choose_by_level)
            assert one.worth == worth_of(shown, one.played)
        after = chance.randrange(len(entries))
        assert list(reviewed(HAND_ID, dealt.deal, scores, entries, choose_by_level, after)) == found[after:]


def first_card(level: str, shown: View, draw_number: DrawNumber) -> Move:
    """A strong player, for a test: it draws from the stock and sheds or knocks with the King of spades."""
    if shown.phase == "draw":
        return Draw("stock")
    return LayOff() if shown.phase == "layoff" else Knock(card("Ks"))


def test_two_moves_are_the_same_whatever_melds_they_declare_and_lay_offs_where_they_leave_the_same() -> None:
    hand = start(other="6s 8s 5s Jh Th 6h 2c 2h Kd Kc", up="Kh", stock="Ad")
    after = played(hand, "draw stock", "knock Ks")
    assert after.knock is not None
    moves = [Draw("stock"), Knock(card("Ks"), after.knock.melds), move("layoff / ")]
    entries = [Entry(at, int(at == 3), "player", 0, made) for at, made in enumerate(moves, 1)]
    found = list(reviewed(HAND_ID, hand.deal, (0, 0), entries, first_card))
    assert [one.is_same for one in found] == [True, True, False]
    assert found[2].worth.deadwood - found[2].advice.worth.deadwood == 37
    best = after.result or play(after, 1, LayOff()).result
    assert best is not None
    named = LayOff(best.seats[1].melds, best.seats[1].layoffs)
    (last,) = reviewed(HAND_ID, hand.deal, (0, 0), [*entries[:2], Entry(3, 1, "clock", 0, named)], first_card, 2)
    assert (last.is_same, last.by) == (True, "clock")


def test_another_move_is_not_the_same_and_what_it_cost_is_counted() -> None:
    hand = start(stock="5s")
    entries = [Entry(1, 0, "player", 0, Draw("stock")), Entry(2, 0, "player", 0, Discard(card("5s")))]
    drawn, shed = reviewed(HAND_ID, hand.deal, (0, 0), entries, first_card)
    assert (drawn.is_same, shed.is_same) == (True, False)
    assert (shed.worth.deadwood, shed.advice.worth.deadwood) == (10, 0)
    assert shed.advice.move == Knock(card("Ks"))


def test_nobodys_move_is_reviewed_once_a_seat_has_left() -> None:
    hand = played(start(), "draw stock")
    entries = [Entry(1, 0, "player", 0, Draw("stock")), Entry(2, 1, "player", 0, Leave())]
    assert leave(hand, 1).version == 2
    assert [one.version for one in reviewed(HAND_ID, hand.deal, (0, 0), entries, first_card)] == [1]


def test_an_offer_that_was_passed_is_reviewed() -> None:
    hand = deal(start(up="5s").deal.deck, 0, CONTEST)
    entries = [Entry(1, 0, "player", 0, Pass())]

    def takes(level: str, shown: View, draw_number: DrawNumber) -> Move:
        return Draw("discard")

    (passed,) = reviewed(HAND_ID, hand.deal, (0, 0), entries, takes)
    assert (passed.is_same, passed.advice.worth.deadwood) == (False, 0)
    assert 0 < passed.worth.deadwood < 10


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_what_is_advised_is_the_level_hards_whatever_the_table_has(level: str) -> None:
    asked: list[str] = []

    def noting(level: str, shown: View, draw_number: DrawNumber) -> Move:
        asked.append(level)
        return choose_by_level(level, shown, draw_number)

    advised(HAND_ID, view(start(), 0), noting)
    assert asked == ["hard"]
