"""What a stream tells: the table's one log, each kind of record by its words, from wherever one goes on."""

import threading
import time
from typing import Any

import pytest

from ginapi.service import following, tables
from ginapi.store.faults import Unavailable
from ginapi.tables.clock import Gap
from ginapi.tables.records import clock_moved
from tests.accounts.people import open_account, pointers, refused, told
from tests.api.caller import Api, Player
from tests.online.pairs import Pair, open_online
from tests.streams.following import Stream, ended, path_of, records_of
from tests.streams.sse import Event

FORBIDDEN = ("deck", "salt", "seed")


def passive(hand: dict[str, Any]) -> dict[str, Any]:
    """Draw from the stock and shed what was drawn: nobody knocks, and the hand is a wash."""
    legal: list[dict[str, Any]] = hand["legal_moves"]
    if hand["phase"] == "draw":
        return legal[0]
    return next(move for move in legal if move["action"] == "discard" and move["card"] == hand["drawn_card"])


@pytest.fixture(scope="module")
def over(module_api: Api) -> Pair:
    """Two guests whose match is over."""
    pair = Pair(module_api)
    pair.play_match()
    return pair


def test_the_stream_is_the_log_number_by_number(api: Api, over: Pair) -> None:
    pair = over
    log = records_of(api, pair.id)
    assert len({record.event for record in log}) == 5
    for token in (pair.seats[0].token, pair.seats[1].token, None, Player(api).token):
        events = ended(api, pair.id, token)
        assert [(int(event.id), event.event) for event in events] == [(one.number, one.event) for one in log]
        assert [event.id for event in events] == [str(at) for at in range(1, len(log) + 1)]


@pytest.mark.usefixtures("ending")
def test_a_move_is_told_as_the_list_of_moves_tells_it(api: Api, pair: Pair) -> None:
    pair.play_hand()
    pair.seats[0].deal()
    pair.seats[1].look()
    mover = pair.seats[pair.seats[1].hand["turn"]]
    mover.look()
    mover.move("draw", source="stock")
    for token in (pair.seats[0].token, pair.seats[1].token):
        moves = [event.data for event in ended(api, pair.id, token) if event.event == "move"]
        for number in (1, 2):
            hand_id = f"{pair.id}-{number}"
            listed = told(api.get(f"/v1/hands/{hand_id}/moves", token))["items"]
            assert [move for move in moves if move["hand_id"] == hand_id] == [
                {"hand_id": hand_id, **move} for move in listed
            ]
    drawn = [ended(api, pair.id, seat.token)[-1].data for seat in pair.seats]
    assert ["card" in move for move in drawn] == [seat is mover for seat in pair.seats]
    assert "card" not in ended(api, pair.id)[-1].data


@pytest.mark.usefixtures("ending")
def test_an_onlooker_is_told_no_card_of_a_running_hand_and_all_of_a_finished_one(api: Api, pair: Pair) -> None:
    for _ in range(3):
        mover = pair.seats[pair.seats[0].look()["turn"]]
        mover.look()
        mover.move("draw", source="stock")
        mover.look()
        mover.move(**passive(mover.hand))
    for event in ended(api, pair.id):
        assert {"card", "melds", "layoffs", "cards"}.isdisjoint(event.data)
    pair.play_hand()
    seated = ended(api, pair.id, pair.seats[0].token)
    assert ended(api, pair.id) == seated
    assert all("card" in event.data for event in seated if event.data.get("action") in ("draw", "discard", "knock"))


def test_a_deal_tells_its_commitment_and_neither_deck_nor_salt(api: Api, over: Pair) -> None:
    pair = over
    for token in (pair.seats[0].token, None):
        deals = [event.data for event in ended(api, pair.id, token) if event.event == "dealt"]
        for deal in deals:
            hand = told(api.get(f"/v1/hands/{deal['hand_id']}", pair.seats[0].token))
            assert set(deal) == {"hand_id", "number", "opener", "commitment", "at"}
            assert {name: hand[name] for name in ("number", "opener", "commitment")} == {
                name: deal[name] for name in ("number", "opener", "commitment")
            }
        text = api.get(path_of(pair.id), token).text
        assert not any(word in text for word in FORBIDDEN)


