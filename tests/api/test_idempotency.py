"""A request sent again under its key: answered the same, done once, and nothing readable kept of it."""

from typing import Any

import pytest
from werkzeug.test import TestResponse

from ginapi import scheduler
from ginapi.service import asking
from tests.api.caller import BEGAN_MS, DAY_MS, Api, Player, keen

KEY = "0123456789-a-key-of-mine"


def told(answer: TestResponse) -> tuple[int, bytes, str | None, str | None]:
    return answer.status_code, answer.data, answer.headers.get("ETag"), answer.headers.get("Location")


def in_hand(api: Api) -> Player:
    return Player(api, seed="again", target=500)


def between_hands(api: Api) -> Player:
    player = in_hand(api)
    player.play_out(keen)
    return player


WRITES: list[tuple[str, Any, str, dict[str, Any] | None, dict[str, Any]]] = [
    # name, how the table stands, path, body, another body
    ("a hand opened", in_hand, "/v1/hands", {"level": "easy"}, {"level": "hard"}),
    ("a hand opened bare", in_hand, "/v1/hands", None, {"level": "hard"}),
    ("a table opened", in_hand, "/v1/tables", {"kind": "practice"}, {"kind": "practice", "target": 5}),
    ("a move", in_hand, "{hand}/moves", {"action": "draw", "from": "stock"}, {"action": "draw", "from": "discard"}),
    ("a deal", between_hands, "{table}/hands", None, {"number": 1}),
    ("a deal by number", between_hands, "{table}/hands", {"number": 2}, {}),
    ("a leaving", in_hand, "{table}/leave", None, {}),
]


@pytest.mark.parametrize("row", range(len(WRITES)), ids=lambda row: WRITES[row][0])
def test_the_same_request_is_answered_the_same_and_done_once(fresh_api: Api, row: int) -> None:
    _, standing, template, body, other = WRITES[row]
    player: Player = standing(fresh_api)
    path, token = template.format(hand=player.hand_path, table=player.table_path), player.token
    first = fresh_api.post(path, body, token, key=KEY)
    assert first.status_code in (200, 201)
    assert "Idempotent-Replayed" not in first.headers
    after = fresh_api.rows()
    fresh_api.clock.now_ms += 1234
    for _ in range(2):
        again = fresh_api.post(path, body, token, key=KEY, if_match='"0"')
        assert told(again) == told(first)
        assert again.headers["Idempotent-Replayed"] == "true"
        assert again.headers["X-Request-Id"] != first.headers["X-Request-Id"]
    assert fresh_api.rows() == after
    if other != (body or {}):
        reused = fresh_api.post(path, other, token, key=KEY)
        assert (reused.status_code, reused.json["code"]) == (422, "key_reused")
        assert fresh_api.rows() == after


def test_an_empty_body_and_an_empty_object_are_the_same_request(fresh_api: Api) -> None:
    first = fresh_api.post("/v1/hands", None, key=KEY)
    assert told(fresh_api.post("/v1/hands", {}, key=KEY)) == told(first)


def test_the_order_of_names_and_the_spacing_are_no_part_of_a_request(fresh_api: Api) -> None:
    first = fresh_api.post("/v1/hands", {"level": "easy", "target": 9}, key=KEY)
    data = b' {"target":9,\n"level":"easy"}'
    assert told(fresh_api.post("/v1/hands", key=KEY, data=data, content_type="application/json")) == told(first)


@pytest.mark.parametrize("path", ["/v1/hands", "/v1/tables"])
def test_a_new_token_is_told_again_and_not_kept(fresh_api: Api, path: str) -> None:
    body = {"kind": "practice"} if path == "/v1/tables" else {}
    first = fresh_api.post(path, body, key=KEY)
    token = first.json["token"]
    again = fresh_api.post(path, body, key=KEY)
    assert again.json["token"] == token
    assert told(again) == told(first)
    assert fresh_api.get(first.headers["Location"], token).status_code == 200
    secret = token.removeprefix("ginapi_guest_")
    for name, rows in fresh_api.rows().items():
        for value in (value for row in rows for value in row):
            shown = value if isinstance(value, bytes) else str(value).encode()
            assert secret.encode() not in shown, name
            assert KEY.encode() not in shown, name


def test_another_key_gives_another_token_and_table(fresh_api: Api) -> None:
    opened = [fresh_api.post("/v1/hands", key=key).json for key in (KEY, KEY + "2", None, None)]
    assert len({hand["token"] for hand in opened}) == len({hand["id"] for hand in opened}) == 4


