"""One hand of gin rummy: dealt, played move by move, finished."""

from functools import partial

from ginapi.errors import Reason, Refused
from ginapi.game.cards import Card, Mask, mask_of, value_of
from ginapi.game.defence import best_defence, union
from ginapi.game.legality import check, check_turn, legal_moves
from ginapi.game.melds import best_layout
from ginapi.game.moves import Discard, Draw, Knock, LayOff, Move, Pass
from ginapi.game.position import Deal, Declared, Hand, Phase
from ginapi.game.rules import HOUSE, Rules
from ginapi.game.score import Kind, Result, showdown, unscored

__all__ = [
    "Deal",
    "Declared",
    "Hand",
    "Phase",
    "as_made",
    "check",
    "check_turn",
    "deal",
    "leave",
    "legal_moves",
    "play",
    "void",
]


def deal(deck: tuple[Card, ...], opener: int, rules: Rules = HOUSE) -> Hand:
    """A fresh hand: cards go out one at a time, the opener first, then one face up (R1, R3)."""
    if sorted(deck) != list(range(52)):
        raise ValueError("A deck is the 52 cards, each once.")
    dealt = 2 * rules.hand_size
    by_turn = mask_of(deck[:dealt:2]), mask_of(deck[1:dealt:2])
    return Hand(
        deal=Deal(deck, opener, rules),
        version=0,
        phase="offer" if rules.upcard_offer else "draw",
        turn=opener,
        cards=by_turn if opener == 0 else (by_turn[1], by_turn[0]),
        known=(0, 0),
        stock_at=dealt + 1,
        pile=(deck[dealt],),
    )


def play(hand: Hand, seat: int, move: Move) -> Hand:
    """The hand after the move. Raises `Refused` as `check` does."""
    check(hand, seat, move)
    if isinstance(move, Draw):
        return _draw(hand, seat, move)
    if isinstance(move, Discard):
        return _discard(hand, seat, move.card)
    if isinstance(move, Knock):
        return _knock(hand, seat, move)
    if isinstance(move, Pass):
        return _pass(hand, seat)
    return _lay_off(hand, seat, move)


def as_made(move: Move, after: Hand) -> Move:
    """The move with everything that the table filled in, as `after`, the hand it led to, shows it."""
    if isinstance(move, Knock):
        assert after.knock is not None
        return Knock(move.card, after.knock.melds)
    if isinstance(move, LayOff):
        assert after.result is not None and after.knock is not None
        answer = after.result.seats[1 - after.knock.seat]
        return LayOff(answer.melds, answer.layoffs)
    return move


def leave(hand: Hand, seat: int) -> Hand:
    """The hand as it ends when the seat gets up: the other one wins it, without points (R28)."""
    if seat not in (0, 1):
        raise ValueError(f"There is no seat {seat}.")
    return _broken_off(hand, "left", 1 - seat)


def void(hand: Hand) -> Hand:
    """The hand as it ends when the house calls it off: nobody wins it."""
    return _broken_off(hand, "void", None)


def _broken_off(hand: Hand, kind: Kind, winner: int | None) -> Hand:
    if hand.phase == "finished":
        raise Refused(Reason.HAND_OVER, "The hand is over.")
    knocker = None if hand.knock is None else hand.knock.seat
    result = unscored(kind, winner, hand.cards, hand.deal.rules, knocker, hand.just_taken)
    return _finished(hand, hand.cards, hand.known, hand.pile, result, hand.knock)


def _with(pair: tuple[Mask, Mask], seat: int, mask: Mask) -> tuple[Mask, Mask]:
    return (mask, pair[1]) if seat == 0 else (pair[0], mask)


# A turn is a draw and a discard: these two are most of every hand. So they take the tuple apart at once, and build the
# next one without the call in between.
_next_hand = partial(tuple.__new__, Hand)


