"""A gap without a restart: whoever is served before the first pulse after it gets no time for what was over by then."""

import json

import pytest

from ginapi.game.moves import Draw
from ginapi.service import serving, settling
from ginapi.service.house import House
from ginapi.tables.table import play
from tests.api.caller import Api, Player
from tests.clock.clocked import FULL_MS, Now, drawer
from tests.clock.gaps import clocks, gaps_in
from tests.clock.stored import column, log_of, opened, records_of, seat, table_id
from tests.tables.matches import NOW_MS

BEGAN_MS, ENDED_MS = 20_000, 80_000
"""The last pulse before the freeze, and the first after it."""


def draw(house: House, number: int) -> None:
    """A move of the person at a table, as soon as it is asked for."""

    def work(tx: object) -> None:
        found = settling.tables.find_to_write(tx, table_id(number))
        assert found is not None
        settling.save(tx, found.table, play(found.table, 0, Draw("stock"), house.now_ms(), drawer))

    house.db.transact(work)


@pytest.mark.parametrize(
    ("moved_at_ms", "gap_ms"),
    [
        (BEGAN_MS - 1, ENDED_MS - BEGAN_MS),
        (BEGAN_MS, ENDED_MS - BEGAN_MS),
        (BEGAN_MS + 400, ENDED_MS - BEGAN_MS - 400),
        (ENDED_MS - 1, 1),
        (ENDED_MS, 0),
    ],
)
def test_a_clock_moves_by_as_much_of_a_gap_as_it_ran_in(house: House, now: Now, moved_at_ms: int, gap_ms: int) -> None:
    seat(house.db, *(opened(number, choose=drawer) for number in (1, 2)))
    now.ms = min(BEGAN_MS, moved_at_ms)
    if moved_at_ms < BEGAN_MS:
        draw(house, 1)
    now.ms = BEGAN_MS
    serving.beat(house)
    if moved_at_ms >= BEGAN_MS:
        now.ms = moved_at_ms
        draw(house, 1)
    now.ms = ENDED_MS
    serving.beat(house)
    due_ms = moved_at_ms + FULL_MS + gap_ms
    assert clocks(house.db)[1][2] == due_ms
    assert due_ms <= ENDED_MS + FULL_MS  # Nobody has more than the full time.
    told = [(one.event, one.at_ms - NOW_MS, json.loads(one.body)) for one in records_of(house.db, 1)[2:]]
    assert told == ([("clock", ENDED_MS, {"moved_ms": gap_ms})] if gap_ms else [])
    assert column(house.db, "version")[1] == len(records_of(house.db, 1))
    # The other ran all the time.
    assert clocks(house.db)[2][2] == FULL_MS + ENDED_MS - BEGAN_MS
    assert gaps_in(house.db) == [(NOW_MS + BEGAN_MS, NOW_MS + ENDED_MS, 2 if gap_ms else 1)]
    # Once: nothing moves again, and what falls due then is played at its time.
    before = log_of(house.db)
    for now.ms in range(ENDED_MS, due_ms, 4_000):
        serving.beat(house)
    assert log_of(house.db) == before
    now.ms = due_ms
    settling.settle(house, table_id(1))
    assert [one.at_ms - NOW_MS for one in records_of(house.db, 1) if one.by == "clock"] == [due_ms]


def test_who_moves_as_a_frozen_server_thaws_has_the_full_time_and_no_more(fresh_api: Api) -> None:
    fresh_api.choose = drawer
    player = Player(fresh_api, clock={"move_ms": 90_000}, seed="freeze")
    opened_ms = fresh_api.clock.now_ms
    serving.beat(fresh_api.house)
    fresh_api.clock.now_ms = opened_ms + 60_000
    assert player.move("draw", source="stock")["clock"]["remaining_ms"] == 90_000
    serving.beat(fresh_api.house)
    assert player.see().json["clock"]["remaining_ms"] == 90_000
