"""Tables, hands and records as rows: what is read back is what was played, and a lost race leaves nothing."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, select

from ginapi.game.notation import played, read, replay, result_line, write
from ginapi.service.hands import hand_record
from ginapi.store import log, schema, tables
from ginapi.store.database import Database
from ginapi.store.tables import Overtaken, Seat
from ginapi.tables.records import Record, entry_of
from ginapi.tables.table import deal_next, leave, play
from ginapi.tables.values import Outcome, Table
from tests.shares import numbers, share
from tests.tables.matches import NOW_MS, TABLE_ID, TEMPERS, person_move, random_match, trader

SITTING = (Seat(0, "guest", "guest", "guest:1"), Seat(1, "computer", "medium", None))


def stored_match(database: Database, chance: random.Random, **terms: Any) -> Iterator[Outcome]:
    """A random match, each outcome in a transaction of its own before it is given."""
    old_version: int | None = None
    for outcome in random_match(chance, **terms):
        with database.write() as tx:
            if old_version is None:
                tables.add(tx, outcome, SITTING)
            else:
                tables.save(tx, outcome, old_version)
        old_version = outcome.table.version
        yield outcome


def everything(tx: Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table."""
    return {
        table.name: [tuple(row) for row in tx.execute(select(table).order_by(*table.primary_key.columns))]
        for table in schema.metadata.sorted_tables
    }


