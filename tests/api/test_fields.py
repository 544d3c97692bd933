"""What each strict field takes and refuses, and how places are named."""

import json
from typing import Any

import pytest
from marshmallow import ValidationError, fields

from ginapi.api.fields import (
    Body,
    Cards,
    CardText,
    Choice,
    QueryInteger,
    StrictBoolean,
    StrictInteger,
    Text,
    errors_of,
    repeated_cards,
)
from ginapi.config import ERRORS_SHOWN
from ginapi.game.cards import DECK, card_text

TAKEN: list[tuple[fields.Field[Any], Any, Any]] = [
    (StrictInteger(1, 1000), 1, 1),
    (StrictInteger(1, 1000), 1000, 1000),
    (QueryInteger(0, 25000), "0", 0),
    (QueryInteger(0, 25000), "25000", 25000),
    (QueryInteger(0, 25000), "007", 7),
    (StrictBoolean(), True, True),
    (StrictBoolean(), False, False),
    (Text(1, 4), "a", "a"),
    (Text(1, 4), "čšž☂", "čšž☂"),
    (Text(1, 4), "\U0001f0a1" * 4, "\U0001f0a1" * 4),
    (Choice("easy", "hard"), "hard", "hard"),
    (CardText(), "As", 0),
    (CardText(), "as", 0),
    (CardText(), "AS", 0),
    (CardText(), "Kc", 51),
    (CardText(), "Td", 35),
    (CardText(), "10d", 35),
    (CardText(), "10D", 35),
    (Cards(1, 2), ["As", "2s"], [0, 1]),
]

REFUSED: list[tuple[fields.Field[Any], Any, str]] = [
    *((StrictInteger(1, 1000), value, "whole number") for value in (0, 1001, -1, 10**30, "5", 5.0, 5.9, True, [5], {})),
    *(
        (QueryInteger(0, 25000), value, "whole number")
        for value in ("", "-1", "+1", " 1", "1 ", "1_0", "1.0", "1e3", "٣", "25001", "9" * 19, "9" * 20, 5)
    ),
    *((StrictBoolean(), value, "true or false") for value in (0, 1, "true", "yes", [])),
    *((Text(1, 4), value, "1 to 4 characters") for value in ("", "abcde")),
    *((Text(1, 4), value, "NUL or half") for value in ("a\x00", "\ud800", "\udfff")),
    *((Text(1, 4), value, "not text") for value in (5, True, ["a"], {"a": 1}, b"a")),
    *((Choice("easy", "hard"), value, "one of: easy, hard") for value in ("", "Easy", "medium")),
    *((Choice("easy", "hard"), value, "not text") for value in (1, ["easy"])),
    *(
        (CardText(), value, "not a card")
        for value in ("", "A", "s", "1s", "11s", "Ax", "sA", "As ", " As", "010s", "A♠", 0, 51, True, ["As"])
    ),
    # Letters of Unicode that turn into a plain k and s when their case is changed.
    *((CardText(), value, "not a card") for value in ("\u212as", "A\u017f")),
    *((Cards(1, 2), value, "1 to 2 cards") for value in ([], ["As", "2s", "3s"])),
    *((Cards(1, 2), value, "not an array") for value in ("As", {"As": 1}, 5)),
    (Cards(10, 10), ["As"], "Give 10 cards"),
]


@pytest.mark.parametrize(("field", "sent", "loaded"), TAKEN)
def test_a_field_takes(field: fields.Field[Any], sent: Any, loaded: Any) -> None:
    assert field.deserialize(sent) == loaded


@pytest.mark.parametrize(("field", "sent", "says"), REFUSED)
def test_a_field_refuses(field: fields.Field[Any], sent: Any, says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        field.deserialize(sent)


@pytest.mark.parametrize(
    "field",
    [StrictInteger(0, 9), QueryInteger(0, 9), StrictBoolean(), Text(0, 9), Choice("a"), CardText(), Cards(1, 2)],
)
def test_no_field_takes_null(field: fields.Field[Any]) -> None:
    with pytest.raises(ValidationError):
        field.deserialize(None)


def test_every_card_goes_in_and_out_as_the_same_text() -> None:
    for card in DECK:
        assert CardText().deserialize(card_text(card)) == card
        assert CardText().serialize("card", {"card": card}) == card_text(card)


class Inner(Body):
    card = CardText(required=True)


class Outer(Body):
    card = CardText()
    melds = fields.List(Cards(1, 3))
    layoffs = fields.List(fields.Nested(Inner))


@pytest.mark.parametrize(
    ("sent", "pointers"),
    [
        ([], [""]),
        ("text", [""]),
        (None, [""]),
        (5, [""]),
        ({"card": "Xx"}, ["/card"]),
        ({"melds": [["As", "Xx"]]}, ["/melds/0/1"]),
        ({"melds": [["As"], "no"]}, ["/melds/1"]),
        ({"layoffs": [{"card": "As"}, {}]}, ["/layoffs/1/card"]),
        ({"layoffs": [5]}, ["/layoffs/0"]),
        ({"layoffs": [{"card": "As", "more": 1}]}, ["/layoffs/0/more"]),
        ({"other": 1}, ["/other"]),
        ({"": 1}, ["/"]),
        ({"a/b~c": 1}, ["/a~1b~0c"]),
        ({"card": 1, "clock": {}, "seat": 0}, ["/card", "/clock", "/seat"]),
    ],
)
def test_faults_are_named_by_json_pointer(sent: Any, pointers: list[str]) -> None:
    with pytest.raises(ValidationError) as caught:
        Outer().load(sent)
    assert sorted(pointer for pointer, _ in errors_of(caught.value)) == pointers


def test_a_callers_name_goes_out_as_utf_8_and_cut() -> None:
    with pytest.raises(ValidationError) as caught:
        Outer().load({"\ud800": 1, "x" * 5000: 1})
    pointers = [pointer for pointer, _ in errors_of(caught.value)]
    assert sorted(len(pointer) for pointer in pointers) == [2, 101]
    json.dumps(pointers, ensure_ascii=False).encode("utf-8")


def test_so_many_faults_are_told_and_no_more() -> None:
    with pytest.raises(ValidationError) as caught:
        Outer().load({f"name_{number}": 1 for number in range(500)})
    assert len(errors_of(caught.value)) == ERRORS_SHOWN


def test_a_repeated_card_is_told_at_its_second_place() -> None:
    places = [(("card",), 0), (("melds", 0, 0), 1), (("melds", 0, 1), 0), (("melds", 1, 0), 1)]
    assert repeated_cards(places) == {
        "melds": {0: {1: ["As stands twice in this body."]}, 1: {0: ["2s stands twice in this body."]}}
    }
    assert repeated_cards(places[:2]) == {}