def test_keys_are_of_one_caller_one_method_and_one_address(fresh_api: Api) -> None:
    mine, theirs = in_hand(fresh_api), in_hand(fresh_api)
    draw = {"action": "draw", "from": "stock"}
    answers = [
        mine.post(draw, key=KEY),
        theirs.post(draw, key=KEY),
        mine.api.post("/v1/hands", {}, mine.token, key=KEY),
        theirs.api.post("/v1/hands", {}, theirs.token, key=KEY),
        fresh_api.post("/v1/hands", {}, key=KEY),
        mine.leave(key=KEY),
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 201, 201, 201, 200]
    assert not any("Idempotent-Replayed" in answer.headers for answer in answers)
    assert len({answer.data for answer in answers}) == len(answers)


def test_an_honest_retry_carries_the_old_etag(fresh_api: Api) -> None:
    player = in_hand(fresh_api)
    etag = player.see().headers["ETag"]
    draw = {"action": "draw", "from": "stock"}
    first = player.post(draw, key=KEY, if_match=etag)
    player.hand = first.json
    player.move("discard", card=player.hand["legal_moves"][0]["card"])
    again = player.post(draw, key=KEY, if_match=etag)
    assert told(again) == told(first)
    player.leave()
    assert told(player.post(draw, key=KEY, if_match=etag)) == told(first)
    stale = player.post(draw, key="another", if_match=etag)
    assert (stale.status_code, stale.json["code"]) == (412, "stale_version")


def test_a_refusal_is_not_kept_and_judged_anew(fresh_api: Api) -> None:
    player = in_hand(fresh_api)
    shed = {"action": "discard", "card": player.hand["cards"][0]}
    assert player.post(shed, key=KEY).json["code"] == "wrong_phase"
    player.move("draw", source="stock")
    taken = player.post(shed, key=KEY)
    assert taken.status_code == 200
    assert "Idempotent-Replayed" not in taken.headers
    # And its key is free for another body.
    assert player.post({"action": "layoff"}, key="free").json["code"] == "wrong_phase"
    assert player.post({"action": "draw", "from": "discard"}, key="free").status_code == 200


def test_keys_are_kept_for_24_hours(fresh_api: Api) -> None:
    first = fresh_api.post("/v1/hands", key=KEY)
    fresh_api.clock.now_ms += DAY_MS
    assert told(fresh_api.post("/v1/hands", key=KEY)) == told(first)
    fresh_api.clock.now_ms += 1
    later = fresh_api.post("/v1/hands", key=KEY)
    assert later.status_code == 201
    assert "Idempotent-Replayed" not in later.headers
    assert later.json["token"] != first.json["token"]


def test_a_replay_is_authorised_anew(fresh_api: Api) -> None:
    player = in_hand(fresh_api)
    fresh_api.clock.now_ms += 7 * DAY_MS - 1000
    draw = {"action": "draw", "from": "stock"}
    stale = Player(fresh_api)
    first = stale.post(draw, key=KEY)
    assert first.status_code == 200
    for bad in (None, "nobody"):
        answer = fresh_api.post(f"{stale.hand_path}/moves", draw, bad, key=KEY)
        assert answer.status_code == 401
    stranger = fresh_api.post(f"{stale.hand_path}/moves", draw, player.token, key=KEY)
    assert stranger.status_code == 404
    opened = fresh_api.post("/v1/hands", {}, player.token, key=KEY)
    assert opened.status_code == 201
    with fresh_api.database.write() as tx:
        tx.exec_driver_sql("UPDATE tokens SET used_ms = 0")
    for answer in (stale.post(draw, key=KEY), fresh_api.post("/v1/hands", {}, player.token, key=KEY)):
        assert (answer.status_code, answer.json["code"]) == (401, "bad_token")


def test_what_was_kept_is_forgotten_after_a_day_also_where_no_key_comes_again(
    fresh_api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "FORGOTTEN_AT_ONCE", 2)
    for number in range(5):
        fresh_api.post("/v1/hands", {}, key=f"{KEY}{number}")
    fresh_api.clock.now_ms += 1
    for number in range(5, 12):
        fresh_api.post("/v1/hands", {}, key=f"{KEY}{number}")
        fresh_api.clock.now_ms += 1
    kept = [12, 12, 7, 6]
    for count, at_ms in zip(kept, (0, DAY_MS, DAY_MS + 1, DAY_MS + 2), strict=True):
        fresh_api.clock.now_ms = BEGAN_MS + at_ms
        scheduler.forget_lapsed(fresh_api.house)
        assert len(fresh_api.rows()["requests"]) == count
    fresh_api.clock.now_ms += DAY_MS
    scheduler.forget_lapsed(fresh_api.house)
    assert fresh_api.rows()["requests"] == []
