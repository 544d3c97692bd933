"""How hands end, by the rules page, one test a clause: R10 to R12."""

import pytest

from ginapi.errors import Reason, Refused
from ginapi.game.hand import Hand, legal_moves
from tests.game.endings import code, ending
from tests.game.spelled import cards, laid, melds, spell, text_sets
from tests.game.stacked import OTHER, played, spelled, start

# R10

GIN = played(start(stock="5s"), "draw stock", "knock Ks")


def test_r10_gin_scores_25_and_the_opponents_deadwood() -> None:
    # The other seat holds three melds and Kh.
    assert ending(GIN) == ("gin", 0, 0, 35)
    assert GIN.result is not None
    assert [one.deadwood for one in GIN.result.seats] == [0, 10]
    assert text_sets(GIN.result.seats[1].melds) == text_sets(melds("2d 3d 4d | 7c 8c 9c | Qs Qd Qc"))


def test_r10_gin_has_no_lay_off_phase() -> None:
    assert GIN.phase == "finished"
    assert code(GIN, 1, "layoff") == "hand_over"


def test_r10_nothing_is_laid_off_on_gin() -> None:
    # 6s and Jh would go onto 2s-5s and the Jacks.
    hand = played(start(other="6s Jh 4d 7c 8c 9c Qd Qc Qs Kh", stock="5s"), "draw stock", "knock Ks")
    assert ending(hand) == ("gin", 0, 0, 25 + 6 + 10 + 4 + 10)
    assert hand.result is not None
    assert hand.result.seats[1].layoffs == ()


def test_r10_gin_is_not_undercut_by_an_opponent_without_deadwood() -> None:
    hand = played(start(other="2d 3d 4d 5d 7c 8c 9c Qd Qc Qs", stock="5s"), "draw stock", "knock Ks")
    assert ending(hand) == ("gin", 0, 0, 25)


def test_r10_gin_is_never_forced_by_a_discard() -> None:
    hand = played(start(stock="5s"), "draw stock")
    assert {"discard Ks", "knock Ks"} <= set(spelled(legal_moves(hand, 0)))
    assert played(hand, "discard Ks").phase == "draw"


def test_r10_a_hand_that_could_be_gin_but_is_declared_otherwise_is_a_knock() -> None:
    hand = played(start(stock="5s"), "draw stock", "knock Ks: 2s 3s 4s | 7h 8h 9h | Js Jd Jc")
    assert (hand.phase, hand.turn) == ("layoff", 1)
    # And so it can be undercut: 5 to lay Kh off against is not, but an equal five is.
    assert ending(played(hand, "layoff")) == ("knock", 0, 0, 5)
    other = "2d 3d 4d 7c 8c 9c Qd Qc Qs 5h"
    again = played(start(other=other, stock="5s"), "draw stock", "knock Ks: 2s 3s 4s | 7h 8h 9h | Js Jd Jc")
    assert ending(played(again, "layoff")) == ("undercut", 1, 0, 25)


def test_r10_gin_declared_by_name() -> None:
    hand = played(start(stock="5s"), "draw stock", "knock Ks: Js Jd Jc | 2s 3s 4s 5s | 7h 8h 9h")
    assert ending(hand) == ("gin", 0, 0, 35)


# R11

LONG = "6s 8s 5s Jh Th 6h 2c 2h Kd Kc"
"""Against 2s-4s, 7h-9h and the Jacks: 5s 6s build on the first, Th 6h on the second, Jh on the second or third."""


def knocked(other: str = LONG, stock: str = "Ad", up: str = "Kh") -> Hand:
    return played(start(other=other, up=up, stock=stock), "draw stock", "knock Ks: 2s 3s 4s | 7h 8h 9h | Js Jd Jc")


def test_r11_a_knock_is_answered_by_the_other_seat() -> None:
    hand = knocked()
    assert (hand.phase, hand.turn) == ("layoff", 1)
    assert spelled(legal_moves(hand, 1)) == ["layoff"]
    assert legal_moves(hand, 0) == ()


def test_r11_nothing_given_is_answered_with_the_best() -> None:
    hand = played(knocked(), "layoff")
    # 8s, the deuces and the Kings are left.
    assert ending(hand) == ("knock", 0, 0, 8 + 4 + 20 - 1)
    assert hand.result is not None
    assert {spell(1 << one.card) for one in hand.result.seats[1].layoffs} == {"5s", "6s", "6h", "Th", "Jh"}
    assert hand.result.seats[1].cards == cards(LONG)


BUILT_ON = [
    ("the fourth card of a set", "Jh>2", None),
    ("the upper end of a run", "5s>0", None),
    ("the lower end of a run", "6h>1", None),
    ("built on: 6 after 5 onto 2-3-4", "5s>0 6s>0", None),
    ("built on the other run", "Th>1 Jh>1", None),
    ("both ends, and the set", "6h>1 Th>1 Jh>2 5s>0 6s>0", None),
    ("6 before 5", "6s>0", "bad_layoff"),
    ("6 and then 5", "6s>0 5s>0", "bad_layoff"),
    ("a gap", "5s>0 6s>0 8s>0", "bad_layoff"),
    ("J before T", "Jh>1", "bad_layoff"),
    ("another suit", "6h>0", "bad_layoff"),
    ("another rank", "Th>2", "bad_layoff"),
    ("a set has no fifth card, a card is laid once", "Jh>2 Jh>1", "bad_layoff"),
    ("onto no meld", "5s>3", "bad_layoff"),
    ("onto a meld before the first", "5s>-1", "bad_layoff"),
    ("a card not held", "As>0", "bad_layoff"),
    ("the knocker's own card", "Ad>0", "bad_layoff"),
    ("one that is good and one that is not", "5s>0 Kd>2", "bad_layoff"),
]


