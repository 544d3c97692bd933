"""R16 and R18–R23 at a table between people, as facts about a table held as a value: each seat has its own clock."""

import pytest

from ginapi.errors import Refused
from ginapi.game.moves import Draw, Knock, LayOff, Move, move_dict
from ginapi.game.shuffle import DrawNumber, numbers
from ginapi.game.terms import HOUSE_TERMS
from ginapi.game.view import View, view
from ginapi.players import hard
from ginapi.tables import online
from ginapi.tables.clock import Clock, Gap
from ginapi.tables.table import Table, deal_next, flag, leave, play, void
from tests.clock.clocked import (
    ONLINE,
    clock_at,
    drawer,
    drawn_card_of,
    flagged_at_due,
    hard_always,
    knocker,
    online_table,
    settled,
    told,
    waiting_table,
)
from tests.tables.matches import NOW_MS

MOVE_MS, FAST_MS = ONLINE.move_ms, ONLINE.computer_turn_ms
FULL_MS = MOVE_MS + ONLINE.grace_ms


def turn(table: Table, at_ms: int) -> Table:
    """A whole turn of whoever's turn it is: draw from the stock, shed what was drawn."""
    seat = table.dealt.hand.turn
    assert seat is not None
    drawn = play(table, seat, Draw("stock"), at_ms, drawer).table
    return play(drawn, seat, drawn_card_of(drawn), at_ms, drawer).table


def clock_of(table: Table) -> Clock:
    assert table.clock is not None
    return table.clock


def away(table: Table) -> Table:
    """The table at the end of the hand, with nobody there."""
    while table.dealt.hand.phase != "finished":
        table = flagged_at_due(table).table
    return table


def test_r21_the_clock_is_30_s_where_nobody_says_otherwise() -> None:
    assert HOUSE_TERMS.online_move_ms == MOVE_MS == 30_000
    assert clock_at(online_table()) == (MOVE_MS, (0, 0), FULL_MS)


def test_r21_a_move_starts_the_clock_of_the_other_seat_at_that_instant() -> None:
    table = turn(online_table(), NOW_MS + 20_000)
    assert (table.dealt.hand.turn, clock_at(table)) == (1, (20_000 + MOVE_MS, (0, 0), 20_000 + FULL_MS))
    table = turn(table, NOW_MS + 45_000)
    assert (table.dealt.hand.turn, clock_at(table)) == (0, (45_000 + MOVE_MS, (0, 0), 45_000 + FULL_MS))


@pytest.mark.parametrize("late_ms", [0, 1, 499, 60_000 - FULL_MS])
@pytest.mark.parametrize("seat", [0, 1])
def test_r23_a_missed_move_is_recorded_when_it_was_due_for_either_seat(seat: int, late_ms: int) -> None:
    table = online_table() if seat == 0 else turn(online_table(), NOW_MS)
    outcome = flag(table, NOW_MS + FULL_MS + late_ms, drawer)
    assert told(outcome.records) == [(FULL_MS, seat, "clock", "draw")]
    assert clock_at(outcome.table) == (FULL_MS + MOVE_MS, (1, 0) if seat == 0 else (0, 1), 2 * FULL_MS)


def test_r19_with_both_away_each_seat_has_its_own_three_at_full_time() -> None:
    _, records = settled(online_table(), NOW_MS + 6 * FULL_MS + 4 * FAST_MS)
    third_0, fast_0 = 5 * FULL_MS, 5 * FULL_MS + FAST_MS
    third_1, fast_1 = fast_0 + FULL_MS, fast_0 + FULL_MS + FAST_MS
    assert told(records) == [
        (FULL_MS, 0, "clock", "draw"),
        (2 * FULL_MS, 0, "clock", "discard"),
        (3 * FULL_MS, 1, "clock", "draw"),
        (4 * FULL_MS, 1, "clock", "discard"),
        (third_0, 0, "clock", "draw"),
        (fast_0, 0, "clock", "discard"),  # What is left of the turn in which its third was missed.
        (third_1, 1, "clock", "draw"),
        (fast_1, 1, "clock", "discard"),
        *(
            (fast_1 + at * FAST_MS, seat, "clock", action)
            for at, seat in ((1, 0), (2, 1))  # From now on a turn of either is played at one instant.
            for action in ("draw", "discard")
        ),
    ]


