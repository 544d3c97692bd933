"""A table as a value: opened, played at, dealt again, left; each function gives an outcome and changes nothing."""

from typing import Any, NamedTuple

from ginapi.errors import Reason, Refused
from ginapi.game import hand as hands
from ginapi.game.cards import Card, texts
from ginapi.game.hand import Hand
from ginapi.game.match import add_up, opener_of, winner_of
from ginapi.game.moves import Leave, Move, action_of
from ginapi.game.shuffle import commitment, deck_from_seed, numbers, salt_from_seed
from ginapi.game.view import View, view
from ginapi.players import Choose, choose_by_level
from ginapi.tables.records import Record, move_body, result_body


class Dealt(NamedTuple):
    """A hand at its table: what it is called, what it was committed to, and how it stands.

    `salt` and `commitment` are the deal's own: what is shown is what was committed to, not worked out again.
    """

    id: str
    number: int
    salt: str
    commitment: str
    scores_before: tuple[int, int]
    """The match's scores when it was dealt."""
    hand: Hand

    @property
    def scores(self) -> tuple[int, int]:
        """The match's scores as this hand has them: after it, once it is finished."""
        result = self.hand.result
        return self.scores_before if result is None else add_up(self.scores_before, result)


class Table(NamedTuple):
    """A table and the hand that runs there, or the newest."""

    id: str
    kind: str
    status: str
    """`open`, `playing` or `finished`."""
    fair: bool
    """False where its opener chose the seed or the deck."""
    target: int
    level: str | None
    """The computer player in seat 1; None between people."""
    opener: int
    """The seat that opens the first hand."""
    seed: str
    """The secret from which decks, salts and the computer's numbers come."""
    version: int
    """The number of the newest record."""
    dealt: Dealt
    """The hand that runs, or the newest."""
    winner: int | None
    ended: str | None
    created_ms: int
    changed_ms: int

    @property
    def scores(self) -> tuple[int, int]:
        """The match's scores (R15)."""
        return self.dealt.scores

    @property
    def computer_seat(self) -> int | None:
        """The seat that the computer plays: the one that did not open the table."""
        return None if self.level is None else 1


class Outcome(NamedTuple):
    """What a call made of the table, and the records that it added.

    `played` are those of moves, the mover's own first; `finished` is the hand that ended on the way.
    """

    table: Table
    records: tuple[Record, ...]
    finished: Dealt | None = None

    @property
    def played(self) -> tuple[Record, ...]:
        return tuple(record for record in self.records if record.event == "move")


def hand_id_of(table_id: str, number: int) -> str:
    """What hand `number` of a table is called."""
    return f"{table_id}-{number}"


def open_practice(
    table_id: str,
    seed: str,
    now_ms: int,
    *,
    level: str = "medium",
    opener: int = 0,
    target: int = 100,
    fair: bool = True,
    deck: tuple[Card, ...] | None = None,
    choose: Choose = choose_by_level,
) -> Outcome:
    """A practice table with its first hand dealt (R24); the computer has made its moves where it opens.

    `deck` stacks the first hand; the later ones come from `seed`.
    """
    dealt = _deal(table_id, seed, 1, opener, (0, 0), deck)
    table = Table(
        id=table_id,
        kind="practice",
        status="playing",
        fair=fair,
        target=target,
        level=level,
        opener=opener,
        seed=seed,
        version=0,
        dealt=dealt,
        winner=None,
        ended=None,
        created_ms=now_ms,
        changed_ms=now_ms,
    )
    return _Course(table, now_ms, choose).dealt().answered().outcome()


def play(table: Table, seat: int, move: Move, now_ms: int, choose: Choose = choose_by_level) -> Outcome:
    """A person's move, and what the computer answers. Raises `Refused` as `ginapi.game.hand.check` does."""
    return _Course(table, now_ms, choose).moved(seat, move, "player").answered().outcome()


def deal_next(table: Table, now_ms: int, choose: Choose = choose_by_level) -> Outcome:
    """The next hand of the match (R2, R16). Raises `table_over` or `hand_running`."""
    if table.status == "finished":
        raise Refused(Reason.TABLE_OVER, "The match is over: open another table.")
    if table.dealt.hand.phase != "finished":
        raise Refused(Reason.HAND_RUNNING, f"Hand {table.dealt.number} is still running: finish it first.")
    number = table.dealt.number + 1
    dealt = _deal(table.id, table.seed, number, opener_of(number, table.opener), table.scores)
    return _Course(table._replace(dealt=dealt), now_ms, choose).dealt().answered().outcome()