@pytest.mark.parametrize(("why", "off", "refused"), BUILT_ON, ids=[row[0] for row in BUILT_ON])
def test_r11_lay_offs_one_by_one_in_the_order_given(why: str, off: str, refused: str | None) -> None:
    assert code(knocked(), 1, f"layoff / {off}") == refused
    if refused is None:
        hand = played(knocked(), f"layoff / {off}")
        assert hand.result is not None
        assert hand.result.seats[1].layoffs == laid(off)


WHY_NOT = [
    ("5s>0 8s>0", "8s cannot be laid onto 2s 3s 4s 5s: it takes the fourth"),
    ("Jh>1", "Jh cannot be laid onto 7h 8h 9h: it takes the fourth"),
    ("5s>0 Jh>3", "Jh cannot be laid onto meld 3: they are 0 to 2."),
    ("5s>0 As>0", "As cannot be laid off: it is not in your hand."),
    ("Jh>2 Jh>1", "Jh cannot be laid off: it is in your own meld, or laid off before."),
]


@pytest.mark.parametrize(("off", "told"), WHY_NOT, ids=[row[0] for row in WHY_NOT])
def test_a_lay_off_that_fails_is_named_and_so_is_what_it_fails_by(off: str, told: str) -> None:
    with pytest.raises(Refused) as caught:
        played(knocked(), f"layoff / {off}")
    assert caught.value.reason is Reason.BAD_LAYOFF
    assert caught.value.detail.startswith(told)


def test_r11_six_then_seven_onto_3_4_5() -> None:
    hand = start("3s 4s 5s Jd Jc Js Qd Qc Qs Ks", "6s 7s 8h 9h 2c 2h Kd Kc Kh 9d", up="7d", stock="Ah")
    hand = played(hand, "draw stock", "knock Ks: 3s 4s 5s | Js Jd Jc | Qs Qd Qc")
    assert code(hand, 1, "layoff / 7s>0 6s>0") == "bad_layoff"
    done = played(hand, "layoff Kd Kc Kh / 6s>0 7s>0")
    assert ending(done) == ("knock", 0, 0, 8 + 9 + 2 + 2 + 9 - 1)


def test_r11_a_card_laid_off_stays_and_is_in_no_own_meld() -> None:
    hand = knocked("5s 5h 5d 8s Tc 6c 2c 2h Kd Kc")
    assert code(hand, 1, "layoff 5s 5h 5d / 5s>0") == "bad_layoff"
    assert code(hand, 1, "layoff 5s 5h 5d / ?") is None
    assert code(hand, 1, "layoff / 5s>0") is None


def test_r11_what_is_left_out_is_the_best_beside_what_is_given() -> None:
    hand = knocked("5s 5h 5d 8s Tc 6c 2c 2h Kd Kc")
    best = played(hand, "layoff ? / ?")
    own = played(hand, "layoff 5s 5h 5d / ?")
    none = played(hand, "layoff / ?")
    off = played(hand, "layoff ? / 5s>0")
    nothing = played(hand, "layoff /")
    left = [one.result.seats[1].deadwood for one in (best, own, none, off, nothing) if one.result]
    assert left == [48, 48, 58, 58, 63]


def test_r11_own_melds_first_is_not_always_the_best() -> None:
    hand = start("5s 6s 7s 5h 6h 7h Jd Jc Js Ks", "8s 8h 8d 9s 9h 2c 2d Kd Kc 4c", up="Kh", stock="Ad")
    hand = played(hand, "draw stock", "knock Ks")
    done = played(hand, "layoff")
    assert done.result is not None
    assert (done.result.seats[1].melds, done.result.seats[1].deadwood) == ((), 8 + 2 + 2 + 10 + 10 + 4)
    assert done.result.points == 36 - 1


@pytest.mark.parametrize("own", ["5s 5h", "5s 5h 5d 8s", "5s 5h 5c", "5s 5h 5d | 5s 5h 5d"])
def test_r11_own_melds_must_be_valid(own: str) -> None:
    assert code(knocked("5s 5h 5d 8s Tc 6c 2c 2h Kd Kc"), 1, f"layoff {own} / ?") == "bad_melds"


# R12


@pytest.mark.parametrize(
    ("loose", "drawn", "expected"),
    [
        ("Kh", "6s", ("knock", 0, 0, 4)),
        ("7s", "6s", ("knock", 0, 0, 1)),
        ("6h", "6s", ("undercut", 1, 0, 31)),  # Laid off onto 7h-9h: nothing is left.
        ("6d", "6s", ("undercut", 1, 0, 25)),
        ("5h", "6s", ("undercut", 1, 0, 26)),
        ("Ah", "Tc", ("undercut", 1, 0, 34)),
        ("Th", "Tc", ("undercut", 1, 0, 35)),  # Laid off likewise.
        ("Kh", "Tc", ("undercut", 1, 0, 25)),
    ],
)
def test_r12_equal_or_lower_is_an_undercut_else_the_difference(
    loose: str, drawn: str, expected: tuple[object, ...]
) -> None:
    hand = start(other=f"{OTHER[:-3]} {loose}", up="Kc", stock=drawn)
    assert ending(played(hand, "draw stock", "knock Ks", "layoff")) == expected


def test_r12_reaching_nothing_by_lay_offs_is_an_undercut_like_any_other() -> None:
    hand = start(other="2d 3d 4d 7c 8c 9c Qd Qc Qs Jh", up="Kc", stock="6s")
    assert ending(played(hand, "draw stock", "knock Ks", "layoff")) == ("undercut", 1, 0, 25 + 6)
