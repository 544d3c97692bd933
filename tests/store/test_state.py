"""A hand as JSON, there and back, in every phase and after every ending."""

import json
from collections import Counter

from ginapi.game.hand import Hand, leave
from ginapi.store import schema
from ginapi.store.state import read_dealt, write_dealt
from ginapi.tables.values import Dealt, hand_id_of
from tests.game.playouts import play_out
from tests.game.stacked import start
from tests.shares import numbers, rounds, share
from tests.tables.matches import TABLE_ID, random_match

ENDINGS = {"gin", "knock", "undercut", "wash", "left"}


def dealt_with(hand: Hand, number: int) -> Dealt:
    return Dealt(hand_id_of(TABLE_ID, number), number, "5a" * 32, "c0" * 32, (number, 99), hand)


def test_every_state_of_random_hands_comes_back_as_it_was_written() -> None:
    chance, phases, kinds = numbers("state"), Counter[str](), Counter[str]()
    for at in rounds(3_000, 150, lambda: set(kinds) == ENDINGS):
        for hand, _, _ in play_out(chance):
            states = [hand]
            if hand.phase != "finished" and chance.random() < 0.05:
                states.append(leave(hand, chance.randrange(2)))
            for state in states:
                dealt = dealt_with(state, at % 9 + 1)
                text = write_dealt(dealt)
                back = read_dealt(TABLE_ID, text)
                assert back == dealt
                assert write_dealt(back) == text
                # Equal is not enough: a list would be equal to nothing, but True is equal to 1.
                assert repr(back) == repr(dealt)
                phases[state.phase] += 1
                if state.result is not None:
                    kinds[state.result.kind] += 1
    assert set(phases) == {"offer", "draw", "discard", "layoff", "finished"}
    assert set(kinds) == ENDINGS


def test_every_hand_of_a_match_comes_back_with_its_scores() -> None:
    chance = numbers("state of matches")
    for _ in range(share(100, 10)):
        for outcome in random_match(chance, most_hands=8):
            dealt = outcome.table.dealt
            back = read_dealt(TABLE_ID, write_dealt(dealt))
            assert back == dealt
            assert back.scores == dealt.scores


def test_the_text_is_json_that_any_reader_takes() -> None:
    hand = start()
    state = json.loads(write_dealt(dealt_with(hand, 3)))
    assert (state["number"], state["scores_before"], state["version"], state["phase"]) == (3, [3, 99], 0, "draw")
    # A whole hand of cards is a number of 52 bits: what JavaScript can hold too.
    assert max(state["cards"]) < 2**53


def test_a_hand_that_was_written_before_there_were_other_rules_is_the_houses() -> None:
    dealt = dealt_with(start(), 1)
    state = json.loads(write_dealt(dealt))
    del state["rules"], state["passes"]
    assert read_dealt(TABLE_ID, json.dumps(state)) == dealt


def test_a_row_is_read_in_the_order_of_its_columns() -> None:
    named = [column.name for column in schema.tables.columns]
    assert named == [
        *("id", "kind", "status", "fair", "target", "level", "opener", "seed", "stake"),
        *("move_ms", "grace_ms", "computer_turn_ms", "deal_after_ms", "missed_0", "missed_1", "acted_0", "acted_1"),
        *("deadline_ms", "next_hand_at_ms", "due_ms", "attempts", "not_before_ms", "version", "winner", "ended"),
        *("hand", "created_ms", "changed_ms", "private", "invite"),
        *("rematch_seat", "rematch_until_ms", "rematch_table_id", "told"),
    ]
