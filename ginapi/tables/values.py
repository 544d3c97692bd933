"""A table and the hand that runs there, as values."""

from typing import NamedTuple

from ginapi.game.hand import Hand
from ginapi.game.match import add_up
from ginapi.game.rules import Rules
from ginapi.game.terms import HOUSE_TERMS
from ginapi.tables.clock import Clock, ClockTerms
from ginapi.tables.coins import leaving_fee
from ginapi.tables.records import Record


class Dealt(NamedTuple):
    """A hand at its table: what it is called, what it was committed to, and how it stands.

    `salt` and `commitment` are the deal's own: what is shown is what was committed to, not worked out again.
    """

    id: str
    number: int
    """From 1; 0 is the deck that lies ready at a table whose second seat is empty: nobody is shown it."""
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


class Offer(NamedTuple):
    """A rematch that a seat has asked for, and until when the other may say yes."""

    seat: int
    until_ms: int


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
    stake: int
    """What each seat put up, in coins; 0 where nothing is at stake."""
    clock: Clock | None
    version: int
    """The number of the newest record."""
    dealt: Dealt
    """The hand that runs, or the newest."""
    winner: int | None
    ended: str | None
    created_ms: int
    changed_ms: int
    private: bool = True
    """Shown to those alone who sit there; where it is online, `invite` lets a second player sit down."""
    invite: str | None = None
    offer: "Offer | None" = None
    """A rematch that one seat has asked for."""
    rematch_table_id: str | None = None
    """Where both play on."""
    told: bool = False
    """Whether somebody who sits there has asked to be told, by a webhook."""

    @property
    def scores(self) -> tuple[int, int]:
        """The match's scores (R15)."""
        return self.dealt.scores

    @property
    def rules(self) -> Rules:
        """By which its hands are played: the same from the first to the last."""
        return self.dealt.hand.deal.rules

    @property
    def computer_seat(self) -> int | None:
        """The seat that the computer plays: the one that did not open the table."""
        return None if self.level is None else 1

    @property
    def leaving_fee(self) -> int:
        """What leaving costs beside the stake (R28)."""
        return leaving_fee(self.stake)

    @property
    def is_full(self) -> bool:
        """Whether both seats were ever taken: a hand is dealt then, and not before."""
        return self.dealt.number > 0

    @property
    def due_ms(self) -> int | None:
        """When the table acts by itself; None where it never does."""
        if self.status == "open":
            return self.created_ms + HOUSE_TERMS.open_table_ms
        if self.offer is not None:
            return self.offer.until_ms
        return None if self.clock is None else self.clock.due_ms(self.dealt.hand.turn)


def fresh_table(
    table_id: str,
    seed: str,
    now_ms: int,
    dealt: Dealt,
    *,
    kind: str,
    level: str | None,
    clock: ClockTerms | None,
    status: str = "playing",
    fair: bool = True,
    target: int = 100,
    opener: int = 0,
    stake: int = 0,
    private: bool = True,
    invite: str | None = None,
) -> Table:
    """A table as it is opened, before its first record."""
    return Table(
        id=table_id,
        kind=kind,
        status=status,
        fair=fair,
        target=target,
        level=level,
        opener=opener,
        seed=seed,
        stake=stake,
        clock=None if clock is None else Clock(clock),
        version=0,
        dealt=dealt,
        winner=None,
        ended=None,
        created_ms=now_ms,
        changed_ms=now_ms,
        private=private,
        invite=invite,
    )


class Outcome(NamedTuple):
    """What a call made of the table, and the records that it added.

    `played` are the records of moves, in order; `finished` are the hands that ended on the way.
    """

    table: Table
    records: tuple[Record, ...]
    finished: tuple[Dealt, ...] = ()

    @property
    def played(self) -> tuple[Record, ...]:
        return tuple(record for record in self.records if record.event == "move")


def hand_id_of(table_id: str, number: int) -> str:
    """What hand `number` of a table is called."""
    return f"{table_id}-{number}"
