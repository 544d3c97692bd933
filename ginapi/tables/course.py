"""One call's way through a table: moves, answers, what is overdue, what ends; each at its own instant."""

from typing import Any

from ginapi.game import hand as hands
from ginapi.game.cards import Card, texts
from ginapi.game.hand import Hand
from ginapi.game.match import next_opener, winner_of
from ginapi.game.moves import Act, Leave, Move, Void, action_of
from ginapi.game.rules import HOUSE, Rules
from ginapi.game.shuffle import commitment, deck_from_seed, numbers, salt_from_seed
from ginapi.game.view import view
from ginapi.players import Choose
from ginapi.tables.clock import Gap
from ginapi.tables.records import Record, clock_moved, move_body, result_body
from ginapi.tables.values import Dealt, Offer, Outcome, Table, hand_id_of

AUTOMATIC_LEVEL = "hard"
"""The player that moves for whoever lets the clock run out (R18)."""


def deal_of(
    table_id: str,
    seed: str,
    number: int,
    opener: int,
    scores: tuple[int, int],
    deck: tuple[Card, ...] | None = None,
    rules: Rules = HOUSE,
) -> Dealt:
    """Hand `number` of a table, fresh: from its seed, or from a stacked deck."""
    cards = deck_from_seed(seed, number) if deck is None else deck
    hand_id = hand_id_of(table_id, number)
    salt = salt_from_seed(seed, number)
    return Dealt(hand_id, number, salt, commitment(hand_id, salt, cards), scores, hands.deal(cards, opener, rules))


def deal_body(dealt: Dealt) -> dict[str, Any]:
    """What the record of a deal says: everything, so that the log alone tells the game."""
    deck, opener, rules = dealt.hand.deal.deck, dealt.hand.deal.opener, dealt.hand.deal.rules
    said = {"opener": opener, "deck": texts(deck), "salt": dealt.salt, "commitment": dealt.commitment}
    return said if rules == HOUSE else {**said, "rules": rules.name}


