"""Between people: what each seat, and whoever only looks, cannot know tells it nothing, by reads or by the stream."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import ginapi.api.events
import ginapi.api.presenting
from ginapi.service.following import Page
from ginapi.tables.records import Record
from tests.conftest import Databases
from tests.fixed import Fixed, Request
from tests.secrecy.asking import reads
from tests.secrecy.leaks import leaky_record
from tests.secrecy.worlds import World, other_world, suits_changed, told_apart, unseen, world_of
from tests.shares import numbers, share


class Between(NamedTuple):
    """A moment of random play between two people: their tokens, and one of somebody who only looks."""

    table_id: str
    tokens: tuple[str, str]
    looking: str
    phase: str


def wander(chance: random.Random, fixed: Fixed, often: float) -> Iterator[Between]:
    """Random moments of one random match between two people at a public table."""
    bold = chance.choice([0.05, 0.5, 1.0])
    looking = fixed.ask(Request("POST", "/v1/hands")).json["token"]
    opened = fixed.ask(Request("POST", "/v1/tables", {"kind": "online"})).json
    joined = fixed.ask(Request("POST", f"/v1/tables/{opened['id']}/seats")).json
    tokens, hand_id = (opened["token"], joined["token"]), joined["hand_id"]
    for _ in range(200):
        hand = fixed.ask(Request("GET", f"/v1/hands/{hand_id}"), tokens[0]).json
        if chance.random() < often or hand["phase"] in ("layoff", "finished"):
            yield Between(opened["id"], tokens, looking, hand["phase"])
        if hand["phase"] == "finished":
            if hand["number"] == 3 or max(hand["scores"]) >= 100:
                return
            told = fixed.ask(Request("POST", f"/v1/tables/{opened['id']}/hands"), tokens[1])
            hand_id = told.json["id"]
            continue
        mover = tokens[hand["turn"]]
        legal = fixed.ask(Request("GET", f"/v1/hands/{hand_id}"), mover).json["legal_moves"]
        knocks = [move for move in legal if move["action"] == "knock"]
        moves = knocks if knocks and chance.random() < bold else legal
        told = fixed.ask(Request("POST", f"/v1/hands/{hand_id}/moves", chance.choice(moves)), mover)
        assert told.status == 200, told


def moments(name: str, fixed: Fixed, count: int) -> Iterator[tuple[random.Random, Between, World]]:
    """So many random moments, from as many tables as it takes."""
    chance, seen = numbers(name), 0
    while True:
        for between in wander(chance, fixed, 0.12):
            yield chance, between, world_of(fixed.database, between.table_id)
            seen += 1
            if seen == count:
                return


def worlds_of(chance: random.Random, between: Between, here: World) -> Iterator[tuple[str | None, World]]:
    """Each viewer's token, None for nobody's, with a world that differs in all that this viewer cannot know."""
    for seat, token in enumerate(between.tokens):
        yield token, other_world(chance, here, unseen(here, seat))
    for looking in (None, between.looking):
        over = between.phase == "finished"
        yield looking, other_world(chance, here, set()) if over else suits_changed(chance, here)


def test_no_viewer_is_told_what_it_cannot_know(fixed: Fixed) -> None:
    for chance, between, here in moments("between people", fixed, share(200, 4)):
        for token, there in worlds_of(chance, between, here):
            assert there.row["seed"] != here.row["seed"]
            assert told_apart(fixed, here, there, reads(here), token) == []


def test_a_stream_is_told_in_full(fixed: Fixed) -> None:
    """What is the same in both worlds is not nothing."""
    for _, between, here in moments("streams in full", fixed, share(30, 4)):
        for token in (*between.tokens, None, between.looking):
            told = fixed.ask(Request("GET", f"/v1/tables/{between.table_id}/events"), token)
            assert told.body.count(b"\nid: ") == len(here.records)


def leaky_deal(record: Record, page: Page) -> dict[str, Any]:
    return {"event": record.event, **record.body}


LEAKS = {
    "a record": (ginapi.api.presenting, "shown_to", leaky_record),
    "a deal": (ginapi.api.events, "_of_hand", leaky_deal),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak: str, make_database: Databases, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check can fail, for each of the viewers."""
    service, found = Fixed(make_database("sqlite")), [0, 0, 0, 0]
    where, name, leaky = LEAKS[leak]
    for chance, between, here in moments(f"leak between people in {leak}", service, 6):
        for at, (token, there) in enumerate(worlds_of(chance, between, here)):
            asked = [Request("GET", f"/v1/tables/{between.table_id}/events")]
            with monkeypatch.context() as patched:
                patched.setattr(where, name, leaky)
                found[at] += told_apart(service, here, there, asked, token) != []
    service.close()
    assert all(found), found