def test_r19_one_seat_at_computer_speed_leaves_the_other_its_full_clock() -> None:
    table = online_table()
    at_ms = NOW_MS
    for _ in range(2):
        while table.dealt.hand.turn == 0:
            table = flagged_at_due(table).table
        at_ms = table.changed_ms + 1_000
        table = turn(table, at_ms)
    since = at_ms - NOW_MS
    assert (clock_of(table).missed, clock_of(table).acted) == ((4, 0), (False, True))
    assert clock_at(table) == (since + FAST_MS, (4, 0), since + FAST_MS)  # No grace at computer speed.
    table = flagged_at_due(table).table
    assert table.dealt.hand.turn == 1
    assert clock_at(table) == (since + FAST_MS + MOVE_MS, (6, 0), since + FAST_MS + FULL_MS)


@pytest.mark.parametrize("seat", [0, 1])
def test_r20_a_seat_that_comes_back_counts_anew_and_the_other_counts_on(seat: int) -> None:
    table, _ = settled(online_table(), NOW_MS + 6 * FULL_MS + FAST_MS)
    while table.dealt.hand.turn != seat:
        table = flagged_at_due(table).table
    missed = clock_of(table).missed
    assert min(missed) >= 3 and clock_of(table).acted == (False, False)
    at_ms = table.changed_ms + 5
    move: Move = Draw("stock") if table.dealt.hand.phase == "draw" else drawn_card_of(table)
    back = play(table, seat, move, at_ms, drawer).table
    assert clock_of(back).missed == ((0, missed[1]) if seat == 0 else (missed[0], 0))
    assert clock_of(back).acted == (seat == 0, seat == 1)


def test_r20_both_come_back_and_both_have_the_full_clock() -> None:
    table, _ = settled(online_table(), NOW_MS + 6 * FULL_MS + FAST_MS)
    for _ in range(2):
        seat, hand = table.dealt.hand.turn, table.dealt.hand
        assert seat is not None
        if hand.phase == "discard":
            table = play(table, seat, drawn_card_of(table), table.changed_ms + 5, drawer).table
        else:
            table = turn(table, table.changed_ms + 5)
    assert (clock_of(table).missed, clock_of(table).acted) == ((0, 0), (True, True))
    began = table.changed_ms - NOW_MS
    assert clock_at(table) == (began + MOVE_MS, (0, 0), began + FULL_MS)


def test_r18_for_either_seat_the_table_moves_as_hard_would_seeing_what_that_seat_sees() -> None:
    table, seats = online_table(seed="merits"), set()
    for _ in range(12):
        hand, number = table.dealt.hand, table.dealt.number
        seat = hand.turn
        assert seat is not None
        wanted = hard.choose(
            view(hand, seat, table.dealt.scores), numbers(table.seed, f"clock|{number}|{hand.version}")
        )
        asked: list[tuple[str, int]] = []

        def noting(level: str, seen: View, draw_number: DrawNumber, asked: list[tuple[str, int]] = asked) -> Move:
            asked.append((level, seen.seat))
            return hard.choose(seen, draw_number)

        made = flagged_at_due(table, noting)
        said = move_dict(wanted)
        assert (made.records[0].by, made.records[0].action, made.records[0].seat) == ("clock", said["action"], seat)
        for name in ("from", "card"):
            assert name not in said or made.records[0].body[name] == said[name]
        assert set(asked) == {("hard", seat)}  # And nobody is asked for the other.
        seats.add(seat)
        table = made.table
        if table.dealt.hand.phase == "finished":
            break
    assert seats == {0, 1}


def knocked(table: Table) -> Table:
    """Seat 1 knocks in its first turn, 3 s after the opening."""
    table = turn(table, NOW_MS + 1_000)
    drawn = play(table, 1, Draw("stock"), NOW_MS + 2_000, drawer).table
    card = drawn.dealt.hand.drawn_card
    assert card is not None
    return play(drawn, 1, Knock(card), NOW_MS + 3_000, drawer).table


def test_r17_the_lay_off_is_the_other_persons_own_decision_with_its_own_clock() -> None:
    table = knocked(online_table(knocks=True))
    assert (table.dealt.hand.phase, table.dealt.hand.turn) == ("layoff", 0)
    assert clock_at(table) == (3_000 + MOVE_MS, (0, 0), 3_000 + FULL_MS)
    missed = flagged_at_due(table)
    assert told(missed.records) == [(3_000 + FULL_MS, 0, "clock", "layoff")]
    made = play(table, 0, LayOff(), NOW_MS + 4_000, drawer)
    assert told(made.records) == [(4_000, 0, "player", "layoff")]
    assert missed.table.dealt.hand.result == made.table.dealt.hand.result  # R11: the best is what is left out.


def test_r19_a_knock_by_the_clock_is_answered_in_the_other_seats_own_time() -> None:
    table = turn(online_table(knocks=True), NOW_MS)
    while table.dealt.hand.phase != "layoff":
        table = flagged_at_due(table, knocker).table
    knocked_ms = table.changed_ms - NOW_MS
    assert clock_at(table) == (knocked_ms + MOVE_MS, (0, 2), knocked_ms + FULL_MS)


