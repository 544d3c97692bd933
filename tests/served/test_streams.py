"""Streams and polls over real connections: cut at random, at the end of a server, above the cap, and in its log."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from ginapi.store import log
from ginapi.store.database import Database
from ginapi.tables.records import Record
from tests.conftest import Databases
from tests.served.conftest import Served
from tests.served.following import Connection, LongPolling, PlainPolling, Streaming, faults
from tests.served.playing import TIMEOUT_S, Json, answered, choice, connected, make_move
from tests.served.server import Server
from tests.shares import numbers, share
from tests.streams.sse import Reader

SOON_S = 5.0


class Two:
    """Two guests at a public table of a server."""

    def __init__(self, url: str, **terms: object) -> None:
        with connected(url) as nobody:
            opened = answered(nobody.post("/v1/tables", json={"kind": "online", **terms}), 201)
            body = {"invite": opened["invite"]} if opened["private"] else None
            joined = answered(nobody.post(f"/v1/tables/{opened['id']}/seats", json=body or {}), 201)
        self.id: str = opened["id"]
        self.hand_id: str = joined["hand_id"]
        self.tokens = (opened["token"], joined["token"])
        self.callers = tuple(connected(url, token) for token in self.tokens)

    def close(self) -> None:
        for caller in self.callers:
            caller.close()

    def play(self, name: str, hands: int) -> int:
        """Play the match on for so many hands, or to its end: how many were finished."""
        chance, played = numbers(name), 0
        seen = answered(self.callers[0].get(f"/v1/hands/{self.hand_id}"))
        while played < hands:
            while seen["turn"] is not None:
                caller = self.callers[seen["turn"]]
                own = answered(caller.get(f"/v1/hands/{seen['id']}"))
                seen = answered(make_move(caller, own, choice(chance, own)))
            played += 1
            if max(seen["scores"]) >= seen["target"]:
                return played
            if played < hands:
                seen = answered(self.callers[1].post(f"/v1/tables/{self.id}/hands"), 201)
        answered(self.callers[0].post(f"/v1/tables/{self.id}/leave"))
        return played


def records_of(database_url: str, table_id: str) -> list[Record]:
    database = Database(database_url)
    try:
        with database.read() as tx:
            return log.find_records(tx, table_id)
    finally:
        database.close()


def test_whoever_is_cut_off_however_often_has_the_whole_log_in_the_end(served: Served) -> None:
    chance, left, cuts = numbers("cut off"), share(500, 8), 0
    while left > 0:
        with closing(Two(served.server.url)) as two:
            seats: tuple[int | None, ...] = (0, 1, None)
            seed = chance.getrandbits(32)
            streams = [
                Streaming(served.server.url, two.id, None if seat is None else two.tokens[seat], seed + at)
                for at, seat in enumerate(seats)
            ]
            polls = [
                kind(served.server.url, two.id, two.tokens[seat], seed + 10 + seat)
                for seat, kind in enumerate((LongPolling, PlainPolling))
            ]
            with ThreadPoolExecutor(5) as threads:
                running = [threads.submit(one.run) for one in (*streams, *polls)]
                left -= two.play(f"cut off {seed}", left)
                told = [one.result(TIMEOUT_S) for one in running[:3]]
                listed = [one.result(TIMEOUT_S) for one in running[3:]]
        records = records_of(served.database_url, two.id)
        moves = [record for record in records if record.event == "move"]
        for seat, events in zip(seats, told, strict=True):
            assert [(event.id, event.event) for event in events] == [(str(one.number), one.event) for one in records]
            of_moves = [event.data for event in events if event.event == "move"]
            assert [move["hand_id"] for move in of_moves] == [f"{two.id}-{one.hand_number}" for one in moves]
            for move, record in zip(of_moves, moves, strict=True):
                assert faults(move, record._asdict(), seat) == [], (move, record)
        for seat, items in enumerate(listed):
            assert [number for number, _ in items] == [record.hand_number for record in moves]
            for (_, move), record in zip(items, moves, strict=True):
                assert faults(move, record._asdict(), seat) == [], (move, record)
        assert [json.dumps(event.data) for event in told[0] if event.event in ("dealt", "result")] == [
            json.dumps(event.data) for event in told[2] if event.event in ("dealt", "result")
        ]
        cuts += sum(one.cuts for one in (*streams, *polls))
    assert cuts > 20, "few were cut off"


def test_what_was_told_otherwise_is_found() -> None:
    """The check can fail."""
    record: Json = {"version": 3, "seat": 0, "by": "player", "action": "draw", "body": {"from": "stock", "card": "As"}}
    told = {"version": 3, "seat": 0, "by": "player", "action": "draw", "from": "stock"}
    assert faults(told, record, 1) == faults(told, record, None) == faults({**told, "card": "As"}, record, 1) == []
    assert faults(told, record, 0) == faults({**told, "card": "Ks"}, record, 1) == ["card"]
    assert faults({**told, "version": 4, "from": "discard"}, record, 1) == ["version", "from"]
    shed = {"version": 3, "seat": 0, "by": "player", "action": "discard", "body": {"card": "As"}}
    assert faults({**told, "action": "discard"}, shed, 1) == ["card"]


@pytest.fixture
def narrow(make_database: Databases, tmp_path: Path) -> Iterator[Server]:
    """One worker with eight places, four for one caller."""
    url = make_database("sqlite")
    server = Server(tmp_path, {"WEB_CONCURRENCY": "1", "GINAPI_DATABASE_URL": url, "GINAPI_STREAMS": "8"})
    try:
        yield server
    finally:
        server.stop()
        make_database.drop(url)


def opened(stack: ExitStack, url: str, path: str, token: str) -> httpx.Response:
    """A stream that stays open: its status and headers, and its body to be read."""
    return stack.enter_context(stack.enter_context(connected(url, token)).stream("GET", path))


def first_events(stream: httpx.Response, count: int) -> Reader:
    """What has been read once so many events were there."""
    reader, seen = Reader(), 0
    for piece in stream.iter_raw():
        seen += len(reader.take(piece))
        if seen >= count:
            return reader
    raise AssertionError("the stream ended")


def test_a_server_that_is_told_to_stop_ends_its_streams_at_once(narrow: Server) -> None:
    with closing(Two(narrow.url)) as two, ExitStack() as stack:
        path = f"/v1/tables/{two.id}/events"
        streams = [opened(stack, narrow.url, path, two.tokens[at % 2]) for at in range(6)]
        pieces = [stream.iter_raw() for stream in streams]
        for one in pieces:
            assert next(one).startswith(b"retry: ")
        began = time.monotonic()
        two.close()
        assert narrow.stop() == 0
        assert time.monotonic() - began < SOON_S
        for one in pieces:
            # To the last byte, as what has ended and not as what was cut.
            assert b"".join(one).endswith(b"\n\n")


def test_above_the_cap_others_are_served_and_a_place_that_is_left_is_free_again(narrow: Server) -> None:
    with closing(Two(narrow.url)) as two, closing(Two(narrow.url)) as others, ExitStack() as stack:
        path, other_path = f"/v1/tables/{two.id}/events", f"/v1/tables/{others.id}/events"
        with ExitStack() as first:
            streams = [opened(first, narrow.url, path, two.tokens[at % 2]) for at in range(8)]
            assert [stream.status_code for stream in streams] == [200] * 8
            refused = others.callers[0].get(other_path)
            assert refused.status_code == 503 and refused.headers["Retry-After"]
            began = time.monotonic()
            answered(others.callers[0].get(f"/v1/tables/{others.id}?after=99&wait_ms=20000"))
            assert time.monotonic() - began < SOON_S
            for stream in streams:
                assert first_events(stream, 4).retry == 2_000
        # All eight have hung up: it is seen to, and not only at the next thing that is sent.
        until = time.monotonic() + SOON_S
        while (status := opened(stack, narrow.url, other_path, others.tokens[0]).status_code) == 503:
            assert time.monotonic() < until
            time.sleep(0.05)
        assert status == 200


def test_a_long_poll_that_is_dropped_gives_its_place_back(narrow: Server) -> None:
    with closing(Two(narrow.url)) as two, ExitStack() as stack:
        chance, path = numbers("dropped"), f"/v1/tables/{two.id}"
        dropped = [Connection(narrow.url, two.tokens[0]) for _ in range(4)]
        for one in dropped:
            one.ask(f"{path}?after=99&wait_ms=25000")
        until = time.monotonic() + SOON_S
        while two.callers[0].get(f"{path}/events", headers={"Last-Event-ID": "x"}).status_code != 422:
            assert time.monotonic() < until
        # The four are the whole of this caller's share.
        while opened(stack, narrow.url, f"{path}/events", two.tokens[0]).status_code == 200:
            stack.pop_all().close()
            assert time.monotonic() < until
        for one in dropped:
            one.cut(chance)
        until = time.monotonic() + SOON_S
        while opened(stack, narrow.url, f"{path}/events", two.tokens[0]).status_code == 503:
            assert time.monotonic() < until
            time.sleep(0.05)


def test_no_ticket_is_in_any_line_of_the_log(served: Served) -> None:
    tickets = []
    with closing(Two(served.server.url)) as two, connected(served.server.url) as nobody:
        path = f"/v1/tables/{two.id}/events"
        for _ in range(3):
            ticket = answered(two.callers[0].post(f"/v1/tables/{two.id}/tickets"), 201)["ticket"]
            tickets.append(ticket)
            assert nobody.get(path, params={"ticket": ticket, "after": "x"}).status_code == 422
            with nobody.stream("GET", path, params={"ticket": ticket}) as stream:
                assert stream.status_code == 200
                first_events(stream, 4)
            assert nobody.get(path, params={"ticket": ticket}).status_code == 401
            assert nobody.request("TRACE", path, params={"ticket": ticket}).status_code == 405
            assert nobody.get(path, params={"ticket": ticket * 80}).status_code == 414
            assert nobody.get(path, params={"ticket": ticket}, headers={"X": "x" * 9000}).status_code in (400, 431)
    text = served.server.log()
    assert path in text
    assert not any(ticket.split("_", 2)[2] in text for ticket in tickets)
    assert not any(token.split("_", 2)[2] in text for token in two.tokens)
