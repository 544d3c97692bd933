"""Where the refused requests go, and what may not change by them."""

from collections.abc import Callable
from dataclasses import dataclass

from werkzeug.test import TestResponse

from tests.api.caller import Api, Player

MOVES, HANDS, TABLES, DEAL, LEAVE = (
    "/v1/hands/{hand}/moves", "/v1/hands", "/v1/tables", "/v1/tables/{table}/hands", "/v1/tables/{table}/leave"
)  # fmt: skip
QUICK, SEATS, REMATCH = "/v1/tables/quick", "/v1/tables/{table}/seats", "/v1/tables/{table}/rematch"
TICKETS = "/v1/tables/{table}/tickets"
MELDS, SHOWDOWN = "/v1/analysis/melds", "/v1/analysis/showdown"
ACCOUNTS, TOKENS, REFILLS, HOOKS = "/v1/accounts", "/v1/tokens", "/v1/wallet/refills", "/v1/webhooks"
POSTS = (
    *(HANDS, TABLES, QUICK, SEATS, MOVES, DEAL, LEAVE, REMATCH, TICKETS),
    *(MELDS, SHOWDOWN, ACCOUNTS, TOKENS, REFILLS, HOOKS),
)


@dataclass(frozen=True)
class Places:
    """Where requests go: a table of the caller's, one of somebody else's, and the wallet of an account."""

    api: Api
    player: Player
    other: Player
    account_token: str

    def path(self, template: str) -> str:
        table = self.player.hand["table_id"]
        return template.format(hand=self.player.hand["id"], table=table, other=self.other.hand["id"])

    def token(self, path: str) -> str:
        """The caller's token; a guest has no coins and no webhooks, and is told so before anything else."""
        return self.account_token if path.startswith(("/v1/wallet", HOOKS)) else self.player.token


def unchanged(places: Places, ask: Callable[[], TestResponse]) -> TestResponse:
    """The answer to `ask`, when everything in the database and the hand's ETag are as before."""
    before, etag = places.api.rows(), places.player.see().headers["ETag"]
    answer = ask()
    assert places.api.rows() == before
    assert places.player.see().headers["ETag"] == etag
    return answer
