"""Accounts at coin tables: opened, played to an end that is known beforehand, and the books looked at."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ginapi import cli
from ginapi.service import audit
from ginapi.service.house import House
from ginapi.store import ledger
from ginapi.tables import coins
from tests.accounts.people import ask, open_account, told
from tests.api.caller import Api, Player, drawer, keen

NOTE = "Coins have no cash value and cannot be cashed out."


class Sitter(Player):
    """An account at a coin table; `hand` is the newest view of its hand."""

    def __init__(self, api: Api, token: str | None = None, stake: int = 100) -> None:
        self.api = api
        self.token = token or open_account(api)
        self.opened = told(ask(api, "POST", "/v1/tables", {"kind": "coin", "stake": stake}, self.token), 201)
        self.hand = told(api.get(f"/v1/hands/{self.opened['hand_id']}", self.token))

    @property
    def id(self) -> str:
        table_id: str = self.opened["id"]
        return table_id

    def wallet(self) -> tuple[int, int]:
        """What it has to stake, and what is held."""
        seen = told(ask(self.api, "GET", "/v1/wallet", token=self.token))
        assert seen["note"] == NOTE
        return seen["balance"], seen["held"]

    def entries(self) -> list[dict[str, Any]]:
        """Its statement, oldest first."""
        items: list[dict[str, Any]] = told(ask(self.api, "GET", "/v1/wallet/entries", token=self.token))["items"]
        return items[::-1]

    def win(self) -> dict[str, Any]:
        """Win the match: the other seat never knocks."""
        self.api.choose = drawer
        return self._to_the_end(keen)

    def lose(self) -> dict[str, Any]:
        """Lose the match: draw and shed, and let the other seat play."""
        return self._to_the_end(idle)

    def _to_the_end(self, choose: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
        self.play_out(choose)
        while self.table()["status"] == "playing":
            assert self.deal().status_code == 201
            self.play_out(choose)
        return self.table()


def idle(hand: dict[str, Any]) -> dict[str, Any]:
    """A move that changes nothing: draw from the stock and shed what came."""
    legal: list[dict[str, Any]] = hand["legal_moves"]
    drawn = [move for move in legal if move["action"] == "discard" and move["card"] == hand["drawn_card"]]
    return drawn[0] if drawn else legal[0]


def operate(api: Any, *arguments: str) -> Result:
    """The `ginapi` command, on the database of `api` and at its time."""
    url = api.database.url.render_as_string(hide_password=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cli.house, "House", partial(House, now_ms=api.clock))
        return CliRunner().invoke(cli.main, list(arguments), env={"GINAPI_DATABASE_URL": url})


def balances(api: Api) -> dict[str, int]:
    """What every purse that holds anything holds; together they hold nothing."""
    with api.database.read() as tx:
        purses = ledger.balances(tx)
    assert sum(purses.values()) == 0
    return {purse: held for purse, held in purses.items() if held}


def house_has(api: Api) -> int:
    return balances(api).get(coins.HOUSE, 0)


def faults(api: Api) -> list[str]:
    """What an audit finds."""
    return [line for found in audit.audit(api.house) for line in found.told]


def check_statement(items: list[dict[str, Any]]) -> None:
    """A whole statement, oldest first: it begins at nothing, and each balance leads to the next."""
    balance = 0
    for number, entry in enumerate(items, 1):
        balance += entry["coins"]
        assert (entry["number"], entry["balance"]) == (number, balance)
        assert entry["coins"] != 0 and balance >= 0
        assert entry["reason"]
    assert len({entry["id"] for entry in items}) == len(items)
