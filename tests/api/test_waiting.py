"""Long polls: answered when the version is passed, when the hand is over, or at the end of the wait."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from ginapi.service.waiting import LogAt, Watch
from tests.api.caller import Player

SOON_MS = 60
LONG_MS = 20_000


def ask(player: Player, path: str, query: str) -> tuple[dict[str, Any], float]:
    """The body of the answer, and after how many milliseconds it came; from any thread."""
    began = time.monotonic()
    headers = {"Authorization": f"Bearer {player.token}"}
    answer = player.api.app.test_client().get(f"{path}?{query}", headers=headers)
    assert answer.status_code == 200
    return answer.json, (time.monotonic() - began) * 1000


@pytest.fixture(params=["hand", "table"])
def path(request: pytest.FixtureRequest, player: Player) -> str:
    return player.hand_path if request.param == "hand" else player.table_path


def version(player: Player, path: str) -> int:
    return int(player.api.get(path, player.token).json["version"])


def test_a_version_that_is_passed_is_answered_at_once(player: Player, path: str) -> None:
    player.move("draw", source="stock")
    passed = version(player, path) - 1
    body, took_ms = ask(player, path, f"after={passed}&wait_ms={LONG_MS}")
    assert body["version"] == passed + 1
    assert took_ms < LONG_MS / 4


def test_without_a_wait_the_view_is_answered_as_it_is(player: Player, path: str) -> None:
    for query in (f"after={version(player, path)}", "after=999", f"wait_ms={LONG_MS}", "after=0&wait_ms=0"):
        body, took_ms = ask(player, path, query)
        assert body["version"] == version(player, path)
        assert took_ms < LONG_MS / 4


def test_at_the_end_of_the_wait_the_view_is_answered_as_it_is(player: Player, path: str) -> None:
    now = version(player, path)
    body, took_ms = ask(player, path, f"after={now}&wait_ms={SOON_MS}")
    assert body["version"] == now
    assert SOON_MS <= took_ms < LONG_MS / 4


def waited(player: Player, path: str, meanwhile: Callable[[], object], ahead: int = 0) -> tuple[dict[str, Any], float]:
    """What one who waits is answered when something happens meanwhile; `after` lies so many versions ahead."""
    found: list[tuple[dict[str, Any], float]] = []
    query = f"after={version(player, path) + ahead}&wait_ms={LONG_MS}"
    waiter = threading.Thread(target=lambda: found.append(ask(player, path, query)))
    waiter.start()
    watch: Watch = player.api.app.extensions["ginapi"].watch
    until = time.monotonic() + 10
    while not watch._waiting and time.monotonic() < until:
        threading.Event().wait(0.005)
    meanwhile()
    waiter.join(LONG_MS / 1000)
    return found[0]


def test_who_waits_is_answered_when_another_request_moves(player: Player, path: str) -> None:
    before = version(player, path)
    body, took_ms = waited(player, path, lambda: player.move("draw", source="stock"))
    assert body["version"] == before + 1
    assert took_ms < LONG_MS / 2


def test_a_version_further_ahead_is_waited_for(player: Player, path: str) -> None:
    def play() -> None:
        player.move("draw", source="stock")
        threading.Event().wait(0.25)
        player.move("discard", card=player.hand["legal_moves"][0]["card"])

    before = version(player, path)
    body, took_ms = waited(player, path, play, ahead=1)
    assert body["version"] > before + 1
    assert took_ms < LONG_MS / 2


def test_who_waits_for_more_than_comes_is_answered_when_the_hand_is_over(player: Player, path: str) -> None:
    body, took_ms = waited(player, path, player.leave, ahead=50)
    assert body.get("phase", body.get("status")) == "finished"
    assert took_ms < LONG_MS / 2


def test_who_waits_is_answered_when_the_hand_is_over(player: Player, path: str) -> None:
    body, took_ms = waited(player, path, player.leave)
    assert body.get("phase", body.get("status")) == "finished"
    assert took_ms < LONG_MS / 2


def test_nothing_more_comes_after_the_end_and_nobody_is_kept_waiting_for_it(player: Player, path: str) -> None:
    player.leave()
    now = version(player, path)
    body, took_ms = ask(player, path, f"after={now}&wait_ms={LONG_MS}")
    assert body["version"] == now
    assert took_ms < LONG_MS / 4


def test_where_all_places_are_taken_a_wait_is_answered_at_once(
    player: Player, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = player.api.app.extensions["ginapi"]
    narrow = replace(held, watch=Watch(held.house.db, 1))
    monkeypatch.setitem(player.api.app.extensions, "ginapi", narrow)
    now = version(player, path)

    def second() -> None:
        body, took_ms = ask(player, path, f"after={now}&wait_ms={LONG_MS}")
        assert body["version"] == now
        assert took_ms < LONG_MS / 4
        player.move("draw", source="stock")

    body, _ = waited(player, path, second)
    assert body["version"] == now + 1


def test_who_comes_as_the_last_look_ends_is_looked_for(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(player.api.database, 2)
    look_once = watch._look_once
    here = LogAt(player.hand["table_id"], 1, None, None)
    late = threading.Thread(target=lambda: watch.wait(here, LONG_MS, lambda: False))

    def look() -> bool:
        goes_on = look_once()
        if not goes_on and not late.ident:
            late.start()
            until = time.monotonic() + 10
            while not watch._waiting and time.monotonic() < until:
                threading.Event().wait(0.005)
        return goes_on

    monkeypatch.setattr(watch, "_look_once", look)
    watch.wait(here, SOON_MS, lambda: False)
    until = time.monotonic() + 10
    while not watch._waiting and time.monotonic() < until:
        threading.Event().wait(0.005)
    player.move("draw", source="stock")
    late.join(LONG_MS / 4 / 1000)
    assert not late.is_alive()


def test_no_connection_is_held_by_those_who_wait(player: Player, path: str) -> None:
    def count() -> None:
        with player.api.database.connect() as connection:
            pool: Any = connection.engine.pool
            # This one, and for a moment the look.
            assert pool.checkedout() <= 2
        player.move("draw", source="stock")

    waited(player, path, count)


def test_who_may_not_see_it_does_not_wait(player: Player, path: str) -> None:
    for token, status in ((None, 401), ("nobody", 401), (Player(player.api).token, 404)):
        began = time.monotonic()
        assert player.api.get(f"{path}?after=999&wait_ms={LONG_MS}", token).status_code == status
        assert (time.monotonic() - began) * 1000 < LONG_MS / 4
