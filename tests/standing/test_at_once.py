"""Matches of the same accounts that end at once: each is counted once, and no two wait for each other."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from ginapi.service import settling
from ginapi.store import tables
from ginapi.tables.table import leave
from tests.api.caller import Api
from tests.coins.seated import faults
from tests.online.pairs import Pair
from tests.standing.met import accounts, met, record

pytestmark = pytest.mark.usefixtures("cheap_passwords")
ROUNDS = 8


def at_once(*asks: Callable[[], object]) -> list[BaseException]:
    """What went wrong as these ran, each in a thread of its own."""
    gate = threading.Barrier(len(asks))

    def run(ask: Callable[[], object]) -> None:
        gate.wait(10)
        ask()

    with ThreadPoolExecutor(len(asks)) as threads:
        ran = [threads.submit(run, ask) for ask in asks]
    return [error for error in (one.exception() for one in ran) if error is not None]


def test_both_leave_at_once_and_one_match_is_counted(fresh_api: Api) -> None:
    pair = met(fresh_api, "ana", "ben", stake=50)
    codes: list[int] = []

    def leaving(token: str) -> Callable[[], None]:
        headers = {"Authorization": f"Bearer {token}"}
        path = f"/v1/tables/{pair.id}/leave"
        return lambda: codes.append(fresh_api.app.test_client().post(path, headers=headers).status_code)

    assert at_once(*(leaving(seat.token) for seat in pair.seats)) == []
    assert sorted(codes) == [200, 409]
    ana, ben = record(fresh_api, "ana"), record(fresh_api, "ben")
    assert sorted([ana, ben]) == [(1, 0, 1, 1), (1, 1, 0, 0)]
    assert faults(fresh_api) == []


@pytest.mark.parametrize("stake", [0, 50])
def test_two_matches_of_the_same_accounts_end_at_once_without_a_deadlock(fresh_api: Api, stake: int) -> None:
    """Each leaves one of them: coins alone would be paid to the one here, and to the other there."""
    ana, ben = accounts(fresh_api, "ana", "ben")

    def leaving(pair: Pair, seat: int) -> Callable[[], None]:
        def ask() -> None:
            # Not by `transact`, which would try again after a deadlock.
            with fresh_api.database.write() as tx:
                found = tables.find_to_write(tx, pair.id)
                assert found is not None
                settling.save(tx, found.table, leave(found.table, seat, fresh_api.clock.now_ms))

        return ask

    for _ in range(ROUNDS):
        here, there = Pair(fresh_api, (ana, ben), stake=stake), Pair(fresh_api, (ben, ana), stake=stake)
        assert at_once(leaving(here, 0), leaving(there, 0)) == []
    assert record(fresh_api, "ana") == record(fresh_api, "ben") == (2 * ROUNDS, ROUNDS, ROUNDS, ROUNDS)
    assert faults(fresh_api) == []


def test_a_move_that_ends_nothing_asks_nothing_of_standings(fresh_api: Api) -> None:
    pair = met(fresh_api, "ana", "ben")
    seat = pair.seats[0]
    seat.move("draw", source="stock")
    with fresh_api.statements() as sent:
        seat.move("discard", card=seat.hand["drawn_card"])
    assert len(sent) == 3
