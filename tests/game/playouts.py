"""Random hands in several tempers, played by the core and kept on paper beside it."""

import random
from collections.abc import Iterator
from typing import Any

from ginapi.game.cards import card_text, parse_card
from ginapi.game.hand import Hand, deal, play
from ginapi.game.melds import deadwood, deadwood_after
from ginapi.game.moves import Knock, LayOff, move_from
from ginapi.game.moves import Move as CoreMove
from ginapi.game.rules import CONTEST, HOUSE
from tests import referee
from tests.game.spelled import mask, text_set
from tests.tally import Tally

Move = dict[str, Any]

# How often the seats take from the pile, shed what counts best, and knock when they may: from aimless, which ends in a
# wash, to keen, which ends in knocks; and traders, who all but never draw from the stock.
TEMPERS = [(0.5, 0.0, 0.02), (0.3, 0.9, 0.3), (0.3, 1.0, 1.0), (0.1, 1.0, 0.1), (0.995, 0.5, 0.05), (0.5, 0.7, 0.0)]


def as_listed(move: CoreMove) -> CoreMove:
    """The move as `legal_moves` lists it."""
    match move:
        case Knock(card, _):
            return Knock(card)
        case LayOff():
            return LayOff()
    return move


def shuffled_deck(chance: random.Random) -> list[str]:
    return chance.sample(referee.DECK, 52)


def play_out(chance: random.Random) -> Iterator[tuple[Hand, Tally, tuple[int, Move] | None]]:
    """Every state of one random hand, and the move that led to it (None for the deal); a third by contest rules."""
    deck, opener, temper = shuffled_deck(chance), chance.randrange(2), chance.choice(TEMPERS)
    rules = chance.choice([HOUSE, HOUSE, CONTEST])
    hand = deal(tuple(parse_card(text) for text in deck), opener, rules)
    tally = Tally(deck, opener, contest=rules is CONTEST)
    yield hand, tally, None
    while hand.turn is not None:
        seat, move = hand.turn, choose(chance, hand, tally, temper)
        hand = play(hand, seat, move_from(move))
        tally.apply(seat, move)
        if move["action"] == "knock" and "melds" not in move and hand.knock is not None:
            tally.declared_as([text_set(meld) for meld in hand.knock.melds])
        yield hand, tally, (seat, move)


def choose(chance: random.Random, hand: Hand, tally: Tally, temper: tuple[float, float, float]) -> Move:
    """A legal move, some of them with melds and lay-offs given."""
    pile, keen, bold = temper
    assert hand.turn is not None
    if hand.phase in ("offer", "draw"):
        if chance.random() < pile and tally.passed < 2:
            return {"action": "draw", "from": "discard"}
        return {"action": "pass"} if hand.phase == "offer" else {"action": "draw", "from": "stock"}
    held = tally.hands[hand.turn]
    if hand.phase == "layoff":
        return chance.choice(good_answers(chance, held, tally))
    may_shed = sorted(held - {tally.just_taken})
    after = deadwood_after(mask(held), mask(may_shed))
    best = card_text(min(after, key=after.__getitem__))
    if deadwood(mask(held - {best})) <= 10 and chance.random() < bold:
        return chance.choice(good_knocks(chance, held, best))
    return {"action": "discard", "card": best if chance.random() < keen else chance.choice(may_shed)}


def good_knocks(chance: random.Random, held: set[str], shed: str) -> list[Move]:
    """Knocks with one card: bare, with a best layout, and with some layout that is not too dear."""
    kept = held - {shed}
    layouts = [list(melds) for melds, left in referee.layouts(kept) if left <= 10]
    return [{"action": "knock", "card": shed}, *(knock(chance, shed, melds) for melds in chance.sample(layouts, 1))]


def knock(chance: random.Random, shed: str, melds: list[referee.Cards]) -> Move:
    return {"action": "knock", "card": shed, "melds": [chance.sample(sorted(meld), len(meld)) for meld in melds]}


def good_answers(chance: random.Random, held: set[str], tally: Tally) -> list[Move]:
    """Lay-offs that hold: bare, each part alone, and both."""
    assert tally.declared is not None
    own = [sorted(meld) for meld in chance.choice([melds for melds, _ in referee.layouts(held)])]
    loose = held - {card for meld in own for card in meld}
    off = layoff_dicts(chance.choice(referee.answers(loose, tally.declared, ())).layoffs)
    any_off = layoff_dicts(chance.choice(referee.answers(held, tally.declared, ())).layoffs)
    return [
        {"action": "layoff"},
        {"action": "layoff", "melds": own},
        {"action": "layoff", "layoffs": any_off},
        {"action": "layoff", "melds": own, "layoffs": off},
    ]


def layoff_dicts(layoffs: tuple[referee.LaidOff, ...]) -> list[dict[str, Any]]:
    return [{"card": card, "onto": onto} for card, onto in layoffs]
