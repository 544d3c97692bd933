"""The house rules in words, numbered as everywhere in the project, with every number filled in."""

from dataclasses import dataclass
from typing import Any

from ginapi.game.cards import DECK, RANKS, VALUES
from ginapi.game.rules import HOUSE, Rules
from ginapi.game.terms import HOUSE_TERMS, Terms

SEATS = 2


@dataclass(frozen=True, slots=True)
class Entry:
    """One statement of the rules; `reading` marks what we chose where the published rules are silent."""

    id: str
    text: str
    reading: bool = False


def stock_after_deal(rules: Rules) -> int:
    """Cards left in the stock once both hands and the face-up discard are dealt (R1)."""
    return len(DECK) - SEATS * rules.hand_size - 1


def values(rules: Rules = HOUSE, terms: Terms = HOUSE_TERMS) -> dict[str, Any]:
    """Every number of the rules by name; lengths of time in the unit that ends the name."""
    return {
        "seats": SEATS,
        "deck_cards": len(DECK),
        "hand_size": rules.hand_size,
        "stock_after_deal": stock_after_deal(rules),
        "card_values": {rank: VALUES[index] for index, rank in enumerate(RANKS)},
        "knock_limit": rules.knock_limit,
        "gin_bonus": rules.gin_bonus,
        "undercut_bonus": rules.undercut_bonus,
        "stock_left_at_wash": rules.stock_left_at_wash,
        "pile_draws_at_wash": rules.pile_draws_at_wash,
        "target": rules.target,
        "upcard_offer": rules.upcard_offer,
        "wash_keeps_opener": rules.wash_keeps_opener,
        "coin_move_ms": terms.coin_move_ms,
        "online_move_ms": terms.online_move_ms,
        "grace_ms": terms.grace_ms,
        "computer_turn_ms": terms.computer_turn_ms,
        "deal_after_ms": terms.deal_after_ms,
        "misses_at_full_time": terms.misses_at_full_time,
        "welcome_coins": terms.welcome_coins,
        "stakes_coins": list(terms.stakes_coins),
        "stake_step_coins": terms.stake_step_coins,
        "leaving_fee_percent": terms.leaving_fee_percent,
        "refill_after_hours": terms.refill_after_hours,
    }


def seconds(length_ms: int) -> str:
    """A length of time as a player reads it: `90 seconds`, `0.5 seconds`, `1 second`."""
    return "1 second" if length_ms == 1000 else f"{length_ms / 1000:g} seconds"


def coins(amounts: tuple[int, ...]) -> str:
    """Amounts of coins as a player reads them: `50, 100 and 1,000`."""
    texts = [f"{amount:,}" for amount in amounts]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def rulebook(rules: Rules = HOUSE, terms: Terms = HOUSE_TERMS) -> tuple[Entry, ...]:
    """The rules in order. A rule that is part published and part our reading has an entry for each part."""
    return (*_the_hand(rules), *_the_match(rules, terms), *_the_clock(terms), *_tables_and_coins(terms))


def _rule(number: str, published: str = "", ours: str = "") -> tuple[Entry, ...]:
    parts = (Entry(number, published), Entry(number, ours, reading=True))
    return tuple(part for part in parts if part.text)


def _the_hand(rules: Rules) -> tuple[Entry, ...]:
    return (
        *_rule(
            "R1",
            f"Two seats play with one deck of {len(DECK)} cards. Each is dealt {rules.hand_size}, one more is turned "
            f"face up as the first discard, and the other {stock_after_deal(rules)} are the stock.",
        ),
        *_rule(
            "R2",
            "The person who sat down first opens the first hand; after that the opener alternates, hand by hand.",
            "A wash counts as a hand for this, but not by the rules of contests, which a practice table may be opened "
            "with: there the seat that opened it opens again. A practice table may let the computer begin.",
        ),
        *_rule(
            "R3",
            ours="The first face-up card is offered to nobody apart from the play: the opener starts a turn and may "
            "take it like any other. By the rules of contests it is offered first: the opener takes it, and sheds as "
            "always, or passes; then the other seat is offered it. Where both pass, the opener has to draw from the "
            "stock, and play goes on as usual.",
        ),
        *_rule(
            "R4",
            "A turn: draw the top of the stock or take the top discard; then discard one card, or knock with it.",
        ),
        *_rule(
            "R5",
            "The card just taken from the discard pile cannot be the one shed in the same turn, neither by a discard "
            "nor by a knock.",
        ),
        *_rule(
            "R6",
            "A set is 3 or 4 cards of one rank; a run is 3 or more cards in a row in one suit. The Ace is low only: "
            "A-2-3 is a run, Q-K-A is not. A card is in one meld at most.",
        ),
        *_rule(
            "R7",
            "An Ace is worth 1, a face card 10, any other card its number. Deadwood is the value of the cards in no "
            "meld.",
        ),
        *_rule(
            "R8",
            f"A seat may knock when the {rules.hand_size} cards left after shedding can be laid out with deadwood of "
            f"{rules.knock_limit} or less.",
            "The card shed by a knock goes face up on the pile.",
        ),
        *_rule(
            "R9",
            ours=f"The knocker chooses the layout to declare: any valid one with deadwood of {rules.knock_limit} or "
            "less, the best or not. When none is given, the table declares a best one.",
        ),
        *_rule(
            "R10",
            f"Gin is a declared deadwood of 0. It scores {rules.gin_bonus} plus the deadwood of the other seat's best "
            "layout, and nothing may be laid off on it.",
            "Gin is never forced: a hand that could be gin but is declared otherwise is a knock.",
        ),
        *_rule(
            "R11",
            "After a knock the other seat lays out its own melds and lays cards off onto the knocker's: the fourth "
            "card of a set, or either end of a run.",
            "A card laid off can be built on, such as a 6 and then a 7 onto 3-4-5, and stays where it was laid. When "
            "no answer is given, the table plays the one that leaves the least deadwood over own melds and lay-offs "
            "together; laying out one's own best melds first is not always that.",
        ),
        *_rule(
            "R12",
            "After the lay-off: if the other seat's deadwood is equal to the knocker's or lower, it is an undercut, "
            f"and that seat scores {rules.undercut_bonus} plus the difference. Otherwise the knocker scores the "
            "difference. Coming down to 0 by lay-offs is an undercut like any other.",
        ),
        *_rule(
            "R13",
            f"If only {rules.stock_left_at_wash} cards remain in the stock when a draw is due, the hand is a wash: "
            "nobody scores, and there is a new deal.",
            "It is one as soon as a turn would begin so, before the discard could be taken. The last turn before it "
            "can still end in a knock or gin.",
        ),
        *_rule(
            "R13b",
            ours=f"When {rules.pile_draws_at_wash} draws in a row have been from the discard pile and none from the "
            "stock, the hand is a wash as the next turn would begin; the last of those who took may still knock. "
            "Otherwise two seats could trade discards for ever.",
        ),
        *_rule(
            "R14",
            f"With {rules.hand_size + 1} cards the least deadwood is asked over every card that may be shed: it is the "
            f"least of the {rules.hand_size}-card hands that remain, and not a best layout of all "
            f"{rules.hand_size + 1} without its dearest card.",
        ),
    )


