"""No delivery says what its reader may not know."""

import json
import re
from typing import Any

import pytest

from ginapi.game.cards import DECK
from ginapi.game.moves import Discard, Draw
from ginapi.tables import online
from ginapi.tables import table as at_table
from ginapi.tables.clock import ClockTerms
from ginapi.tables.notices import notices
from tests.api.caller import BEGAN_MS, Api, keen
from tests.coins.seated import idle
from tests.webhooks.hooked import HAND, MATCH, TURN, BothTold

CARD = re.compile(r"\b(?:[A2-9TJQK]|10)[shdc]\b")
HIDDEN = {"deck", "salt", "card", "cards", "melds", "deadwood", "seed", "just_taken", "drawn_card", "commitment"}


def names_in(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {name for one in value.values() for name in names_in(one)}
    return {name for one in value for name in names_in(one)} if isinstance(value, list) else set()


@pytest.mark.parametrize("choose", [keen, idle], ids=["keen", "idle"])
def test_no_delivery_of_a_whole_match_has_a_card_in_it(fresh_api: Api, choose: Any) -> None:
    two = BothTold(fresh_api, private=True, seed="cards", target=60)
    if choose is keen:
        two.pair.play_match(keen)
    else:
        two.pair.play_hand(idle)
        two.seats[1].leave()
    bodies = two.bodies()
    assert {one["type"] for one in bodies} == {TURN, HAND, MATCH}
    for one in bodies:
        assert not CARD.search(json.dumps(one)), one
        assert not names_in(one) & HIDDEN
        assert one["data"]["seat"] in (0, 1)


def test_what_a_seat_is_told_does_not_depend_on_what_it_cannot_know() -> None:
    """Two decks that differ in every card give the same notices for the same course."""
    seen = []
    for order in (DECK, DECK[::-1]):
        opened = online.open_online(
            "t" * 20, "seed", BEGAN_MS, stake=0, clock=ClockTerms(30_000, 500, 667, 10_000), deck=order
        )
        outcomes = [online.join(opened.table, BEGAN_MS)]
        outcomes.append(at_table.play(outcomes[-1].table, 0, Draw("stock"), BEGAN_MS))
        drawn = outcomes[-1].table.dealt.hand.drawn_card
        assert drawn is not None
        outcomes.append(at_table.play(outcomes[-1].table, 0, Discard(drawn), BEGAN_MS))
        outcomes.append(at_table.leave(outcomes[-1].table, 1, BEGAN_MS))
        seen.append([notices(outcome) for outcome in outcomes])
    assert seen[0] == seen[1]
    assert [[(one.event, one.seat) for one in of_call] for of_call in seen[0]] == [
        [(TURN, 0)],
        [],
        [(TURN, 1)],
        [(HAND, 0), (HAND, 1), (MATCH, 0), (MATCH, 1)],
    ]
