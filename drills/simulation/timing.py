"""The clock of one table, kept beside the service's from its log alone: what may happen when (R16 to R23)."""

from drills.simulation.world import Found
from ginapi.tables.clock import ClockTerms

MISSES_AT_FULL_TIME = 3
SLACK_MS = 1_000
"""Between a move and the look at it others may come first."""


class Timing:
    """When the next decision is due, and when the next deal; None for a table without a clock."""

    def __init__(self, terms: ClockTerms | None, name: str) -> None:
        self._terms = terms
        self._name = name
        self._missed = [0, 0]
        self.has_acted = [False, False]
        """Whether each seat has made a move itself in the hand."""
        self.due_ms: int | None = None
        self._length_ms = 0
        self._served_ms: int | None = None
        """For how long somebody had served as the decision fell due, where that was seen as it happened."""

    @property
    def is_kept(self) -> bool:
        """Whether the table has a clock."""
        return self._terms is not None

    def is_fast(self, seat: int) -> bool:
        return self._missed[seat] >= MISSES_AT_FULL_TIME

    def deal(self) -> None:
        """A new hand: nobody has missed anything in it."""
        self._missed = [0, 0]
        self.has_acted = [False, False]

    def start(self, seat: int, at_ms: int, served_ms: int | None) -> None:
        """A decision falls due to a seat."""
        if self._terms is None:
            return
        terms = self._terms
        self._length_ms = terms.computer_turn_ms if self.is_fast(seat) else terms.move_ms + terms.grace_ms
        self.due_ms = at_ms + self._length_ms
        self._served_ms = served_ms

    def go_on(self, at_ms: int) -> None:
        """The rest of a turn that the table plays at computer speed is due at the same instant (R19)."""
        self.due_ms = at_ms
        self._served_ms = None

    def stop(self) -> None:
        self.due_ms = self._served_ms = None

    def between_hands(self, at_ms: int) -> None:
        """A hand is over, and the match is not (R16)."""
        self.stop()
        if self._terms is not None:
            self.due_ms = at_ms + self._terms.deal_after_ms

    def stood_still(self, moved_ms: int) -> None:
        """Nobody could serve, and the clock did not run."""
        if self.due_ms is None:
            raise Found("clock", f"{self._name}: a clock stood still that did not run")
        self.due_ms += moved_ms

    def is_before(self, at_ms: int) -> bool:
        """Whether nothing is due by itself at that time."""
        return self.due_ms is None or at_ms < self.due_ms

    def by_itself(self, at_ms: int, what: str) -> None:
        """The table acted by itself: at the instant at which that was due."""
        if self.due_ms != at_ms:
            told = "where nothing was due" if self.due_ms is None else f"{self.due_ms - at_ms} ms before it was due"
            raise Found("clock", f"{self._name}: {what} by itself {told}")

    def asked_for(self, at_ms: int, what: str) -> None:
        """Somebody did it: before the table would have."""
        if self.due_ms is not None and not self.is_before(at_ms):
            raise Found("clock", f"{self._name}: {what} {at_ms - self.due_ms} ms after it was due by itself")

    def moved_by_player(self, seat: int, at_ms: int) -> None:
        self.asked_for(at_ms, "a move was taken")
        self._missed[seat] = 0
        self.has_acted[seat] = True

    def moved_by_clock(self, seat: int, at_ms: int, served_ms: int) -> None:
        """The table moved for a seat, which had all its time: of the wall's clock, and of the true one."""
        self.by_itself(at_ms, "it moved")
        if self._served_ms is not None and served_ms - self._served_ms < self._length_ms - SLACK_MS:
            had_ms = served_ms - self._served_ms
            raise Found("early", f"{self._name}: a seat had {had_ms} ms of true time, not {self._length_ms} ms")
        self._missed[seat] += 1
