"""A process that plays for coins against a service that is being hurt, and writes down what it was told.

`python -m drills.client URLS SEED MOVES MANNER FILE`; the addresses, a comma between, are of servers of one service:
what one does not answer the next is asked. Whatever got no answer is sent again under its key. It ends where it has so
many moves, or is told that it is over by a file beside its own.
"""

import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from drills.connection import Connection
from tests.served.playing import PASSWORD, TIMEOUT_S, choice

LIMIT_S = 120.0
AGAIN_S = 0.05
OVER = ".over"
"""Of the file that ends a client, in place of the suffix of its own."""
PAUSE_S = 0.02
IDLE_SHARE = 0.02
STAKES = (50, 100, 250, 500)
TABLES = 4
MOVES_AT_A_TABLE = 8
"""As many moves at once, each from the answer to the one before, before it turns to another table."""


class Manner(NamedTuple):
    """How a client asks."""

    patience_s: float = TIMEOUT_S
    """How long it waits for an answer."""
    attempts: int = 0
    """How often it sends what gets none, or 503, at the most, and at once; 0 is as often as it takes."""
    idle_s: float = 0.0
    """How long it now and then lets its connection be before a move, and pauses before each; 0 is never."""


USUAL = Manner()


class Unanswered(Exception):
    """A request that was sent as often as it may be, and to no avail."""


