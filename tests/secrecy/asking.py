"""What a seat, or somebody who sits nowhere, may ask at a table: every read, and every way to be refused."""

import random
from typing import Any

from ginapi.errors import Refused
from ginapi.game.hand import check
from ginapi.game.moves import move_from
from tests import referee
from tests.fixed import Request
from tests.secrecy.worlds import World

JSON = {"Content-Type": "application/json"}
ABSENT = "f" * 20


def reads(world: World) -> list[Request]:
    """Every read that shows the table, its hands or their moves, and some of nothing there."""
    table_id, number = world.table.id, world.table.dealt.number
    version, log = world.table.dealt.hand.version, world.table.version
    paths = [
        f"/v1/tables/{table_id}",
        f"/v1/tables/{table_id}?after={log}&wait_ms=0",
        f"/v1/tables/{table_id}?after=0",
        f"/v1/tables/{table_id}?wait_ms=x",
        f"/v1/hands/{table_id}-{number + 1}",
        f"/v1/hands/{table_id}-0",
        f"/v1/hands/{table_id}",
        f"/v1/hands/{ABSENT}-1",
        f"/v1/tables/{ABSENT}",
        f"/v1/tables/{table_id}/nothing",
        f"/v1/tables/{table_id}/record",
        *events_of(table_id, log),
        "/v1/tables",
        "/v1/tables?mine=true&status=playing&limit=1",
        "/v1/tables?kind=coin",
        "/v1/tables?kind=online&limit=2",
        f"/v1/tables?status={world.table.status}&stake=0",
        "/v1/me",
        "/v1/stakes",
        f"/v1/hands/{table_id}-{number}/nothing",
    ]
    for at in range(1, number + 1):
        hand = f"/v1/hands/{table_id}-{at}"
        paths += [hand, f"{hand}/moves", f"{hand}/record", f"{hand}?after=0&wait_ms=0"]
        paths += [f"{hand}/hint", f"{hand}/review?limit={100 if at == number else 3}"]
    hand = f"/v1/hands/{table_id}-{number}"
    paths += [
        f"{hand}?after={version}&wait_ms=0",
        f"{hand}?after={version + 1}",
        f"{hand}?after=-1",
        f"{hand}?deck=1",
        f"{hand}/moves?limit=2",
        f"{hand}/moves?after={max(0, version - 3)}",
        f"{hand}/moves?after=1&limit=1",
        f"{hand}/moves?limit=0",
        f"{hand}/moves?cursor=nothing",
        f"{hand}/record?deck=1",
        f"{hand}/hint?deck=1",
        f"{hand}/review?limit=0",
        f"{hand}/review?cursor=nothing",
    ]
    asked = [Request("GET", path) for path in paths]
    for headers in ({"If-None-Match": f'"{version}-s0"'}, {"If-None-Match": '"0"'}, {"If-None-Match": "*"}):
        asked.append(Request("GET", hand, headers=headers))
    asked.append(Request("GET", f"/v1/tables/{table_id}/events", headers={"Last-Event-ID": str(log // 3)}))
    asked += [Request("HEAD", hand), Request("OPTIONS", f"{hand}/moves"), Request("DELETE", hand)]
    return asked


def events_of(table_id: str, log: int) -> list[str]:
    """The table's stream from its start and from places on the way, and ways to be refused it."""
    path = f"/v1/tables/{table_id}/events"
    starts = sorted({0, log // 2, max(0, log - 2), log, log + 1})
    return [*(f"{path}?after={after}" for after in starts), path, f"{path}?after=x", f"{path}?ticket=x"]


def refused_moves(chance: random.Random, world: World, count: int, seat: int = 0) -> list[Request]:
    """Some of all the moves that the rules do not allow a seat now; what the core allows is left out."""
    hand = world.table.dealt.hand
    tries: list[dict[str, Any]] = [{"action": "draw", "from": source} for source in ("stock", "discard")]
    tries += [{"action": "pass"}]
    tries += [{"action": action, "card": card} for action in ("discard", "knock") for card in referee.DECK]
    some = [sorted(meld) for meld in chance.sample(referee.MELDS, 6)]
    tries += [{"action": "knock", "card": chance.choice(referee.DECK), "melds": [meld]} for meld in some]
    tries += [{"action": "layoff", "melds": [meld]} for meld in some]
    tries += [
        {"action": "layoff", "melds": [], "layoffs": [{"card": card, "onto": chance.randrange(4)}]}
        for card in chance.sample(referee.DECK, 6)
    ]
    refused = []
    for move in tries:
        named = [move.get("card"), *(card for meld in move.get("melds", []) for card in meld)]
        if len(set(named)) < len(named):
            continue
        try:
            check(hand, seat, move_from(move))
        except Refused:
            refused.append(move)
    path = f"/v1/hands/{world.table.id}-{world.table.dealt.number}/moves"
    return [Request("POST", path, move) for move in chance.sample(refused, min(count, len(refused)))]


def bad_requests(world: World, legal: dict[str, Any] | None) -> list[Request]:
    """Bodies, headers and addresses that are refused whatever the state, and a legal move on a stale version."""
    table_id, number = world.table.id, world.table.dealt.number
    path, version = f"/v1/hands/{table_id}-{number}/moves", world.table.dealt.hand.version
    move = legal or {"action": "draw", "from": "stock"}
    bodies: list[Any] = [
        b"",
        b"{",
        b"\xff",
        b"null",
        b'{"action": NaN}',
        {},
        {"action": "peek"},
        {"action": 1},
        {"action": "draw"},
        {"action": "draw", "from": "deck"},
        {"action": "draw", "from": "stock", "card": "As"},
        {"action": "pass", "from": "stock"},
        {"action": "discard", "card": "1s"},
        {"action": "discard", "card": "A\x00"},
        {"action": "knock", "card": "As", "melds": [["As", "2s", "3s"]]},
        {"action": "knock", "card": "As", "melds": "best"},
        {"action": "layoff", "layoffs": [{"card": "As", "onto": -1}]},
        {"action": "layoff", "layoffs": [{"card": "As", "onto": 10**30}]},
        b'{"action": "discard", "card": "' + b"x" * 20_000 + b'"}',
    ]
    asked = [Request("POST", path, body) for body in bodies]
    stale = [f'"{version + 1}-s0"', f'W/"{version + 7}"', str(version + 1), '"nothing"', "*", f'"{version}1-s0", "x"']
    asked += [Request("POST", path, move, {"If-Match": etag}) for etag in stale]
    asked += [
        Request("POST", path, b"{}", {"Content-Type": "text/plain"}),
        Request("POST", f"{path}?deck=1", move),
        Request("POST", path, move, {"Idempotency-Key": "a b"}),
        Request("POST", path, move, {"Authorization": "Bearer nobody"}),
        Request("POST", path, move, {"Authorization": "Basic nobody"}),
        Request("PUT", path, move),
        Request("POST", f"/v1/hands/{ABSENT}-1/moves", move),
        Request("POST", f"/v1/hands/{table_id}-{number + 1}/moves", move),
        Request("POST", f"/v1/tables/{table_id}/hands", {"number": number + 2}),
        Request("POST", f"/v1/tables/{table_id}/hands", {"number": 0}),
        Request("POST", f"/v1/tables/{table_id}/hands", {"deck": 1}),
        Request("POST", f"/v1/tables/{table_id}/hands", {"number": number}),
        Request("POST", f"/v1/tables/{table_id}/leave", {"deck": 1}),
        Request("POST", f"/v1/tables/{table_id}/rematch", {"deck": 1}),
        Request("POST", f"/v1/tables/{table_id}/seats", {"deck": 1}),
        Request("POST", f"/v1/tables/{table_id}/seats", {"invite": "0" * 32, "deck": 1}),
    ]
    asked += [Request("POST", f"/v1/hands/{table_id}-{at}/moves", move) for at in range(1, number)]
    if world.table.dealt.hand.phase != "finished":
        # Refused, or the running hand again where the seat has not moved in it.
        asked.append(Request("POST", f"/v1/tables/{table_id}/hands"))
    return asked


def strangers_requests(table_id: str, number: int) -> list[Request]:
    """What somebody who does not sit at a table may try there: the same for any table that there is, or is not."""
    hand = f"/v1/hands/{table_id}-{number}"
    move = {"action": "draw", "from": "stock"}
    return [
        Request("GET", hand),
        Request("HEAD", hand),
        Request("GET", f"{hand}?after=0&wait_ms=0"),
        Request("GET", f"{hand}?deck=1"),
        Request("GET", hand, headers={"If-None-Match": '"0-s0"'}),
        Request("GET", f"{hand}/moves"),
        Request("GET", f"{hand}/moves?limit=0"),
        Request("GET", f"{hand}/record"),
        Request("GET", f"{hand}/hint"),
        Request("GET", f"{hand}/review"),
        Request("GET", f"{hand}/review?limit=0"),
        Request("GET", f"/v1/tables/{table_id}"),
        Request("GET", f"/v1/tables/{table_id}/events"),
        Request("GET", f"/v1/tables/{table_id}/events?after=x"),
        Request("POST", f"/v1/tables/{table_id}/tickets"),
        Request("POST", f"{hand}/moves", move),
        Request("POST", f"{hand}/moves", {"action": "peek"}),
        Request("POST", f"{hand}/moves", move, {"If-Match": "99"}),
        Request("POST", f"{hand}/moves", move, {"Idempotency-Key": f"a-key-that-is-long-enough-{number}"}),
        Request("POST", f"/v1/tables/{table_id}/hands"),
        Request("POST", f"/v1/tables/{table_id}/hands", {"number": number}),
        Request("POST", f"/v1/tables/{table_id}/leave"),
        Request("POST", f"/v1/tables/{table_id}/rematch"),
        Request("POST", f"/v1/tables/{table_id}/seats"),
        Request("POST", f"/v1/tables/{table_id}/seats", {"invite": "0" * 32}),
        Request("POST", f"/v1/tables/{table_id}/seats", {"invite": 7}),
    ]
