"""Tables under a clock held as values, and second seats that play by a script."""

from typing import Any

from ginapi.game.cards import Card, cards_of
from ginapi.game.moves import Discard, Draw, Knock, LayOff, Move
from ginapi.game.shuffle import DrawNumber
from ginapi.game.view import View
from ginapi.players import Choose, hard
from ginapi.tables.clock import ClockTerms
from ginapi.tables.online import join, open_online
from ginapi.tables.records import Record
from ginapi.tables.table import Outcome, Table, flag, open_coin, open_practice
from tests.game.stacked import stacked
from tests.tables.matches import NOW_MS, TABLE_ID

TERMS = ClockTerms(move_ms=90_000, grace_ms=500, computer_turn_ms=667, deal_after_ms=10_000)
FULL_MS = TERMS.move_ms + TERMS.grace_ms
"""From one missed move to the next, at full time (R23)."""
ONLINE = TERMS._replace(move_ms=30_000)
"""The clock of a table between people (R21)."""
# Seat 1 has nine cards in melds and an ace; seat 0 has nothing in melds.
KNOCKS = stacked("2s 4h 5d 8c Ts Qh Ks 5c 7c Jd", "2d 3d 4d 7h 8h 9h Jc Js Jh As", up="Kd", stock="9s Qs 3c 6s")


class Now:
    """A time that is set; several houses may go by it."""

    def __init__(self, ms: int = 0) -> None:
        self.ms = ms

    def __call__(self) -> int:
        return NOW_MS + self.ms


def _other(view: View) -> Card:
    return next(card for card in cards_of(view.cards) if card != view.just_taken)


def drawer(level: str, view: View, draw_number: DrawNumber) -> Move:
    """Draws from the stock, sheds what it drew, lays off the best, never knocks: the hand goes on to its wash."""
    if view.phase == "draw":
        return Draw("stock")
    if view.phase == "layoff":
        return LayOff()
    # R5: what somebody took from the pile is not shed in the same turn.
    drawn = view.drawn_card
    return Discard(drawn if drawn is not None and drawn != view.just_taken else _other(view))


def knocker(level: str, view: View, draw_number: DrawNumber) -> Move:
    """Like `drawer`, but seat 1 knocks with what it drew, as its first turn lets it."""
    if view.phase == "discard" and view.seat == 1:
        assert view.drawn_card is not None
        return Knock(view.drawn_card)
    return drawer(level, view, draw_number)


def coin_table(choose: Choose = drawer, seed: str = "clock", target: int = 100, terms: ClockTerms = TERMS) -> Table:
    return open_coin(TABLE_ID, seed, NOW_MS, stake=100, clock=terms, target=target, choose=choose).table


def practice_table(choose: Choose = drawer, target: int = 1000, knocks: bool = False, seed: str = "clock") -> Table:
    """A practice table whose creator asked for a clock; with `knocks` seat 1 holds a hand that it can knock with."""
    deck = KNOCKS if knocks else None
    return open_practice(
        TABLE_ID, seed, NOW_MS, level="medium", target=target, clock=TERMS, deck=deck, fair=not knocks, choose=choose
    ).table


def waiting_table(seed: str = "clock", terms: ClockTerms = ONLINE, stake: int = 0, **given: Any) -> Table:
    """A table that waits for its second player."""
    return open_online(TABLE_ID, seed, NOW_MS, stake=stake, clock=terms, **given).table


def online_table(seed: str = "clock", knocks: bool = False, **given: Any) -> Table:
    """A table between people, joined as it was opened; with `knocks` seat 1 can knock with what it draws first."""
    return join(waiting_table(seed, deck=KNOCKS if knocks else None, **given), NOW_MS).table


def settled(table: Table, now_ms: int, choose: Choose = drawer) -> tuple[Table, list[Record]]:
    """The table with nothing overdue, and all that happened on the way."""
    records: list[Record] = []
    while table.due_ms is not None and table.due_ms <= now_ms:
        outcome = flag(table, now_ms, choose)
        assert outcome.records
        records += outcome.records
        table = outcome.table
    return table, records


def told(records: list[Record] | tuple[Record, ...]) -> list[tuple[int, int | None, str | None, str | None]]:
    """What moves say: milliseconds since the opening, seat, by whom, action."""
    return [(one.at_ms - NOW_MS, one.seat, one.by, one.action) for one in records if one.event == "move"]


def flagged_at_due(table: Table, choose: Choose = drawer) -> Outcome:
    """What the table does at the instant that something is due, and not a millisecond before."""
    due_ms = table.due_ms
    assert due_ms is not None
    assert flag(table, due_ms - 1, choose).records == ()
    return flag(table, due_ms, choose)


def clock_at(table: Table) -> tuple[int | None, tuple[int, int], int | None]:
    """Deadline and due time since the opening, and the count of missed moves."""
    assert table.clock is not None
    deadline_ms, due_ms = table.clock.deadline_ms, table.due_ms
    return (
        None if deadline_ms is None else deadline_ms - NOW_MS,
        table.clock.missed,
        None if due_ms is None else due_ms - NOW_MS,
    )


def drawn_card_of(table: Table) -> Discard:
    assert table.dealt.hand.drawn_card is not None
    return Discard(table.dealt.hand.drawn_card)


def hard_always(level: str, seen: View, draw_number: DrawNumber) -> Move:
    return hard.choose(seen, draw_number)
