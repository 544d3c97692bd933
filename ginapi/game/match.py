"""Hands until the target: who opens, how scores add up, who has won."""

from ginapi.game.rules import Rules
from ginapi.game.score import Result


def next_opener(opener: int, result: Result, rules: Rules) -> int:
    """The seat that opens next, after a hand that `opener` opened: the other, but for a wash by some rules (R2)."""
    return opener if rules.wash_keeps_opener and result.kind == "wash" else 1 - opener


def add_up(scores: tuple[int, int], result: Result) -> tuple[int, int]:
    """The match's scores after a hand (R15)."""
    if result.winner is None:
        return scores
    added = [result.points if seat == result.winner else 0 for seat in (0, 1)]
    return scores[0] + added[0], scores[1] + added[1]


def winner_of(scores: tuple[int, int], target: int) -> int | None:
    """The seat that has won the match: first to the target or more (R15); only one scores in a hand."""
    return next((seat for seat in (0, 1) if scores[seat] >= target), None)
