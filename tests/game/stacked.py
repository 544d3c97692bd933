"""Stacked decks, and moves spelled as short text, so that a hand reads as it is played."""

from collections.abc import Iterable

from ginapi.game.cards import DECK, Card
from ginapi.game.hand import Hand, deal, play
from ginapi.game.moves import Discard, Draw, Knock, LayOff, Move, Pass, move_dict
from ginapi.game.rules import HOUSE, Rules
from tests.game.spelled import card, laid, melds

OPENER = "2s 3s 4s 7h 8h 9h Jd Jc Js Ks"
"""Nine cards in melds and a King: whatever the opener draws and keeps instead of it can be knocked with."""
OTHER = "2d 3d 4d 7c 8c 9c Qd Qc Qs Kh"
"""The same for the other seat."""


def stacked(opener: str = OPENER, other: str = OTHER, up: str = "", stock: str = "") -> tuple[Card, ...]:
    """A deck that deals these tens, this up-card and this top of the stock; the rest follows in the deck's order."""
    first, second = opener.split(), other.split()
    assert len(first) == len(second) == 10
    named = [one for pair in zip(first, second, strict=True) for one in pair] + up.split() + stock.split()
    rest = [one for one in DECK if one not in {card(text) for text in named}]
    if not up:
        # The last of the deck, a club, is no part of the hands above.
        named.insert(20, "Kc")
        rest.remove(card("Kc"))
    deck = (*(card(text) for text in named), *rest)
    assert sorted(deck) == list(DECK)
    return deck


def move(text: str) -> Move:
    """`draw stock`, `pass`, `discard Kd`, `knock Kd`, `knock Kd: 7s 7h 7d`, `layoff`, `layoff 9s 9h 9d / 5c>1`.

    Either part of a lay-off may be `?`, and is then left to the table.
    """
    action, _, rest = text.partition(" ")
    if action == "draw":
        return Draw("stock" if rest == "stock" else "discard")
    if action == "pass":
        return Pass()
    if action == "discard":
        return Discard(card(rest))
    if action == "knock":
        shed, given, declared = rest.partition(":")
        return Knock(card(shed), melds(declared) if given else None)
    own, given, off = rest.partition("/")
    if not given:
        return LayOff()
    return LayOff(None if "?" in own else melds(own), None if "?" in off else laid(off))


def played(hand: Hand, *moves: str) -> Hand:
    """The hand after these moves, each by the seat whose turn it is."""
    for text in moves:
        assert hand.turn is not None, f"the hand was over before {text!r}"
        hand = play(hand, hand.turn, move(text))
    return hand


def start(opener: str = OPENER, other: str = OTHER, up: str = "", stock: str = "", rules: Rules = HOUSE) -> Hand:
    """A fresh hand from a stacked deck, seat 0 opening."""
    return deal(stacked(opener, other, up, stock), 0, rules)


def spelled(moves: Iterable[Move]) -> list[str]:
    """Bare moves as they are spelled here, for comparing lists."""
    shown = [move_dict(one) for one in moves]
    return [" ".join([one["action"], *(one[name] for name in ("from", "card") if name in one)]) for one in shown]
