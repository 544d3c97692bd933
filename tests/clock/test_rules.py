"""R16–R23 as facts about a table held as a value, each at the instant that the rules say."""

import pytest

from ginapi.errors import Refused
from ginapi.game.moves import Draw, Knock, LayOff, Move, move_dict
from ginapi.game.shuffle import DrawNumber, numbers
from ginapi.game.view import View, view
from ginapi.players import hard
from ginapi.tables.clock import ClockTerms, Gap
from ginapi.tables.table import (
    MOST_RECORDS_AT_ONCE,
    Table,
    deal_next,
    flag,
    leave,
    open_coin,
    open_practice,
    play,
    settlement,
    void,
)
from tests.clock.clocked import (
    FULL_MS,
    TERMS,
    clock_at,
    coin_table,
    drawer,
    drawn_card_of,
    flagged_at_due,
    hard_always,
    knocker,
    practice_table,
    settled,
    told,
)
from tests.tables.matches import NOW_MS, TABLE_ID

MOVE_MS, FAST_MS = TERMS.move_ms, TERMS.computer_turn_ms


def turn_played(table: Table, at_ms: int) -> Table:
    """A person's whole turn at an instant: draw from the stock, shed what was drawn."""
    drawn = play(table, 0, Draw("stock"), at_ms, drawer).table
    return play(drawn, 0, drawn_card_of(drawn), at_ms, drawer).table


def three_missed() -> Table:
    """Three moves missed: a draw, a discard, a draw. The third was at 3 * FULL_MS."""
    return settled(coin_table(), NOW_MS + 3 * FULL_MS)[0]


def test_r17_each_decision_has_its_own_90_seconds() -> None:
    table = coin_table()
    assert clock_at(table) == (MOVE_MS, (0, 0), FULL_MS)
    drawn = play(table, 0, Draw("stock"), NOW_MS + 80_000, drawer).table
    assert clock_at(drawn) == (80_000 + MOVE_MS, (0, 0), 80_000 + FULL_MS)
    shed = play(drawn, 0, drawn_card_of(drawn), NOW_MS + 160_000, drawer)
    assert told(shed.records) == [
        (160_000, 0, "player", "discard"),
        (160_000, 1, "computer", "draw"),
        (160_000, 1, "computer", "discard"),
    ]
    assert clock_at(shed.table) == (160_000 + MOVE_MS, (0, 0), 160_000 + FULL_MS)


def test_r17_a_lay_off_is_a_decision_with_its_own_clock() -> None:
    table = turn_played(practice_table(drawer, knocks=True), NOW_MS + 1_000)
    drawn = play(table, 0, Draw("stock"), NOW_MS + 2_000, knocker).table
    knocked = play(drawn, 0, drawn_card_of(drawn), NOW_MS + 3_000, knocker).table
    assert (knocked.dealt.hand.phase, knocked.dealt.hand.turn) == ("layoff", 0)
    assert clock_at(knocked) == (3_000 + MOVE_MS, (0, 0), 3_000 + FULL_MS)
    answered = flagged_at_due(knocked)
    assert told(answered.records) == [(3_000 + FULL_MS, 0, "clock", "layoff")]
    assert [record.event for record in answered.records] == ["move", "result"]


@pytest.mark.parametrize("late_ms", [0, 1, 499, 500, 60_000])
def test_r23_the_automatic_move_is_recorded_when_it_was_due_and_the_next_clock_starts_there(late_ms: int) -> None:
    outcome = flag(coin_table(), NOW_MS + FULL_MS + late_ms, drawer)
    assert told(outcome.records) == [(FULL_MS, 0, "clock", "draw")]
    assert clock_at(outcome.table) == (FULL_MS + MOVE_MS, (1, 0), 2 * FULL_MS)


@pytest.mark.parametrize(("grace_ms", "due_ms"), [(0, 90_000), (500, 90_500), (10_000, 100_000)])
def test_r23_a_move_is_due_at_its_deadline_plus_the_grace(grace_ms: int, due_ms: int) -> None:
    table = coin_table(terms=TERMS._replace(grace_ms=grace_ms))
    assert clock_at(table) == (90_000, (0, 0), due_ms)
    assert told(flagged_at_due(table).records) == [(due_ms, 0, "clock", "draw")]


def test_r23_there_is_no_grace_at_computer_speed() -> None:
    assert clock_at(three_missed()) == (3 * FULL_MS + FAST_MS, (3, 0), 3 * FULL_MS + FAST_MS)


def test_r23_time_that_steps_back_does_not_step_back_in_the_log() -> None:
    drawn = play(coin_table(), 0, Draw("stock"), NOW_MS - 5_000, drawer)
    assert told(drawn.records) == [(0, 0, "player", "draw")]
    assert clock_at(drawn.table) == (MOVE_MS, (0, 0), FULL_MS)


