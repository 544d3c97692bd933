"""Whole matches between two clients that know nothing but HTTP, over two servers that share one database.

Every request goes to whichever server chance says. What each client was told is held against the table's log, and every
hand is counted again by `tests.tally`.
"""

import hashlib
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest

from ginapi.store import log, tables
from ginapi.store.database import Database
from tests.api.caller import keen
from tests.conftest import Databases
from tests.served.playing import Json, answered, connected, records_of
from tests.served.server import Server
from tests.served.stored import audit
from tests.shares import numbers, share
from tests.tally import Tally

WORKERS, SERVERS, AT_ONCE = 2, 2, 8
MATCHES, AT_A_PERSONS_PACE = share(500, 5), share(12, 1)
THOUGHT_S = share(1_000, 30) / 1000
"""How long a person thinks, on the average."""


class Visitor:
    """One seat's client: each request goes to one of the servers."""

    def __init__(self, urls: list[str], token: str | None, chance: random.Random) -> None:
        self._clients = [connected(url, token) for url in urls]
        self._chance = chance

    def get(self, path: str, **query: Any) -> Json:
        return answered(self._chance.choice(self._clients).get(path, params=query))

    def post(self, path: str, body: Json, status: int = 201) -> Json:
        return answered(self._chance.choice(self._clients).post(path, json=body), status)

    def records(self, hand: Json) -> list[Json]:
        return records_of(self._chance.choice(self._clients), hand)

    def close(self) -> None:
        for client in self._clients:
            client.close()


@dataclass
class Seen:
    """What one client was told of a match: every hand as it ended, and the records of each, in order."""

    table_id: str
    hands: list[Json] = field(default_factory=list)
    records: list[list[Json]] = field(default_factory=list)


def play_seat(visitor: Visitor, table_id: str, seat: int, thought_s: float, chance: random.Random) -> Seen:
    """A match from one seat, to its end: own moves, and long polls while the other thinks."""
    seen, number = Seen(table_id), 0
    table = visitor.get(f"/v1/tables/{table_id}")
    while table["status"] == "playing":
        number += 1
        hand = visitor.post(f"/v1/tables/{table_id}/hands", {"number": number})
        played: list[Json] = []
        while hand["phase"] != "finished":
            before = hand["version"]
            if hand["turn"] == seat:
                time.sleep(chance.uniform(0, 2 * thought_s))
                hand = visitor.post(f"/v1/hands/{hand['id']}/moves", keen(hand), 200)
                assert [one["seat"] for one in hand["played"]] == [seat]
            else:
                hand = visitor.get(f"/v1/hands/{hand['id']}", after=before, wait_ms=10_000)
            assert before <= hand["version"] and len(hand["cards"]) in (10, 11)
            played += hand.get("played", [])
        seen.hands.append(hand)
        seen.records.append(visitor.records(hand))
        own = [one for one in seen.records[-1] if one["seat"] == seat]
        assert own == played, "what the answers said of one's own moves is what the log says"
        table = visitor.get(f"/v1/tables/{table_id}")
    return seen


def play_match(urls: list[str], number: int, thought_s: float) -> tuple[Seen, Seen]:
    """A match between two guests, at a table that the first opens and the second finds."""
    chance = numbers(f"match {number}")
    opener = Visitor(urls, None, chance)
    table = opener.post("/v1/tables", {"kind": "online"})
    joined = opener.post(f"/v1/tables/{table['id']}/seats", {})
    opener.close()
    visitors = [Visitor(urls, told["token"], random.Random(chance.random())) for told in (table, joined)]
    with ThreadPoolExecutor(2) as both:
        playing = [
            both.submit(play_seat, visitor, table["id"], seat, thought_s, random.Random(chance.random()))
            for seat, visitor in enumerate(visitors)
        ]
        seen = playing[0].result(600), playing[1].result(600)
    for visitor in visitors:
        visitor.close()
    return seen


def check_hand(hand: Json, records: list[Json], scores: list[int]) -> list[int]:
    """The hand counted again from its deck and records; the match's scores after it."""
    result = hand["result"]
    deck = result["deal"]["deck"]
    text = f"{hand['id']}|{result['deal']['salt']}|{' '.join(deck)}"
    assert hashlib.sha256(text.encode()).hexdigest() == hand["commitment"]
    assert [one["version"] for one in records] == list(range(1, hand["version"] + 1))
    tally = Tally(deck, hand["opener"])
    for one in records:
        assert tally.verdict(one["seat"], one) is None
        tally.apply(one["seat"], one)
        assert one["action"] != "draw" or one["card"] == tally.drawn
    assert tally.result == (result["kind"], result["winner"], result["points"])
    after = list(scores)
    if result["winner"] is not None:
        after[result["winner"]] += result["points"]
    assert result["scores"] == hand["scores"] == after
    return after


def check_match(database: Database, seen: tuple[Seen, Seen]) -> None:
    """Both clients and the log say the same, and the scores are what the cards come to."""
    first, second = seen
    with database.read() as tx:
        table = tables.find_table(tx, first.table_id)
        assert table is not None
        stored = log.find_records(tx, table.id)
    assert [one.number for one in stored] == list(range(1, table.version + 1))
    assert first.records == second.records
    scores = [0, 0]
    for number, (hand, records) in enumerate(zip(first.hands, first.records, strict=True), 1):
        assert (hand["number"], hand["opener"]) == (number, (number - 1) % 2)  # R2
        moves = [one for one in stored if one.event == "move" and one.hand_number == number]
        assert [(one.version, one.seat, one.by, one.action) for one in moves] == [
            (one["version"], one["seat"], one["by"], one["action"]) for one in records
        ]
        assert {one["by"] for one in records} == {"player"}
        assert second.hands[number - 1]["result"] == hand["result"]
        scores = check_hand(hand, records, scores)
    assert (tuple(scores), table.ended, max(scores) >= 100) == (table.scores, "target", True)
    assert table.winner == scores.index(max(scores))


@pytest.fixture(scope="module")
def two_servers(make_database: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[str], str]]:
    """The addresses of two servers on one PostgreSQL database, and its URL."""
    url = make_database("postgresql", migrated=False)
    settings = {"WEB_CONCURRENCY": str(WORKERS), "GINAPI_DATABASE_URL": url, "GINAPI_LOG_LEVEL": "WARNING"}
    servers = [Server(tmp_path_factory.mktemp("server"), settings) for _ in range(SERVERS)]
    try:
        yield [server.url for server in servers], url
        assert [server.stop() for server in servers] == [0] * SERVERS
    finally:
        for server in servers:
            server.kill()
        make_database.drop(url)


def test_matches_by_http_alone_are_what_the_rules_say(two_servers: tuple[list[str], str]) -> None:
    urls, database_url = two_servers
    paces = [THOUGHT_S] * AT_A_PERSONS_PACE + [0.0] * (MATCHES - AT_A_PERSONS_PACE)
    with ThreadPoolExecutor(AT_ONCE) as several, ThreadPoolExecutor(AT_A_PERSONS_PACE) as slow:
        playing = [
            (slow if pace else several).submit(play_match, urls, number, pace) for number, pace in enumerate(paces)
        ]
        matches = [one.result(3_600) for one in playing]
    database = Database(database_url)
    for seen in matches:
        check_match(database, seen)
    database.close()
    audit(database_url)
    played = [records for first, _ in matches for records in first.records]
    print(f"{len(matches)} matches, {len(played)} hands, {sum(map(len, played))} moves")
