"""The rule book: what a seat may do now, and why it may not do the rest."""

from ginapi.errors import Reason, Refused
from ginapi.game.cards import DECK, SUIT_MASK, VALUES, Mask, card_text, cards_of, for_each_holding, mask_of, value_of
from ginapi.game.defence import can_be_laid, union
from ginapi.game.melds import deadwood, is_meld
from ginapi.game.moves import Discard, Draw, Knock, LayOff, Move, Pass
from ginapi.game.position import Hand, Phase
from ginapi.game.rules import Rules


def check(hand: Hand, seat: int, move: Move) -> None:
    """The rule book: raises `Refused` with the first reason for which the move cannot be made."""
    if (hand.turn != seat or _PHASE_OF[type(move)] != hand.phase) and not _takes_offered(hand, seat, move):
        check_turn(hand, seat)
        raise _out_of_phase(hand, move)
    if isinstance(move, Draw):
        if hand.stock_only and move == _TAKE:  # R3
            raise Refused(Reason.WRONG_PHASE, "Both seats have passed the face-up card: draw from the stock.")
    elif isinstance(move, _SHEDDING):
        card = move.card
        if not hand.cards[seat] >> card & 1:
            raise Refused(Reason.CARD_NOT_IN_HAND, f"{card_text(card)} is not in your hand: shed a card that you hold.")
        if card == hand.just_taken:  # R5
            raise Refused(
                Reason.CARD_JUST_TAKEN, f"{card_text(card)} was just taken from the discard pile: shed another card."
            )
        if isinstance(move, Knock):
            check_declared(hand.cards[seat] ^ 1 << card, move.melds, hand.deal.rules)
    elif isinstance(move, LayOff):
        _check_layoff(hand, hand.cards[seat], move)


def _takes_offered(hand: Hand, seat: int, move: Move) -> bool:
    """Whether the move takes the first face-up card from an offer of it: the one draw outside its phase (R3)."""
    return hand.turn == seat and hand.phase == "offer" and move == _TAKE


def check_turn(hand: Hand, seat: int) -> None:
    """Raises `Refused` where whatever the seat might do could not be done, for the hand is over or the other's turn."""
    if hand.phase == "finished":
        raise Refused(Reason.HAND_OVER, "The hand is over: ask for the next one.")
    if hand.turn != seat:
        raise Refused(Reason.NOT_YOUR_TURN, "It is the other seat's turn: wait until it has moved.")


def _out_of_phase(hand: Hand, move: Move) -> Refused:
    verb, due = _VERB_OF[type(move)], _DUE_IN[hand.phase]
    if hand.phase == "offer" and isinstance(move, Draw):
        verb = "draw from the stock"
    return Refused(Reason.WRONG_PHASE, f"You cannot {verb} now: it is time to {due}.")


_SHEDDING = (Discard, Knock)
_PHASE_OF: dict[type, Phase] = {
    Draw: "draw",
    Pass: "offer",
    Discard: "discard",
    Knock: "discard",
    LayOff: "layoff",
}
_VERB_OF = {Draw: "draw", Pass: "pass", Discard: "discard", Knock: "knock", LayOff: "lay off"}
_DUE_IN = {
    "offer": "take the face-up card or pass",
    "draw": "draw",
    "discard": "discard or knock",
    "layoff": "lay off",
}


def _shown(cards: Mask) -> str:
    return " ".join(card_text(card) for card in cards_of(cards))


def _check_melds(cards: Mask, melds: tuple[Mask, ...]) -> None:
    """Own melds: each a meld, no card in two of them, all of them held (R6, R9)."""
    free = cards
    for meld in melds:
        shown = _shown(meld)
        if not is_meld(meld):
            raise Refused(Reason.BAD_MELDS, f"{shown or 'No card'} is neither a set of 3 or 4 nor a run of 3 or more.")
        if meld & free != meld:
            raise Refused(Reason.BAD_MELDS, f"{shown} cannot be laid: each card must be held, and in one meld only.")
        free ^= meld


