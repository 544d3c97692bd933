"""Where the refused requests go, and what may not change by them."""

from collections.abc import Callable
from dataclasses import dataclass

from werkzeug.test import TestResponse

from tests.api.caller import Api, Player

MOVES, HANDS, TABLES, DEAL, LEAVE = (
    "/v1/hands/{hand}/moves", "/v1/hands", "/v1/tables", "/v1/tables/{table}/hands", "/v1/tables/{table}/leave"
)  # fmt: skip
MELDS, SHOWDOWN = "/v1/analysis/melds", "/v1/analysis/showdown"
POSTS = (HANDS, TABLES, MOVES, DEAL, LEAVE, MELDS, SHOWDOWN)


@dataclass(frozen=True)
class Places:
    """Where requests go: a table of the caller's, and one of somebody else's."""

    api: Api
    player: Player
    other: Player

    def path(self, template: str) -> str:
        table = self.player.hand["table_id"]
        return template.format(hand=self.player.hand["id"], table=table, other=self.other.hand["id"])


def unchanged(places: Places, ask: Callable[[], TestResponse]) -> TestResponse:
    """The answer to `ask`, when everything in the database and the hand's ETag are as before."""
    before, etag = places.api.rows(), places.player.see().headers["ETag"]
    answer = ask()
    assert places.api.rows() == before
    assert places.player.see().headers["ETag"] == etag
    return answer
