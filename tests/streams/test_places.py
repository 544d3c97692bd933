"""The places of a worker: streams and long polls together, a share of them for one caller, and who gives one back."""

import socket
import struct
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ginapi.api.line import Line
from ginapi.service import following
from ginapi.service.waiting import LOOK_EVERY_MS, LogAt, Watch
from ginapi.store.database import Database
from ginapi.store.faults import Busy
from tests.accounts.people import refused, told
from tests.api.caller import Api, Player
from tests.online.pairs import Pair
from tests.streams.following import Stream, path_of

LONG_MS = 20_000


@pytest.fixture
def narrow(api: Api, monkeypatch: pytest.MonkeyPatch) -> Watch:
    """The service with eight places, four of them for one caller."""
    held = api.app.extensions["ginapi"]
    watch = Watch(held.house.db, 8)
    monkeypatch.setitem(api.app.extensions, "ginapi", replace(held, watch=watch))
    return watch


def test_a_stream_above_the_cap_is_refused_and_a_poll_is_answered_at_once(api: Api, pair: Pair, narrow: Watch) -> None:
    callers = [pair.seats[0].token, pair.seats[1].token]
    streams = [Stream(api, path_of(pair.id), token) for token in callers for _ in range(4)]
    newcomer = Player(api)
    answer = api.get(path_of(newcomer.hand["table_id"]), newcomer.token)
    assert refused(answer) == (503, "unavailable")
    assert int(answer.headers["Retry-After"]) >= 1
    began = time.monotonic()
    told(api.get(f"{newcomer.table_path}?after=99&wait_ms={LONG_MS}", newcomer.token))
    assert time.monotonic() - began < 5
    streams.pop().close()
    stream = Stream(api, path_of(newcomer.hand["table_id"]), newcomer.token)
    for one in [stream, *streams]:
        one.close()
    assert not narrow._taken


def test_one_caller_holds_a_share_and_others_find_room(api: Api, pair: Pair, narrow: Watch) -> None:
    token = pair.seats[0].token
    streams = [Stream(api, path_of(pair.id), token) for _ in range(4)]
    assert refused(api.get(path_of(pair.id), token)) == (503, "unavailable")
    began = time.monotonic()
    told(api.get(f"/v1/tables/{pair.id}?after=99&wait_ms={LONG_MS}", token))
    assert time.monotonic() - began < 5
    streams.append(Stream(api, path_of(pair.id), pair.seats[1].token))
    for one in streams:
        one.close()
    assert not narrow._taken


def test_callers_without_a_token_are_known_by_their_address(api: Api, pair: Pair, narrow: Watch) -> None:
    def status(address: str) -> int:
        answer = api.app.test_client().get(path_of(pair.id), environ_base={"REMOTE_ADDR": address})
        opened.append(answer)
        return answer.status_code

    opened: list[Any] = []
    assert [status("192.0.2.1") for _ in range(5)] == [200] * 4 + [503]
    # A network of IPv6 is one caller: whoever has it has all its addresses.
    assert [status(f"2001:db8::{at}") for at in range(1, 5)] == [200] * 4
    for answer in opened:
        answer.close()
    assert [status(f"2001:db8::{at}") for at in range(1, 6)] == [200] * 4 + [503]
    assert status("2001:db8:0:1::1") == 200
    assert status("::ffff:192.0.2.1") == status("::ffff:192.0.2.2") == 200
    for answer in opened:
        answer.close()
    assert not narrow._taken


def test_a_share_is_a_quarter_and_four_at_least(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'never_opened.db'}")
    for places, share in ((1, 1), (3, 3), (8, 4), (16, 4), (64, 16), (1000, 250)):
        watch = Watch(database, places)
        assert [watch.place("one") is not None for _ in range(share + 1)] == [True] * share + [False]


def test_a_stream_of_which_nothing_is_read_gives_its_place_back(api: Api, pair: Pair, narrow: Watch) -> None:
    answer = api.app.test_client().get(path_of(pair.id))
    assert narrow._taken.total() == 1
    answer.close()
    assert not narrow._taken


def test_no_connection_is_held_by_streams_that_wait(api: Api, pair: Pair) -> None:
    streams = [Stream(api, path_of(pair.id), pair.seats[0].token) for _ in range(5)]
    for stream in streams:
        stream.take(4)
    threads = [threading.Thread(target=stream.next) for stream in streams]
    for thread in threads:
        thread.start()
    watch: Watch = api.app.extensions["ginapi"].watch
    until = time.monotonic() + 10
    while len(watch._waiting) < 5 and time.monotonic() < until:
        threading.Event().wait(0.005)
    with api.database.connect() as connection:
        pool: Any = connection.engine.pool
        # This one, and for a moment the look.
        assert pool.checkedout() <= 2
    mover = pair.seats[pair.seats[0].look()["turn"]]
    mover.look()
    mover.move("draw", source="stock")
    for thread in threads:
        thread.join(10)
    for stream in streams:
        stream.close()


