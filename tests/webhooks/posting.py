"""What waits is delivered by hand, over the network or past it."""

import json
from collections.abc import Mapping

from ginapi.service.delivering import deliver_next
from ginapi.service.house import House
from tests.api.caller import BEGAN_MS, Api
from tests.online.pairs import Pair

HOUR_MS = 3_600_000


class Post:
    """Takes the place of the network: what was sent, and when; answers what it is told to, then 204."""

    def __init__(self, api: Api, *answers: int | Exception) -> None:
        self.clock, self.answers = api.clock, list(answers)
        self.always: int | None = None
        self.sent: list[tuple[int, str, str]] = []
        self.takes_ms = 0

    def __call__(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        self.sent.append((self.clock.now_ms - BEGAN_MS, headers["webhook-id"], json.loads(body)["type"]))
        self.clock.now_ms += self.takes_ms
        if self.always is not None:
            return self.always
        answer = self.answers.pop(0) if self.answers else 204
        if isinstance(answer, Exception):
            raise answer
        return answer

    @property
    def ids(self) -> list[str]:
        return [webhook_id for _, webhook_id, _ in self.sent]

    @property
    def at_ms(self) -> list[int]:
        return [at_ms for at_ms, _, _ in self.sent]


def deliver_all(house: House, post: Post | None = None) -> int:
    count = 0
    while deliver_next(house, post):
        count += 1
    return count


def left_table(api: Api, token: str) -> Pair:
    """A table that tells its opener three things: its turn, the hand and the match over."""
    pair = Pair(api, (token, None))
    pair.seats[1].leave()
    return pair
