"""The clock of a table: how long a move may take, what is due when, and who has let it run out (R17–R23)."""

from typing import NamedTuple

MISSES_AT_FULL_TIME = 3
"""Missed moves in a row after which the rest of the hand runs at computer speed for that seat (R19)."""


class ClockTerms(NamedTuple):
    """The numbers that a table keeps from its opening on; all in milliseconds."""

    move_ms: int
    grace_ms: int
    """How long after its deadline a move is still taken, for the network (R23)."""
    computer_turn_ms: int
    """After how long a seat at computer speed is played for (R19)."""
    deal_after_ms: int
    """After how long the table deals the next hand by itself (R16)."""


class Gap(NamedTuple):
    """A time in which nobody could serve: no player could move, and no clock ran."""

    began_ms: int
    ended_ms: int

    @property
    def length_ms(self) -> int:
        return self.ended_ms - self.began_ms


class Clock(NamedTuple):
    """A table's clock at one moment. At most one of `deadline_ms` and `next_hand_at_ms` is set."""

    terms: ClockTerms
    missed: tuple[int, int] = (0, 0)
    """Moves that each seat missed in a row, in this hand (R20)."""
    acted: tuple[bool, bool] = (False, False)
    """Whether each seat has made a move itself in this hand."""
    deadline_ms: int | None = None
    """Until when the seat whose turn it is may move; the grace comes on top."""
    next_hand_at_ms: int | None = None

    def is_fast(self, seat: int) -> bool:
        """Whether the rest of the hand runs at computer speed for a seat (R19)."""
        return self.missed[seat] >= MISSES_AT_FULL_TIME

    def due_ms(self, turn: int | None) -> int | None:
        """When the table acts by itself: the instant that what it does then is recorded at (R23)."""
        if self.next_hand_at_ms is not None:
            return self.next_hand_at_ms
        if self.deadline_ms is None or turn is None:
            return None
        return self.deadline_ms if self.is_fast(turn) else self.deadline_ms + self.terms.grace_ms

    def started(self, turn: int | None, now_ms: int) -> "Clock":
        """The clock as a move falls due to a seat; stopped where it is nobody's turn."""
        if turn is None:
            return self.stopped()
        length_ms = self.terms.computer_turn_ms if self.is_fast(turn) else self.terms.move_ms
        return self._replace(deadline_ms=now_ms + length_ms, next_hand_at_ms=None)

    def stopped(self) -> "Clock":
        """The clock with nothing due."""
        return self._replace(deadline_ms=None, next_hand_at_ms=None)

    def between_hands(self, now_ms: int) -> "Clock":
        """The clock after a hand that did not end the match (R16)."""
        return self._replace(deadline_ms=None, next_hand_at_ms=now_ms + self.terms.deal_after_ms)

    def moved_by(self, gap: Gap) -> "Clock":
        """The clock after a gap in which it stood still."""
        deadline_ms, next_hand_at_ms = (
            None if at_ms is None else at_ms + gap.length_ms for at_ms in (self.deadline_ms, self.next_hand_at_ms)
        )
        return self._replace(deadline_ms=deadline_ms, next_hand_at_ms=next_hand_at_ms)

    def fresh(self) -> "Clock":
        """The clock of a new hand: nobody has missed a move in it (R20)."""
        return self._replace(missed=(0, 0), acted=(False, False))

    def answered_by(self, seat: int) -> "Clock":
        """The clock after a move that the seat made itself: the count goes back to zero (R20)."""
        acted = (True, self.acted[1]) if seat == 0 else (self.acted[0], True)
        return self._counted(seat, 0)._replace(acted=acted)

    def missed_by(self, seat: int) -> "Clock":
        """The clock after a move that the table made for the seat."""
        return self._counted(seat, self.missed[seat] + 1)

    def _counted(self, seat: int, count: int) -> "Clock":
        return self._replace(missed=(count, self.missed[1]) if seat == 0 else (self.missed[0], count))