@pytest.mark.parametrize("what", ["table", "hand"])
def test_a_poll_settles_what_falls_due_while_nobody_else_does(api: Api, pair: Pair, what: str) -> None:
    """No scheduler runs here: the one who polls is answered with the clock's move, and not at the end of its wait."""
    path, version = (f"/v1/tables/{pair.id}", 4) if what == "table" else (f"/v1/hands/{pair.id}-1", 0)
    headers = {"Authorization": f"Bearer {pair.seats[0].token}"}
    found: list[Any] = []

    def poll() -> None:
        answer = api.app.test_client().get(f"{path}?after={version}&wait_ms={LONG_MS}", headers=headers)
        found.append(answer.json)

    api.clock.now_ms += 30_400
    polling, began = threading.Thread(target=poll), time.monotonic()
    polling.start()
    threading.Event().wait(0.05)
    api.clock.now_ms += 200
    polling.join(10)
    assert time.monotonic() - began < 5
    assert found[0]["version"] == version + 1


class TwoEnds:
    """A connection: what a server holds of it, and what its caller does."""

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.far = socket.create_connection(listener.getsockname())
            self.near, _ = listener.accept()
        self.line = Line({"gunicorn.socket": self.near})

    def close(self) -> None:
        self.far.close()
        self.near.close()


@pytest.fixture
def ends() -> Iterator[TwoEnds]:
    both = TwoEnds()
    yield both
    both.close()


def test_a_caller_that_hangs_up_is_seen_to(ends: TwoEnds) -> None:
    assert not ends.line.is_gone() and ends.line.takes(lambda: False)
    ends.far.sendall(b"GET / HTTP/1.1\r\n")
    assert not ends.line.is_gone(), "what it sends early is no hanging up"
    ends.far.close()
    assert ends.line.is_gone() and not ends.line.takes(lambda: False)


def test_a_caller_that_breaks_off_is_seen_to(ends: TwoEnds) -> None:
    ends.far.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    ends.far.close()
    assert ends.line.is_gone() and not ends.line.takes(lambda: False)
    # Nothing is left for the server to log as a fault of its own.
    assert ends.near.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0


def test_a_line_that_is_closed_is_gone(ends: TwoEnds) -> None:
    ends.near.close()
    assert ends.line.is_gone() and not ends.line.takes(lambda: False)


def test_a_caller_that_takes_nothing_is_waited_for_until_there_is_a_reason_not_to(ends: TwoEnds) -> None:
    ends.near.setblocking(False)
    try:
        while True:
            ends.near.send(b"x" * 65_536)
    except BlockingIOError:
        pass
    assert not ends.line.takes(lambda: True)
    assert not ends.line.is_gone()
    reader = threading.Thread(target=lambda: [ends.far.recv(1 << 20) for _ in range(40)])
    reader.start()
    assert ends.line.takes(lambda: False)
    ends.near.close()
    reader.join()


def test_where_the_server_shows_no_connection_the_line_holds() -> None:
    line = Line({})
    line.bound()
    assert not line.is_gone() and line.takes(lambda: False)


def test_the_system_gives_up_a_caller_that_vanished(ends: TwoEnds) -> None:
    ends.line.bound()
    assert ends.near.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 30_000


@pytest.mark.parametrize("kind", ["stream", "poll"])
def test_who_hangs_up_while_it_waits_gives_its_place_back(api: Api, pair: Pair, kind: str, ends: TwoEnds) -> None:
    path = path_of(pair.id) if kind == "stream" else f"/v1/tables/{pair.id}?after=99&wait_ms={LONG_MS}"
    watch: Watch = api.app.extensions["ginapi"].watch

    def ask() -> None:
        environ = {"gunicorn.socket": ends.near}
        api.app.test_client().get(path, environ_overrides=environ).get_data()

    asking = threading.Thread(target=ask)
    asking.start()
    until = time.monotonic() + 10
    while not watch._waiting and time.monotonic() < until:
        threading.Event().wait(0.005)
    began = time.monotonic()
    ends.far.close()
    asking.join(10)
    assert time.monotonic() - began < 5
    assert not watch._taken and not watch._waiting


def test_a_look_that_fails_for_good_wakes_all_and_the_next_who_waits_starts_another(
    api: Api, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = Watch(api.database, 2)
    place = watch.place("one")
    assert place is not None
    here = LogAt(pair.id, 4, None, None)
    monkeypatch.setattr(threading, "excepthook", lambda hooked: None)

    def fail() -> bool:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(watch, "_look_once", fail)
        began = time.monotonic()
        place.wait(here, LONG_MS)
        assert time.monotonic() - began < 5
    pair.seats[0].leave()
    began = time.monotonic()
    place.wait(here, LONG_MS)
    assert time.monotonic() - began < 5


def test_a_database_that_is_away_is_waited_for(api: Api, pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(api.database, 2)
    place = watch.place("one")
    assert place is not None
    read, count = api.database.read, [0]

    def fail_first(*asked: object) -> Any:
        count[0] += 1
        if count[0] < 3:
            raise Busy("All connections were in use.")
        return read()

    monkeypatch.setattr(type(api.database), "read", fail_first)
    began = time.monotonic()
    place.wait(LogAt(pair.id, 0, None, None), LONG_MS)
    assert 2 * LOOK_EVERY_MS / 1000 * 0.9 <= time.monotonic() - began < 5
    assert following.HEARTBEAT_MS < LONG_MS