def _draw(hand: Hand, seat: int, move: Draw) -> Hand:
    dealt, version, _, _, cards, known, stock_at, pile, _, _, pile_draws, _, _, _ = hand
    if move.from_ == "stock":
        card = dealt.deck[stock_at]
        taken, stock_at, pile_draws = None, stock_at + 1, 0
    else:
        card = taken = pile[-1]
        pile, pile_draws = pile[:-1], pile_draws + 1
        known = _with(known, seat, known[seat] | 1 << card)
    held = cards[seat] | 1 << card
    cards = (held, cards[1]) if seat == 0 else (cards[0], held)
    return _next_hand(
        (dealt, version + 1, "discard", seat, cards, known, stock_at, pile, taken, card, pile_draws, None, None, 0)
    )


def _discard(hand: Hand, seat: int, card: Card) -> Hand:
    dealt, version, _, _, cards, known, stock_at, pile, _, _, pile_draws, _, _, _ = hand
    left = ~(1 << card)
    held = cards[seat] & left
    cards = (held, cards[1]) if seat == 0 else (cards[0], held)
    if known[seat]:
        known = _with(known, seat, known[seat] & left)
    pile = (*pile, card)
    rules = dealt.rules
    # R13, R13b: the next turn would begin with too little in the stock, or after too many draws from the pile.
    if len(dealt.deck) - stock_at <= rules.stock_left_at_wash or pile_draws >= rules.pile_draws_at_wash:
        return _finished(hand, cards, known, pile, unscored("wash", None, cards, rules))
    return _next_hand(
        (dealt, version + 1, "draw", 1 - seat, cards, known, stock_at, pile, None, None, pile_draws, None, None, 0)
    )


def _pass(hand: Hand, seat: int) -> Hand:
    """R3: the offer goes to the other seat; where that has passed it too, the opener begins the play."""
    phase: Phase = "draw" if hand.passes else "offer"
    return hand._replace(version=hand.version + 1, phase=phase, turn=1 - seat, passes=hand.passes + 1)


def _knock(hand: Hand, seat: int, move: Knock) -> Hand:
    left = ~(1 << move.card)
    cards = _with(hand.cards, seat, hand.cards[seat] & left)
    known = _with(hand.known, seat, hand.known[seat] & left)
    pile = (*hand.pile, move.card)  # R8: face up on the pile.
    melds = best_layout(cards[seat]) if move.melds is None else move.melds  # R9
    dead = cards[seat] & ~union(melds)
    knock = Declared(seat, melds, dead, value_of(dead))
    if knock.deadwood == 0:  # R10: gin ends the hand at once, with no lay-offs.
        gin = showdown(seat, cards[seat], melds, cards[1 - seat], rules=hand.deal.rules)
        return _finished(hand, cards, known, pile, gin, knock)
    return Hand(
        hand.deal,
        hand.version + 1,
        "layoff",
        1 - seat,
        cards,
        known,
        hand.stock_at,
        pile,
        None,
        None,
        hand.pile_draws,
        knock,
        None,
    )


def _lay_off(hand: Hand, seat: int, move: LayOff) -> Hand:
    assert hand.knock is not None
    knocker, melds = hand.knock.seat, hand.knock.melds
    defence = best_defence(hand.cards[seat], melds, move.melds, move.layoffs)
    result = showdown(knocker, hand.cards[knocker], melds, hand.cards[seat], defence, hand.deal.rules)
    return _finished(hand, hand.cards, hand.known, hand.pile, result, hand.knock)


def _finished(
    hand: Hand,
    cards: tuple[Mask, Mask],
    known: tuple[Mask, Mask],
    pile: tuple[Card, ...],
    result: Result,
    knock: Declared | None = None,
) -> Hand:
    return Hand(
        hand.deal,
        hand.version + 1,
        "finished",
        None,
        cards,
        known,
        hand.stock_at,
        pile,
        None,
        None,
        hand.pile_draws,
        knock,
        result,
    )