def test_r16_the_next_hand_is_dealt_by_the_table_and_the_other_seat_opens() -> None:
    table = away(online_table())
    ended_ms = table.changed_ms
    assert clock_of(table).next_hand_at_ms == ended_ms + 10_000
    dealt = flagged_at_due(table)
    assert [(record.event, record.at_ms) for record in dealt.records] == [("dealt", ended_ms + 10_000)]
    assert (dealt.table.dealt.hand.turn, dealt.table.dealt.number) == (1, 2)  # R2
    began = ended_ms + 10_000 - NOW_MS
    assert clock_at(dealt.table) == (began + MOVE_MS, (0, 0), began + FULL_MS)  # R20
    early = deal_next(table, ended_ms + 3_210)
    assert {record.at_ms for record in early.records} == {ended_ms + 3_210}


def test_r22_a_table_between_people_goes_on_with_nobody_there_and_ends_at_the_target() -> None:
    table, records = settled(online_table(seed="alone", stake=100), NOW_MS + 10**9, hard_always)
    assert (table.status, table.ended, table.due_ms) == ("finished", "target", None)
    moves = [record for record in records if record.event == "move"]
    assert {(record.seat, record.by) for record in moves} == {(0, "clock"), (1, "clock")}


@pytest.mark.parametrize("late_ms", [0, 1, 10**8])
def test_an_open_table_closes_at_its_own_instant(late_ms: int) -> None:
    table = waiting_table(stake=100)
    assert flag(table, NOW_MS + 599_999).records == ()
    closed = flag(table, NOW_MS + 600_000 + late_ms)
    assert [(one.event, one.at_ms - NOW_MS, one.body) for one in closed.records] == [
        ("table", 600_000, {"status": "finished", "winner": None, "ended": "closed"})
    ]
    assert closed.table.due_ms is None


@pytest.mark.parametrize("late_ms", [0, 1, 10**8])
def test_an_offered_rematch_lapses_at_its_own_instant(late_ms: int) -> None:
    over = leave(online_table(), 1, NOW_MS + 1_000).table
    offered = online.offer_rematch(over, 0, NOW_MS + 5_000).table
    assert flag(offered, NOW_MS + 64_999).records == ()
    lapsed = flag(offered, NOW_MS + 65_000 + late_ms)
    assert [(one.event, one.at_ms - NOW_MS, one.body) for one in lapsed.records] == [
        ("table", 65_000, {"rematch": [], "rematch_table_id": None})
    ]
    assert (lapsed.table.offer, lapsed.table.due_ms) == (None, None)


def test_an_offer_made_after_time_stepped_back_lapses_a_minute_after_it_in_the_log() -> None:
    over = leave(online_table(), 1, NOW_MS + 3_600_000).table
    offered = online.offer_rematch(over, 0, NOW_MS)
    lapsed = flag(offered.table, NOW_MS + 10**8)
    times = [one.at_ms - NOW_MS for one in offered.records + lapsed.records]
    assert times == [3_600_000, 3_660_000]


def test_a_gap_moves_what_runs_and_neither_the_closing_nor_the_offer() -> None:
    gaps = (Gap(NOW_MS + 10_000, NOW_MS + 110_000),)
    running = flag(online_table(), NOW_MS + 200_000, drawer, gaps)
    assert [(one.event, one.at_ms - NOW_MS) for one in running.records][:2] == [
        ("clock", 110_000),
        ("move", FULL_MS + 100_000),
    ]
    assert [one.at_ms - NOW_MS for one in flag(waiting_table(), NOW_MS + 10**6, drawer, gaps).records] == [600_000]
    offered = online.offer_rematch(leave(online_table(), 1, NOW_MS).table, 0, NOW_MS + 5_000).table
    assert [one.at_ms - NOW_MS for one in flag(offered, NOW_MS + 10**6, drawer, gaps).records] == [65_000]


@pytest.mark.parametrize("how", ["left", "void", "closed"])
def test_the_end_of_the_match_stops_everything(how: str) -> None:
    if how == "closed":
        table = leave(waiting_table(), 0, NOW_MS + 5).table
    elif how == "void":
        table = void(online_table(), NOW_MS + 5, "a test").table
    else:
        table = leave(away(online_table()), 1, NOW_MS + 10**7).table
    assert (table.status, table.ended, table.due_ms) == ("finished", how, None)
    assert flag(table, NOW_MS + 10**12).records == ()
    with pytest.raises(Refused) as caught:
        deal_next(table, NOW_MS + 10**12)
    assert caught.value.reason.value == "table_over"
