"""A whole match as text, there and back: its own lines, then each hand as `ginapi.game.notation` writes it.

The first line is `ginapi-match 1`. Then come `table`, `target`, `opener` (of hand 1) and `end`: how it ended, its
winner (`-` for none) and both scores. An empty line stands before each hand.
"""

from dataclasses import dataclass

from ginapi.game import notation
from ginapi.game.match import add_up, next_opener, winner_of
from ginapi.game.notation import HandRecord

_HEADER = "ginapi-match 1"


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match that is over, with every hand of it."""

    table_id: str
    target: int
    opener: int
    ended: str
    """`target`, `left`, `closed` or `void`."""
    winner: int | None
    scores: tuple[int, int]
    hands: tuple[HandRecord, ...]


def replay(record: MatchRecord) -> None:
    """Play every hand again and add the match up. Raises ValueError where that cannot lead to how it ended."""
    scores, opener = (0, 0), record.opener
    for number, each in enumerate(record.hands, 1):
        of_match = each.opener == opener and each.rules == record.hands[0].rules
        if each.hand_id != f"{record.table_id}-{number}" or not of_match:
            raise ValueError(f"Hand {number} is not the one that is due.")
        if winner_of(scores, record.target) is not None:
            raise ValueError(f"Hand {number} comes after the match was won.")
        result = notation.replay(each).result
        assert result is not None
        scores, opener = add_up(scores, result), next_opener(opener, result, each.rules)
    if scores != record.scores:
        raise ValueError(f"The hands come to {scores[0]} and {scores[1]}.")
    if record.ended == "target" and winner_of(scores, record.target) != record.winner:
        raise ValueError("The scores have another winner.")


def write(record: MatchRecord) -> str:
    """The record as text."""
    winner = "-" if record.winner is None else str(record.winner)
    lines = (
        _HEADER,
        f"table {record.table_id}",
        f"target {record.target}",
        f"opener {record.opener}",
        f"end {record.ended} {winner} {record.scores[0]} {record.scores[1]}",
    )
    return "\n".join(["".join(f"{line}\n" for line in lines), *(notation.write(hand) for hand in record.hands)])


def read(text: str) -> MatchRecord:
    """The record that such a text holds. Raises ValueError for any other."""
    head, *hands = text.split("\n\n")
    lines = head.splitlines()
    if len(lines) != 5 or lines[0] != _HEADER:
        raise ValueError(f"A record of a match begins with the line {_HEADER!r} and four more.")
    ended, winner, *scores = _words(lines[4], "end", 4)
    return MatchRecord(
        table_id=_words(lines[1], "table", 1)[0],
        target=int(_words(lines[2], "target", 1)[0]),
        opener=int(_words(lines[3], "opener", 1)[0]),
        ended=ended,
        winner=None if winner == "-" else int(winner),
        scores=(int(scores[0]), int(scores[1])),
        hands=tuple(notation.read(hand) for hand in hands),
    )


def _words(line: str, name: str, count: int) -> list[str]:
    first, *words = line.split(" ")
    if first != name or len(words) != count:
        raise ValueError(f"A record of a match has a line {name!r} with {count} words here, not {line[:40]!r}.")
    return words