def test_a_result_is_told_as_the_hand_has_it(api: Api, over: Pair) -> None:
    pair = over
    results = [event.data for event in ended(api, pair.id) if event.event == "result"]
    assert results
    for result in results:
        hand = told(api.get(f"/v1/hands/{result['hand_id']}", pair.seats[0].token))
        names = ("kind", "winner", "knocker", "points", "scores")
        assert {name: result[name] for name in names} == {name: hand["result"][name] for name in names}
        assert set(result) == {*names, "hand_id", "at"}


@pytest.mark.usefixtures("ending")
def test_seats_and_the_table_are_told_as_they_come(api: Api) -> None:
    token = open_account(api, "follower")
    opened = open_online(api, token)
    events = ended(api, opened["id"])
    at = "2026-09-21T14:13:20.000Z"
    assert [event[1:] for event in events] == [
        ("table", {"status": "open", "at": at}),
        ("seat", {"seat": 0, "name": "follower", "kind": "account", "at": at}),
    ]
    told(api.post(f"/v1/tables/{opened['id']}/seats"), 201)
    seat, dealt = ended(api, opened["id"], after=2)
    assert seat[1:] == ("seat", {"seat": 1, "name": "guest", "kind": "guest", "at": at})
    assert dealt.event == "dealt"
    told(api.post(f"/v1/tables/{opened['id']}/leave", None, token))
    over = ended(api, opened["id"])[-1]
    assert over[1:] == ("table", {"status": "finished", "winner": 1, "ended": "left", "at": at})
    told(api.post(f"/v1/tables/{opened['id']}/rematch", None, token), 202)
    offer = ended(api, opened["id"], token)[-1]
    assert offer[1:] == ("table", {"rematch": [0], "rematch_table_id": None, "at": at})
    api.clock.now_ms += 60_000
    lapsed = ended(api, opened["id"], token)[-1]
    assert lapsed[1:] == ("table", {"rematch": [], "rematch_table_id": None, "at": "2026-09-21T14:14:20.000Z"})


@pytest.mark.usefixtures("ending")
def test_a_match_that_the_house_called_off_tells_why(api: Api, pair: Pair) -> None:
    tables.void(api.house, pair.id, "A fault of ours")
    over = ended(api, pair.id)[-1].data
    assert (over["ended"], over["winner"], over["why"]) == ("void", None, "A fault of ours")


@pytest.mark.usefixtures("ending")
def test_a_clock_that_stood_still_is_told(api: Api, pair: Pair) -> None:
    version = records_of(api, pair.id)[-1].number
    with api.database.write() as tx:
        following.log.append_record(
            tx, pair.id, clock_moved(version + 1, *Gap(api.clock.now_ms, api.clock.now_ms + 7_000))
        )
    moved = ended(api, pair.id)[-1]
    assert moved[1:] == ("clock", {"moved_ms": 7_000, "at": "2026-09-21T14:13:27.000Z"})


@pytest.mark.usefixtures("ending")
def test_the_log_is_the_same_from_wherever_one_goes_on(api: Api, pair: Pair) -> None:
    token = pair.seats[0].token
    pair.play_hand()
    whole = ended(api, pair.id, token)
    for at in range(len(whole) + 1):
        assert ended(api, pair.id, token, after=at) == whole[at:]
    for at in (0, 5, len(whole)):
        # The header, which a browser sends by itself, goes before.
        assert ended(api, pair.id, token, after=3, headers={"Last-Event-ID": str(at)}) == whole[at:]


