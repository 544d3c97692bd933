"""A practice table as a value: what it records, when, whose deal it is, and when the match is over."""

from collections import Counter
from itertools import cycle, pairwise

import pytest

from ginapi.errors import Refused
from ginapi.game.hand import legal_moves
from ginapi.game.moves import Discard, Draw
from ginapi.game.notation import played
from ginapi.game.rules import CONTEST, HOUSE
from ginapi.tables.records import Record, entry_of
from ginapi.tables.table import deal_next, is_untouched_by, leave, open_practice, play
from ginapi.tables.values import Outcome, Table
from tests.shares import numbers, share
from tests.tables.matches import NOW_MS, TABLE_ID, TEMPERS, person_move, random_match, trader


def some_matches(name: str, count: int, *, leaves: float = 0.0) -> list[list[Outcome]]:
    """Matches against every level, and every fourth against the trader, whose hands are washes."""
    chance = numbers(name)
    matches = [list(random_match(chance, most_hands=12, leaves=leaves)) for _ in range(count)]
    return matches + [
        list(random_match(chance, temper=TEMPERS[3], most_hands=6, choose=trader, leaves=leaves, rules=rules))
        for _, rules in zip(range(max(1, count // 4)), cycle((HOUSE, CONTEST)), strict=False)
    ]


def records_of(match: list[Outcome]) -> list[Record]:
    return [record for outcome in match for record in outcome.records]


def until(table: Table, phase: str, seed: int = 0) -> Table:
    """The table once its hand is in that phase with the turn at the person, or finished."""
    chance = numbers(f"until {seed}")
    while table.dealt.hand.phase != phase:
        assert table.dealt.hand.turn == 0
        table = play(table, 0, person_move(chance, table, TEMPERS[2]), NOW_MS).table
    return table


def laid_off_at() -> Table:
    """A table whose computer has knocked, so that the person is to lay off."""
    for number in range(200):
        table = open_practice(TABLE_ID, f"knocked {number}", NOW_MS, level="hard").table
        chance = numbers("aimless")
        while table.dealt.hand.turn == 0 and table.dealt.hand.phase != "layoff":
            table = play(table, 0, person_move(chance, table, TEMPERS[0]), NOW_MS).table
        if table.dealt.hand.phase == "layoff":
            return table
    raise AssertionError("the computer never knocked")


def refusal(table: Table, seat: int | None) -> str:
    """The code with which the next deal, or the leaving of a seat, is refused."""
    with pytest.raises(Refused) as caught:
        deal_next(table, NOW_MS) if seat is None else leave(table, seat, NOW_MS)
    return caught.value.reason.value


def test_records_count_without_gaps_and_their_times_never_go_back() -> None:
    for match in some_matches("records", share(400, 40), leaves=0.005):
        records = records_of(match)
        assert [record.number for record in records] == list(range(1, len(records) + 1))
        assert match[-1].table.version == len(records)
        times = [record.at_ms for record in records]
        assert times == sorted(times)
        for before, after in pairwise(match):
            assert after.table.version == before.table.version + len(after.records)
            assert after.table.changed_ms >= before.table.changed_ms
            assert {record.at_ms for record in after.records} == {after.table.changed_ms}


def test_a_hands_records_are_its_deal_its_moves_and_its_result() -> None:
    for match in some_matches("order", share(200, 20), leaves=0.005):
        records = records_of(match)
        for number in range(1, match[-1].table.dealt.number + 1):
            of_hand = [record for record in records if record.hand_number == number]
            moves = [record for record in of_hand if record.event == "move"]
            assert of_hand[0].event == "dealt"
            assert [record.version for record in moves] == list(range(1, len(moves) + 1))
            assert {record.event for record in of_hand[1 : len(moves) + 1]} <= {"move"}
            ends = [record.event for record in of_hand[len(moves) + 1 :]]
            running = number == match[-1].table.dealt.number and match[-1].table.dealt.hand.result is None
            assert ends == ([] if running else ["result"])
            assert {record.by for record in moves if record.seat == 1} <= {"computer"}
            assert {record.by for record in moves if record.seat == 0} <= {"player"}


def test_the_mover_is_told_its_own_record_first() -> None:
    for match in some_matches("played", share(100, 15)):
        for before, outcome in pairwise(match):
            if before.table.dealt.hand.phase == "finished":
                assert {record.by for record in outcome.played} <= {"computer"}
            else:
                assert [record.seat for record in outcome.played[:1]] == [0]
                assert {record.seat for record in outcome.played[1:]} <= {1}
            assert outcome.table.dealt.hand.turn != 1


def test_r2_the_opener_alternates_after_a_wash_too_but_in_contests_and_when_the_computer_began() -> None:
    began, kinds = Counter[int](), Counter[str]()
    for match in some_matches("opener", share(200, 24)):
        openers = [outcome.table.dealt.hand.deal.opener for outcome in match if outcome.records[0].event == "dealt"]
        ended = [record.body["kind"] for record in records_of(match) if record.event == "result"]
        first, contest = match[0].table.opener, match[0].table.rules == CONTEST
        due = first
        for opener, kind in zip(openers, [*ended, ""], strict=False):
            assert opener == due
            due = opener if contest and kind == "wash" else 1 - opener
        began[first] += len(openers) > 1
        kinds.update(f"{kind} in contest" if contest else kind for kind in ended)
    assert min(began.values()) > 1 and len(began) == 2
    assert min(kinds["wash"], kinds["wash in contest"]) > 1


def test_r15_scores_add_up_and_the_match_ends_at_the_target() -> None:
    chance, ends = numbers("scores"), Counter[str | None]()
    for _ in range(share(300, 30)):
        target = chance.choice([1, 20, 50, 100])
        match = list(random_match(chance, target=target, most_hands=40))
        scores = [0, 0]
        for record in records_of(match):
            if record.event == "result":
                assert max(scores) < target
                if record.body["winner"] is not None:
                    scores[record.body["winner"]] += record.body["points"]
                assert record.body["scores"] == scores
        table = match[-1].table
        ends[table.ended] += 1
        assert table.scores == tuple(scores)
        if table.ended == "target":
            assert table.status == "finished"
            assert table.winner == (0 if scores[0] >= target else 1)
            last = match[-1].records[-1]
            assert (last.event, last.hand_number) == ("table", None)
            assert last.body == {"status": "finished", "winner": table.winner, "ended": "target"}
        else:
            assert max(scores) < target
    assert ends["target"] > 5


def test_finished_says_which_hand_ended_on_the_way() -> None:
    for match in some_matches("finished", share(100, 15), leaves=0.01):
        for outcome in match:
            ended = [record.hand_number for record in outcome.records if record.event == "result"]
            assert [dealt.number for dealt in outcome.finished] == ended
            # Without a clock a call ends one hand at most, and it is the newest.
            assert outcome.finished in ((), (outcome.table.dealt,))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("state", ["draw", "discard", "layoff"])
def test_r28_leaving_a_running_hand_ends_it_and_the_match_without_points(state: str, seat: int) -> None:
    opened = open_practice(TABLE_ID, "left", NOW_MS).table
    table = laid_off_at() if state == "layoff" else until(opened, state)
    outcome = leave(table, seat, NOW_MS + 5)
    hand, result = outcome.table.dealt.hand, outcome.table.dealt.hand.result
    assert result is not None
    knocker = 1 if state == "layoff" else None
    assert (result.kind, result.winner, result.knocker, result.points) == ("left", 1 - seat, knocker, 0)
    assert hand.knock == table.dealt.hand.knock
    assert [shown.cards for shown in result.seats] == list(table.dealt.hand.cards)
    assert [shown.cards.bit_count() for shown in result.seats] == ([11, 10] if state == "discard" else [10, 10])
    assert hand.version == table.dealt.hand.version + 1
    assert [record.event for record in outcome.records] == ["move", "result", "table"]
    assert (outcome.records[0].action, outcome.records[0].seat, outcome.records[0].body) == ("leave", seat, {})
    assert outcome.table.scores == table.scores == (0, 0)
    assert (outcome.table.status, outcome.table.winner, outcome.table.ended) == ("finished", 1 - seat, "left")


def test_r28_leaving_between_hands_ends_the_match_and_adds_nothing_to_the_hand() -> None:
    table = until(open_practice(TABLE_ID, "between", NOW_MS, target=1000).table, "finished")
    outcome = leave(table, 0, NOW_MS)
    assert [record.event for record in outcome.records] == ["table"]
    assert outcome.finished == ()
    assert outcome.table.dealt == table.dealt
    assert (outcome.table.winner, outcome.table.ended, outcome.table.scores) == (1, "left", table.scores)


def test_nothing_is_dealt_while_a_hand_runs_nor_after_the_match() -> None:
    running = open_practice(TABLE_ID, "next", NOW_MS).table
    assert refusal(running, None) == "hand_running"
    assert refusal(laid_off_at(), None) == "hand_running"
    left = leave(running, 0, NOW_MS).table
    assert refusal(left, None) == refusal(left, 0) == refusal(left, 1) == "table_over"
    won = next(
        match[-1].table
        for match in (list(random_match(numbers("won"), target=1)) for _ in range(20))
        if match[-1].table.ended == "target"
    )
    assert refusal(won, None) == refusal(won, 0) == "table_over"


def test_a_move_after_the_match_or_out_of_turn_is_refused() -> None:
    table = open_practice(TABLE_ID, "turns", NOW_MS).table
    for seat, at in ((1, table), (0, leave(table, 0, NOW_MS).table)):
        with pytest.raises(Refused) as caught:
            play(at, seat, Draw("stock"), NOW_MS)
        assert caught.value.reason.value == ("not_your_turn" if seat else "hand_over")


def test_a_hand_is_untouched_by_a_seat_until_a_record_is_its_own() -> None:
    for match in some_matches("untouched", share(100, 12)):
        moved: dict[int, set[int]] = {}
        for outcome in match:
            for record in outcome.played:
                assert record.hand_number is not None and record.seat is not None
                moved.setdefault(record.hand_number, set()).add(record.seat)
            dealt = outcome.table.dealt
            for seat in (0, 1):
                assert is_untouched_by(outcome.table, seat) is (seat not in moved.get(dealt.number, set()))


def test_the_log_replays_to_the_table_that_it_led_to() -> None:
    for match in some_matches("log", share(100, 12), leaves=0.005):
        log: list[Record] = []
        for outcome in match:
            log.extend(outcome.records)
            dealt = outcome.table.dealt
            entries = [
                entry_of(record) for record in log if (record.event, record.hand_number) == ("move", dealt.number)
            ]
            assert played(dealt.hand.deal.deck, dealt.hand.deal.opener, entries, dealt.hand.deal.rules) == dealt.hand


def test_a_stacked_deck_is_the_first_hands_alone() -> None:
    deck = tuple(reversed(range(52)))
    table = open_practice(TABLE_ID, "stacked", NOW_MS, deck=deck, fair=False, target=1000).table
    assert table.dealt.hand.deal.deck == deck
    assert not table.fair
    second = deal_next(until(table, "finished"), NOW_MS).table
    assert second.dealt.hand.deal.deck != deck
    assert not second.fair


def test_a_call_changes_nothing_that_it_was_given() -> None:
    table = open_practice(TABLE_ID, "frozen", NOW_MS).table
    before = repr(table)
    drawn = play(table, 0, Draw("stock"), NOW_MS).table
    shed = next(move for move in legal_moves(drawn.dealt.hand, 0) if isinstance(move, Discard))
    play(drawn, 0, shed, NOW_MS)
    leave(table, 0, NOW_MS)
    assert repr(table) == before