@pytest.mark.parametrize("kind", ["coin", "practice"])
def test_r18_the_automatic_move_is_what_hard_would_make_seeing_what_the_seat_sees(kind: str) -> None:
    table = (
        coin_table(seed="merits") if kind == "coin" else practice_table(seed="merits")  # Its own level is medium.
    )
    for _ in range(6):
        hand, number = table.dealt.hand, table.dealt.number
        drawn = numbers(table.seed, f"clock|{number}|{hand.version}")
        wanted = hard.choose(view(hand, 0, table.dealt.scores), drawn)
        asked: list[tuple[str, int]] = []

        def noting(level: str, seen: View, draw_number: DrawNumber, asked: list[tuple[str, int]] = asked) -> Move:
            asked.append((level, seen.seat))
            return hard.choose(seen, draw_number) if seen.seat == 0 else drawer(level, seen, draw_number)

        outcome = flagged_at_due(table, noting)
        said = move_dict(wanted)
        made = outcome.records[0]
        assert (made.by, made.action, made.seat) == ("clock", said.pop("action"), 0)
        assert {name: made.body[name] for name in said if name in ("from", "card")} == {
            name: said[name] for name in said if name in ("from", "card")
        }
        assert asked[0] == ("hard", 0)
        table = outcome.table


def test_r18_nothing_is_charged_and_stake_and_payout_stand() -> None:
    table, _ = settled(coin_table(seed="paid"), NOW_MS + 10**9, hard_always)
    assert (table.status, table.ended) == ("finished", "target")
    assert (table.stake, table.leaving_fee) == (100, 10)
    moved = settlement(table, ("account:a", "house"))
    assert table.winner is not None
    winner = ("account:a", "house")[table.winner]
    assert [(one.credit, one.coins) for one in moved] == [(winner, 100), (winner, 100), ("account:a", 10)]


def test_r19_three_misses_at_full_time_and_then_turns_at_computer_speed() -> None:
    _, records = settled(coin_table(), NOW_MS + 3 * FULL_MS + 3 * FAST_MS)
    third, fast = 3 * FULL_MS, 3 * FULL_MS + FAST_MS
    assert told(records) == [
        (FULL_MS, 0, "clock", "draw"),
        (2 * FULL_MS, 0, "clock", "discard"),
        (2 * FULL_MS, 1, "computer", "draw"),
        (2 * FULL_MS, 1, "computer", "discard"),
        (third, 0, "clock", "draw"),
        (fast, 0, "clock", "discard"),  # What is left of the turn in which the third was missed.
        (fast, 1, "computer", "draw"),
        (fast, 1, "computer", "discard"),
        *(
            (fast + turn * FAST_MS, seat, by, action)
            for turn in (1, 2)  # A whole turn at one instant, and the computer's answer at the same.
            for seat, by in ((0, "clock"), (1, "computer"))
            for action in ("draw", "discard")
        ),
    ]


@pytest.mark.parametrize("misses", [1, 2])
def test_r19_before_the_third_miss_the_clock_is_full(misses: int) -> None:
    table, _ = settled(coin_table(), NOW_MS + misses * FULL_MS)
    assert clock_at(table) == (misses * FULL_MS + MOVE_MS, (misses, 0), (misses + 1) * FULL_MS)


def test_r19_a_lay_off_is_played_at_computer_speed_too() -> None:
    table, _ = settled(practice_table(knocks=True), NOW_MS + 3 * FULL_MS)
    assert clock_at(table)[1] == (3, 0)
    knocked = flagged_at_due(table, knocker)
    fast = 3 * FULL_MS + FAST_MS
    assert told(knocked.records)[-1] == (fast, 1, "computer", "knock")
    assert (knocked.table.dealt.hand.phase, knocked.table.dealt.hand.turn) == ("layoff", 0)
    assert clock_at(knocked.table)[0] == fast + FAST_MS
    assert told(flagged_at_due(knocked.table).records) == [(fast + FAST_MS, 0, "clock", "layoff")]


def test_r19_a_knock_by_the_clock_is_answered_at_the_same_instant() -> None:
    def bold(level: str, seen: View, draw_number: DrawNumber) -> Move:
        if seen.seat == 0 and seen.phase == "discard":
            return hard.choose(seen, draw_number)
        return drawer(level, seen, draw_number)

    for seed in range(40):
        _, records = settled(coin_table(seed=f"bold {seed}"), NOW_MS + 600_000, bold)
        knocks = [at for at, record in enumerate(records) if (record.action, record.by) == ("knock", "clock")]
        for at in knocks:
            if records[at + 1].event == "move":
                assert (records[at + 1].action, records[at + 1].by) == ("layoff", "computer")
                assert records[at + 1].at_ms == records[at].at_ms
                return
    raise AssertionError("no hand was knocked at by the clock")


