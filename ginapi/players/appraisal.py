"""What a choice is worth: three small networks of whole numbers, learned from self-play, over figures of the game.

A network takes figures in units of `UNIT`. Each of its rows adds them up by its own weights; what is above zero counts,
by the row's own weight, towards the worth. Worth is by how much the chance to win the match changes, in one scale for
all three, so that a draw, a discard and a knock can be held against each other.

All rows are added up at once: the weights of one figure, each in 64 bits of its own, are one long whole number, and so
is the sum of them. That is five times as fast as row by row.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

from ginapi.players.prospects import UNIT
from ginapi.players.signs import SIGNS

_LANE = 64
_ABOVE = 1 << _LANE - 2
"""Added to every row while they are one number, so that none is below zero."""


@dataclass(frozen=True, slots=True)
class Network:
    """The weights of each figure, all rows in one number; how each row counts; and the worth from which they add up."""

    starts: int
    of_signs: tuple[int, ...]
    of_choice: tuple[int, ...]
    counts: tuple[int, ...]
    start: int

    def begun(self, signs: Sequence[int]) -> int:
        """The rows with the signs added up: they are the same for all the choices of a turn."""
        added: int = sum(map(mul, signs, self.of_signs))
        return self.starts + added

    def worth(self, begun: int, figures: Sequence[int]) -> int:
        """What the choice with these figures is worth."""
        added: int = sum(map(mul, figures, self.of_choice))
        length = len(self.counts)
        worth = self.start
        for total, counts in zip(_unpacked(begun + added, length), self.counts, strict=True):
            if total > _ABOVE:
                worth += (total - _ABOVE) * counts
        return worth


def _unpacked(rows: int, length: int) -> tuple[int, ...]:
    return struct.unpack(f"<{length}Q", rows.to_bytes(8 * length, "little"))


def _packed(rows: Sequence[int]) -> int:
    return sum(row << _LANE * at for at, row in enumerate(rows))


def network(text: str) -> Network:
    """The network of a text: a line a row, its start, its weights and how it counts; last of all its own start.

    A line that is indented goes on with the one before.
    """
    *lines, last = text.replace("\n ", " ").split("\n")
    starts, *weights, counts = zip(*(map(int, line.split()) for line in lines), strict=True)
    of_figure = tuple(map(_packed, weights))
    return Network(
        _packed([start * UNIT + _ABOVE for start in starts]),
        of_figure[:SIGNS],
        of_figure[SIGNS:],
        counts,
        int(last) * UNIT,
    )
