"""A seed gives a deck by the published recipe, and a commitment is what the contract says it is."""

import hashlib
import hmac

import pytest

from ginapi.game.cards import DECK, texts
from ginapi.game.shuffle import commitment, deck_from_seed, numbers, salt_from_seed
from tests import referee


def words(seed: str, purpose: str, count: int) -> list[int]:
    """The recipe's words, worked out another way than the product does."""
    stream = b"".join(
        hmac.new(seed.encode("utf-8"), f"{purpose}|{block}".encode(), hashlib.sha256).digest() for block in range(count)
    )
    return [int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4)]


def deck_by_recipe(seed: str, number: int) -> list[str]:
    waiting = words(seed, f"deck|{number}", 20)
    deck = list(referee.DECK)
    for i in range(51, 0, -1):
        n = i + 1
        word = waiting.pop(0)
        while word >= 2**32 // n * n:
            word = waiting.pop(0)
        deck[i], deck[word % n] = deck[word % n], deck[i]
    return deck


@pytest.mark.parametrize("seed", ["", "a", "ginapi", "zażółć 牌", "x" * 500])
@pytest.mark.parametrize("number", [1, 2, 17])
def test_a_seed_gives_the_deck_of_the_recipe(seed: str, number: int) -> None:
    deck = deck_from_seed(seed, number)
    assert sorted(deck) == list(DECK)
    assert texts(deck) == deck_by_recipe(seed, number)
    assert deck == deck_from_seed(seed, number)


GOLDEN = (
    "7h Th Ks Jh 3s Qc 6s 2d Ts 9d Ad 7c Qd 4c Jc Qh 7d 5h 5d 6h Qs 8h 4d 9h 3h Kh "
    "3c As Tc Td 8c 6d 2c Js 7s 9s 5c 4s Kc 5s 3d 2s Jd Ah 4h 9c 2h Kd 6c 8s Ac 8d"
)


def test_the_deck_of_a_seed_never_changes() -> None:
    assert " ".join(texts(deck_from_seed("ginapi", 1))) == GOLDEN


def test_every_hand_and_every_seed_has_a_deck_of_its_own() -> None:
    decks = [deck_from_seed(seed, number) for seed in ("a", "b", "a1") for number in range(1, 41)]
    assert len(set(decks)) == len(decks)
    # Seed and number are kept apart.
    assert deck_from_seed("a", 11) != deck_from_seed("a1", 1)


def test_every_card_comes_to_every_place_about_equally_often() -> None:
    count = 5_200
    on_top = [0] * 52
    twenty_first = [0] * 52
    for number in range(count):
        deck = deck_from_seed("places", number)
        on_top[deck[0]] += 1
        twenty_first[deck[20]] += 1
    # 100 expected, standard deviation 10; the seed is fixed, so this holds always or never.
    assert all(50 < often < 150 for often in on_top + twenty_first)


def test_numbers_are_drawn_for_a_purpose_and_not_from_a_running_stream() -> None:
    first, again = numbers("s", "p"), numbers("s", "p")
    assert [first(10) for _ in range(40)] == [again(10) for _ in range(40)]
    assert [numbers("s", "q")(1_000_000) for _ in range(3)] == [numbers("s", "q")(1_000_000)] * 3
    assert numbers("s", "p")(2**32) == words("s", "p", 1)[0]
    assert {numbers("s", f"one|{at}")(1) for at in range(10)} == {0}


def test_a_number_is_uniform_where_the_words_do_not_divide() -> None:
    # A third of all words lie above the largest multiple of this n, and are passed over.
    n = 3 * 2**30 - 2**30 // 2
    expected = [word for word in words("u", "p", 40) if word < 2**32 // n * n]
    draw = numbers("u", "p")
    assert [draw(n) for _ in range(50)] == [word % n for word in expected][:50]


def test_a_commitment_is_the_hash_of_hand_salt_and_deck() -> None:
    deck = deck_from_seed("ginapi", 1)
    salt = salt_from_seed("ginapi", 1)
    assert len(salt) == 64
    assert int(salt, 16) >= 0
    assert salt != salt_from_seed("ginapi", 2)
    text = f"abc-1|{salt}|{' '.join(texts(deck))}"
    assert commitment("abc-1", salt, deck) == hashlib.sha256(text.encode()).hexdigest()
    assert commitment("abc-2", salt, deck) != commitment("abc-1", salt, deck)