@pytest.mark.parametrize("misses", [1, 2, 3, 4, 5])
def test_r20_a_move_made_by_the_player_puts_the_full_clock_back_and_the_count_to_zero(misses: int) -> None:
    table = coin_table()
    for _ in range(misses):
        table = flagged_at_due(table).table
    assert table.clock is not None and table.clock.missed[0] >= misses
    at_ms = table.changed_ms + 5
    move: Move = Draw("stock") if table.dealt.hand.phase == "draw" else drawn_card_of(table)
    after = play(table, 0, move, at_ms, drawer).table
    assert clock_at(after) == (at_ms - NOW_MS + MOVE_MS, (0, 0), at_ms - NOW_MS + FULL_MS)


def test_r20_the_count_starts_anew_after_a_move_and_three_more_misses_are_at_full_time() -> None:
    table = play(three_missed(), 0, drawn_card_of(three_missed()), NOW_MS + 3 * FULL_MS + 1, drawer).table
    began = 3 * FULL_MS + 1
    _, records = settled(table, NOW_MS + began + 3 * FULL_MS)
    assert [at for at, _, by, _ in told(records) if by == "clock"] == [
        began + FULL_MS,
        began + 2 * FULL_MS,
        began + 3 * FULL_MS,
    ]


def test_r20_a_new_hand_has_the_full_clock_and_nothing_missed() -> None:
    table = three_missed()
    while table.dealt.hand.phase != "finished":
        table = flagged_at_due(table).table
    assert clock_at(table)[1] != (0, 0)
    for dealt in (flagged_at_due(table).table, deal_next(table, table.changed_ms + 4_000, drawer).table):
        began = dealt.changed_ms - NOW_MS
        assert dealt.dealt.number == 2
        assert clock_at(dealt) == (began + MOVE_MS, (0, 0), began + FULL_MS)


def test_r16_the_next_hand_is_dealt_by_the_table_10_s_after_or_earlier_when_asked() -> None:
    table = three_missed()
    while table.dealt.hand.phase != "finished":
        table = flagged_at_due(table).table
    ended_ms = table.changed_ms
    assert table.clock is not None
    assert (table.clock.deadline_ms, table.clock.next_hand_at_ms) == (None, ended_ms + 10_000)
    dealt = flagged_at_due(table)
    assert dealt.records[0].event == "dealt"
    assert {record.at_ms for record in dealt.records} == {ended_ms + 10_000}
    early = deal_next(table, ended_ms + 3_210, drawer)
    assert {record.at_ms for record in early.records} == {ended_ms + 3_210}
    assert early.table.clock is not None and early.table.clock.next_hand_at_ms is None


def test_r16_where_the_computer_opens_the_next_hand_it_plays_as_the_hand_is_dealt() -> None:
    table = three_missed()
    while table.dealt.hand.phase != "finished":
        table = flagged_at_due(table).table
    dealt = flagged_at_due(table)
    assert [(record.event, record.by) for record in dealt.records] == [
        ("dealt", None),
        ("move", "computer"),
        ("move", "computer"),
    ]
    assert clock_at(dealt.table)[0] == dealt.table.changed_ms - NOW_MS + MOVE_MS


def away(table: Table) -> Table:
    """The table at the end of the hand, with nobody there."""
    while table.dealt.hand.phase != "finished":
        table = flagged_at_due(table).table
    return table


def test_r22_a_practice_table_closes_after_a_hand_in_which_its_person_made_no_move() -> None:
    table = away(practice_table())
    assert (table.status, table.ended, table.winner, table.due_ms) == ("finished", "closed", None, None)


def test_r22_one_move_keeps_it_open_until_a_hand_without_any() -> None:
    table = away(turn_played(practice_table(), NOW_MS + 1))
    assert (table.status, table.ended) == ("playing", None)
    second = away(flagged_at_due(table).table)
    assert (second.dealt.number, second.status, second.ended) == (2, "finished", "closed")


def test_r22_a_coin_table_is_not_closed() -> None:
    table = away(coin_table())
    assert (table.status, table.ended) == ("playing", None)
    assert table.clock is not None and table.clock.next_hand_at_ms is not None


def test_r22_a_practice_table_without_a_clock_is_never_due() -> None:
    table = open_practice(TABLE_ID, "still", NOW_MS).table
    assert (table.clock, table.due_ms) == (None, None)
    assert flag(table, NOW_MS + 10**12).records == ()