@pytest.mark.parametrize("page", [1, 3])
def test_a_long_log_is_told_in_pages(api: Api, over: Pair, page: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = ended(api, over.id)
    monkeypatch.setattr(following, "PAGE_RECORDS", page)
    assert ended(api, over.id) == whole


@pytest.mark.usefixtures("ending")
def test_what_is_no_place_in_the_log_is_refused(api: Api, pair: Pair) -> None:
    for wrong in ("-1", "1.5", "x", "1_0", "٣", str(2**31), "9" * 30):
        assert pointers(api.get(path_of(pair.id), headers={"Last-Event-ID": wrong.encode().decode("latin-1")})) == [
            "/Last-Event-ID"
        ]
        assert pointers(api.get(path_of(pair.id), query_string={"after": wrong})) == ["/after"]
    assert pointers(api.get(f"{path_of(pair.id)}?since=1")) == ["/since"]
    assert pointers(api.get(f"{path_of(pair.id)}?after=1&after=2")) == ["/after"]
    # A browser that had nothing yet sends no id, or an empty one.
    assert ended(api, pair.id, after=2, headers={"Last-Event-ID": ""}) == ended(api, pair.id, after=2)
    assert ended(api, pair.id, after=2**31 - 1) == []


@pytest.mark.usefixtures("ending")
def test_who_may_not_see_the_table_is_told_so_first(api: Api) -> None:
    private = Pair(api, private=True)
    absent = "f" * 20
    for table_id in (private.id, Player(api).hand["table_id"], absent, "x", "%00"):
        for query in ("", "?after=x", "?ticket=x&after=x"):
            path = f"{path_of(table_id)}{query}"
            unknown = "bad_token" if "ticket" in query else "no_token"
            assert refused(api.get(path)) == (401, unknown)
            assert refused(api.get(path, "nobody")) == (401, "bad_token")
            assert refused(api.get(path, Player(api).token)) == (404, "not_found")
    assert len(ended(api, private.id, private.seats[0].token)) == 4


@pytest.mark.usefixtures("ending")
def test_the_headers_keep_it_out_of_caches_and_buffers(api: Api, pair: Pair) -> None:
    for method in ("GET", "HEAD"):
        answer = api.ask(method, path_of(pair.id), token=pair.seats[0].token)
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].partition(";")[0] == "text/event-stream"
        assert {"no-store", "private"} <= set(answer.headers["Cache-Control"].split(", "))
        assert answer.headers["X-Accel-Buffering"] == "no"
        assert answer.headers["Vary"] == "Authorization"
        assert "Content-Length" not in answer.headers and "ETag" not in answer.headers
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert (answer.data == b"") == (method == "HEAD")
    assert not api.app.extensions["ginapi"].watch._taken


def test_a_stream_begins_with_when_to_come_back_and_a_comment(api: Api, pair: Pair) -> None:
    stream = Stream(api, path_of(pair.id))
    stream.take(1)
    assert (stream.reader.retry, stream.reader.comments) == (2_000, 1)
    stream.close()


def test_what_comes_is_told_as_it_comes(api: Api, pair: Pair) -> None:
    stream = Stream(api, f"{path_of(pair.id)}?after=4", pair.seats[1].token)
    for seat, action in ((0, "draw"), (0, "discard"), (1, "draw")):
        mover = pair.seats[seat]
        mover.look()
        before = time.monotonic()
        mover.move(**{"source" if name == "from" else name: of for name, of in passive(mover.hand).items()})
        event = stream.next()
        assert event is not None and event.data["action"] == action
        assert time.monotonic() - before < 5
    stream.close()


def test_a_heartbeat_comes_while_nothing_else_does(api: Api, pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "HEARTBEAT_MS", 20)
    stream = Stream(api, f"{path_of(pair.id)}?after=4")
    pieces = stream.answer.iter_encoded()
    assert next(pieces) == b"retry: 2000\n:\n\n"
    assert [next(pieces) for _ in range(5)] == [b":\n\n"] * 5
    stream.close()
    assert following.HEARTBEAT_MS < 15_000


