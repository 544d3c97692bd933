"""Two people at one table: opened by the first, joined by the second, each with a view of its own."""

from collections.abc import Callable
from typing import Any

from tests.accounts.people import told
from tests.api.caller import Api, Player, keen


class Sitting(Player):
    """One of two at a table; `hand` is the newest view that it asked for."""

    def __init__(self, api: Api, token: str, table: dict[str, Any], seat: int) -> None:
        self.api, self.token, self.opened, self.seat = api, token, table, seat
        self.id: str = table["id"]
        self.hand: dict[str, Any] = {"table_id": self.id}

    def look(self) -> dict[str, Any]:
        """The table's newest hand, as it now stands."""
        self.hand = told(self.api.get(f"/v1/hands/{self.table()['hand_id']}", self.token))
        return self.hand


def open_online(api: Api, token: str | None = None, **terms: Any) -> dict[str, Any]:
    """A table that waits for its second player, and its opener's token."""
    opened: dict[str, Any] = told(api.post("/v1/tables", {"kind": "online", **terms}, token), 201)
    assert (opened["status"], opened["hand_id"], [seat["you"] for seat in opened["seats"]]) == ("open", None, [True])
    return opened | {"token": token or opened["token"]}


class Pair:
    """Two people at a table, each with its token; the clock runs for whoever opens the hand."""

    def __init__(self, api: Api, tokens: tuple[str | None, str | None] = (None, None), **terms: Any) -> None:
        self.api = api
        opened = open_online(api, tokens[0], **terms)
        body = {"invite": opened["invite"]} if opened["private"] else None
        joined = told(api.post(f"/v1/tables/{opened['id']}/seats", body, tokens[1]), 201)
        self.id: str = opened["id"]
        self.seats = (
            Sitting(api, opened["token"], joined, 0),
            Sitting(api, tokens[1] or joined["token"], joined, 1),
        )
        for seat in self.seats:
            seat.look()

    def play_hand(self, choose: Callable[[dict[str, Any]], dict[str, Any]] = keen) -> dict[str, Any]:
        """Both play the hand to its end; seat 0's view of it."""
        while (turn := self.seats[0].look()["turn"]) is not None:
            mover = self.seats[turn]
            move = dict(choose(mover.look()))
            mover.move(move.pop("action"), **move)
        return self.seats[0].hand

    def play_match(self, choose: Callable[[dict[str, Any]], dict[str, Any]] = keen) -> dict[str, Any]:
        """Hand after hand until the match is over; seat 0's view of the table."""
        self.play_hand(choose)
        while self.seats[0].table()["status"] == "playing":
            assert self.seats[1].deal().status_code == 201
            self.play_hand(choose)
        return self.seats[0].table()
