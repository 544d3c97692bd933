"""Two accounts at a table between people, and what anybody may see of them."""

from typing import Any

from tests.accounts.people import PASSWORD, ask, told
from tests.api.caller import Api
from tests.online.pairs import Pair

NEW = {"rating": 1500, "deviation": 350, "volatility": 0.06, "rated_count": 0, "provisional": True}
WON = {"rating": 1662, "deviation": 290, "volatility": 0.06, "rated_count": 1, "provisional": True}
LOST = {**WON, "rating": 1338}


def accounts(api: Api, *names: str) -> list[str]:
    """The tokens of new accounts with these names."""
    opened = [ask(api, "POST", "/v1/accounts", {"name": name, "password": PASSWORD}) for name in names]
    return [told(one, 201)["token"] for one in opened]


def met(api: Api, *names: str, **terms: Any) -> Pair:
    """Two new accounts, their first hand dealt."""
    ana, ben = accounts(api, *names)
    return Pair(api, (ana, ben), **terms)


def player(api: Api, name: str) -> dict[str, Any]:
    return told(api.get(f"/v1/players/{name}"))


def rating(api: Api, name: str) -> dict[str, Any]:
    found: dict[str, Any] = player(api, name)["rating"]
    return found


def record(api: Api, name: str) -> tuple[int, int, int, int]:
    """Played, won, lost, left."""
    found = player(api, name)["record"]
    return found["played"], found["won"], found["lost"], found["left"]


def leaders(api: Api, **query: Any) -> list[str]:
    return [one["name"] for one in told(api.get("/v1/leaderboard", query_string=query))["items"]]
