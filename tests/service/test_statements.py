"""How many statements a request costs the database, besides BEGIN and COMMIT."""

from collections.abc import Callable

import pytest

from tests.api.caller import Api, Player, deck, drawer

DRAW = {"action": "draw", "from": "stock"}


def counted(api: Api, ask: Callable[[], object]) -> list[str]:
    """The verb and the table of each statement."""
    with api.statements() as sent:
        ask()
    return [statement.split()[0] for statement in sent]


@pytest.fixture
def drawn(api: Api) -> Player:
    """A hand where nobody knocks, warmed up: a first request may ask the database about itself."""
    api.choose = drawer
    player = Player(api, seed="statements")
    player.move("draw", source="stock")
    return player


def test_a_plain_move_costs_three(api: Api, drawn: Player) -> None:
    shed = {"action": "discard", "card": drawn.hand["cards"][0]}
    assert counted(api, lambda: drawn.post(shed)) == ["SELECT", "UPDATE", "INSERT"]
    assert counted(api, lambda: drawn.post(DRAW)) == ["SELECT", "UPDATE", "INSERT"]


def test_a_version_given_costs_no_more(api: Api, drawn: Player) -> None:
    shed = {"action": "discard", "card": drawn.hand["cards"][0]}
    assert counted(api, lambda: drawn.post(shed, if_match='"1"')) == ["SELECT", "UPDATE", "INSERT"]


def test_a_refused_move_and_a_read_cost_one(api: Api, drawn: Player) -> None:
    assert counted(api, lambda: drawn.post(DRAW)) == ["SELECT"]
    assert counted(api, lambda: drawn.post({"action": "?"})) == ["SELECT"]
    assert counted(api, lambda: drawn.see()) == ["SELECT"]


def test_a_move_that_ends_a_hand_keeps_the_hand_beside_it(api: Api) -> None:
    mine, theirs = "7s 7h 7d 2c 3c 4c Ts Th Td Kd", "2s 2h 2d 9s 9h 9d 5c 6c Kh Qh"
    player = Player(api, deck=deck(mine, theirs, up="Ks", stock="As"))
    player.move("draw", source="stock")
    assert counted(api, lambda: player.post({"action": "knock", "card": "Kd"})) == [
        "SELECT",
        "UPDATE",
        "INSERT",
        "INSERT",
    ]


def test_what_asks_nothing_of_the_database_sends_nothing(api: Api) -> None:
    for ask in (
        lambda: api.post("/v1/analysis/melds", {"cards": ["As"]}),
        lambda: api.get("/v1/rules"),
        lambda: api.get("/healthz"),
        lambda: api.get("/openapi.yaml"),
        lambda: api.get("/v1/hands/x"),
        lambda: api.post("/v1/hands", data=b"{", content_type="application/json"),
    ):
        assert counted(api, ask) == []