class Client:
    """One account after another, each with what it was told of its tables and its moves; it has one connection."""

    def __init__(self, urls: list[str], chance: random.Random, manner: Manner = USUAL) -> None:
        self.chance = chance
        self._manner = manner
        self._connections = [Connection(url, manner.patience_s) for url in urls]
        self._services = [
            httpx.Client(base_url=url, transport=connection, trust_env=False)
            for url, connection in zip(urls, self._connections, strict=True)
        ]
        self._at = chance.randrange(len(urls))
        self._authorization: dict[str, str] = {}
        self.told: list[dict[str, Any]] = []
        self.running: list[str] = []
        self.asked = self.cut = self.put_off = 0
        self.longest_s = 0.0

    def hang_up(self) -> None:
        for service in self._services:
            service.close()

    def ask(
        self, method: str, path: str, body: Any = None, if_match: int | None = None, **query: Any
    ) -> httpx.Response:
        """The answer, however often it takes or may; all attempts have one key. Raises Unanswered."""
        headers = dict(self._authorization)
        if if_match is not None:
            headers["If-Match"] = f'"{if_match}"'
        if method == "POST":
            headers["Idempotency-Key"] = f"{self.chance.getrandbits(192):048x}"
        began = time.monotonic()
        self.asked += 1
        cut_before = self.cut
        failed: list[str] = []
        while (reply := self._attempt(failed, method, path, json=body, headers=headers, params=query)) is None:
            if len(failed) == self._manner.attempts:
                raise Unanswered(f"{method} {path} failed {len(failed)} times: {', then '.join(failed)}")
            assert time.monotonic() - began < LIMIT_S, f"{method} {path} got no answer"
            self._turn_to_next()
        assert reply.status_code < 500, reply.text
        assert method != "GET" or reply.status_code == 200, reply.text
        self.longest_s = max(self.longest_s, time.monotonic() - began)
        # An account that is gone was closed by an attempt whose answer was cut off.
        gone = self.cut > cut_before and method == "DELETE" and reply.status_code == 401
        return httpx.Response(204) if gone else reply

    def _attempt(self, failed: list[str], method: str, path: str, **terms: Any) -> httpx.Response | None:
        """The answer to one attempt; where it has to be made again None, and in `failed` why."""
        may_go_on = not self._manner.attempts
        try:
            reply = self._services[self._at].request(method, path, **terms)
        except httpx.TransportError as error:
            self.cut += 1
            failed.append(f"no answer, {error}")
            time.sleep(AGAIN_S / 10 if may_go_on else 0)
            return None
        if reply.status_code in (429, 503) or (reply.status_code == 409 and reply.json()["code"] == "in_progress"):
            # Whoever may send it once more does so after 503 and nothing else.
            assert may_go_on or reply.status_code == 503, f"{method} {path} was put off: {reply.text}"
            self.put_off += 1
            failed.append(f"{reply.status_code} {reply.text}")
            time.sleep(AGAIN_S if may_go_on else 0)
            return None
        return reply

    def _turn_to_next(self) -> None:
        """Ask the next server from now on, and hold no connection to this one."""
        if len(self._services) > 1:
            self._connections[self._at].close()
            self._at = (self._at + 1) % len(self._services)

    def sign_up(self) -> None:
        self._authorization = {}
        name = f"c{self.chance.getrandbits(80):x}"
        reply = self.ask("POST", "/v1/accounts", {"name": name, "password": PASSWORD})
        assert reply.status_code == 201, reply.text
        self._authorization = {"Authorization": f"Bearer {reply.json()['token']}"}
        self.told.append({"name": name, "opened": {}, "moves": [], "left": [], "refills": 0, "closed": False})
        self.running = []

    def open(self) -> None:
        if len(self.running) >= TABLES:
            return self.play()
        return self._sit_down("/v1/tables", {"kind": "coin", "stake": self.chance.choice(STAKES)})

    def quick(self) -> None:
        """Sit down with another, or wait for one."""
        if len(self.running) >= TABLES:
            return self.play()
        return self._sit_down("/v1/tables/quick", {"stake": self.chance.choice(STAKES[:2])})

    def _sit_down(self, path: str, terms: dict[str, Any]) -> None:
        reply = self.ask("POST", path, terms)
        if reply.status_code == 201:
            table = reply.json()
            self.told[-1]["opened"][table["id"]] = table["stake"]
            if table["id"] not in self.running:  # Where it waits for another already it is told of that table.
                self.running.append(table["id"])
            return
        assert reply.json()["code"] == "not_enough_coins", reply.text
        self.refill()

    def refill(self) -> None:
        reply = self.ask("POST", "/v1/wallet/refills")
        if reply.status_code == 201:
            self.told[-1]["refills"] += 1
            return
        assert reply.json()["code"] == "refill_not_due", reply.text
        if not self.running:
            self.finish()
            self.sign_up()

    def play(self) -> None:
        """Some moves at one of the tables, as far as it is this seat's turn."""
        if not self.running:
            return self.open()
        table_id = self.chance.choice(self.running)
        table = self.ask("GET", f"/v1/tables/{table_id}").json()
        if table["status"] == "finished":
            self.running.remove(table_id)
            return None
        if table["status"] == "open":
            return None
        hand = self.ask("GET", f"/v1/hands/{table['hand_id']}").json()
        if hand["phase"] == "finished":
            reply = self.ask("POST", f"/v1/tables/{table_id}/hands")
            assert reply.status_code in (201, 409), reply.text
            return None
        for _ in range(MOVES_AT_A_TABLE):
            if not hand["legal_moves"]:
                break
            self._pause()
            # An attempt that arrives after the next was refused must not be taken for another move.
            move = choice(self.chance, hand)
            reply = self.ask("POST", f"/v1/hands/{hand['id']}/moves", move, hand["version"])
            assert reply.status_code in (200, 409, 412), reply.text
            if reply.status_code != 200:
                # Refused where the hand has gone on by the clock, or as somebody left, and nowhere else.
                now = self.ask("GET", f"/v1/hands/{hand['id']}").json()
                assert now["version"] > hand["version"], reply.text
                break
            hand = reply.json()
            # What was played before it, by the clock, is in the answer too: this seat's last is the one asked for.
            made = next(one for one in reversed(hand["played"]) if (one["seat"], one["by"]) == (hand["seat"], "player"))
            self.told[-1]["moves"].append([hand["id"], made["version"], move])
        return None

    def _pause(self) -> None:
        if self._manner.idle_s:
            is_idle = self.chance.random() < IDLE_SHARE
            time.sleep(self._manner.idle_s if is_idle else self.chance.expovariate(1 / PAUSE_S))

    def leave(self) -> None:
        if not self.running:
            return self.open()
        table_id = self.chance.choice(self.running)
        self.running.remove(table_id)
        self._leave(table_id)
        return None

    def _leave(self, table_id: str) -> None:
        reply = self.ask("POST", f"/v1/tables/{table_id}/leave")
        if reply.status_code == 200:
            left = reply.json()
            if left["table"]["ended"] == "closed":  # Nobody else had sat down (R28).
                assert (left["forfeited"], left["fee"]) == (0, 0)
                return
            assert left["forfeited"] == self.told[-1]["opened"][table_id]
            self.told[-1]["left"].append(table_id)
        else:
            assert reply.json()["code"] == "table_over", reply.text

    def close(self) -> None:
        reply = self.ask("DELETE", "/v1/me")
        if reply.status_code == 204:
            self.told[-1]["closed"] = True
            self.sign_up()
        else:
            assert reply.json()["code"] == "already_seated", reply.text

    def finish(self) -> None:
        """Leave what still runs, and hold the wallet against all that this account was told."""
        told = self.told[-1]
        for table_id in told["opened"]:
            self._leave(table_id)
        balance = 1000
        entries: list[dict[str, Any]] = []
        page: dict[str, Any] = {"next": ""}
        while page["next"] is not None:
            cursor = {"cursor": page["next"]} if page["next"] else {}
            page = self.ask("GET", "/v1/wallet/entries", **cursor).json()
            entries += page["items"]
        refills = [entry["coins"] for entry in entries if entry["reason"] == "Refill"]
        assert len(refills) == told["refills"], (refills, told)
        balance += sum(refills)
        for table_id, stake in told["opened"].items():
            table = self.ask("GET", f"/v1/tables/{table_id}").json()
            assert (table["status"], table["stake"]) == ("finished", stake)
            [mine] = [seat["seat"] for seat in table["seats"] if seat["you"]]
            left = table["ended"] == "left" and table["winner"] != mine
            assert left == (table_id in told["left"]), table
            if table["ended"] != "closed":
                balance += stake if table["winner"] == mine else -stake
            balance -= table["leaving_fee"] if left else 0
        seen = self.ask("GET", "/v1/wallet").json()
        assert (seen["balance"], seen["held"]) == (balance, 0), (seen, balance, told)
        put_up = {entry["table_id"] for entry in entries if entry["table_id"] is not None}
        assert put_up == set(told["opened"]), "a table was opened that nobody was told of, or one is missing"

    @property
    def moves_count(self) -> int:
        """How many of its moves were acknowledged."""
        return sum(len(account["moves"]) for account in self.told)


def run(urls: list[str], seed: str, moves: int, manner: Manner, is_over: Callable[[], bool]) -> dict[str, Any]:
    """Play until so many moves were acknowledged, or it is over, or nothing was to be done about a request."""
    client = Client(urls, random.Random(seed), manner)
    faults = []
    try:
        client.sign_up()
        client.quick()  # Whatever comes later, some sit with another.
        often = [client.play] * 12
        done = [*often, client.open, client.open, client.quick, client.quick, client.leave, client.refill, client.close]
        while client.moves_count < moves and not is_over():
            client.chance.choice(done)()
        client.finish()
    except Unanswered as fault:
        faults.append(str(fault))
    finally:
        client.hang_up()
    figures = {name: getattr(client, name) for name in ("asked", "cut", "put_off", "longest_s")}
    return {"told": client.told, "faults": faults, **figures}


if __name__ == "__main__":
    _, urls, seed, moves, manner, name = sys.argv
    file = Path(name)
    ended = run(urls.split(","), seed, int(moves), Manner(*json.loads(manner)), file.with_suffix(OVER).exists)
    file.write_text(json.dumps(ended))
