"""What the other seat, an onlooker and a stranger cannot know of a table between people tells in nothing, over HTTP."""

import random
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest

import ginapi.api.presenting
import ginapi.api.tables
import ginapi.service.hands
from ginapi.game.cards import texts
from ginapi.service.callers import Seeing
from ginapi.service.seen import SeenTable
from ginapi.tables.values import Dealt
from tests.conftest import Databases
from tests.fixed import Fixed, Request, Told
from tests.secrecy.asking import ABSENT, bad_requests, reads, refused_moves, strangers_requests
from tests.secrecy.kept import in_both
from tests.secrecy.leaks import leaky_view
from tests.secrecy.pairs import Moment, moments
from tests.secrecy.worlds import World, other_world, recoloured, told_apart, top_of_stock, unseen, without_deal
from tests.shares import share

SEATS = (0, 1)


@pytest.fixture
def fixed(database_url: str) -> Iterator[Fixed]:
    service = Fixed(database_url)
    yield service
    service.close()


def asked_at(chance: random.Random, moment: Moment, here: World, seat: int | None) -> list[Request]:
    """Every read and refusal for a seat, or for one who only looks; and what the seat did last, sent again."""
    legal = moment.hands[seat]["legal_moves"] if seat is not None and moment.hands else []
    asked = [*reads(here), *refused_moves(chance, here, 12, seat or 0)]
    asked += bad_requests(here, chance.choice(legal) if legal else None)
    last = None if seat is None else moment.last[seat]
    if last is not None:
        asked += [last, last._replace(body={"action": "layoff", "melds": []})]
    chance.shuffle(asked)
    return asked


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize(("stage", "whole", "part"), [("draw", 40, 2), ("discard", 40, 2), ("layoff", 20, 1)])
def test_every_read_and_refusal_of_a_seat_is_the_same(
    stage: str, whole: int, part: int, seat: int, fixed: Fixed
) -> None:
    for chance, moment, here in moments(f"pairs, {stage}, {seat}", fixed, share(whole, part), stage):
        hidden = unseen(here, seat)
        there = other_world(chance, here, hidden)
        # The knocker does not see the other's cards, and who answers has seen the knocker's.
        stock, answers = here.table.dealt.hand.stock_count, stage == "layoff" and here.table.dealt.hand.turn == seat
        assert (len(hidden) > stock) is not answers
        assert told_apart(fixed, here, there, asked_at(chance, moment, here, seat), moment.tokens[seat]) == []


@pytest.mark.parametrize("stage", ["open", "finished", "over"])
def test_between_hands_nothing_tells_of_the_deals_to_come(stage: str, fixed: Fixed) -> None:
    for chance, moment, here in moments(f"pairs, {stage}", fixed, share(20, 1), stage):
        there = other_world(chance, here, unseen(here))
        assert there.row["seed"] != here.row["seed"]
        for seat, token in enumerate(moment.tokens):
            assert told_apart(fixed, here, there, asked_at(chance, moment, here, seat), token) == []


def test_who_only_looks_is_told_no_card_of_a_running_hand(fixed: Fixed) -> None:
    """Every read, list and refusal at a public table, with a token and without, where all suits are others."""
    guest = fixed.ask(Request("POST", "/v1/hands")).json["token"]
    for chance, moment, here in moments("onlookers", fixed, share(40, 2), private=False):
        there = recoloured(chance, here)
        assert there.table.dealt != here.table.dealt or moment.stage in ("finished", "over")
        asked = asked_at(chance, moment, here, None)
        asked += strangers_requests(moment.table_id, max(1, here.table.dealt.number))
        asked = [request for request in asked if not sits_down(moment, request)]
        # A ticket is new each time that one is given.
        given = [request for request in asked if not request.path.endswith("/tickets")]
        for token in (guest, None, "nobody"):
            assert told_apart(fixed, here, there, given if token == guest else asked, token) == []


def sits_down(moment: Moment, request: Request) -> bool:
    """Whether it is taken where a seat is empty: it is held against its like among the writes."""
    return moment.stage == "open" and request.method == "POST" and request.path.endswith("/seats")


def test_a_stranger_at_a_private_table_is_told_what_it_would_be_if_there_were_none(fixed: Fixed) -> None:
    guest = fixed.ask(Request("POST", "/v1/hands")).json["token"]
    for chance, moment, here in moments("strangers at private tables", fixed, share(20, 2), private=True):
        there = recoloured(chance, here)
        assert there.row["invite"] != here.row["invite"]
        number = max(1, chance.randint(0, here.table.dealt.number))
        asked = strangers_requests(moment.table_id, number)
        for token in (guest, None, "nobody"):
            assert told_apart(fixed, here, there, asked_at(chance, moment, here, None) + asked, token) == []
            for real, absent in zip(asked, strangers_requests(ABSENT, number), strict=True):
                told = fixed.ask(real, token)
                assert told == fixed.ask(absent, token), real
                assert told.status == (404 if token == guest else 401)


