"""What a server writes down: every request by its id, and nothing that a player must not read."""

import json
import re
import secrets
import socket
from collections.abc import Collection
from contextlib import closing
from urllib.parse import urlsplit

import pytest

from ginapi.game.cards import mask_of, parse_card
from tests.served.conftest import Served
from tests.served.playing import Json, answered, choice, connected, make_move, opened
from tests.served.rigged import FAIL_TO_CHOOSE
from tests.served.server import LIMIT_S
from tests.served.stored import rows
from tests.shares import numbers

KEY = "a-key-that-must-not-be-written-"
# A card as a word of its own, as it is written; "as" and "AS" are words too, "As" begins no sentence of a log.
CARD = re.compile(r"(?<![A-Za-z0-9])(?:10|[A2-9TJQK])[shdc](?![A-Za-z0-9])")
# In quotes it is a card in any case.
QUOTED = re.compile(r"""["'](?:10|[a2-9tjqk])[shdc]\\?["']""", re.IGNORECASE)
# Cards as numbers: a deck, a hand, a pile.
NUMBERS = re.compile(r"[\[(]\s*\d+(?:\s*,\s*\d+){2,}")


def leaks(log: str, secret: Collection[str]) -> list[str]:
    """The lines of a log that show a card, a list of numbers that may be cards, or one of the secret texts."""
    return [
        line
        for line in log.splitlines()
        if CARD.search(line) or QUOTED.search(line) or NUMBERS.search(line) or any(text in line for text in secret)
    ]


def faulty_requests(hand: Json) -> list[tuple[str, bytes, dict[str, str], int]]:
    """(path, body, headers, status) of posts that are refused, with the caller's cards in them."""
    path = f"/v1/hands/{hand['id']}/moves"
    json_type = {"Content-Type": "application/json"}
    card = hand["cards"][0]
    out_of_phase = {"action": "discard", "card": card}
    if hand["phase"] == "discard":
        out_of_phase = {"action": "draw", "from": "stock"}
    return [
        (path, b'{"action": "discard", "card": "' + card.encode(), json_type, 400),
        (path, json.dumps({"action": "discard", "card": card}).encode(), {"Content-Type": "text/plain"}, 415),
        (path, json.dumps({"action": "discard", "card": card, card: 1}).encode(), json_type, 422),
        (path, json.dumps({"action": "knock", "card": card, "melds": [[card]]}).encode(), json_type, 422),
        (path, json.dumps({"action": "discard", "card": f"{card}\0"}).encode(), json_type, 422),
        (path, json.dumps(out_of_phase).encode(), json_type, 409),
        (path, json.dumps({"seed": "x" * 20_000}).encode(), json_type, 413),
        (f"/v1/hands/{hand['id']}0/moves", json.dumps({"action": "draw", "from": "stock"}).encode(), json_type, 404),
    ]


def secrets_of(served: Served, hands: list[Json], tokens: Collection[str]) -> set[str]:
    """Every text that must not be in a log: tokens, keys, seeds, salts, and hands as the numbers they are kept as."""
    texts = {KEY, *tokens}
    texts |= {seed for (seed,) in rows(served, "SELECT seed FROM tables")}
    for hand in hands:
        texts.add(str(mask_of(parse_card(card) for card in hand["cards"])))
        if hand["result"]:
            texts.add(hand["result"]["deal"]["salt"])
    return texts


def test_no_card_token_key_seed_or_salt_is_in_any_line(rigged: Served) -> None:
    chance = numbers("what is logged")
    hands: list[Json] = []
    tokens: set[str] = set()
    ids: set[str] = set()
    for number, terms in enumerate([{}, {"level": "hard", "opener": "computer"}, {"seed": "a seed to keep quiet"}]):
        with connected(rigged.server.url) as nobody:
            key = {"Idempotency-Key": f"{KEY}{number}-{chance.random()}"}
            reply = nobody.post("/v1/hands", json=terms, headers=key)
            hand = answered(reply, 201)
        ids.add(reply.headers["X-Request-Id"])
        tokens.add(hand["token"])
        with connected(rigged.server.url, hand["token"]) as caller:
            while hand["phase"] != "finished":
                for path, body, headers, status in faulty_requests(hand):
                    reply = caller.post(path, content=body, headers=headers)
                    assert reply.status_code == status, reply.text
                    ids.add(reply.headers["X-Request-Id"])
                reply = make_move(caller, hand, choice(chance, hand), **{"Idempotency-Key": f"{KEY}{chance.random()}"})
                ids.add(reply.headers["X-Request-Id"])
                hand = answered(reply)
                hands.append(hand)
            for path in ("", "/moves", "/record"):
                reply = caller.get(f"/v1/hands/{hand['id']}{path}")
                assert reply.status_code == 200
                ids.add(reply.headers["X-Request-Id"])
    log = rigged.server.log()
    assert leaks(log, secrets_of(rigged, hands, tokens)) == []
    assert ids <= {line["request_id"] for line in lines_of(log) if line["message"] == "request"}


