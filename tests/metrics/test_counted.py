"""What is counted: requests by their route, moves once they are committed, and how late automatic ones are."""

from collections.abc import Callable
from typing import Any

import pytest

from ginapi import scheduler
from ginapi.api import waiting
from ginapi.api.metrics import _template
from ginapi.service import hands, settling
from ginapi.service.house import House
from ginapi.store.database import once_committed
from ginapi.store.faults import Deadlock
from tests.api.caller import Api, Player, drawer
from tests.clock.clocked import FULL_MS, Now
from tests.clock.clocked import drawer as drawing
from tests.clock.spoiled import spoil
from tests.clock.stored import opened, seat
from tests.metrics.scraped import Meter, samples_of
from tests.tables.matches import NOW_MS

DRAW = {"action": "draw", "from": "stock"}
MOVES = 'ginapi_moves_total{by="%s"}'


@pytest.fixture
def player(api: Api) -> Player:
    """A hand where nobody knocks."""
    api.choose = drawer
    return Player(api, seed="counted")


def requests_in(added: dict[str, float]) -> dict[str, float]:
    prefix = "ginapi_requests_total"
    return {name.removeprefix(prefix): count for name, count in added.items() if name.startswith(prefix)}


def moves_in(added: dict[str, float]) -> dict[str, float]:
    return {by: added[MOVES % by] for by in ("player", "computer", "clock") if MOVES % by in added}


def test_requests_are_counted_by_their_route_as_a_template_and_never_by_what_was_asked_for(
    api: Api, player: Player
) -> None:
    meter = Meter(api.house)
    player.see()
    player.see()
    api.get(player.hand_path)
    player.post({"action": "discard", "card": "As"})
    api.get(f"/v1/players/{'a name/with'}")
    api.get(f"/nowhere/{player.token}")
    api.ask("DELETE", player.hand_path)
    api.http.open("/healthz", method="BREW")
    assert requests_in(meter.added()) == {
        '{method="GET",route="/v1/hands/{hand_id}",status="200"}': 2,
        '{method="GET",route="/v1/hands/{hand_id}",status="401"}': 1,
        '{method="POST",route="/v1/hands/{hand_id}/moves",status="409"}': 1,
        '{method="GET",route="/v1/players/{name}",status="404"}': 1,
        '{method="GET",route="none",status="404"}': 1,
        '{method="DELETE",route="none",status="405"}': 1,
        '{method="other",route="none",status="405"}': 1,
    }


def test_nothing_that_names_a_table_a_caller_or_a_card_is_in_any_label(api: Api, player: Player) -> None:
    player.post(DRAW)
    api.get(f"/v1/tables/{player.hand['table_id']}/nothing/{player.token}?ticket=secret", player.token)
    text = api.get("/metrics").text
    for secret in (player.hand["table_id"], player.token, "secret", "counted"):
        assert secret not in text


def test_every_route_of_the_service_is_a_template_in_braces(api: Api) -> None:
    templates = {_template(rule.rule) for rule in api.app.url_map.iter_rules()}
    assert not [template for template in templates if "<" in template]
    assert {"/v1/tables/{table_id}/events", "/v1/players/{name}", "/metrics"} <= templates


def test_the_time_that_an_answer_took_is_counted_beside_it(api: Api, player: Player) -> None:
    meter = Meter(api.house)
    player.see()
    route = '{method="GET",route="/v1/hands/{hand_id}"}'
    added = meter.added()
    assert added[f"ginapi_request_seconds_count{route}"] == 1
    assert 0 < added[f"ginapi_request_seconds_sum{route}"] < 10


def test_what_a_long_poll_waited_is_not_time_that_its_answer_took(
    api: Api, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = iter(range(0, 1_000, 20))
    monkeypatch.setattr(waiting.time, "monotonic", lambda: float(next(told)))
    meter = Meter(api.house)
    player.api.get(f"{player.hand_path}?after=99&wait_ms=100", player.token)
    # By the clock of this test 40 s passed; the answer did not take less than nothing.
    assert meter.added()['ginapi_request_seconds_sum{method="GET",route="/v1/hands/{hand_id}"}'] < -30


def test_a_move_is_counted_with_the_computers_answer_and_once(api: Api, player: Player) -> None:
    meter = Meter(api.house)
    key = "a-key-for-a-move-counted-once"
    assert player.post(DRAW, key=key).status_code == 200
    assert moves_in(meter.added()) == {"player": 1}
    assert player.post(DRAW, key=key).headers["Idempotent-Replayed"] == "true"
    assert player.post(DRAW).status_code == 409
    assert moves_in(meter.added()) == {"player": 1}
    player.see()
    card = player.see().json["drawn_card"]
    assert player.post({"action": "discard", "card": card}).status_code == 200
    assert moves_in(meter.added()) == {"player": 2, "computer": 2}


def test_the_computers_opening_is_counted_and_leaving_is_no_move(api: Api) -> None:
    api.choose = drawer
    meter = Meter(api.house)
    opened_by_it = Player(api, opener="computer")
    assert moves_in(meter.added()) == {"computer": 2}
    opened_by_it.leave()
    assert moves_in(meter.added()) == {"computer": 2}


def test_what_is_rolled_back_was_not_made(api: Api, player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    meter = Meter(api.house)

    def fail(*given: Any) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(hands, "seen_after", fail)
        assert player.post(DRAW).status_code == 500
    assert moves_in(meter.added()) == {}
    assert player.post(DRAW).status_code == 200
    assert moves_in(meter.added()) == {"player": 1}


def test_what_is_left_to_the_commit_is_done_once_though_the_first_try_was_a_deadlocks_victim(house: House) -> None:
    done: list[int] = []
    tries: list[int] = []

    def work(tx: Any) -> None:
        tries.append(len(done))
        once_committed(tx, lambda: done.append(len(tries)))
        if len(tries) == 1:
            raise Deadlock("each other")

    house.db.transact(work)
    assert (tries, done) == ([0, 0], [2])
    house.db.transact(lambda tx: None)
    assert done == [2]


BY = {
    "a scheduler": lambda house: scheduler.settle_due(house),
    "somebody who looks": lambda house: settling.settle(house, f"{1:020x}"),
}


@pytest.mark.parametrize("by", BY)
def test_an_automatic_move_is_counted_with_how_late_it_was_settled(house: House, now: Now, by: str) -> None:
    seat(house.db, opened(1, choose=drawing))
    meter = Meter(house)
    now.ms = FULL_MS + 700
    settle: Callable[[House], object] = BY[by]
    settle(house)
    added = meter.added()
    assert added[MOVES % "clock"] == 1
    assert added["ginapi_automatic_move_late_seconds_count"] == 1
    assert added["ginapi_automatic_move_late_seconds_sum"] == pytest.approx(0.7)
    assert now() == NOW_MS + now.ms


def test_a_table_that_cannot_be_settled_is_counted(house: House, now: Now) -> None:
    seat(house.db, opened(1, choose=drawing))
    spoil(house.db, 1, "no JSON")
    meter = Meter(house)
    now.ms = FULL_MS
    scheduler.settle_due(house)
    added = meter.added()
    assert added["ginapi_settling_failures_total"] == 1
    assert moves_in(added) == {}


def test_the_streams_that_are_open_are_shown_with_how_many_there_may_be(api: Api) -> None:
    watch = api.app.extensions["ginapi"].watch
    meter = Meter(api.house)
    place = watch.place("somebody")
    assert meter.added() == {"ginapi_streams_open": 1}
    place.give_back()
    place.give_back()
    assert meter.added() == {}
    assert samples_of(api.get("/metrics").text)["ginapi_streams_most"] == 64
