"""Two worlds that differ only in what seat 0 cannot know tell it the same, byte for byte, over HTTP."""

import random
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from ginapi.api import bare_app
from tests.conftest import Databases
from tests.fixed import Fixed, Request, Told
from tests.secrecy.asking import ABSENT, bad_requests, reads, refused_moves, strangers_requests
from tests.secrecy.leaks import LEAKS
from tests.secrecy.worlds import (
    World,
    below_the_top,
    other_world,
    put,
    told_apart,
    top_of_stock,
    unseen,
    without_deal,
    world_of,
)
from tests.shares import numbers, share


class Sitting(NamedTuple):
    """A moment of random play: who plays where, the hand that it was told last, and the last move that it sent."""

    token: str
    table_id: str
    hand: dict[str, Any]
    last: Request | None


def wander(chance: random.Random, fixed: Fixed, often: float) -> Iterator[Sitting]:
    """Random moments of one random practice table; some matches go on for several hands, some are left."""
    level, opener = chance.choice(["easy", "medium", "hard"]), chance.choice(["player", "computer"])
    bold = chance.choice([0.05, 0.5, 1.0])
    # A clock stands still here, and is told all the same.
    clock = chance.choice([{}, {"clock": {"move_ms": 30_000}}])
    rules = chance.choice([{}, {"rules": "contest"}])
    told = fixed.ask(Request("POST", "/v1/hands", {"level": level, "opener": opener, "target": 60, **clock, **rules}))
    assert told.status == 201, told
    hand, last = told.json, None
    token, table_id = hand["token"], hand["table_id"]
    for at in range(200):
        if chance.random() < often or hand["phase"] in ("offer", "layoff", "finished"):
            yield Sitting(token, table_id, hand, last)
        if hand["phase"] == "finished":
            if hand["number"] == 3 or max(hand["scores"]) >= 60:
                return
            last = Request("POST", f"/v1/tables/{table_id}/hands", {"number": hand["number"] + 1})
        else:
            knocks = [move for move in hand["legal_moves"] if move["action"] == "knock"]
            moves = knocks if knocks and chance.random() < bold else hand["legal_moves"]
            key = {"Idempotency-Key": f"key-{at}"}
            last = Request("POST", f"/v1/hands/{hand['id']}/moves", chance.choice(moves), key)
        told = fixed.ask(last, token)
        assert told.status in (200, 201), told
        hand = told.json


def both(fixed: Fixed, here: World, there: World, request: Request, token: str | None) -> tuple[Told, Told]:
    """What a request is answered with in both worlds; the first is stored again in the end."""
    first = fixed.ask(request, token)
    put(fixed.database, there)
    second = fixed.ask(request, token)
    put(fixed.database, here)
    return first, second


def asked_at(chance: random.Random, sitting: Sitting, here: World) -> list[Request]:
    """Every read and refusal at this moment, and the last move sent again: as it was, and with another body."""
    legal = chance.choice(sitting.hand["legal_moves"]) if sitting.hand["legal_moves"] else None
    asked = [*reads(here), *refused_moves(chance, here, 25), *bad_requests(here, legal)]
    if sitting.last is not None and sitting.last.headers:
        asked += [sitting.last, sitting.last._replace(body={"action": "layoff", "melds": []})]
    chance.shuffle(asked)
    return asked


def moments(name: str, fixed: Fixed, count: int, *phases: str) -> Iterator[tuple[random.Random, Sitting, World]]:
    """So many random moments, in these phases or in any, from as many tables as it takes."""
    chance, seen = numbers(name), 0
    while True:
        for sitting in wander(chance, fixed, 0.12):
            if phases and sitting.hand["phase"] not in phases:
                continue
            yield chance, sitting, world_of(fixed.database, sitting.table_id)
            seen += 1
            if seen == count:
                return


@pytest.mark.parametrize(
    ("phase", "whole", "part"), [("offer", 40, 2), ("draw", 120, 3), ("discard", 120, 3), ("layoff", 60, 2)]
)
def test_every_read_and_refusal_is_the_same_in_both_worlds(phase: str, whole: int, part: int, fixed: Fixed) -> None:
    for chance, sitting, here in moments(f"reads and refusals, {phase}", fixed, share(whole, part), phase):
        hidden = unseen(here)
        there = other_world(chance, here, hidden)
        assert there.row["seed"] != here.row["seed"]
        # A knock lays the computer's cards open: then only the stock is left to differ.
        assert (len(hidden) > here.table.dealt.hand.stock_count) is (phase != "layoff")
        assert told_apart(fixed, here, there, asked_at(chance, sitting, here), sitting.token) == []