def rows(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    with database.read() as tx:
        return everything(tx)


def assert_replays(tx: Connection, outcome: Outcome) -> None:
    """Every hand of the table, replayed from its records, is what is read from its row."""
    table = tables.find_table(tx, TABLE_ID)
    assert table == outcome.table
    assert table is not None
    for number in range(1, table.dealt.number + 1):
        dealt = log.find_hand(tx, table, number)
        assert dealt is not None
        hand = dealt.hand
        moves = log.find_moves(tx, TABLE_ID, number)
        again = played(hand.deal.deck, hand.deal.opener, [entry_of(record) for record in moves], hand.deal.rules)
        assert again == hand
        assert repr(again) == repr(hand)
        assert hand.version == len(moves)
        if hand.result is not None:
            assert_told_by_text(tx, number, table)


def assert_told_by_text(tx: Connection, number: int, table: Table) -> None:
    """A finished hand's record as text, read back, is the record, and plays to the hand that is stored."""
    dealt = log.find_hand(tx, table, number)
    assert dealt is not None
    record = hand_record(tx, TABLE_ID, dealt)
    assert record.hand_id == f"{TABLE_ID}-{number}"
    assert record.result == result_line(dealt.hand)
    text = write(record)
    assert read(text) == record
    assert write(read(text)) == text
    assert replay(read(text)) == dealt.hand


def test_at_every_version_a_hand_read_back_equals_its_records_replayed(database_url: str) -> None:
    chance = numbers("read back")
    for at in range(share(40, 3)):
        database = Database(database_url)
        for outcome in stored_match(database, chance, most_hands=3, target=1000, leaves=0.01 if at % 2 else 0.0):
            with database.read() as tx:
                assert_replays(tx, outcome)
        forget(database)
        database.close()


def forget(database: Database) -> None:
    """Empty the database for the next match, whose table has the same id."""
    with database.write() as tx:
        for table in reversed(schema.metadata.sorted_tables):
            tx.execute(table.delete())


def test_a_wash_reads_back_and_its_next_hand_too(database: Database) -> None:
    chance = numbers("washes")
    outcomes = list(stored_match(database, chance, temper=TEMPERS[3], most_hands=3, target=1000, choose=trader))
    with database.read() as tx:
        assert_replays(tx, outcomes[-1])
        kinds = [hand.kind for hand in log.find_finished(tx, TABLE_ID)]
    assert set(kinds) <= {"wash"} and len(kinds) >= 2


def test_the_finished_hands_are_listed_as_they_ended_and_the_log_whole(database: Database) -> None:
    outcomes = list(stored_match(database, numbers("listed"), most_hands=4, target=1000))
    told = [record for outcome in outcomes for record in outcome.records]
    ended = [dealt for outcome in outcomes for dealt in outcome.finished]
    with database.read() as tx:
        assert log.find_records(tx, TABLE_ID) == told
        assert log.all_finished(tx, TABLE_ID) == ended
        assert [(hand.number, *ending_of(hand)) for hand in log.find_finished(tx, TABLE_ID)] == [
            (dealt.number, dealt.hand.result.kind, dealt.hand.result.winner, dealt.hand.result.points)
            for dealt in ended
            if dealt.hand.result is not None
        ]
        assert tables.find_seats(tx, TABLE_ID) == list(SITTING)
        assert tables.versions_of(tx, [TABLE_ID, "f" * 20]) == {TABLE_ID: len(told)}
        assert tables.find_table(tx, "f" * 20) is None
        assert log.find_hand(tx, outcomes[-1].table, 99) is None


def ending_of(hand: log.FinishedHand) -> tuple[str, int | None, int]:
    return hand.kind, hand.winner, hand.points


def test_moves_are_found_after_a_version_and_up_to_a_limit(database: Database) -> None:
    outcomes = list(stored_match(database, numbers("found"), most_hands=2, target=1000))
    told = [record for outcome in outcomes for record in outcome.records if record.event == "move"]
    with database.read() as tx:
        for number in (1, 2, 3):
            moves = [record for record in told if record.hand_number == number]
            for after in (0, 1, len(moves) - 1, len(moves), len(moves) + 5):
                for limit in (1, 2, len(moves), 1_000):
                    expected = [record for record in moves if (record.version or 0) > after][:limit]
                    if limit:
                        assert log.find_moves(tx, TABLE_ID, number, after, limit) == expected
        assert log.find_moves(tx, "f" * 20, 1) == []


def test_who_saves_on_a_version_that_no_longer_stands_is_overtaken(database: Database) -> None:
    opened = next(stored_match(database, numbers("overtaken"), level="easy"))
    table = opened.table
    first = play(table, 0, person_move(numbers("a"), table, TEMPERS[0]), NOW_MS + 9_000)
    second = leave(table, 0, NOW_MS + 10_000)
    with database.write() as tx:
        tables.save(tx, first, table.version)
    before = rows(database)
    for outcome in (second, first):
        with pytest.raises(Overtaken), database.write() as tx:
            tables.save(tx, outcome, table.version)
        assert rows(database) == before
    with database.read() as tx:
        assert tables.find_table(tx, TABLE_ID) == first.table


def test_nothing_of_a_failed_transaction_is_left(database: Database) -> None:
    """Opening, moving, finishing a hand, dealing the next and leaving: each undone where what follows it fails."""
    chance, old_version, undone = numbers("failed"), None, 0
    for outcome in random_match(chance, most_hands=2, target=1000):
        before = rows(database)
        with pytest.raises(ZeroDivisionError), database.write() as tx:
            _write(tx, outcome, old_version)
            assert everything(tx) != before
            raise ZeroDivisionError
        assert rows(database) == before
        undone += 1
        with database.write() as tx:
            _write(tx, outcome, old_version)
        old_version = outcome.table.version
    assert undone > 10


def _write(tx: Connection, outcome: Outcome, old_version: int | None) -> None:
    if old_version is None:
        tables.add(tx, outcome, SITTING)
    else:
        tables.save(tx, outcome, old_version)


def test_a_record_in_a_row_keeps_every_field(database: Database) -> None:
    outcomes = list(stored_match(database, numbers("fields"), most_hands=1, target=1000))
    with database.write() as tx:
        left = leave(outcomes[-1].table, 0, NOW_MS + 10**9)
        tables.save(tx, left, outcomes[-1].table.version)
    with database.read() as tx:
        found = log.find_records(tx, TABLE_ID)
    told = [record for outcome in (*outcomes, left) for record in outcome.records]
    assert [tuple(record) for record in found] == [tuple(record) for record in told]
    assert found[-1] == Record(len(found), "table", found[-1].at_ms, None, None, None, None, None, found[-1].body)


def test_two_tables_in_one_database_do_not_mix(database: Database) -> None:
    first = list(stored_match(database, numbers("first of two"), most_hands=2, target=1000))
    before = rows(database)["records"]
    table = first[-1].table
    other = next(random_match(numbers("second of two")))
    other = other._replace(table=other.table._replace(id="e" * 20))
    with database.write() as tx:
        tables.add(tx, other, SITTING)
        next_hand = deal_next(table, NOW_MS + 10**9)
        tables.save(tx, next_hand, table.version)
    with database.read() as tx:
        assert log.find_records(tx, "e" * 20) == list(other.records)
        assert len(log.find_records(tx, TABLE_ID)) == len(before) + len(next_hand.records)
        assert log.find_moves(tx, "e" * 20, 2) == []
        assert [table.id for table in iter_tables(tx)] == [TABLE_ID, "e" * 20]


def iter_tables(tx: Connection) -> Iterator[Table]:
    last = ""
    while (found := tables.find_after(tx, last)) is not None:
        yield found
        last = found.id