def test_it_ends_with_the_match_and_then_there_is_no_more_to_ask_for(api: Api, pair: Pair) -> None:
    stream = Stream(api, path_of(pair.id), pair.seats[0].token)
    assert len(stream.take(4)) == 4
    pair.seats[1].leave()
    assert [event.event for event in stream.rest()] == ["move", "result", "table"]
    assert not api.app.extensions["ginapi"].watch._taken
    last = records_of(api, pair.id)[-1].number
    for token in (pair.seats[0].token, None):
        answer = api.get(path_of(pair.id), token, headers={"Last-Event-ID": str(last)})
        assert (answer.status_code, answer.data) == (204, b"")
        assert "Content-Type" not in answer.headers and "no-store" in answer.headers["Cache-Control"]
        assert api.get(f"{path_of(pair.id)}?after={last - 1}", token).status_code == 200
    assert api.ask("HEAD", f"{path_of(pair.id)}?after={last}").status_code == 204


def test_it_stays_while_a_rematch_is_asked_for(api: Api, pair: Pair) -> None:
    pair.seats[1].leave()
    path = f"/v1/tables/{pair.id}/rematch"
    told(api.post(path, None, pair.seats[0].token), 202)
    last = records_of(api, pair.id)[-1].number
    stream = Stream(api, f"{path_of(pair.id)}?after={last - 1}", pair.seats[0].token)
    (asked,) = stream.take(1)
    assert asked.data["rematch"] == [0]
    new = told(api.post(path, None, pair.seats[1].token), 201)
    (answered,) = stream.rest()
    assert (answered.data["rematch"], answered.data["rematch_table_id"]) == ([0, 1], new["id"])


def test_it_ends_at_once_when_the_process_is_about_to(api: Api, pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = api.app.extensions["ginapi"].watch
    stream = Stream(api, path_of(pair.id))
    assert len(stream.take(4)) == 4
    began = time.monotonic()
    timer = threading.Timer(0.1, lambda: monkeypatch.setattr(watch, "is_stopping", lambda: True))
    timer.start()
    assert stream.rest() == []
    assert time.monotonic() - began < 3
    timer.join()


def test_it_ends_when_the_token_is_revoked(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "HEARTBEAT_MS", 50)
    token = open_account(api)
    pair = Pair(api, (token, None), private=True)
    stream = Stream(api, path_of(pair.id), token)
    assert len(stream.take(4)) == 4
    assert api.ask("DELETE", "/v1/tokens/current", token=token).status_code == 204
    assert stream.rest() == []
    assert refused(api.get(path_of(pair.id), token)) == (401, "bad_token")


def test_it_settles_what_falls_due_while_nobody_else_does(api: Api, pair: Pair) -> None:
    """No scheduler runs here: nothing settles the table but the look of the one who follows."""
    api.clock.now_ms += 30_400
    stream = Stream(api, f"{path_of(pair.id)}?after=4")
    api.clock.now_ms += 200
    began = time.monotonic()
    event = stream.next()
    assert event is not None and event.data["by"] == "clock"
    assert time.monotonic() - began < 5 < following.HEARTBEAT_MS / 1000
    stream.close()


def end_of_a_stream(api: Api, pair: Pair, monkeypatch: pytest.MonkeyPatch, fault: Exception) -> list[Event]:
    """What a stream still tells whose next look at the table fails; its place is free again, however it ends."""

    def fail(*asked: object) -> None:
        raise fault

    monkeypatch.setattr(following, "HEARTBEAT_MS", 10)
    stream = Stream(api, path_of(pair.id))
    stream.take(4)
    try:
        with monkeypatch.context() as patched:
            patched.setattr(following, "look", fail)
            return stream.rest()
    finally:
        assert not api.app.extensions["ginapi"].watch._taken


def test_a_stream_ends_while_the_database_is_away(
    api: Api, pair: Pair, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert end_of_a_stream(api, pair, monkeypatch, Unavailable("The database cannot be reached.")) == []
    assert [(one.levelname, one.getMessage()) for one in caplog.records if one.name == "ginapi.api.refusals"] == [
        ("WARNING", "unavailable")
    ]


def test_a_fault_cuts_the_stream_off_and_is_logged_without_what_it_says(
    api: Api, pair: Pair, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(ZeroDivisionError):
        end_of_a_stream(api, pair, monkeypatch, ZeroDivisionError("As Kd are in the stock"))
    assert "ZeroDivisionError" in str([vars(one) for one in caplog.records])
    assert "As Kd" not in caplog.text
