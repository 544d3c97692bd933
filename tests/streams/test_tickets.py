"""Tickets: one stream of one table, once, within 30 s, for as long as the token that asked for it lasts."""

import hashlib
import threading

import pytest
from sqlalchemy import select
from werkzeug.test import TestResponse

from ginapi.service import following
from ginapi.store import schema
from ginapi.store.database import Database
from tests.accounts.people import open_account, pointers, refused, told
from tests.api.caller import Api, Player
from tests.online.pairs import Pair, open_online
from tests.streams.following import Stream, ended, path_of

KEY = "a-key-for-a-ticket-that-is-long"


def ticket_for(api: Api, table_id: str, token: str, **given: str) -> str:
    answer = api.post(f"/v1/tables/{table_id}/tickets", None, token, **given)
    ticket: str = told(answer, 201)["ticket"]
    return ticket


def by_ticket(api: Api, table_id: str, ticket: str, **given: object) -> TestResponse:
    return api.ask("GET", path_of(table_id), query_string={"ticket": ticket, **given})


@pytest.mark.usefixtures("ending")
def test_a_ticket_opens_the_stream_as_its_token_does_once(api: Api, pair: Pair) -> None:
    for token in (pair.seats[0].token, pair.seats[1].token, Player(api).token):
        ticket = ticket_for(api, pair.id, token)
        assert by_ticket(api, pair.id, ticket).data == api.get(path_of(pair.id), token).data
        assert refused(by_ticket(api, pair.id, ticket)) == (401, "bad_token")


def test_the_answer_says_how_long_it_may_be_used(api: Api, pair: Pair) -> None:
    answer = api.post(f"/v1/tables/{pair.id}/tickets", None, pair.seats[0].token)
    body = told(answer, 201)
    assert set(body) == {"ticket", "expires_at"}
    assert body["expires_at"] == "2026-09-21T14:13:50.000Z"
    assert "private" in answer.headers["Cache-Control"]


@pytest.mark.usefixtures("ending")
def test_it_goes_on_from_where_the_query_says(api: Api, pair: Pair) -> None:
    token = pair.seats[0].token
    (event,) = ended(api, pair.id, token, after=3)
    answer = by_ticket(api, pair.id, ticket_for(api, pair.id, token), after=3)
    assert f"id: {event.id}\n" in answer.text and "id: 3\n" not in answer.text


@pytest.mark.usefixtures("ending")
def test_a_late_ticket_opens_nothing(api: Api, pair: Pair) -> None:
    ticket = ticket_for(api, pair.id, pair.seats[0].token)
    api.clock.now_ms += 29_999
    assert api.ask("HEAD", path_of(pair.id), query_string={"ticket": ticket}).status_code == 200
    api.clock.now_ms += 1
    assert refused(by_ticket(api, pair.id, ticket)) == (401, "bad_token")


@pytest.mark.usefixtures("ending")
def test_a_ticket_is_for_its_own_table(api: Api, pair: Pair) -> None:
    token = pair.seats[0].token
    ticket = ticket_for(api, pair.id, token)
    for table_id in (Player(api, token).hand["table_id"], Pair(api).id, "f" * 20, "x"):
        assert refused(by_ticket(api, table_id, ticket)) == (401, "bad_token")
    assert by_ticket(api, pair.id, ticket).status_code == 200


@pytest.mark.usefixtures("ending")
def test_what_does_not_open_a_stream_does_not_use_the_ticket_up(api: Api, pair: Pair) -> None:
    ticket = ticket_for(api, pair.id, pair.seats[0].token)
    assert pointers(by_ticket(api, pair.id, ticket, after="x")) == ["/after"]
    assert api.ask("HEAD", path_of(pair.id), query_string={"ticket": ticket}).status_code == 200
    watch = api.app.extensions["ginapi"].watch
    places = [watch.place("many") for _ in range(16)]
    places += [watch.place(f"other {at}") for at in range(48)]
    answer = by_ticket(api, pair.id, ticket)
    assert refused(answer) == (503, "unavailable") and answer.headers["Retry-After"]
    for place in places:
        place.give_back()
    assert by_ticket(api, pair.id, ticket).status_code == 200


