"""A match for coins, won, lost, left and voided: who is paid what, and that it is paid once (R27, R28)."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.accounts.people import ask, open_account, pointers, refused, told
from tests.api.caller import Api, keen
from tests.coins.seated import (
    NOTE,
    Sitter,
    balances,
    check_statement,
    faults,
    house_has,
    operate,
)

STAKE, FEE = 100, 10


def lines(sitter: Sitter) -> list[tuple[int, str, str | None]]:
    items = sitter.entries()
    check_statement(items)
    return [(entry["coins"], entry["reason"], entry["table_id"]) for entry in items]


def test_sitting_down_holds_the_stake_and_the_fee(fresh_api: Api) -> None:
    sitter = Sitter(fresh_api)
    table = sitter.opened
    assert (table["kind"], table["stake"], table["leaving_fee"], table["payout"]) == ("coin", STAKE, FEE, None)
    assert (table["status"], table["fair"], table["target"], table["level"]) == ("playing", True, 100, "hard")
    assert table["token"] is None and table["note"] == NOTE
    assert [(seat["kind"], seat["you"]) for seat in table["seats"]] == [("account", True), ("computer", False)]
    assert sitter.wallet() == (1000 - STAKE - FEE, STAKE + FEE)
    held = balances(fresh_api)
    assert held[f"table:{sitter.id}:0"] == STAKE + FEE
    assert held[f"table:{sitter.id}:1"] == STAKE
    assert house_has(fresh_api) == -1000 - STAKE
    assert lines(sitter)[1:] == [(-STAKE, "Stake", sitter.id), (-FEE, "Leaving fee set aside", sitter.id)]
    assert faults(fresh_api) == []


def test_the_winner_is_paid_both_stakes_and_its_fee_back(fresh_api: Api) -> None:
    sitter = Sitter(fresh_api)
    table = sitter.win()
    assert (table["winner"], table["ended"], table["payout"]) == (0, "target", 2 * STAKE)
    assert table["seats"][0]["score"] >= 100 and len(table["hands"]) > 1
    assert sitter.wallet() == (1000 + STAKE, 0)
    assert lines(sitter)[3:] == [
        (STAKE, "Payout", sitter.id),
        (STAKE, "Payout", sitter.id),
        (FEE, "Fee back", sitter.id),
    ]
    assert house_has(fresh_api) == -1000 - STAKE  # The house paid.
    assert [purse for purse in balances(fresh_api) if purse.startswith("table:")] == []
    assert faults(fresh_api) == []
    refused_twice(sitter)


def test_who_loses_gets_its_fee_back_and_no_more(fresh_api: Api) -> None:
    sitter = Sitter(fresh_api)
    table = sitter.lose()
    assert (table["winner"], table["ended"], table["payout"]) == (1, "target", 2 * STAKE)
    assert sitter.wallet() == (1000 - STAKE, 0)
    assert lines(sitter)[3:] == [(FEE, "Fee back", sitter.id)]
    assert house_has(fresh_api) == -1000 + STAKE
    assert faults(fresh_api) == []
    refused_twice(sitter)


def refused_twice(sitter: Sitter) -> None:
    """A table that is over: nothing more is taken, and nothing paid again (the fee of R28 neither)."""
    before = sitter.api.rows()
    for answer in (sitter.leave(), sitter.leave(key="again"), sitter.deal()):
        assert refused(answer) == (409, "table_over")
    move = {"action": "draw", "from": "stock"}
    assert refused(sitter.post(move)) == (409, "hand_over")
    ran = operate(sitter.api, "table", "void", sitter.id, "--why", "too late")
    assert (ran.exit_code, ran.stderr) == (1, "Error: The match is over already.\n")
    assert sitter.api.rows() == before


def void(sitter: Sitter) -> None:
    ran = operate(sitter.api, "table", "void", sitter.id, "--why", "a fault of ours")
    assert (ran.exit_code, ran.stdout) == (0, f"{sitter.id} is void.\n"), ran.output


def leave(sitter: Sitter, **given: Any) -> dict[str, Any]:
    return told(sitter.leave(**given))


def before_a_move(sitter: Sitter) -> None:
    return None


def in_mid_turn(sitter: Sitter) -> None:
    sitter.move("draw", source="stock")


def between_hands(sitter: Sitter) -> None:
    sitter.play_out(keen)  # Whoever waits with all its deadwood may lose the match in one hand.
    assert sitter.table()["status"] == "playing"


def in_the_second_hand(sitter: Sitter) -> None:
    between_hands(sitter)
    assert sitter.deal().status_code == 201
    sitter.move("draw", source="stock")


WHEN = [before_a_move, in_mid_turn, between_hands, in_the_second_hand]


@pytest.mark.parametrize("when", WHEN, ids=lambda when: when.__name__)
def test_leaving_forfeits_the_stake_and_costs_a_tenth_of_it(fresh_api: Api, when: Any) -> None:
    sitter = Sitter(fresh_api)
    when(sitter)
    left = leave(sitter, key="once")
    assert (left["forfeited"], left["fee"]) == (STAKE, FEE)
    table = left["table"]
    assert (table["status"], table["winner"], table["ended"], table["payout"]) == ("finished", 1, "left", 2 * STAKE)
    assert table["note"] == NOTE
    assert sitter.wallet() == (1000 - STAKE - FEE, 0)
    assert lines(sitter)[3:] == []  # What it put up is not seen again.
    assert house_has(fresh_api) == -1000 + STAKE + FEE
    assert faults(fresh_api) == []
    after = fresh_api.rows()
    again = sitter.leave(key="once")
    assert (again.status_code, again.json) == (200, left)
    assert refused(sitter.leave()) == (409, "table_over")
    assert refused(sitter.deal()) == (409, "table_over")
    assert fresh_api.rows() == after


@pytest.mark.parametrize("when", WHEN, ids=lambda when: when.__name__)
def test_a_match_that_is_called_off_gives_back_stake_and_fee(fresh_api: Api, when: Any) -> None:
    sitter = Sitter(fresh_api)
    when(sitter)
    void(sitter)
    table = sitter.table()
    assert (table["status"], table["winner"], table["ended"], table["payout"]) == ("finished", None, "void", None)
    assert sitter.wallet() == (1000, 0)
    assert lines(sitter)[3:] == [(STAKE, "Stake back", sitter.id), (FEE, "Fee back", sitter.id)]
    assert house_has(fresh_api) == -1000
    assert faults(fresh_api) == []
    refused_twice(sitter)


def test_nothing_is_at_stake_at_a_practice_table(fresh_api: Api) -> None:
    token = open_account(fresh_api)
    table = told(ask(fresh_api, "POST", "/v1/tables", {"kind": "practice"}, token), 201)
    left = told(ask(fresh_api, "POST", f"/v1/tables/{table['id']}/leave", {}, token))
    assert (left["forfeited"], left["fee"], left["table"]["payout"]) == (0, 0, None)
    assert len(fresh_api.rows()["transfers"]) == 1  # The welcome coins.


def test_several_tables_at_once_each_for_itself(fresh_api: Api) -> None:
    first = Sitter(fresh_api, stake=50)
    second, third = Sitter(fresh_api, first.token, 100), Sitter(fresh_api, first.token, 250)
    assert first.wallet() == (1000 - 440, 440)
    leave(second)
    assert first.wallet() == (1000 - 440, 330)
    void(third)
    assert first.wallet() == (1000 - 165, 55)
    assert first.win()["payout"] == 100
    assert first.wallet() == (1000 - 110 + 50, 0)
    assert faults(fresh_api) == []
    check_statement(first.entries())


def test_a_table_keeps_the_numbers_that_it_was_opened_with(under: Callable[..., Api]) -> None:
    then = Sitter(under(GINAPI_STAKES="70,140", GINAPI_COIN_MOVE_MS="60000"), stake=70)
    now = under(GINAPI_STAKES="50", GINAPI_COIN_MOVE_MS="30000", GINAPI_WELCOME_COINS="5")
    clock = then.opened["clock"]
    then.api = now
    assert then.table()["clock"] == clock and clock["move_ms"] == 60_000
    assert (then.table()["stake"], then.table()["leaving_fee"]) == (70, 7)
    assert then.wallet() == (1000 - 77, 77)
    then.move("draw", source="stock")
    assert then.hand["clock"]["move_ms"] == 60_000
    assert then.win()["payout"] == 140
    assert then.wallet() == (1070, 0)
    other = Sitter(now, then.token, 50)
    assert other.opened["clock"]["move_ms"] == 30_000
    assert leave(other)["forfeited"] == 50
    assert faults(now) == []


WRONG = [
    ({"kind": "coin"}, ["/stake"]),
    ({"kind": "coin", "stake": "100"}, ["/stake"]),
    ({"kind": "coin", "stake": 100.0}, ["/stake"]),
    ({"kind": "coin", "stake": True}, ["/stake"]),
    ({"kind": "coin", "stake": -100}, ["/stake"]),
    ({"kind": "coin", "stake": 10**30}, ["/stake"]),
    ({"kind": "coin", "stake": None}, ["/stake"]),
    ({"kind": "coin", "stake": 100, "seed": "x"}, ["/seed"]),
    ({"kind": "coin", "stake": 100, "level": "easy"}, ["/level"]),
    ({"kind": "coin", "stake": 100, "target": 1}, ["/target"]),
    ({"kind": "coin", "stake": 100, "opener": "computer"}, ["/opener"]),
    ({"kind": "coin", "stake": 100, "clock": {"move_ms": 600000}}, ["/clock"]),
    ({"kind": "practice", "stake": 100}, ["/stake"]),
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: str(wrong[0]))
def test_a_coin_table_takes_its_stake_and_nothing_else(api: Api, wrong: tuple[Any, list[str]]) -> None:
    token = open_account(api)
    before = api.rows()
    assert pointers(ask(api, "POST", "/v1/tables", wrong[0], token)) == wrong[1]
    assert api.rows() == before
