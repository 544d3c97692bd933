"""How many statements a request costs the database, besides BEGIN and COMMIT."""

from collections.abc import Callable

import pytest

from tests.accounts.people import open_account
from tests.api.caller import Api, Player, deck, drawer
from tests.online.pairs import Pair

DRAW = {"action": "draw", "from": "stock"}
PLAIN = ["SELECT", "UPDATE", "INSERT"]


def counted(api: Api, ask: Callable[[], object]) -> list[str]:
    """The verb of each statement."""
    with api.statements() as sent:
        ask()
    return [verb(statement) for statement in sent]


def verb(statement: str) -> str:
    """What a statement does. PostgreSQL is asked for a row and then for the time in one: WITH both, and it reads."""
    words = statement.split()
    if words[0] == "WITH":
        assert not {"INSERT", "UPDATE", "DELETE"} & set(statement.replace("FOR NO KEY UPDATE", "").split()), statement
        return "SELECT"
    return words[0]


@pytest.fixture
def drawn(api: Api) -> Player:
    """A hand where nobody knocks, warmed up: a first request may ask the database about itself."""
    api.choose = drawer
    player = Player(api, seed="statements")
    player.move("draw", source="stock")
    return player


def test_a_plain_move_costs_three(api: Api, drawn: Player) -> None:
    shed = {"action": "discard", "card": drawn.hand["cards"][0]}
    assert counted(api, lambda: drawn.post(shed)) == PLAIN
    assert counted(api, lambda: drawn.post(DRAW)) == PLAIN


def test_a_move_with_a_clock_costs_no_more(api: Api) -> None:
    """Nothing is overdue, and no coins move: at a table for coins as at one for practice."""
    api.choose = drawer
    account = api.post("/v1/accounts", {"name": "statements", "password": "correct horse"}).json["token"]
    opened = api.post("/v1/tables", {"kind": "coin", "stake": 100}, account).json
    coins = f"/v1/hands/{opened['hand_id']}/moves"
    practice = Player(api, seed="statements", clock={"move_ms": 30_000})
    for path, token in ((coins, account), (f"{practice.hand_path}/moves", practice.token)):
        drawn = api.post(path, DRAW, token).json
        shed = {"action": "discard", "card": drawn["drawn_card"]}
        assert counted(api, lambda path=path, token=token, shed=shed: api.post(path, shed, token)) == PLAIN
        assert counted(api, lambda path=path, token=token: api.post(path, DRAW, token, if_match='"4"')) == PLAIN
        assert counted(api, lambda path=path, token=token: api.get(path.removesuffix("/moves"), token)) == ["SELECT"]


@pytest.mark.parametrize("stake", [0, 100])
def test_between_people_a_plain_move_costs_three_and_a_read_one(api: Api, stake: int) -> None:
    """Whoever moves, with a stake or without: no coins move before the end."""
    tokens = (open_account(api), open_account(api)) if stake else (None, None)
    pair = Pair(api, tokens, stake=stake)
    for seat, version in ((0, 0), (1, 2), (0, 4)):
        mover, other = pair.seats[seat], pair.seats[1 - seat]
        assert counted(api, lambda mover=mover, version=version: mover.post(DRAW, if_match=f'"{version}"')) == PLAIN
        shed = {"action": "discard", "card": mover.look()["drawn_card"]}
        refused = counted(api, lambda other=other, version=version: other.post(DRAW, if_match=f'"{version + 1}"'))
        assert refused == ["SELECT"]
        assert counted(api, lambda mover=mover, shed=shed: mover.post(shed)) == PLAIN
        for one in pair.seats:
            assert counted(api, lambda one=one: one.see()) == ["SELECT"]


def test_a_version_given_costs_no_more(api: Api, drawn: Player) -> None:
    shed = {"action": "discard", "card": drawn.hand["cards"][0]}
    assert counted(api, lambda: drawn.post(shed, if_match='"1"')) == PLAIN


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
