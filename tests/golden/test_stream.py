"""The stream of a table between people, byte for byte, as each viewer is sent it.

Written anew like the matches: see `test_matches`.
"""

from pathlib import Path
from typing import Any

from ginapi.store import log
from tests.fixed import Fixed, Request
from tests.golden.test_matches import BETWEEN_MS, WRITE, person_move

PATH = Path(__file__).parent / "stream.txt"
OWN = ("Cache-Control", "Content-Type", "X-Accel-Buffering")
"""The headers that streams have of their own."""


class Between:
    """Two people, one who looks on, and all that their streams say, as lines."""

    def __init__(self, fixed: Fixed) -> None:
        self._fixed = fixed
        opened = self._post("/v1/tables", {"kind": "online"}, None)
        self._id: str = opened["id"]
        joined = self._post(f"/v1/tables/{self._id}/seats", None, None)
        self._hand: dict[str, Any] = joined
        self._tokens: tuple[str, str] = (opened["token"], joined["token"])
        self.lines: list[str] = []

    def _post(self, path: str, body: Any, token: str | None) -> dict[str, Any]:
        self._fixed.now_ms += BETWEEN_MS
        told = self._fixed.ask(Request("POST", path, body), token)
        assert told.status < 300, told
        answered: dict[str, Any] = told.json
        return answered

    def play(self, most_moves: int) -> None:
        """So many moves of the hand, or to its end."""
        for _ in range(most_moves):
            path = f"/v1/hands/{self._id}-1"
            turn = self._fixed.ask(Request("GET", path), self._tokens[0]).json["turn"]
            if turn is None:
                return
            hand = self._fixed.ask(Request("GET", path), self._tokens[turn]).json
            self._post(f"{path}/moves", person_move(hand), self._tokens[turn])

    def leave(self) -> None:
        self._post(f"/v1/tables/{self._id}/leave", None, self._tokens[1])

    def ask_for_more(self, seat: int) -> None:
        self._post(f"/v1/tables/{self._id}/rematch", None, self._tokens[seat])

    def follow(self, what: str, newest: int) -> None:
        """What seat 0, seat 1 and an onlooker are sent of so many newest records."""
        with self._fixed.database.read() as tx:
            after = log.find_records(tx, self._id)[-1].number - newest
        self.lines.append(f"# {what}")
        for viewer, token in (("seat 0", self._tokens[0]), ("seat 1", self._tokens[1]), ("an onlooker", None)):
            request = Request("GET", f"/v1/tables/{self._id}/events?after={after}")
            told = self._fixed.ask(request, token)
            self.lines.append(f"## {viewer}: {request.path} -> {told.status}")
            self.lines += [f"{name}: {value}" for name, value in told.headers if name in OWN]
            self.lines += told.body.decode().split("\n")


def test_a_stream_is_sent_as_it_is_kept(database_url: str) -> None:
    fixed = Fixed(database_url)
    between = Between(fixed)
    between.play(5)
    between.follow("A hand that runs", 9)
    between.play(200)
    between.follow("The end of the hand", 5)
    between.leave()
    between.ask_for_more(0)
    between.follow("The end of the match, and a rematch that is asked for", 2)
    between.ask_for_more(1)
    between.follow("A rematch that is agreed on", 1)
    between.follow("No more", 0)
    fixed.close()
    text = "\n".join(between.lines) + "\n"
    if WRITE:
        PATH.write_text(text)
    assert text.split("\n") == PATH.read_text().split("\n")
