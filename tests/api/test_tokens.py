"""Guests: how long a token lasts, when its use is written down, and how many tables it may sit at."""

import pytest
from sqlalchemy import select

from ginapi.config import TABLES_PER_PLAYER
from ginapi.store import schema
from tests.api.caller import BEGAN_MS, DAY_MS, Api, Player, keen

HOUR_MS = 3_600_000


def used_ms(api: Api) -> list[int]:
    with api.database.read() as tx:
        return list(tx.execute(select(schema.tokens.c.used_ms)).scalars())


def test_a_token_lapses_seven_days_after_its_last_use(fresh_api: Api) -> None:
    player = Player(fresh_api)
    for _ in range(3):
        fresh_api.clock.now_ms += 7 * DAY_MS
        assert player.see().status_code == 200
    fresh_api.clock.now_ms += 7 * DAY_MS + 1
    for answer in (player.see(), player.post({"action": "draw", "from": "stock"}), player.deal(), player.leave()):
        assert (answer.status_code, answer.json["code"]) == (401, "bad_token")
    assert fresh_api.post("/v1/hands", {}, player.token).status_code == 401


USES = {
    "seeing a hand": lambda player: player.see(),
    "seeing a table": lambda player: player.api.get(player.table_path, player.token),
    "listing records": lambda player: player.api.get(f"{player.hand_path}/moves", player.token),
    "a move": lambda player: player.post({"action": "draw", "from": "stock"}),
    "leaving": lambda player: player.leave(),
    "opening a hand": lambda player: player.api.post("/v1/hands", {}, player.token),
    "opening a table": lambda player: player.api.post("/v1/tables", {"kind": "practice"}, player.token),
}


@pytest.mark.parametrize("use", USES)
def test_every_use_counts_but_is_written_down_at_most_once_an_hour(fresh_api: Api, use: str) -> None:
    player = Player(fresh_api)
    fresh_api.clock.now_ms += HOUR_MS - 1
    assert player.see().status_code == 200
    assert used_ms(fresh_api) == [BEGAN_MS]
    fresh_api.clock.now_ms += 1
    assert USES[use](player).status_code in (200, 201)
    assert used_ms(fresh_api) == [BEGAN_MS + HOUR_MS]


def test_with_a_token_one_sits_as_oneself(api: Api) -> None:
    first = Player(api)
    second = Player(api, first.token)
    assert second.opened["token"] is None
    table = api.post("/v1/tables", {"kind": "practice"}, first.token).json
    assert table["token"] is None
    assert table["seats"][0]["you"] is True
    for player in (first, second):
        assert api.get(player.hand_path, first.token).json["seat"] == 0
    assert api.get(second.hand_path, Player(api).token).status_code == 404


def test_a_caller_may_sit_at_so_many_running_tables(fresh_api: Api) -> None:
    player = Player(fresh_api, target=1)
    for _ in range(TABLES_PER_PLAYER - 1):
        last = Player(fresh_api, player.token)
    before = fresh_api.rows()
    for path, body in (("/v1/hands", {}), ("/v1/tables", {"kind": "practice"})):
        answer = fresh_api.post(path, body, player.token, key="one-too-many")
        assert (answer.status_code, answer.json["code"]) == (409, "too_many_tables")
    assert fresh_api.rows() == before
    assert fresh_api.post("/v1/hands", {"level": "?"}, player.token).json["code"] == "invalid_request"
    assert Player(fresh_api).opened["number"] == 1
    last.leave()
    assert fresh_api.post("/v1/hands", {}, player.token, key="one-too-many").status_code == 201
    # A table that was played out frees its place too.
    while player.table()["status"] == "playing":
        player.play_out(keen)
        player.deal()
    assert fresh_api.post("/v1/hands", {}, player.token).status_code == 201
