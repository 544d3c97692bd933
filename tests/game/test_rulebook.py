"""The rules in words: every one there, with the numbers in force, and its reading marked."""

import json
import re
from dataclasses import replace

import pytest

from ginapi.api.schemas_out import Rules as RulesShape
from ginapi.game.questions import questions
from ginapi.game.rulebook import coins, rulebook, seconds, values
from ginapi.game.rules import HOUSE, Rules
from ginapi.game.terms import HOUSE_TERMS, Terms

NUMBERED = [*(f"R{number}" for number in range(1, 14)), "R13b", *(f"R{number}" for number in range(14, 30))]


def test_every_rule_stands_there_once_and_in_order() -> None:
    assert list(dict.fromkeys(entry.id for entry in rulebook())) == NUMBERED


def test_a_rule_is_split_into_at_most_what_is_published_and_what_is_our_reading() -> None:
    parts = [(entry.id, entry.reading) for entry in rulebook()]
    assert len(set(parts)) == len(parts)
    assert parts == sorted(parts, key=lambda part: (NUMBERED.index(part[0]), part[1]))


@pytest.mark.parametrize(
    ("ours", "numbers"),
    [
        ("all", "R3 R9 R13b R23"),
        ("part", "R2 R8 R10 R11 R13 R16 R17 R19 R20 R21 R22 R25 R27 R28 R29"),
        ("none", "R1 R4 R5 R6 R7 R12 R14 R15 R18 R24 R26"),
    ],
)
def test_our_readings_are_marked(ours: str, numbers: str) -> None:
    marks = {"all": {True}, "part": {False, True}, "none": {False}}[ours]
    for number in numbers.split():
        assert {entry.reading for entry in rulebook() if entry.id == number} == marks, number


@pytest.mark.parametrize(
    ("number", "says"),
    [
        ("R1", "dealt 10"),
        ("R1", "other 31"),
        ("R6", "Q-K-A is not"),
        ("R8", "10 or less"),
        ("R10", "25 plus"),
        ("R12", "25 plus the difference"),
        ("R13", "only 2 cards"),
        ("R13b", "40 draws"),
        ("R15", "100 or more"),
        ("R16", "10 seconds"),
        ("R17", "90 seconds"),
        ("R19", "first 3 moves"),
        ("R19", "0.667 seconds"),
        ("R21", "30 seconds"),
        ("R23", "0.5 seconds"),
        ("R25", "50, 100, 250, 500, 1,000, 5,000 and 10,000 coins"),
        ("R25", "multiple of 10"),
        ("R26", "no cash value"),
        ("R28", "10 % of it"),
        ("R29", "1,000 coins"),
        ("R29", "24 hours"),
    ],
)
def test_a_rule_says_its_number(number: str, says: str) -> None:
    assert any(says in entry.text for entry in rulebook() if entry.id == number)


def test_texts_and_values_follow_the_numbers_in_force() -> None:
    rules = Rules(7, 3, 31, 37, 6, 11, 250)
    terms = Terms(61_000, 41_000, 1_000, 700, 9_000, 4, 2_000, (20, 40), 20, 15, 48)
    said = " ".join(
        [*(entry.text for entry in rulebook(rules, terms)), *(one.answer for one in questions(rules, terms))]
    )
    for told in (
        "dealt 7",
        "other 37",
        "deadwood of 3 or less",
        "scores 31 plus",
        "scores 37 plus",
        "only 6 cards",
        "11 draws",
        "250 or more",
        "With 8 cards",
        "61 seconds",
        "41 seconds",
        "1 second ",
        "0.7 seconds",
        "9 seconds",
        "first 4 moves",
        "2,000 coins",
        "20 and 40",
        "15 %",
        "48 hours",
    ):
        assert told in said, told
    assert values(rules, terms)["target"] == 250
    assert values(rules, terms)["stock_after_deal"] == 37
    assert values(rules, replace(terms, grace_ms=5))["grace_ms"] == 5


def test_the_values_of_the_house() -> None:
    assert values() == {
        "seats": 2,
        "deck_cards": 52,
        "hand_size": 10,
        "stock_after_deal": 31,
        "card_values": dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10), strict=True)),
        "knock_limit": 10,
        "gin_bonus": 25,
        "undercut_bonus": 25,
        "stock_left_at_wash": 2,
        "pile_draws_at_wash": 40,
        "target": 100,
        "upcard_offer": False,
        "wash_keeps_opener": False,
        "coin_move_ms": 90000,
        "online_move_ms": 30000,
        "grace_ms": 500,
        "computer_turn_ms": 667,
        "deal_after_ms": 10000,
        "misses_at_full_time": 3,
        "welcome_coins": 1000,
        "stakes_coins": [50, 100, 250, 500, 1000, 5000, 10000],
        "stake_step_coins": 10,
        "leaving_fee_percent": 10,
        "refill_after_hours": 24,
    }
    assert all(stake % HOUSE_TERMS.stake_step_coins == 0 for stake in HOUSE_TERMS.stakes_coins)


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ("How many cards are dealt", ["10 to each", "31 of the 52"]),
        ("When can you knock", ["10 or less"]),
        ("scored", ["Gin scores 25", "first to 100"]),
        ("time runs out", ["first 3 moves", "computer speed", "in practice finishes the hand", "full clock back"]),
        ("time runs out", ["A practice table has no clock unless"]),
        ("coins worth", ["Nothing in cash", "cannot be cashed out"]),
        ("undercut", ["equal count gives it 25"]),
        ("lay off on gin", ["No."]),
        ("Ace high", ["low only"]),
        ("a wash", ["only 2 cards", "last 40 draws"]),
        ("see my cards", ["No."]),
        ("deck was not changed", ["commitment", "SHA-256"]),
        ("rules of contests", ['{"rules": "contest"}', "takes it or passes", "opens the next hand too"]),
    ],
)
def test_a_common_question_is_answered(asked: str, answers: list[str]) -> None:
    (one,) = [one for one in questions() if asked in one.question]
    assert all(answer in one.answer for answer in answers)


def test_answers_cite_rules_that_there_are() -> None:
    for one in questions():
        assert one.question.endswith("?")
        assert set(re.findall(r"R\d+b?", one.answer)) <= set(NUMBERED)


def test_what_is_published_fits_its_shape() -> None:
    published = {
        "rules": [{"id": entry.id, "text": entry.text, "reading": entry.reading} for entry in rulebook()],
        "values": values(HOUSE),
        "questions": [{"question": one.question, "answer": one.answer} for one in questions()],
    }
    assert RulesShape().load(json.loads(json.dumps(published))) == published


@pytest.mark.parametrize(
    ("length_ms", "text"), [(1000, "1 second"), (90_000, "90 seconds"), (667, "0.667 seconds"), (500, "0.5 seconds")]
)
def test_a_length_of_time_is_told_in_seconds(length_ms: int, text: str) -> None:
    assert seconds(length_ms) == text


@pytest.mark.parametrize(("amounts", "text"), [((50,), "50"), ((50, 1000), "50 and 1,000"), ((1, 2, 3), "1, 2 and 3")])
def test_amounts_of_coins_are_listed(amounts: tuple[int, ...], text: str) -> None:
    assert coins(amounts) == text
