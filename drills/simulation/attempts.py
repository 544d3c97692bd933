"""What was tried, and what was answered: every move that was acknowledged is in the record once, and no other is."""

from collections import Counter
from collections.abc import Mapping

from drills.simulation.paper import Paper
from drills.simulation.world import Found

Place = tuple[str, int, int]
"""A seat in a hand: the table's id, the hand's number, the seat."""


class Attempts:
    """The moves that people made, as far as they know."""

    def __init__(self, papers: Mapping[str, Paper]) -> None:
        self._papers = papers
        self._answered: dict[Place, set[int]] = {}
        self._open: Counter[Place] = Counter()
        """Attempts of which nothing has been heard, and perhaps never will be."""
        self.answered_count = 0
        self._tables: set[str] = set()
        self._tables_open = 0

    def begun(self, place: Place) -> None:
        """A move is tried; however often it is sent, it may be made once."""
        self._open[place] += 1

    def answered(self, place: Place, versions: list[int]) -> None:
        """It was made: the hand has these records of it."""
        if len(versions) != 1:
            raise Found("acknowledged", f"{_said(place)}: one move made the records {versions}")
        answered = self._answered.setdefault(place, set())
        if versions[0] in answered:
            raise Found("acknowledged", f"{_said(place)}: two moves were told the record {versions[0]}")
        answered.add(versions[0])
        self.answered_count += 1
        self.refused(place)

    def refused(self, place: Place) -> None:
        """It was not made, for all that was said."""
        self._open[place] -= 1
        self.check(place)

    def check(self, place: Place) -> None:
        """The record has all that was acknowledged, and nothing that was not tried."""
        table_id, hand_number, seat = place
        made = self._papers[table_id].made.get((hand_number, seat), set())
        answered = self._answered.get(place, set())
        if not answered <= made:
            raise Found("acknowledged", f"{_said(place)}: {sorted(answered - made)} are not in the record")
        if len(made - answered) > self._open[place]:
            raise Found(
                "doubled", f"{_said(place)}: {sorted(made - answered)} are in the record, and nobody was told so"
            )

    def check_all(self) -> None:
        """Every seat of every hand."""
        for table_id, paper in self._papers.items():
            for hand_number, seat in paper.made:
                self.check((table_id, hand_number, seat))
        self.check_tables()

    def check_tables(self) -> None:
        """There are no tables but those that somebody tried to open."""
        if len(self._papers) > len(self._tables) + self._tables_open:
            raise Found("doubled", f"there are {len(self._papers)} tables, and {len(self._tables)} were opened")

    def table_begun(self) -> None:
        """A table may be opened."""
        self._tables_open += 1

    def table_opened(self, table_id: str | None) -> None:
        """It was, or it stood already; None where it is not there yet."""
        if table_id is not None:
            self._tables.add(table_id)
        self._tables_open -= 1

    def table_refused(self) -> None:
        """It was not."""
        self._tables_open -= 1


def _said(place: Place) -> str:
    table_id, hand_number, seat = place
    return f"{table_id}-{hand_number}, seat {seat}"