def check_declared(kept: Mask, melds: tuple[Mask, ...] | None, rules: Rules) -> None:
    """Whether the ten cards kept may be knocked with: in this layout, or in the best where None is given (R8, R9)."""
    if melds is None:
        left = deadwood(kept)
    else:
        _check_melds(kept, melds)
        left = value_of(kept & ~union(melds))
    if left > rules.knock_limit:
        raise Refused(Reason.TOO_MUCH_DEADWOOD, f"Deadwood would be {left}; the knock limit is {rules.knock_limit}.")


def _check_layoff(hand: Hand, cards: Mask, move: LayOff) -> None:
    assert hand.knock is not None
    melds, layoffs = move.melds or (), move.layoffs or ()
    _check_melds(cards, melds)
    free = cards & ~union(melds)
    for count, laid_off in enumerate(layoffs, 1):
        card = card_text(laid_off.card)
        if not cards >> laid_off.card & 1:
            raise Refused(Reason.BAD_LAYOFF, f"{card} cannot be laid off: it is not in your hand.")
        if not free >> laid_off.card & 1:
            raise Refused(Reason.BAD_LAYOFF, f"{card} cannot be laid off: it is in your own meld, or laid off before.")
        free ^= 1 << laid_off.card
        if not 0 <= laid_off.onto < len(hand.knock.melds):
            most = len(hand.knock.melds) - 1
            raise Refused(Reason.BAD_LAYOFF, f"{card} cannot be laid onto meld {laid_off.onto}: they are 0 to {most}.")
        if not can_be_laid(hand.knock.melds, layoffs[:count]):
            before = mask_of(one.card for one in layoffs[: count - 1] if one.onto == laid_off.onto)
            onto = _shown(hand.knock.melds[laid_off.onto] | before)
            why = "it takes the fourth card of a set, or the next at either end of a run, in the order given"
            raise Refused(Reason.BAD_LAYOFF, f"{card} cannot be laid onto {onto}: {why}.")


_SPADES, _HEARTS, _DIAMONDS, _CLUBS = (
    for_each_holding([Discard(card) for card in DECK[at : at + 13]]) for at in (0, 13, 26, 39)
)
_TAKE = Draw("discard")
_DRAWS: tuple[Move, ...] = (Draw("stock"), _TAKE)
_STOCK_ALONE: tuple[Move, ...] = (Draw("stock"),)
_OFFERED: tuple[Move, ...] = (_TAKE, Pass())
_BARE_LAYOFF: tuple[Move, ...] = (LayOff(),)
_KNOCKS = tuple(Knock(card) for card in range(52))


def legal_moves(hand: Hand, seat: int) -> tuple[Move, ...]:
    """What the seat may do now: an entry for each draw or pass, card to discard or knock with, or one bare lay-off."""
    if hand.turn != seat:
        return ()
    phase = hand.phase
    if phase == "draw":
        return _STOCK_ALONE if hand.stock_only else _DRAWS
    if phase != "discard":
        return _OFFERED if phase == "offer" else _BARE_LAYOFF
    cards = hand.cards[seat]
    may_shed = cards if hand.just_taken is None else cards ^ 1 << hand.just_taken  # R5
    discards = (
        _SPADES[may_shed & SUIT_MASK]
        + _HEARTS[may_shed >> 13 & SUIT_MASK]
        + _DIAMONDS[may_shed >> 26 & SUIT_MASK]
        + _CLUBS[may_shed >> 39]
    )
    # Shedding a card takes at most its value off the least deadwood of all eleven, and no card is worth more than 10.
    limit = hand.deal.rules.knock_limit
    least = deadwood(cards)
    if least > limit + 10:
        return discards
    return discards + tuple(
        _KNOCKS[card]
        for card in cards_of(may_shed)
        if least - VALUES[card] <= limit and deadwood(cards ^ 1 << card) <= limit
    )
