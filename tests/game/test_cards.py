"""Cards as text (the rules page, "Cards as text") and their values (R7)."""

import pytest

from ginapi.game.cards import DECK, VALUES, card_text, cards_of, mask_of, parse_card, texts, value_of


def test_every_card_is_written_as_two_characters_and_read_back() -> None:
    written = [card_text(card) for card in DECK]
    assert len(set(written)) == 52
    assert all(len(text) == 2 and text[0] in "A23456789TJQK" and text[1] in "shdc" for text in written)
    assert [parse_card(text) for text in written] == list(DECK)


@pytest.mark.parametrize(
    ("text", "read"),
    [("10s", "Ts"), ("10H", "Th"), ("ts", "Ts"), ("AS", "As"), ("as", "As"), ("kD", "Kd"), ("2C", "2c")],
)
def test_input_may_use_ten_in_figures_and_either_case(text: str, read: str) -> None:
    assert card_text(parse_card(text)) == read


@pytest.mark.parametrize(
    "text",
    # The last two: a full-width two, and the Kelvin sign, whose lower case is k.
    ["", *"A|s|1s|0s|11s|Ax|sA|Ass|As | As|A s|T0s|10|010s|A♠|As\n|\x00s|\uff12s|\u212as".split("|")],
)
def test_any_other_text_is_no_card(text: str) -> None:
    with pytest.raises(ValueError, match="card"):
        parse_card(text)


@pytest.mark.parametrize(
    ("rank", "value"), list(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10), strict=True))
)
def test_r7_values(rank: str, value: int) -> None:
    for suit in "shdc":
        assert VALUES[parse_card(rank + suit)] == value_of(mask_of([parse_card(rank + suit)])) == value


def test_r7_the_value_of_a_set_of_cards_is_the_sum() -> None:
    assert value_of(0) == 0
    assert value_of(mask_of(DECK)) == 4 * (45 + 40)


def test_a_set_of_cards_lists_them_once_in_ascending_order() -> None:
    assert texts(mask_of([parse_card(text) for text in ("Kc", "As", "2h", "As")])) == ["As", "2h", "Kc"]
    assert cards_of(mask_of(DECK)) == DECK
    assert texts([parse_card("Kc"), parse_card("As")]) == ["Kc", "As"]
