"""Tables brought to where something is to be looked at, by the API alone; a page sits down as whoever plays there."""

import itertools
import json
from collections.abc import Callable, Mapping
from typing import Any

import httpx
from playwright.sync_api import Page

Json = dict[str, Any]
VALUES = {rank: min(place + 1, 10) for place, rank in enumerate("A23456789TJQK")}


class Person:
    """Somebody who plays over HTTP: a guest, or an account with a name."""

    def __init__(self, url: str, name: str | None = None) -> None:
        # No connection is kept: nobody closes a person when a scene is over.
        self.client = httpx.Client(base_url=url, timeout=30, limits=httpx.Limits(max_keepalive_connections=0))
        self.name = name
        self.token: str | None = None
        if name is not None:
            self._is(self.post("/v1/accounts", name=name, password="correct horse"))

    def post(self, path: str, **body: Any) -> Json:
        reply = self.client.post(path, json=body)
        assert reply.is_success, reply.text
        answer: Json = reply.json()
        return answer

    def _is(self, answer: Json) -> None:
        if answer.get("token"):
            self.token = answer["token"]
            self.client.headers["Authorization"] = f"Bearer {self.token}"

    def open_hand(self, **body: Any) -> Json:
        opened = self.post("/v1/hands", **body)
        self._is(opened)
        return opened

    def open_table(self, path: str = "/v1/tables", **body: Any) -> Json:
        opened = self.post(path, **body)
        self._is(opened)
        return opened

    def move(self, hand: Json, **move: Any) -> Json:
        return self.post(f"/v1/hands/{hand['id']}/moves", **move)

    def hand(self, hand_id: str) -> Json:
        answer: Json = self.client.get(f"/v1/hands/{hand_id}").json()
        return answer

    def sit(self, page: Page, place: str, settings: Mapping[str, object] | None = None) -> None:
        """Make a page be this person's device, at a place of the web table."""
        kept = {"token": self.token, "name": self.name, "settings": dict(settings or {})}
        page.add_init_script(f"localStorage['ginapi.play'] ??= {json.dumps(json.dumps(kept))}")
        page.goto(f"{self.client.base_url}/play#{place}")


def deadwood_first(hand: Json) -> Json:
    """A plain way to play: from the stock, and shed the dearest card that is in no meld; never knock."""
    draws = [move for move in hand["legal_moves"] if move["action"] in ("pass", "draw", "layoff")]
    if draws:
        return dict(draws[0])
    melded = {card for meld in hand["melds"] for card in meld}
    sheds = [move for move in hand["legal_moves"] if move["action"] == "discard"]
    return dict(max(sheds, key=lambda move: (move["card"] not in melded, VALUES[move["card"][0]])))


def until(person: Person, hand: Json, wanted: Callable[[Json], bool]) -> Json | None:
    """Play on until the hand is as wanted; None where it ends otherwise."""
    while not wanted(hand):
        if hand["phase"] == "finished":
            return None
        hand = person.move(hand, **deadwood_first(hand))
    return hand


def brought_to(person: Person, wanted: Callable[[Json], bool], **opened: Any) -> Json:
    """The first hand of a row of fixed deals that comes to what is wanted."""
    for number in itertools.count():
        found = until(person, person.open_hand(seed=f"scene {number}", **opened), wanted)
        if found is not None:
            return found
    raise AssertionError


def deck_of(own: str, other: str, turned: str, stock: str) -> list[str]:
    """A deck that deals these cards, the caller opening: what is not named lies under what is."""
    dealt = [card for pair in zip(own.split(), other.split(), strict=True) for card in pair]
    named = [*dealt, turned, *stock.split()]
    return [*named, *(rank + suit for suit in "shdc" for rank in VALUES if rank + suit not in named)]


GIN_IN_TWO_WAYS = deck_of("5s 5h 5d 5c 6c 7c 8c 2s 2h 2d", "Qh 3h 6d 9c Qs Ks Jh Td 4s 8d", "Kh", "Kd")
"""With the king from the stock shed it is gin, and the match: four fives and 6-7-8, or three and 5-6-7-8."""


def is_offered(hand: Json) -> bool:
    return hand["phase"] == "offer"


def may_knock(hand: Json) -> bool:
    return any(move["action"] == "knock" for move in hand["legal_moves"])


def is_shedding(hand: Json) -> bool:
    return hand["phase"] == "discard" and len(hand["melds"]) == 2


def is_laying_off(hand: Json) -> bool:
    """A knock that something can be laid off on."""
    if hand["phase"] != "layoff":
        return False
    runs = [meld for meld in hand["knock"]["melds"] if meld[0][0] != meld[1][0]]
    places = {suit: ["A23456789TJQK".index(rank) for rank, other in hand["cards"] if other == suit] for suit in "shcd"}
    ends = [(run[0][1], "A23456789TJQK".index(run[0][0]) - 1) for run in runs]
    return any(place in places[suit] for suit, place in ends)


def is_over(hand: Json) -> bool:
    return hand["phase"] == "finished" and hand["result"]["knocker"] is not None


def is_late(hand: Json) -> bool:
    return hand["phase"] == "draw" and hand["stock_count"] < 24 and bool(hand["opponent"]["known_cards"])