def test_nothing_else_is_taken_for_a_ticket(api: Api, pair: Pair) -> None:
    token = pair.seats[0].token
    for text in ("", "x", token, "ginapi_ticket_", "\x00", "é", "x" * 2000):
        assert refused(by_ticket(api, pair.id, text)) == (401, "bad_token")
    ticket = ticket_for(api, pair.id, token)
    # Nor is a ticket a token, and one of the two is enough.
    assert refused(api.get(f"/v1/tables/{pair.id}", ticket)) == (401, "bad_token")
    both = api.get(f"{path_of(pair.id)}?ticket={ticket}", token)
    assert pointers(both) == ["/ticket"]


def test_who_does_not_see_the_table_gets_none(api: Api, pair: Pair) -> None:
    path = f"/v1/tables/{pair.id}/tickets"
    assert refused(api.post(path)) == (401, "no_token")
    assert refused(api.post(path, None, "nobody")) == (401, "bad_token")
    private = open_online(api, private=True)
    assert refused(api.post(f"/v1/tables/{private['id']}/tickets", None, pair.seats[0].token)) == (404, "not_found")
    assert refused(api.post("/v1/tables/x/tickets", None, pair.seats[0].token)) == (404, "not_found")
    assert pointers(api.post(path, {"seat": 0}, pair.seats[0].token)) == ["/seat"]
    assert ticket_for(api, private["id"], private["token"])


def test_a_ticket_ends_with_its_token(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "HEARTBEAT_MS", 50)
    token = open_account(api)
    pair = Pair(api, (token, None))
    first, second = ticket_for(api, pair.id, token), ticket_for(api, pair.id, token)
    stream = Stream(api, f"{path_of(pair.id)}?ticket={first}")
    assert len(stream.take(4)) == 4
    assert api.ask("DELETE", "/v1/tokens/current", token=token).status_code == 204
    assert stream.rest() == []
    assert refused(by_ticket(api, pair.id, second)) == (401, "bad_token")


def test_the_same_request_is_told_the_same_ticket(api: Api, pair: Pair) -> None:
    path, token = f"/v1/tables/{pair.id}/tickets", pair.seats[0].token
    first = api.post(path, None, token, key=KEY)
    again = api.post(path, None, token, key=KEY)
    assert told(first, 201) == told(again, 201)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert ticket_for(api, pair.id, token) != first.json["ticket"] != ticket_for(api, pair.id, token, key=f"{KEY}2")
    assert by_ticket(api, pair.id, first.json["ticket"]).status_code == 200
    # A replay has no second effect: what was used stays used.
    assert api.post(path, None, token, key=KEY).json["ticket"] == first.json["ticket"]
    assert refused(by_ticket(api, pair.id, first.json["ticket"])) == (401, "bad_token")


def test_it_is_not_kept_readable(fresh_api: Api) -> None:
    pair = Pair(fresh_api)
    token = pair.seats[0].token
    ticket = ticket_for(fresh_api, pair.id, token, key=KEY)
    rows = fresh_api.rows()
    assert ticket.split("_", 2)[2] not in repr(rows)
    ((ticket_hash, token_hash, table_id, expires_ms),) = rows["tickets"]
    assert bytes(ticket_hash) == hashlib.sha256(ticket.encode()).digest()
    assert bytes(token_hash) == hashlib.sha256(token.encode()).digest()
    assert (table_id, expires_ms) == (pair.id, fresh_api.clock.now_ms + 30_000)
    assert len(ticket) > 45, "160 bits or more"


def test_those_that_nobody_used_are_cleared_in_passing(fresh_api: Api) -> None:
    pair = Pair(fresh_api)
    for _ in range(5):
        ticket_for(fresh_api, pair.id, pair.seats[0].token)
    fresh_api.clock.now_ms += 30_000
    ticket_for(fresh_api, pair.id, pair.seats[0].token)
    assert len(tickets_in(fresh_api.database)) == 1


def tickets_in(database: Database) -> list[bytes]:
    with database.read() as tx:
        return list(tx.execute(select(schema.tickets.c.hash)).scalars())


def test_of_two_who_use_it_at_once_one_gets_the_stream(api: Api, pair: Pair) -> None:
    token = pair.seats[0].token
    for _ in range(10):
        ticket = ticket_for(api, pair.id, token)
        gate = threading.Barrier(4)
        statuses: list[int] = []

        def use(ticket: str = ticket, gate: threading.Barrier = gate, statuses: list[int] = statuses) -> None:
            gate.wait()
            answer = api.app.test_client().get(f"{path_of(pair.id)}?ticket={ticket}")
            statuses.append(answer.status_code)
            answer.close()

        threads = [threading.Thread(target=use) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(statuses) == [200, 401, 401, 401]
    assert not api.app.extensions["ginapi"].watch._taken
