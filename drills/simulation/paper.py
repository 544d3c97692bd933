"""One table kept on paper: each record of its log held against the rules, the clock and what went before."""

import hashlib
from dataclasses import dataclass
from typing import Any

from drills.simulation.timing import Timing
from drills.simulation.world import Found
from ginapi.tables.clock import ClockTerms
from tests.tally import Tally

OPEN_TABLE_MS = 600_000
REMATCH_OFFER_MS = 60_000
PULSE_MS = 5_000
"""At most from one pulse to the next, while somebody serves."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a table was opened with."""

    table_id: str
    kind: str
    target: int
    opener: int
    stake: int
    created_ms: int
    has_computer: bool
    clock: ClockTerms | None


@dataclass(frozen=True, slots=True)
class Line:
    """A record as its row has it."""

    number: int
    event: str
    hand_number: int | None
    version: int | None
    seat: int | None
    by: str | None
    action: str | None
    at_ms: int
    body: dict[str, Any]


class Paper:
    """The table as its log has it so far. `add` raises Found where a record does not fit."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.winner: int | None = None
        self.number = 0
        self.hand_number = 0
        self.scores = [0, 0]
        self.status = "playing"
        self.ended: str | None = None
        self.made: dict[tuple[int, int], set[int]] = {}
        """The versions of the moves that each seat itself made, by hand and seat."""
        self.timing = Timing(terms.clock, terms.table_id)
        self._tally: Tally | None = None
        self._is_contest = False
        self._has_result = True
        self._opener = terms.opener
        self._at_ms = terms.created_ms
        self._served_ms: int | None = None
        """For how long somebody had served as the newest record was made, where it was seen as it was made."""

    @property
    def is_kept(self) -> bool:
        """Whether a clock brings it to its end."""
        return self.timing.is_kept

    def add(self, line: Line, served_ms: int, is_deal_asked: bool) -> None:
        """The next record, seen when somebody had served for so long; whether a deal had been asked for."""
        self._holds(line.number == self.number + 1, f"record {line.number} came after record {self.number}", "log")
        # With the time, and the clock that ran by it; by it the newest record may be later than the last pulse.
        back_ms = PULSE_MS - line.body["moved_ms"] if line.event == "clock" and line.body["moved_ms"] < 0 else 0
        stepped_ms = self._at_ms - line.at_ms
        self._holds(stepped_ms <= back_ms, f"the log stepped back by {stepped_ms} ms", "log")
        self.number = line.number
        if line.event == "dealt":
            self._dealt(line, served_ms, is_deal_asked)
        elif line.event == "move":
            self._moved(line, served_ms)
        elif line.event == "result":
            self._scored(line)
        elif line.event == "clock":
            moved_ms = line.body["moved_ms"]
            ran = moved_ms < 0 or line.at_ms - moved_ms >= self._at_ms
            self._holds(ran, "its clock stood still for longer than it ran", "gap")
            self.timing.stood_still(moved_ms)
        elif line.event == "table":
            self._became(line)
        elif line.body["seat"] == 1:
            self.status = "playing"
        self._at_ms = line.at_ms

    def _holds(self, is_so: bool, told: str, check: str = "rules") -> None:
        if not is_so:
            raise Found(check, f"{self.terms.table_id}: {told}")

    def _dealt(self, line: Line, served_ms: int, is_asked: bool) -> None:
        assert line.hand_number is not None
        self._holds(line.hand_number == self.hand_number + 1, f"hand {line.hand_number} is not next")
        self._holds(self._has_result and self.ended is None, "a hand was dealt while one was running, or none was left")
        self._holds(max(self.scores) < self.terms.target, f"a hand was dealt at {self.scores}")
        by_itself = (
            self.hand_number > 0 and self.timing.is_kept and not (is_asked and self.timing.is_before(line.at_ms))
        )
        if by_itself:
            self.timing.by_itself(line.at_ms, "it dealt")
            acted = self.terms.kind != "practice" or self.timing.has_acted[0]
            self._holds(acted, "a practice table dealt on for nobody")  # R22
        self.hand_number = line.hand_number
        body = line.body
        self._holds(body["opener"] == self._opener, f"seat {body['opener']} opens hand {self.hand_number}")
        text = f"{self.terms.table_id}-{self.hand_number}|{body['salt']}|{' '.join(body['deck'])}"
        opened = hashlib.sha256(text.encode()).hexdigest()
        self._holds(opened == body["commitment"], "a commitment does not open", "commitment")
        self._holds(len(set(body["deck"])) == 52, "a deck is not one")
        self._is_contest = body.get("rules") == "contest"
        self._tally = Tally(body["deck"], self._opener, self._is_contest)
        self._has_result = False
        self.timing.deal()
        self._served_ms = None if by_itself else served_ms
        self._next_decision(line)

    def _moved(self, line: Line, served_ms: int) -> None:
        tally, seat = self._tally, line.seat
        assert tally is not None
        if line.action == "void":
            tally.result = ("void", None, 0)
            return
        assert seat is not None and line.version is not None
        if line.action == "leave":
            self.timing.asked_for(line.at_ms, "a seat was left")
            tally.result = ("left", 1 - seat, 0)
            return
        if line.by == "player":
            self.made.setdefault((self.hand_number, seat), set()).add(line.version)
        is_rest = line.by == "clock" and self.timing.is_fast(seat)
        self._in_time(line, seat, served_ms)
        self._played(tally, seat, line)
        if tally.result is not None:
            self.timing.stop()
        elif is_rest and tally.turn == seat:
            self.timing.go_on(line.at_ms)
        else:
            self._next_decision(line)

    def _in_time(self, line: Line, seat: int, served_ms: int) -> None:
        if line.by == "computer":
            self._holds(self.terms.has_computer and seat == 1, "the computer moved in a person's seat")
            self._holds(line.at_ms == self._at_ms, "the computer let somebody wait", "clock")
            return
        self._holds(not (self.terms.has_computer and seat == 1), "the computer's seat was moved for")
        if line.by == "clock":
            self._served_ms = None
            self.timing.moved_by_clock(seat, line.at_ms, served_ms)
        else:
            self._served_ms = served_ms
            self.timing.moved_by_player(seat, line.at_ms)

    def _played(self, tally: Tally, seat: int, line: Line) -> None:
        move = {"action": line.action, **line.body}
        refused = tally.verdict(seat, move)
        self._holds(refused is None, f"seat {seat} may not {line.action}: {refused}")
        tally.apply(seat, move)
        self._holds(line.version == tally.moves, f"version {line.version} is not {tally.moves}", "log")
        if line.action == "draw":
            self._holds(line.body["card"] == tally.drawn, f"{line.body['card']} was drawn, not {tally.drawn}")

    def _next_decision(self, line: Line) -> None:
        assert self._tally is not None and self._tally.turn is not None
        turn = self._tally.turn
        if not (self.terms.has_computer and turn == 1):
            self.timing.start(turn, line.at_ms, self._served_ms)

    def _scored(self, line: Line) -> None:
        """The hand is over, and its result is what its moves come to (R10, R12, R13)."""
        tally = self._tally
        assert tally is not None
        self._holds(tally.result is not None and not self._has_result, "a result where the hand goes on")
        assert tally.result is not None
        kind, winner, points = tally.result
        if winner is not None:
            self.scores[winner] += points
        should = {"kind": kind, "winner": winner, "points": points, "scores": self.scores}
        told = {name: line.body[name] for name in should}
        self._holds(told == should, f"hand {self.hand_number} came to {told}, not {should}")
        self._has_result = True
        if not (self._is_contest and kind == "wash"):
            self._opener = 1 - self._opener  # R2
        self.timing.between_hands(line.at_ms)

    def _became(self, line: Line) -> None:
        body = line.body
        if "rematch" in body:
            self._offered(line)
        elif body["status"] == "open":
            self.status = "open"
            self.timing.due_ms = self.terms.created_ms + OPEN_TABLE_MS
        else:
            self._ended(line)

    def _offered(self, line: Line) -> None:
        """A rematch is asked for, agreed to, or has lapsed by itself."""
        self._holds(self.ended is not None, "a rematch was asked for while the match went on")
        if line.body["rematch"] and line.body["rematch_table_id"] is None:
            self.timing.due_ms = line.at_ms + REMATCH_OFFER_MS
        elif line.body["rematch"]:
            self.timing.asked_for(line.at_ms, "a rematch was agreed to")
            self.timing.stop()
        else:
            self.timing.by_itself(line.at_ms, "its offer lapsed")
            self.timing.stop()

    def _ended(self, line: Line) -> None:
        ended, winner = line.body["ended"], line.body["winner"]
        self._holds(self.ended is None, "it ended twice")
        self.ended, self.winner, self.status = ended, winner, "finished"
        won = next((seat for seat in (0, 1) if self.scores[seat] >= self.terms.target), None)
        self._holds((ended == "target") == (won is not None), f"it ended as {ended} at {self.scores}")
        self._holds(ended != "target" or winner == won, f"seat {winner} won at {self.scores}")
        in_time = self.timing.due_ms is None or line.at_ms <= self.timing.due_ms
        self._holds(ended != "closed" or in_time, "it closed too late", "clock")
        self.timing.stop()
