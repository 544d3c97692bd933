"""Two people at a table, at random moments: while it waits, in a hand, between hands, and once the match is over."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.api.caller import keen
from tests.fixed import Fixed, Request
from tests.secrecy.worlds import World, world_of
from tests.shares import numbers


class Moment(NamedTuple):
    """A moment of random play: the table, who sits there by which token, and what each sent last under a key."""

    table_id: str
    private: bool
    invite: str | None
    tokens: tuple[str, ...]
    stage: str
    """`open`, the phase of the running hand, `finished` for one that is over, or `over` for the match."""
    hands: tuple[dict[str, Any], ...]
    """The newest hand as each seat sees it; none while the table waits."""
    last: tuple[Request | None, ...]


class Evening:
    """One random table between guests."""

    def __init__(self, chance: random.Random, fixed: Fixed) -> None:
        self.chance, self.fixed = chance, fixed
        self.private = chance.random() < 0.5
        terms = {"target": 60} if self.private else {}
        opened = self._told(Request("POST", "/v1/tables", {"kind": "online", "private": self.private, **terms}), None)
        self.table_id, self.invite = opened["id"], opened["invite"]
        self.tokens = [opened["token"]]
        self.last: list[Request | None] = [None, None]

    def _told(self, request: Request, token: str | None) -> Any:
        told = self.fixed.ask(request, token)
        assert told.status in (200, 201, 202), told
        return told.json

    def _send(self, seat: int, path: str, body: Any = None) -> None:
        key = {"Idempotency-Key": f"key-{self.chance.getrandbits(64):016x}-and-more"}
        self.last[seat] = Request("POST", path, body, key)
        self._told(self.last[seat], self.tokens[seat])

    def _table(self) -> Any:
        return self._told(Request("GET", f"/v1/tables/{self.table_id}"), self.tokens[0])

    def now(self) -> Moment:
        """The moment as it stands."""
        table = self._table()
        path = f"/v1/hands/{table['hand_id']}"
        hands = [] if table["hand_id"] is None else [self._told(Request("GET", path), one) for one in self.tokens]
        stage = {"open": "open", "finished": "over"}.get(table["status"]) or hands[0]["phase"]
        last = tuple(self.last[: len(self.tokens)])
        return Moment(self.table_id, self.private, self.invite, tuple(self.tokens), stage, tuple(hands), last)

    def moments(self, often: float) -> Iterator[Moment]:
        """Some of its moments; no two matches end alike."""
        yield self.now()
        if self.chance.random() < 0.1:
            self._send(0, f"/v1/tables/{self.table_id}/leave")
            yield self.now()
            return
        body = {"invite": self.invite} if self.private else {}
        self.tokens.append(self._told(Request("POST", f"/v1/tables/{self.table_id}/seats", body), None)["token"])
        bold, able = self.chance.choice([0.05, 0.5, 1.0]), self.chance.choice([0.0, 0.9, 1.0])
        for _ in range(240):
            moment = self.now()
            if self.chance.random() < often or moment.stage in ("layoff", "finished"):
                yield moment
            if moment.stage == "over":
                break
            self._go_on(moment, bold, able)
        if self.now().stage == "over":
            self._send(self.chance.randrange(2), f"/v1/tables/{self.table_id}/rematch")
            yield self.now()

    def _go_on(self, moment: Moment, bold: float, able: float) -> None:
        number = moment.hands[0]["number"]
        if self.chance.random() < (0.01 if number < 3 else 0.2):
            self._send(self.chance.randrange(2), f"/v1/tables/{self.table_id}/leave")
        elif moment.stage == "finished":
            seat = self.chance.randrange(2)
            self._send(seat, f"/v1/tables/{self.table_id}/hands", {"number": number + 1})
        else:
            hand = moment.hands[moment.hands[0]["turn"]]
            knocks = [move for move in hand["legal_moves"] if move["action"] == "knock"]
            moves = knocks if knocks and self.chance.random() < bold else hand["legal_moves"]
            move = keen(hand) if self.chance.random() < able else self.chance.choice(moves)
            self._send(hand["seat"], f"/v1/hands/{hand['id']}/moves", move)


def moments(
    name: str, fixed: Fixed, count: int, *stages: str, private: bool | None = None
) -> Iterator[tuple[random.Random, Moment, World]]:
    """So many random moments, at these stages or at any, from as many tables as it takes."""
    chance, seen = numbers(name), 0
    while True:
        evening = Evening(chance, fixed)
        if private is not None and evening.private is not private:
            continue
        for moment in evening.moments(0.1):
            if not stages or moment.stage in stages:
                yield chance, moment, world_of(fixed.database, moment.table_id)
                seen += 1
                if seen == count:
                    return
