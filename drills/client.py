"""A process that plays for coins against a service that is being hurt, and writes down what it was told.

`python -m drills.client URLS SEED MOVES PATIENCE_S FILE`; the addresses, a comma between, are of servers of one
service: what one does not answer in that time the next is asked. Whatever got no answer is sent again under its key.
"""

import json
import random
import sys
import time
from pathlib import Path
from typing import Any

import httpx

from tests.accounts.people import PASSWORD
from tests.served.playing import TIMEOUT_S, choice, connected

LIMIT_S = 120.0
AGAIN_S = 0.05
STAKES = (50, 100, 250, 500)
TABLES = 4
MOVES_AT_A_TABLE = 8
"""As many moves at once, each from the answer to the one before, before it turns to another table."""


class Client:
    """One account after another, each with what it was told of its tables and its moves."""

    def __init__(self, urls: list[str], chance: random.Random, patience_s: float = TIMEOUT_S) -> None:
        self.chance = chance
        self._services = [connected(url) for url in urls]
        for service in self._services:
            service.timeout = patience_s
        self._at = chance.randrange(len(urls))
        self._authorization: dict[str, str] = {}
        self.told: list[dict[str, Any]] = []
        self.running: list[str] = []
        self.asked = self.cut = 0
        self.longest_s = 0.0

    def ask(
        self, method: str, path: str, body: Any = None, if_match: int | None = None, **query: Any
    ) -> httpx.Response:
        """The answer, however often it takes; all attempts have one key."""
        headers = dict(self._authorization)
        if if_match is not None:
            headers["If-Match"] = f'"{if_match}"'
        if method == "POST":
            headers["Idempotency-Key"] = f"{self.chance.getrandbits(192):048x}"
        began = time.monotonic()
        self.asked += 1
        cut = False
        while True:
            assert time.monotonic() - began < LIMIT_S, f"{method} {path} got no answer"
            try:
                reply = self._services[self._at].request(method, path, json=body, headers=headers, params=query)
            except httpx.TransportError:
                self.cut += 1
                cut = True
                self._at = (self._at + 1) % len(self._services)
                time.sleep(AGAIN_S / 10)
                continue
            if reply.status_code in (429, 503) or (reply.status_code == 409 and reply.json()["code"] == "in_progress"):
                self._at = (self._at + 1) % len(self._services)
                time.sleep(AGAIN_S)
                continue
            assert reply.status_code < 500, reply.text
            self.longest_s = max(self.longest_s, time.monotonic() - began)
            # An account that is gone was closed by an attempt whose answer was cut off.
            gone = cut and method == "DELETE" and reply.status_code == 401
            return httpx.Response(204) if gone else reply

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
            self.ask("POST", f"/v1/tables/{table_id}/hands")
            return None
        for _ in range(MOVES_AT_A_TABLE):
            if not hand["legal_moves"]:
                break
            # An attempt that arrives after the next was refused must not be taken for another move.
            reply = self.ask("POST", f"/v1/hands/{hand['id']}/moves", choice(self.chance, hand), hand["version"])
            assert reply.status_code in (200, 409, 412), reply.text
            if reply.status_code != 200:
                break
            hand = reply.json()
            # What was played before it, by the clock, is in the answer too: this seat's last is the one asked for.
            made = next(one for one in reversed(hand["played"]) if (one["seat"], one["by"]) == (hand["seat"], "player"))
            self.told[-1]["moves"].append([hand["id"], made["version"], made["action"]])
        return None

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


def run(urls: list[str], seed: str, moves: int, patience_s: float) -> dict[str, Any]:
    """Play until so many moves were acknowledged."""
    client = Client(urls, random.Random(seed), patience_s)
    client.sign_up()
    client.quick()  # Whatever comes later, some sit with another.
    often = [client.play] * 12
    done = [*often, client.open, client.open, client.quick, client.quick, client.leave, client.refill, client.close]
    while client.moves_count < moves:
        client.chance.choice(done)()
    client.finish()
    return {"told": client.told, "asked": client.asked, "cut": client.cut, "longest_s": client.longest_s}


if __name__ == "__main__":
    _, urls, seed, moves, patience_s, file = sys.argv
    Path(file).write_text(json.dumps(run(urls.split(","), seed, int(moves), float(patience_s))))