@pytest.mark.parametrize("seat", SEATS)
def test_a_move_tells_no_more_than_the_card_that_it_draws(seat: int, fixed: Fixed) -> None:
    """All that a seat may do on its turn: nobody answers in the same request."""
    for chance, moment, here in moments(f"moves of {seat}", fixed, share(60, 3), "draw", "discard", "layoff"):
        hidden = unseen(here, seat) - ({top_of_stock(here)} if moment.stage == "draw" else set())
        there = other_world(chance, here, hidden)
        legal = moment.hands[seat]["legal_moves"]
        for move in chance.sample(legal, min(4, len(legal))):
            request = Request("POST", f"/v1/hands/{moment.hands[seat]['id']}/moves", move)
            first, second = in_both(fixed, there, request, moment.tokens[seat])
            assert first.status == second.status == 200
            if first.json["result"] is not None and moment.stage == "discard":
                continue  # Gin: both hands are laid open.
            assert (first.headers, without_deal(first)) == (second.headers, without_deal(second)), move


def test_leaving_dealing_and_asking_for_a_rematch_are_answered_the_same(fixed: Fixed) -> None:
    told: set[tuple[str, int]] = set()
    anywhere = moments("writes of a pair", fixed, share(40, 3))
    for chance, moment, here in chain(anywhere, moments("writes at an end", fixed, share(20, 3), "over")):
        path = f"/v1/tables/{moment.table_id}"
        for seat, token in enumerate(moment.tokens):
            there = other_world(chance, here, unseen(here, seat))
            for request in (Request("POST", f"{path}/leave"), Request("POST", f"{path}/rematch")):
                first, second = in_both(fixed, there, request, token)
                assert first == second, request
                told.add((request.path.rpartition("/")[2], first.status))
            first, second = in_both(fixed, there, Request("POST", f"{path}/hands"), token)
            assert (first.status, names_in(first)) == (second.status, names_in(second))
            assert first == second or (moment.stage == "finished" and first.status == 201)
    assert told >= {("leave", 200), ("leave", 409), ("rematch", 202), ("rematch", 201), ("rematch", 409)}


def names_in(told: Told) -> list[str]:
    """What an answer has fields for, where the cards in it may differ."""
    return sorted(told.json)


def test_sitting_down_is_answered_the_same_whatever_lies_ready(fixed: Fixed) -> None:
    """By invite or by id, quickly, too late, and again by its key; and what the lobby and the opener see then."""
    guest = fixed.ask(Request("POST", "/v1/hands")).json["token"]
    for chance, moment, here in moments("sitting down", fixed, share(40, 4)):
        there = other_world(chance, here, unseen(here))
        key = {"Idempotency-Key": f"sit-{chance.getrandbits(128):032x}"}
        seats = f"/v1/tables/{moment.table_id}/seats"
        asked = [
            Request("POST", seats, {"invite": moment.invite} if moment.private else {}, key),
            Request("POST", seats, {"invite": "0" * 32}, key),
            Request("POST", "/v1/tables/quick", {"stake": 0}, key),
            Request("POST", "/v1/tables/quick", {"stake": 50}, key),
        ]
        for request in asked:
            for token in (guest, None, *moment.tokens):
                first, second = in_both(fixed, there, request, token)
                assert first == second, request


def leaky_hand(tx: Any, seeing: Seeing, hand_id: str) -> Dealt:
    """Shows an onlooker the running hand."""
    return seeing.table.dealt


def leaky_table(seen: SeenTable) -> dict[str, Any]:
    shown = ginapi.api.presenting.table_json(seen)
    return {**shown, "next": texts(seen.table.dealt.hand.deal.deck)}


LEAKS = {
    "a hand shown to who only looks": (ginapi.service.hands, "found_hand", leaky_hand),
    "a table": (ginapi.api.tables, "table_json", leaky_table),
    "the second seat's view": (ginapi.service.hands, "view", leaky_view),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak: str, make_database: Databases, monkeypatch: pytest.MonkeyPatch) -> None:
    fixed, found = Fixed(make_database("sqlite")), 0
    where, name, leaky = LEAKS[leak]
    for chance, moment, here in moments(f"leak in {leak}", fixed, 6, "draw", "discard", private=False):
        seat = 1 if "seat" in leak else None
        there = recoloured(chance, here) if seat is None else other_world(chance, here, unseen(here, seat))
        with monkeypatch.context() as patched:
            patched.setattr(where, name, leaky)
            token = None if seat is None else moment.tokens[seat]
            found += told_apart(fixed, here, there, asked_at(chance, moment, here, seat), token) != []
    fixed.close()
    assert found > 0
