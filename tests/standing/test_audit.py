"""`ginapi audit` over standings: their counts against the tables."""

import pytest
from sqlalchemy import text

from tests.api.caller import Api
from tests.coins.seated import faults, operate
from tests.standing.met import accounts, met

pytestmark = pytest.mark.usefixtures("cheap_passwords")

TAMPERINGS = {
    "a match too many": "UPDATE standings SET played_count = played_count + 1",
    "a match won": "UPDATE standings SET won_count = 1 - won_count",
    "a match left": "UPDATE standings SET left_count = 1",
    "a rated match": "UPDATE standings SET rated_count = rated_count - 1",
    "a standing removed": "DELETE FROM standings",
    "a table made private": "UPDATE tables SET private = (1 = 1)",
    "a table won by the other": "UPDATE tables SET winner = 1 - winner",
    "moves by the clock": "UPDATE records SET \"by\" = 'clock' WHERE event = 'move' AND action = 'draw'",
}


@pytest.mark.parametrize("done", TAMPERINGS)
def test_audit_finds_what_was_done_to_standings(fresh_api: Api, done: str) -> None:
    pair = met(fresh_api, "ana", "ben")
    pair.seats[0].move("draw", source="stock")
    pair.seats[1].leave()
    assert faults(fresh_api) == []
    with fresh_api.database.write() as tx:
        assert tx.execute(text(TAMPERINGS[done])).rowcount >= 1
    assert any(fault.startswith("standings: account:") for fault in faults(fresh_api)), faults(fresh_api)


def test_a_closed_account_has_no_standing_to_hold_against_its_tables(fresh_api: Api) -> None:
    pair = met(fresh_api, "ana", "ben")
    pair.seats[1].leave()
    fresh_api.ask("DELETE", "/v1/me", token=pair.seats[1].token)
    assert faults(fresh_api) == []


def test_the_command_counts_tables_and_accounts_alone(fresh_api: Api) -> None:
    accounts(fresh_api, "ana", "ben")
    ran = operate(fresh_api, "audit")
    assert (ran.exit_code, ran.stderr) == (0, "2 tables and accounts, 0 faults\n")