REFUSED = (
    b"GET / HTTP/1.1\r\nAuthorization Bearer {secret}\r\n\r\n",
    b"Bearer {secret}\r\n\r\n",
    b"GET /x?ticket={secret}\x01 HTTP/1.1 zz\r\n\r\n",
)
"""What gunicorn refuses itself, each with a secret where one might come to stand."""


def test_of_a_request_that_is_none_the_log_says_no_more_than_that(rigged: Served) -> None:
    secret = f"ginapi_guest_{secrets.token_hex(20)}"
    where = urlsplit(rigged.server.url)
    for request in REFUSED:
        with socket.create_connection((where.hostname, where.port), LIMIT_S) as line:
            line.sendall(request.replace(b"{secret}", secret.encode()))
            assert line.recv(64).startswith(b"HTTP/1.1 400 ")
    log = rigged.server.log()
    assert log.count("Invalid request.") == len(REFUSED) and secret not in log


def test_no_header_says_where_the_app_is(rigged: Served) -> None:
    with connected(rigged.server.url) as caller:
        assert caller.get("/x/healthz", headers={"SCRIPT_NAME": "/x"}).status_code == 404
        assert caller.get("/healthz", headers={"SCRIPT_NAME": "/nope"}).status_code == 200


def lines_of(log: str) -> list[Json]:
    """The lines that the service itself wrote; the others are gunicorn's."""
    return [json.loads(line) for line in log.splitlines() if line.startswith("{")]


def test_a_fault_of_the_service_is_logged_by_where_it_happened_and_not_by_what_it_says(rigged: Served) -> None:
    caller, hand = opened(rigged.server.url)
    with closing(caller):
        hand = answered(make_move(caller, hand, {"action": "draw", "from": "stock"}))
        rigged.pull(FAIL_TO_CHOOSE)
        move = next(move for move in hand["legal_moves"] if move["action"] == "discard")
        headers = {"Idempotency-Key": f"{KEY}fault"}
        failed = make_move(caller, hand, move, **headers)
        assert (failed.status_code, failed.json()["code"]) == (500, "internal")
        assert not CARD.search(failed.text) and "RuntimeError" not in failed.text
        assert answered(caller.get(f"/v1/hands/{hand['id']}"))["version"] == hand["version"]
        after = make_move(caller, hand, move, **headers)
        assert "Idempotent-Replayed" not in after.headers and answered(after)["version"] > hand["version"]
    log = rigged.server.log()
    assert leaks(log, secrets_of(rigged, [hand], {caller.headers["Authorization"].removeprefix("Bearer ")})) == []
    said = [line for line in lines_of(log) if line["message"] == "internal"]
    assert said and said[-1]["fault"] == "RuntimeError" and "rigged.py" in said[-1]["where"]
    assert failed.headers["X-Request-Id"] in {line.get("request_id") for line in said}


@pytest.mark.parametrize(
    "planted",
    [
        '{"message":"drew Td from the stock"}',
        '{"message":"request","card":"As"}',
        '{"message":"request","body":"{\\"card\\": \\"as\\"}"}',
        "[2026-03-01 12:00:00 +0000] [7] [DEBUG] {'card': '10h'}",
        "[2026-03-01 12:00:00 +0000] [7] [DEBUG] cards: 7s, 7h and 7d",
        '{"message":"deck","deck":[3, 14, 15, 9, 26]}',
        "ginapi.game.hand.Hand(pile=(12, 44, 7))",
        '{"message":"request","token":"ginapi_guest_abc"}',
        '{"message":"seeded with the-seed"}',
    ],
)
def test_a_planted_line_is_found(planted: str) -> None:
    assert leaks(planted, {"ginapi_guest_abc", "the-seed"}) == [planted]


@pytest.mark.parametrize(
    "line",
    [
        "[2026-03-01 12:00:00 +0000] [7] [DEBUG] POST /v1/hands/3f2a9c0d1e4b5a6877td-1/moves as ever",
        '{"message":"request","request_id":"7d2ed9075ff59a48","status":200,"took_ms":1.53}',
        "[2026-03-01 12:00:00 +0000] [7] [INFO] Listening at: http://127.0.0.1:46139 (18150)",
    ],
)
def test_what_is_no_card_is_not(line: str) -> None:
    assert leaks(line, {"ginapi_guest_abc"}) == []