@pytest.mark.parametrize("how", ["target", "left", "void", "closed"])
def test_the_end_of_the_match_stops_everything(how: str) -> None:
    if how == "left":
        table = leave(three_missed(), 0, NOW_MS + 3 * FULL_MS + 1).table
    elif how == "void":
        table = void(away(coin_table()), NOW_MS + 10**7, "a test").table
    elif how == "closed":
        table = away(practice_table())
    else:
        table, _ = settled(coin_table(seed="target"), NOW_MS + 10**9, hard_always)
    assert (table.status, table.ended, table.due_ms) == ("finished", how, None)
    assert table.clock is not None
    assert (table.clock.deadline_ms, table.clock.next_hand_at_ms) == (None, None)
    assert flag(table, NOW_MS + 10**12).records == ()
    with pytest.raises(Refused) as caught:
        deal_next(table, NOW_MS + 10**12)
    assert caught.value.reason.value == "table_over"


def test_a_call_settles_about_twenty_records_and_the_next_goes_on() -> None:
    table, counts = coin_table(seed="bounded"), []
    while table.due_ms is not None:
        outcome = flag(table, NOW_MS + 10**9, hard_always)
        counts.append(len(outcome.records))
        table = outcome.table
    assert table.status == "finished"
    # The last thing that fell due is done whole: a turn, its answer, and what ended with it.
    assert all(MOST_RECORDS_AT_ONCE <= count <= MOST_RECORDS_AT_ONCE + 8 for count in counts[:-1])
    assert len(counts) > 3


@pytest.mark.parametrize("move", [Draw("discard"), Knock(0), LayOff()])
def test_what_a_clock_played_is_no_reason_to_refuse_or_take_a_move(move: Move) -> None:
    with pytest.raises(Refused):
        play(three_missed(), 0, move, NOW_MS + 3 * FULL_MS + 1, drawer)


def test_a_table_keeps_the_numbers_that_it_was_opened_with() -> None:
    terms = ClockTerms(700, 20, 30, 40)
    table = open_coin(TABLE_ID, "own", NOW_MS, stake=100, clock=terms, choose=drawer).table
    _, records = settled(table, NOW_MS + 2_300)
    assert [at for at, _, by, _ in told(records) if by == "clock"] == [
        720,
        1_440,
        2_160,
        2_190,
        2_220,
        2_220,
        2_250,
        2_250,
        2_280,
        2_280,
    ]


GAPS = [
    # What the gap is, since the opening; when the moves are played; how often the clock stood still.
    ((FULL_MS, FULL_MS + 10_000), [FULL_MS, 2 * FULL_MS + 10_000], 1),  # Due as it began: played, and the next waits.
    ((FULL_MS - 1, FULL_MS + 10_000), [FULL_MS + 10_001, 2 * FULL_MS + 10_001], 1),
    ((0, 10_000), [FULL_MS + 10_000, 2 * FULL_MS + 10_000], 1),
    ((FULL_MS + 1, FULL_MS + 200_000), [FULL_MS, 2 * FULL_MS + 199_999], 1),
    ((2 * FULL_MS - 1, 3 * FULL_MS), [FULL_MS, 3 * FULL_MS + 1], 1),
]


@pytest.mark.parametrize(("gap", "played_at", "stood"), GAPS)
def test_a_clock_stands_still_in_a_gap_wherever_the_settling_stops(
    gap: tuple[int, int], played_at: list[int], stood: int
) -> None:
    gaps = (Gap(NOW_MS + gap[0], NOW_MS + gap[1]),)
    for looks in ([played_at[1]], [*range(gap[1], played_at[1], 7_000), played_at[1]], played_at):
        table, records = coin_table(), []
        for look in looks:
            since = tuple(one for one in gaps if one.began_ms >= table.changed_ms and look + NOW_MS >= one.ended_ms)
            outcome = flag(table, NOW_MS + look, drawer, since)
            table, records = outcome.table, records + list(outcome.records)
        assert [at for at, _, by, _ in told(records) if by == "clock"] == played_at
        assert [record.event for record in records].count("clock") == stood
        assert [record.at_ms for record in records] == sorted(record.at_ms for record in records)


def test_a_gap_puts_the_next_deal_off_too() -> None:
    table = away(coin_table())
    ended_ms = table.changed_ms
    outcome = flag(table, ended_ms + 30_000, drawer, (Gap(ended_ms + 1_000, ended_ms + 21_000),))
    assert [(record.event, record.at_ms - ended_ms) for record in outcome.records][:2] == [
        ("clock", 21_000),
        ("dealt", 30_000),
    ]
