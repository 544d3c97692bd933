"""A whole hand as text, there and back."""

import random

import pytest

from ginapi.game.cards import card_text
from ginapi.game.hand import Hand, leave
from ginapi.game.moves import Draw, Knock, LayOff, Leave, Move, move_from
from ginapi.game.notation import Entry, HandRecord, played, read, replay, result_line, write
from tests.game.playouts import play_out
from tests.game.stacked import move as spelled_move
from tests.game.stacked import played as play_spelled
from tests.game.stacked import start
from tests.shares import numbers, share


def as_recorded(after: Hand, seat: int, move: Move) -> Move:
    """The move as a record names it: every meld and lay-off that the table filled in."""
    if isinstance(move, Knock):
        assert after.knock is not None
        return Knock(move.card, after.knock.melds)
    if isinstance(move, LayOff):
        assert after.result is not None
        return LayOff(after.result.seats[seat].melds, after.result.seats[seat].layoffs)
    return move


def entry(after: Hand, seat: int, move: Move, at_ms: int) -> Entry:
    drawn = after.drawn_card if isinstance(move, Draw) else None
    by = ("player", "computer", "clock")[after.version % 3]
    return Entry(after.version, seat, by, at_ms, as_recorded(after, seat, move), drawn)


def random_record(chance: random.Random, may_leave: bool) -> tuple[list[Hand], HandRecord]:
    """A random hand to its end, all its states, and its record; some are left before it."""
    states: list[Hand] = []
    entries: list[Entry] = []
    at_ms = chance.randrange(2**41)
    for hand, _, last in play_out(chance):
        states.append(hand)
        if last is not None:
            at_ms += chance.randrange(90_000)
            entries.append(entry(hand, last[0], move_from(last[1]), at_ms))
        if may_leave and hand.turn is not None and chance.random() < 0.05:
            seat = chance.randrange(2)
            states.append(leave(hand, seat))
            entries.append(Entry(hand.version + 1, seat, "player", at_ms, Leave()))
            break
    deal = states[0].deal
    record = HandRecord(
        "0123456789abcdef0123-7", deal.opener, deal.deck, "5a" * 32, tuple(entries), result_line(states[-1]), deal.rules
    )
    return states, record


def test_any_record_is_read_back_as_it_was_written_and_replays_to_the_same_state() -> None:
    chance = numbers("records")
    for number in range(share(5_000, 400)):
        states, record = random_record(chance, may_leave=number % 4 == 0)
        text = write(record)
        assert read(text) == record
        assert write(read(text)) == text
        assert replay(read(text)) == states[-1]


def test_any_part_of_a_record_replays_to_the_state_of_that_moment() -> None:
    chance = numbers("parts of records")
    for _ in range(share(300, 30)):
        states, record = random_record(chance, may_leave=True)
        for count, state in enumerate(states):
            assert played(record.deck, record.opener, record.entries[:count], record.rules) == state


def knocked_and_answered() -> HandRecord:
    hand = start(other="6s 8s 5s Jh Th 6h 2c 2h Kd Kc", up="Kh", stock="Ad")
    record = HandRecord("cafe-1", 0, hand.deal.deck, "ab" * 32, (), ("void", None, None, 0))
    entries = []
    for text in ("draw stock", "knock Ks: 2s 3s 4s | 7h 8h 9h | Js Jd Jc", "layoff"):
        seat = hand.turn
        assert seat is not None
        hand = play_spelled(hand, text)
        entries.append(entry(hand, seat, spelled_move(text), 1_790_000_000_000 + hand.version))
    return HandRecord(record.hand_id, 0, record.deck, record.salt, tuple(entries), result_line(hand))


RECORD = knocked_and_answered()
TEXT = write(RECORD)


def test_the_text_of_a_record() -> None:
    deck = " ".join(card_text(card) for card in RECORD.deck)
    lines = TEXT.splitlines()
    assert TEXT.endswith("\n")
    assert lines[:5] == ["ginapi-hand 1", "hand cafe-1", "opener 0", f"deck {deck}", f"salt {'ab' * 32}"]
    assert lines[5] == "1 0 computer 1790000000001 draw stock Ad"
    assert lines[6] == "2 0 clock 1790000000002 knock Ks 2s3s4s 7h8h9h JsJdJc"
    words = lines[7].split(" ")
    assert words[:6] == ["3", "1", "player", "1790000000003", "layoff", "/"]
    assert {word.split(">")[0] for word in words[6:]} == {"5s", "6s", "6h", "Th", "Jh"}
    assert lines[8:] == ["result knock 0 0 31"]


SPOILT = [
    ("", ""),
    ("ginapi-hand 1", "ginapi-hand 2"),
    ("opener 0", "opener"),
    ("opener 0", "opener x"),
    ("opener 0", "opener 1"),
    ("deck 2s", "deck 3s"),
    ("deck 2s", "deck"),
    ("deck 2s", "deck 2s 2s"),
    ("draw stock Ad", "draw stock Ac"),
    ("draw stock Ad", "draw pile Ad"),
    ("draw stock Ad", "draw stock"),
    ("draw stock Ad", "draw discard Ad"),
    ("knock Ks", "knock Kz"),
    ("knock Ks", "knock Kc"),
    ("knock Ks", "discard Ks"),
    ("2s3s4s 7h", "2s3s 7h"),
    ("2s3s4s 7h", "2s3s4 7h"),
    ("2s3s4s 7h", "2s3s4s5s 7h"),
    ("layoff / ", "layoff "),
    ("5s>0", "5s>2"),
    ("5s>0", "5s>"),
    ("5s>0", "5s"),
    ("1 0 computer", "2 0 computer"),
    ("1 0 computer", "1 1 computer"),
    ("1 0 computer", "1 0"),
    ("3 1 player 1790000000003 layoff", "3 1 player 1790000000003 leave"),
    ("3 1 player 1790000000003 layoff", "3 1 player 1790000000003 dance"),
    ("result knock 0 0 31", "result knock 0 0 32"),
    ("result knock 0 0 31", "result knock 1 0 31"),
    ("result knock 0 0 31", "result gin 0 0 31"),
    ("result knock 0 0 31", "result knock 0 0"),
    ("result knock 0 0 31\n", ""),
]


@pytest.mark.parametrize(("text", "spoilt"), SPOILT, ids=[f"{old}->{new}"[:50] for old, new in SPOILT])
def test_a_text_that_cannot_have_been_played_is_refused_with_a_value_error(text: str, spoilt: str) -> None:
    assert text in TEXT
    changed = TEXT.replace(text, spoilt, 1) if text else ""
    with pytest.raises(ValueError, match=r"."):
        replay(read(changed))


def test_a_spoilt_text_gives_a_value_error_or_a_hand_and_nothing_else() -> None:
    chance = numbers("spoilt records")
    for _ in range(share(20_000, 2_000)):
        at = chance.randrange(len(TEXT))
        cut = chance.choice([TEXT[:at], TEXT[:at] + TEXT[at + chance.randrange(1, 9) :]])
        swapped = TEXT[:at] + chance.choice(" \n>/0123456789AKshdc-x\u0663") + TEXT[at + 1 :]
        for changed in (cut, swapped):
            try:
                replay(read(changed))
            except ValueError:
                continue


def test_a_record_names_a_seat_of_the_table() -> None:
    left = leave(start(), 0)
    assert result_line(left) == ("left", 1, None, 0)
    record = HandRecord("cafe-1", 0, left.deal.deck, "ab", (Entry(1, 7, "player", 0, Leave()),), ("left", -6, None, 0))
    with pytest.raises(ValueError, match=r"."):
        replay(record)
