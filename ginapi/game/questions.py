"""What players ask before and after a hand, answered from the house rules."""

from dataclasses import dataclass

from ginapi.game.cards import DECK
from ginapi.game.rulebook import coins, seconds, stock_after_deal
from ginapi.game.rules import HOUSE, Rules
from ginapi.game.terms import HOUSE_TERMS, Terms


@dataclass(frozen=True, slots=True)
class Question:
    """A question and its answer, as they are published."""

    question: str
    answer: str


def questions(rules: Rules = HOUSE, terms: Terms = HOUSE_TERMS) -> tuple[Question, ...]:
    """The common questions, those about a hand first."""
    asked = (*_about_a_hand(rules), *_about_the_deck(), *_about_time_and_coins(terms))
    return tuple(Question(question, answer) for question, answer in asked)


def _about_a_hand(rules: Rules) -> tuple[tuple[str, str], ...]:
    return (
        (
            "How many cards are dealt?",
            f"{rules.hand_size} to each of the two seats, and one face up to begin the discard pile. The other "
            f"{stock_after_deal(rules)} of the {len(DECK)} are the stock. (R1)",
        ),
        (
            "When can you knock?",
            "In your own turn, after drawing, when the cards you keep can be laid out with deadwood of "
            f"{rules.knock_limit} or less. You shed one card with the knock; it cannot be the one you have just taken "
            "from the discard pile. (R5, R8)",
        ),
        (
            "How is a hand scored, and the match won?",
            f"Gin scores {rules.gin_bonus} plus the other seat's deadwood. A knock scores the difference between the "
            "two deadwoods after lay-offs, unless it is undercut: then the other seat scores "
            f"{rules.undercut_bonus} plus the difference. Scores add up over hands, and the first to {rules.target} "
            "or more wins, unless the table was opened with another target. (R10, R12, R15)",
        ),
        (
            "What is an undercut?",
            "When you knock and the other seat, after laying off, has as little deadwood as you or less. It scores "
            f"{rules.undercut_bonus} plus the difference, so an equal count gives it {rules.undercut_bonus}. (R12)",
        ),
        (
            "May I lay off on gin?",
            "No. Against gin your own best layout is counted, and nothing is laid off. (R10)",
        ),
        (
            "Do I have to work out my melds and lay-offs?",
            "No. Leave them out and the table plays a best layout, or the answer to a knock that leaves you the least "
            "deadwood. Name them and the table plays exactly what you named, if the rules allow it. (R9, R11)",
        ),
        (
            "Is the Ace high?",
            "No. It is low only and worth 1: A-2-3 is a run, Q-K-A is not. (R6, R7)",
        ),
        (
            "What is a wash?",
            f"A hand that nobody wins: a turn would begin with only {rules.stock_left_at_wash} cards in the stock, or "
            f"the last {rules.pile_draws_at_wash} draws were all from the discard pile. Nobody scores, and the next "
            "hand is dealt with the other seat to open. (R2, R13, R13b)",
        ),
        (
            "Can I practise by the rules of contests?",
            'Yes: open a practice table with {"rules": "contest"}. There the first face-up card is offered to the '
            "opener, who takes it or passes, and then to the other seat; where both pass, the opener draws from the "
            "stock. And whoever opened a wash opens the next hand too. All else is as at every table. (R2, R3)",
        ),
    )


def _about_the_deck() -> tuple[tuple[str, str], ...]:
    return (
        (
            "Does the computer see my cards?",
            "No. It is shown what a person in its seat would see: its own cards, the discard pile, how many cards are "
            "left, and those of yours that you took from the pile in front of it.",
        ),
        (
            "How do I know that the deck was not changed during the hand?",
            "From the deal on, every hand shows a commitment: the SHA-256 of its id, a secret salt and the whole deck "
            "in order. When the hand is over, the result shows salt and deck. Hash them yourself: if the two agree, "
            "the deck was fixed before the first move.",
        ),
    )


def _about_time_and_coins(terms: Terms) -> tuple[tuple[str, str], ...]:
    misses = terms.misses_at_full_time
    return (
        (
            "What happens when time runs out?",
            "The table plays that one move for you, as well as it can and seeing only what you see; you forfeit "
            f"nothing and the stake is unchanged. You get the full time again for each of the first {misses} moves "
            f"missed in a row. After {misses} misses in a row the rest of the hand runs at computer speed for your "
            f"seat, {seconds(terms.computer_turn_ms)} a turn, which in practice finishes the hand. One move of your "
            "own puts the full clock back. A practice table has no clock unless whoever opens it asks for one: there "
            "you have all the time you like. (R18, R19, R20, R22)",
        ),
        (
            "How long do I have for a move?",
            "At a practice table as long as you like, unless a clock was asked for. At a coin table against the "
            f"computer {seconds(terms.coin_move_ms)}; at an online table what was set when it was opened, "
            f"{seconds(terms.online_move_ms)} if nothing was. (R17, R21, R22)",
        ),
        (
            "What are coins worth?",
            "Nothing in cash. They cannot be cashed out, nor bought, sold or given away except by play. Practice needs "
            f"none; where coins are played for, the stakes are {coins(terms.stakes_coins)}. (R24, R25, R26)",
        ),
        (
            "What does leaving cost?",
            "At a practice table nothing: the other seat wins the match, and that is all. In a coin game it costs the "
            f"stake and a further {terms.leaving_fee_percent} % of it. A lost connection is not leaving. (R28)",
        ),
        (
            "Which tables are there?",
            "Practice tables against the computer, at three levels, without an account, and with a clock if you ask "
            "for one; tables for coins against the computer at its best, for an account; and tables between people, "
            "public or by invite, for a stake or for none. (R17, R21, R22, R24, R25)",
        ),
    )