def test_after_a_hand_nothing_tells_of_the_seed_that_the_next_comes_from(fixed: Fixed) -> None:
    for chance, sitting, here in moments("reads and refusals, finished", fixed, share(100, 4), "finished"):
        there = other_world(chance, here, set())
        assert there.row["seed"] != here.row["seed"]
        assert told_apart(fixed, here, there, asked_at(chance, sitting, here), sitting.token) == []


def test_a_draw_is_the_same_where_only_its_card_is_held(fixed: Fixed) -> None:
    for chance, sitting, here in moments("draws", fixed, share(200, 10), "offer", "draw"):
        there = other_world(chance, here, unseen(here) - {top_of_stock(here)})
        # A pass is answered: by what the computer holds, which differs here.
        for move in (move for move in sitting.hand["legal_moves"] if move["action"] == "draw"):
            request = Request("POST", f"/v1/hands/{sitting.hand['id']}/moves", move)
            first, second = both(fixed, here, there, request, sitting.token)
            assert first.status == 200
            assert first == second, move


def test_a_move_with_the_computers_answer_is_the_same_where_only_the_deep_stock_differs(fixed: Fixed) -> None:
    """What the computer holds, will draw, and draws by number is held; what lies deeper tells in nothing."""
    for chance, sitting, here in moments("answers", fixed, share(200, 12), "offer", "discard", "layoff"):
        there = other_world(chance, here, below_the_top(here), seed_too=False)
        for move in chance.sample(sitting.hand["legal_moves"], min(3, len(sitting.hand["legal_moves"]))):
            request = Request("POST", f"/v1/hands/{sitting.hand['id']}/moves", move)
            first, second = both(fixed, here, there, request, sitting.token)
            assert (first.status, first.headers) == (second.status, second.headers)
            assert without_deal(first) == without_deal(second), move


def test_the_callers_own_record_and_leaving_are_the_same_in_both_worlds(fixed: Fixed) -> None:
    for chance, sitting, here in moments("own records", fixed, share(200, 12), "draw", "discard", "layoff"):
        there = other_world(chance, here, unseen(here))
        table = f"/v1/tables/{sitting.table_id}"
        first, second = both(fixed, here, there, Request("POST", f"{table}/leave"), sitting.token)
        assert first == second
        assert first.status == 200
        discards = [move for move in sitting.hand["legal_moves"] if move["action"] == "discard"]
        for move in chance.sample(discards, min(2, len(discards))):
            request = Request("POST", f"/v1/hands/{sitting.hand['id']}/moves", move)
            first, second = both(fixed, here, there, request, sitting.token)
            assert first.status == second.status == 200
            assert first.json["played"][0] == second.json["played"][0]


def test_every_read_of_a_hand_or_a_table_is_among_those_that_are_asked(fixed: Fixed) -> None:
    """A new route is held against both worlds before this passes again."""
    for _, _, here in moments("all reads", fixed, 1):
        asked = {re.sub(f"{here.table.id}(-[0-9]+)?", "<>", one.path.partition("?")[0]) for one in reads(here)}
        routed = {
            re.sub("<[^>]+>", "<>", rule.rule)
            for rule in bare_app().url_map.iter_rules()
            if {"hand_id", "table_id"} & rule.arguments and "GET" in (rule.methods or ())
        }
        assert routed <= asked


def test_a_stranger_is_told_what_it_would_be_told_if_there_were_no_table(fixed: Fixed) -> None:
    stranger = fixed.ask(Request("POST", "/v1/hands")).json["token"]
    for chance, sitting, here in moments("strangers", fixed, share(60, 6)):
        there = other_world(chance, here, unseen(here))
        number = chance.randint(1, here.table.dealt.number)
        asked = strangers_requests(sitting.table_id, number)
        for token in (stranger, None, "nobody"):
            assert told_apart(fixed, here, there, asked, token) == []
            for real, absent in zip(asked, strangers_requests(ABSENT, number), strict=True):
                told = fixed.ask(real, token)
                assert told == fixed.ask(absent, token), real
                assert told.status == (404 if token == stranger else 401)


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak: str, make_database: Databases, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check can fail: a view, a record or a refusal that says too much is seen within a few moments."""
    fixed, found = Fixed(make_database("sqlite")), 0
    where, name, leaky = LEAKS[leak]
    for chance, sitting, here in moments(f"leak in {leak}", fixed, 10, "draw", "discard"):
        there = other_world(chance, here, unseen(here))
        with monkeypatch.context() as patched:
            patched.setattr(where, name, leaky)
            found += told_apart(fixed, here, there, asked_at(chance, sitting, here), sitting.token) != []
    fixed.close()
    assert found > 0