def leave(table: Table, seat: int, now_ms: int) -> Outcome:
    """The seat gets up: the other one wins the match, and a running hand ends with it (R28)."""
    if table.status == "finished":
        raise Refused(Reason.TABLE_OVER, "The match is over already.")
    return _Course(table, now_ms).left(seat).outcome()


def deal_body(dealt: Dealt) -> dict[str, Any]:
    """What the record of a deal says: everything, so that the log alone tells the game."""
    deck, opener = dealt.hand.deal.deck, dealt.hand.deal.opener
    return {"opener": opener, "deck": texts(deck), "salt": dealt.salt, "commitment": dealt.commitment}


def view_of(table: Table, seat: int) -> View:
    """The table's hand as a seat sees it."""
    return view(table.dealt.hand, seat, table.scores)


def is_untouched_by(hand: Hand, seat: int) -> bool:
    """Whether a seat has made no move in a hand yet: the opener moves first, and its turn takes two moves (R4)."""
    return hand.version <= (0 if seat == hand.deal.opener else 2)


def _deal(
    table_id: str, seed: str, number: int, opener: int, scores: tuple[int, int], deck: tuple[Card, ...] | None = None
) -> Dealt:
    cards = deck_from_seed(seed, number) if deck is None else deck
    hand_id = hand_id_of(table_id, number)
    salt = salt_from_seed(seed, number)
    return Dealt(hand_id, number, salt, commitment(hand_id, salt, cards), scores, hands.deal(cards, opener))


class _Course:
    """One call's way through a table: what the table becomes, and the records on the way. It ends with the call."""

    def __init__(self, table: Table, now_ms: int, choose: Choose = choose_by_level) -> None:
        self._table = table
        self._choose = choose
        # The wall clock may step back; the log's times do not.
        self._now_ms = max(now_ms, table.changed_ms)
        self._records: list[Record] = []
        self._finished: Dealt | None = None

    def outcome(self) -> Outcome:
        table = self._table._replace(version=self._table.version + len(self._records), changed_ms=self._now_ms)
        return Outcome(table, tuple(self._records), self._finished)

    def dealt(self) -> "_Course":
        self._record("dealt", version=0, body=deal_body(self._table.dealt))
        return self

    def moved(self, seat: int, move: Move, by: str) -> "_Course":
        self._become(hands.play(self._table.dealt.hand, seat, move), seat, move, by)
        return self

    def left(self, seat: int) -> "_Course":
        hand = self._table.dealt.hand
        if hand.phase != "finished":
            self._become(hands.leave(hand, seat), seat, Leave(), "player", ends_match=False)
        self._end(1 - seat, "left")
        return self

    def answered(self) -> "_Course":
        """The computer plays for as long as it is its turn: at the same instant, in the same request."""
        seat, level = self._table.computer_seat, self._table.level
        while level is not None and seat is not None and self._table.dealt.hand.turn == seat:
            dealt = self._table.dealt
            draw_number = numbers(self._table.seed, f"player|{dealt.number}|{dealt.hand.version}")
            self.moved(seat, self._choose(level, view_of(self._table, seat), draw_number), "computer")
        return self

    def _become(self, hand: Hand, seat: int, move: Move | Leave, by: str, ends_match: bool = True) -> None:
        dealt = self._table.dealt._replace(hand=hand)
        self._table = self._table._replace(dealt=dealt)
        body = move_body(move, hand)
        self._record("move", version=hand.version, seat=seat, by=by, action=action_of(move), body=body)
        if hand.result is None:
            return
        self._finished = dealt
        self._record("result", version=hand.version, body=result_body(hand.result, dealt.scores))
        winner = winner_of(dealt.scores, self._table.target)
        if ends_match and winner is not None:
            self._end(winner, "target")

    def _end(self, winner: int, ended: str) -> None:
        self._table = self._table._replace(status="finished", winner=winner, ended=ended)
        self._record("table", hand=False, body={"status": "finished", "winner": winner, "ended": ended})

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
        number = self._table.version + len(self._records) + 1
        hand_number = self._table.dealt.number if hand else None
        self._records.append(Record(number, event, self._now_ms, hand_number, version, seat, by, action, body))
