"""The clock over the offer of the first face-up card: a practice table with a clock and the rules of contests."""

from ginapi.game.moves import Move, Pass
from ginapi.game.rules import CONTEST
from ginapi.game.shuffle import DrawNumber
from ginapi.game.view import View
from ginapi.tables.table import open_practice, play
from ginapi.tables.values import Table
from tests.clock.clocked import FULL_MS, TERMS, drawer, flagged_at_due, settled, told
from tests.tables.matches import NOW_MS, TABLE_ID


def passer(level: str, view: View, draw_number: DrawNumber) -> Move:
    return Pass() if view.phase == "offer" else drawer(level, view, draw_number)


def contest_table() -> Table:
    return open_practice(TABLE_ID, "offers", NOW_MS, target=1000, clock=TERMS, rules=CONTEST, choose=passer).table


def test_an_offer_is_a_decision_with_the_full_time_for_it() -> None:
    table = contest_table()
    assert table.clock is not None and table.clock.deadline_ms == NOW_MS + TERMS.move_ms
    passed = play(table, 0, Pass(), NOW_MS + 1_000, passer)
    assert told(passed.records) == [(1_000, 0, "player", "pass"), (1_000, 1, "computer", "pass")]
    assert passed.table.clock is not None
    assert passed.table.clock.deadline_ms == NOW_MS + 1_000 + TERMS.move_ms
    assert passed.table.dealt.hand.stock_only


def test_an_offer_that_time_runs_out_on_is_answered_by_the_clock() -> None:
    outcome = flagged_at_due(contest_table(), passer)
    assert told(outcome.records) == [(FULL_MS, 0, "clock", "pass"), (FULL_MS, 1, "computer", "pass")]
    after = flagged_at_due(outcome.table, passer)
    assert told(after.records) == [(2 * FULL_MS, 0, "clock", "draw")]


def test_a_hand_that_nobody_plays_comes_to_its_wash_and_closes_the_table() -> None:
    table, records = settled(contest_table(), NOW_MS + 10**8, passer)
    assert (table.status, table.ended) == ("finished", "closed")  # R22
    assert [one.body["kind"] for one in records if one.event == "result"] == ["wash"]