def _the_match(rules: Rules, terms: Terms) -> tuple[Entry, ...]:
    return (
        *_rule(
            "R15",
            f"Scores add up over the hands. The first seat with {rules.target} or more wins the match; nothing else is "
            "added, neither boxes nor a game bonus.",
        ),
        *_rule(
            "R16",
            "After a hand that does not end the match, the next is dealt when either seat asks for it.",
            f"At a table with a clock the table deals by itself {seconds(terms.deal_after_ms)} after the hand ended, "
            "if nobody asked.",
        ),
    )


def _the_clock(terms: Terms) -> tuple[Entry, ...]:
    return (
        *_rule(
            "R17",
            f"At a coin table against the computer a player has up to {seconds(terms.coin_move_ms)} for each move, and "
            "the table shows the exact time left.",
            "A move is one decision: a draw, a discard or knock, a lay-off.",
        ),
        *_rule(
            "R18",
            "When the time runs out, the table plays that move on its merits: the move that the computer player `hard` "
            "would make from that seat, seeing only what that seat sees. Nobody is forfeited and nothing is charged; "
            "stake and payout are unchanged.",
        ),
        *_rule(
            "R19",
            f"Each of the first {terms.misses_at_full_time} moves missed in a row gets the full time. Once the last of "
            "them is missed, the rest of the hand runs at computer speed for that seat.",
            f"At that speed whatever the seat has to do in a turn, or a lay-off, is played "
            f"{seconds(terms.computer_turn_ms)} after it falls due, all at the same instant; the computer itself "
            "answers at once.",
        ),
        *_rule(
            "R20",
            "A move that the player makes puts the full time back, and the count of missed moves to zero.",
            "So does a new hand.",
        ),
        *_rule(
            "R21",
            "An online table between people runs a clock of its own, set when the table is opened and shown there; "
            f"{seconds(terms.online_move_ms)} for each move unless set otherwise.",
            f"The same {terms.misses_at_full_time} missed moves count there.",
        ),
        *_rule(
            "R22",
            "A practice table has no clock unless whoever opens it asks for one.",
            "A practice table with a clock closes after a hand in which its person made no move.",
        ),
        *_rule(
            "R23",
            ours="For the network, a move is taken until its deadline and a grace beyond it, "
            f"{seconds(terms.grace_ms)} (none at computer speed), by the time read once the table is held. That "
            "instant is when the move is due: the table's own move is recorded at it and the next clock starts at it, "
            "whenever it is worked out. So the record of a hand does not depend on who looked, or when.",
        ),
    )


def _tables_and_coins(terms: Terms) -> tuple[Entry, ...]:
    fee = terms.leaving_fee_percent
    return (
        *_rule("R24", "Practice needs no account and no coins."),
        *_rule(
            "R25",
            "A coin table needs an account, and a stake chosen before joining. Stakes come from a published list: "
            f"{coins(terms.stakes_coins)} coins.",
            f"Each stake is a multiple of {terms.stake_step_coins}.",
        ),
        *_rule(
            "R26",
            "Coins are whole numbers of no cash value. They cannot be cashed out, nor bought, sold or given away "
            "except by play, and whatever shows them says so.",
        ),
        *_rule(
            "R27",
            "Sitting down moves the stake into escrow and sets aside the leaving fee beside it, so that leaving can "
            "never leave a debt. The winner of the match is paid both stakes; the fee set aside goes back at the end.",
            "Against the computer the house puts up the other stake.",
        ),
        *_rule(
            "R28",
            f"Leaving an active coin game forfeits the stake and costs a further {fee} % of it. Losing a connection, "
            "closing an app or revoking a token is not leaving.",
            "The stake goes to the other seat and the fee to the house. Leaving is free while the table waits for its "
            "second player.",
        ),
        *_rule(
            "R29",
            f"A new account is granted {terms.welcome_coins:,} coins.",
            "An account whose coins, held ones included, cannot seat it at the smallest stake may ask for a refill up "
            f"to the grant, once in {terms.refill_after_hours} hours.",
        ),
    )
