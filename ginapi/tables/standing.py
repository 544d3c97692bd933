"""How an account has done at tables between people, and what the end of a match makes of it."""

from collections.abc import Mapping
from typing import NamedTuple

from ginapi.tables.rating import Met, Rating, after_idle, after_period
from ginapi.tables.values import Table

CLOCK_SHARE = 4
"""A seat that let the clock make more than one in so many of its moves cannot gain by that match, only lose."""
PROVISIONAL_DEVIATION = 110.0
"""A rating that is known less surely than this is provisional."""


class Standing(NamedTuple):
    """An account's record and rating. The deviation is that of the last rated match: `rating_at` has it as it grew."""

    rating: Rating = Rating()
    rated_ms: int | None = None
    """When the last match ended that moved the rating."""
    rated_count: int = 0
    played_count: int = 0
    won_count: int = 0
    left_count: int = 0
    """Of those lost, how many by leaving."""

    @property
    def lost_count(self) -> int:
        return self.played_count - self.won_count

    def rating_at(self, now_ms: int) -> Rating:
        """The rating, whose deviation has grown since the last rated match."""
        return self.rating if self.rated_ms is None else after_idle(self.rating, now_ms - self.rated_ms)


class Moves(NamedTuple):
    """How many moves were made for a seat in a match, and how many of them the clock made."""

    made: int
    by_clock: int


NO_MOVES = Moves(0, 0)


def is_counted(table: Table) -> bool:
    """Whether a match stands in the records of the accounts that played it: one that was decided, between people."""
    return table.kind == "online" and table.ended in ("target", "left")


def is_rated(table: Table) -> bool:
    """Whether a match moves ratings, if both seats are accounts'."""
    return is_counted(table) and table.fair and not table.private


def may_gain(moves: Moves) -> bool:
    """Whether a seat made enough of its moves itself to gain by the match."""
    return moves.by_clock * CLOCK_SHARE <= moves.made


def after_match(table: Table, before: Mapping[int, Standing], moves: Mapping[int, Moves]) -> dict[int, Standing]:
    """The standings of the seats that are accounts', after a match that counts; `before` has these alone."""
    after = {seat: _counted(table, seat, one) for seat, one in before.items()}
    if not is_rated(table) or len(before) < 2:
        return after
    at_ms = table.changed_ms
    # Each match is a rating period of its own: both are rated by what the other was before it.
    ratings = {seat: one.rating_at(at_ms) for seat, one in before.items()}
    for seat in (0, 1):
        has_won = table.winner == seat
        if has_won and not may_gain(moves.get(seat, NO_MOVES)):
            continue
        after[seat] = after[seat]._replace(
            rating=after_period(ratings[seat], [Met(ratings[1 - seat], float(has_won))]),
            rated_ms=max(at_ms, before[seat].rated_ms or 0),
            rated_count=before[seat].rated_count + 1,
        )
    return after


def _counted(table: Table, seat: int, before: Standing) -> Standing:
    has_won = table.winner == seat
    return before._replace(
        played_count=before.played_count + 1,
        won_count=before.won_count + has_won,
        left_count=before.left_count + (table.ended == "left" and not has_won),
    )
