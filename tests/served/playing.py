"""A client that plays: it knows nothing but `legal_moves`."""

import random
import ssl
from collections.abc import Mapping
from typing import Any

import httpx

Json = dict[str, Any]

TIMEOUT_S = 60.0
PASSWORD = "correct horse"
# Nothing here speaks TLS, and a client that made a context of its own would read every authority's certificate for it.
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def connected(url: str, token: str | None = None) -> httpx.Client:
    """A client of the service, as the one who holds the token."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return httpx.Client(base_url=url, headers=headers, timeout=TIMEOUT_S, trust_env=False, verify=_NO_TLS)


def opened(url: str, **terms: Any) -> tuple[httpx.Client, Json]:
    """A new practice table: its caller, and the first hand."""
    with connected(url) as nobody:
        hand = answered(nobody.post("/v1/hands", json=terms), 201)
    return connected(url, hand["token"]), hand


def answered(reply: httpx.Response, status: int = 200) -> Json:
    """The body of a reply that must have this status."""
    assert reply.status_code == status, reply.text
    return reply.json()


def choice(chance: random.Random, hand: Mapping[str, Any]) -> Json:
    """A move that ends hands soon: knock when that is legal, else anything."""
    knocks = [move for move in hand["legal_moves"] if move["action"] == "knock"]
    return dict(chance.choice(knocks or hand["legal_moves"]))


def make_move(caller: httpx.Client, hand: Mapping[str, Any], move: Json, **headers: str) -> httpx.Response:
    return caller.post(f"/v1/hands/{hand['id']}/moves", json=move, headers=headers)


def play_out(caller: httpx.Client, hand: Json, chance: random.Random) -> Json:
    """The hand, played to its end."""
    while hand["phase"] != "finished":
        hand = answered(make_move(caller, hand, choice(chance, hand)))
    return hand


def records_of(caller: httpx.Client, hand: Mapping[str, Any]) -> list[Json]:
    """Every record of a hand, page after page."""
    records: list[Json] = []
    query = {"limit": "100"}
    while True:
        page = answered(caller.get(f"/v1/hands/{hand['id']}/moves", params=query))
        records += page["items"]
        if page["next"] is None:
            return records
        query["cursor"] = page["next"]