class Course:
    """The table as it becomes, and the records on the way. It ends with the call.

    What has fallen due by itself happens at the instant that it was due, whenever that is worked out (R23).
    """

    def __init__(self, table: Table, now_ms: int, choose: Choose) -> None:
        self.table = table
        self._choose = choose
        # The wall clock may step back; the log's times do not.
        self._at_ms = max(now_ms, table.changed_ms)
        self._records: list[Record] = []
        self._finished: list[Dealt] = []

    def outcome(self) -> Outcome:
        table = self.table._replace(version=self.table.version + len(self._records))
        if self._records:
            table = table._replace(changed_ms=self._at_ms)
        return Outcome(table, tuple(self._records), tuple(self._finished))

    def dealt(self) -> "Course":
        """The table's hand, just dealt: its record, and a fresh clock (R20)."""
        self._record("dealt", version=0, body=deal_body(self.table.dealt))
        clock = self.table.clock
        if clock is not None:
            self.table = self.table._replace(clock=clock.fresh())
            self._start_clock()
        return self

    def next_dealt(self) -> "Course":
        """The next hand of the match, dealt and opened (R2)."""
        table = self.table
        number = table.dealt.number + 1
        before = table.dealt.hand
        ready = None if table.is_full else before.deal.deck
        opener = table.opener if before.result is None else next_opener(before.deal.opener, before.result, table.rules)
        dealt = deal_of(table.id, table.seed, number, opener, table.scores, ready, table.rules)
        self.table = table._replace(dealt=dealt)
        return self.dealt().answered()

    def moved(self, seat: int, move: Move, by: str) -> "Course":
        self._become(hands.play(self.table.dealt.hand, seat, move), seat, move, by)
        return self

    def answered(self) -> "Course":
        """The computer plays for as long as it is its turn: at the same instant, in the same request."""
        seat, level = self.table.computer_seat, self.table.level
        while level is not None and seat is not None and self.table.dealt.hand.turn == seat:
            self.moved(seat, self._chosen(level, seat, "player"), "computer")
        return self

    def opened(self) -> "Course":
        """The table waits for its second player."""
        self._record("table", hand=False, body={"status": "open"})
        self._record("seat", hand=False, seat=0, body={"seat": 0})
        return self

    def joined(self) -> "Course":
        """The second seat is filled, and the first hand dealt."""
        self.table = self.table._replace(status="playing")
        self._record("seat", hand=False, seat=1, body={"seat": 1})
        return self.next_dealt()

    def left(self, seat: int) -> "Course":
        if self.table.status == "open":
            self.end(None, "closed")  # R28: free while the table waits for its second player.
            return self
        hand = self.table.dealt.hand
        if hand.phase != "finished":
            self._become(hands.leave(hand, seat), seat, Leave(), "player", ends_match=False)
        self.end(1 - seat, "left")
        return self

    def offered(self, offer: Offer | None) -> "Course":
        """A seat asks for a rematch; None as its offer lapses."""
        self.table = self.table._replace(offer=offer)
        return self._recorded_rematch([] if offer is None else [offer.seat])

    def played_on(self, rematch_table_id: str, seats: list[int]) -> "Course":
        """All who had to ask for a rematch have: there is the new table."""
        self.table = self.table._replace(offer=None, rematch_table_id=rematch_table_id)
        return self._recorded_rematch(seats)

    def _recorded_rematch(self, seats: list[int]) -> "Course":
        body = {"rematch": seats, "rematch_table_id": self.table.rematch_table_id}
        self._record("table", hand=False, body=body)
        return self

    def voided(self, why: str) -> "Course":
        hand = self.table.dealt.hand
        if hand.phase != "finished" and self.table.is_full:
            self._become(hands.void(hand), None, Void(), "house", ends_match=False)
        self.end(None, "void", why)
        return self

    def flagged(self, now_ms: int, most_moves: int, gaps: tuple[Gap, ...] = ()) -> "Course":
        """All that has fallen due until `now_ms`, in order, until it has made `most_moves` moves or more.

        `gaps` are those since the table changed last. A clock that started before one and ran on into it stood still.
        """
        self._at_ms = self.table.changed_ms
        while len(self._records) < most_moves:
            due_ms = self.table.due_ms
            if due_ms is None or due_ms > now_ms:
                break
            stood = next((gap for gap in gaps if self._at_ms <= gap.began_ms < due_ms), None)
            if stood is not None and self.table.status == "playing":
                self._move_clock(stood)
                continue
            self._at_ms = due_ms
            if self.table.status == "open":
                self.end(None, "closed")
            elif self.table.offer is not None:
                self.offered(None)
            elif self.table.dealt.hand.phase == "finished":
                self.next_dealt()
            else:
                self._move_for()
        return self

    def _move_clock(self, gap: Gap) -> None:
        clock = self.table.clock
        assert clock is not None
        self.table = self.table._replace(clock=clock.moved_by(gap))
        self._at_ms = gap.ended_ms
        self._records.append(clock_moved(self._next_number, *gap))

    @property
    def _next_number(self) -> int:
        return self.table.version + len(self._records) + 1

    def _move_for(self) -> None:
        """Move for the seat whose time ran out: one move, or at computer speed all that its turn asks (R18, R19)."""
        table = self.table
        seat = table.dealt.hand.turn
        assert seat is not None and table.clock is not None
        fast = table.clock.is_fast(seat)
        while True:
            self.moved(seat, self._chosen(AUTOMATIC_LEVEL, seat, "clock"), "clock")
            if not fast or self.table.dealt.hand.turn != seat:
                break
        self.answered()

    def _chosen(self, level: str, seat: int, purpose: str) -> Move:
        dealt = self.table.dealt
        draw_number = numbers(self.table.seed, f"{purpose}|{dealt.number}|{dealt.hand.version}")
        return self._choose(level, view(dealt.hand, seat, dealt.scores), draw_number)

    def _become(self, hand: Hand, seat: int | None, move: Act, by: str, ends_match: bool = True) -> None:
        dealt = self.table.dealt._replace(hand=hand)
        self.table = self.table._replace(dealt=dealt)
        body = move_body(move, hand)
        self._record("move", version=hand.version, seat=seat, by=by, action=action_of(move), body=body)
        self._count_misses(seat, by)
        if hand.result is None:
            self._start_clock()
            return
        self._finished.append(dealt)
        self._record_result(dealt)
        winner = winner_of(dealt.scores, self.table.target)
        if not ends_match:
            return
        clock = self.table.clock
        if winner is not None:
            self.end(winner, "target")
        elif clock is not None and self.table.kind == "practice" and not clock.acted[0]:
            self.end(None, "closed")  # R22: its person made no move in the hand.
        elif clock is not None:
            self.table = self.table._replace(clock=clock.between_hands(self._at_ms))

    def _count_misses(self, seat: int | None, by: str) -> None:
        clock = self.table.clock
        if clock is None or seat is None or by == "computer":
            return
        self.table = self.table._replace(clock=clock.missed_by(seat) if by == "clock" else clock.answered_by(seat))

    def _start_clock(self) -> None:
        clock = self.table.clock
        if clock is not None:
            self.table = self.table._replace(clock=clock.started(self.table.dealt.hand.turn, self._at_ms))

    def _record_result(self, dealt: Dealt) -> None:
        assert dealt.hand.result is not None
        self._record("result", version=dealt.hand.version, body=result_body(dealt.hand.result, dealt.scores))

    def end(self, winner: int | None, ended: str, why: str | None = None) -> None:
        """The match is over; nothing is due any more."""
        clock = None if self.table.clock is None else self.table.clock.stopped()
        self.table = self.table._replace(status="finished", winner=winner, ended=ended, clock=clock)
        body = {"status": "finished", "winner": winner, "ended": ended}
        self._record("table", hand=False, body=body if why is None else {**body, "why": why})

    def _record(
        self,
        event: str,
        *,
        hand: bool = True,
        version: int | None = None,
        seat: int | None = None,
        by: str | None = None,
        action: str | None = None,
        body: dict[str, Any],
    ) -> None:
        hand_number = self.table.dealt.number if hand else None
        self._records.append(
            Record(self._next_number, event, self._at_ms, hand_number, version, seat, by, action, body)
        )
