"""ETags: the same as long as nothing but the time has changed, another as soon as anything has."""

from typing import Any

from tests.api.caller import Api, Player, keen
from tests.shares import numbers, share


class Seen:
    """What was seen at one address: every ETag with its body, and every body with its ETag."""

    def __init__(self, api: Api, path: str, token: str) -> None:
        self._api, self._path, self._token = api, path, token
        self._bodies: dict[str, dict[str, Any]] = {}

    def look(self) -> str:
        """The ETag now, held against all those before."""
        self._api.clock.now_ms += 17
        answer = self._api.get(self._path, self._token)
        etag, body = answer.headers["ETag"], dict(answer.json)
        body.pop("server_time")
        for earlier, had in self._bodies.items():
            assert (earlier == etag) == (had == body), (earlier, etag)
        self._bodies[etag] = body
        for sent in (etag, f"W/{etag}", f'"other", {etag}', "*"):
            same = self._api.get(self._path, self._token, headers={"If-None-Match": sent})
            assert (same.status_code, same.data) == (304, b""), sent
            assert same.headers["ETag"] == etag
            assert "private" in same.headers["Cache-Control"]
        for earlier in list(self._bodies)[-3:-1]:
            assert self._api.get(self._path, self._token, headers={"If-None-Match": earlier}).status_code == 200
        return etag


def test_an_etag_changes_with_the_body_over_whole_matches(api: Api) -> None:
    chance = numbers("etags")
    for _ in range(share(20, 1)):
        player = Player(api, level=chance.choice(["easy", "medium", "hard"]), target=chance.choice([20, 60]))
        table = Seen(api, player.table_path, player.token)
        hands: list[Seen] = []
        while player.table()["status"] == "playing":
            if player.hand["phase"] == "finished":
                assert player.deal().status_code == 201
            hands.append(Seen(api, player.hand_path, player.token))
            while player.hand["phase"] != "finished":
                hands[-1].look()
                table.look()
                move = dict(keen(player.hand) if chance.random() < 0.8 else chance.choice(player.hand["legal_moves"]))
                player.move(move.pop("action"), **move)
            for seen in (*hands[-2:], table):
                seen.look()
            if len(hands) > 8:
                player.leave()
        for seen in (*hands, table):
            seen.look()


def test_a_write_tells_the_etag_that_a_read_would(api: Api) -> None:
    player = Player(api, seed="etags")
    for _ in range(4):
        answer = player.post(player.hand["legal_moves"][0])
        player.hand = answer.json
        seen = player.see()
        assert seen.headers["ETag"] == answer.headers["ETag"]
        assert {**seen.json, "played": answer.json["played"]} == answer.json
    left = player.leave()
    seen = api.get(player.table_path, player.token)
    assert (seen.headers["ETag"], seen.json) == (left.headers["ETag"], left.json["table"])
