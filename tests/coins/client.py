"""A process that plays for coins against a service that is being killed, and writes down what it was told.

`python -m tests.coins.client URL SEED OPERATIONS FILE`. Whatever got no answer is sent again under its key.
"""

import json
import random
import sys
import time
from pathlib import Path
from typing import Any

import httpx

from tests.accounts.people import PASSWORD
from tests.served.playing import choice, connected

LIMIT_S = 120.0
STAKES = (50, 100, 250, 500)
TABLES = 4


class Client:
    """One account after another, each with what it was told of its tables."""

    def __init__(self, url: str, chance: random.Random) -> None:
        self.chance = chance
        self.http = connected(url)
        self.told: list[dict[str, Any]] = []
        self.running: list[str] = []
        self.asked = self.cut = 0

    def ask(self, method: str, path: str, body: Any = None, **query: Any) -> httpx.Response:
        """The answer, however often it takes; all attempts have one key."""
        headers = {"Idempotency-Key": f"{self.chance.getrandbits(192):048x}"} if method == "POST" else {}
        deadline = time.monotonic() + LIMIT_S
        self.asked += 1
        cut = False
        while True:
            assert time.monotonic() < deadline, f"{method} {path} got no answer"
            try:
                reply = self.http.request(method, path, json=body, headers=headers, params=query)
            except httpx.TransportError:
                self.cut += 1
                cut = True
                continue
            if reply.status_code in (429, 503) or (reply.status_code == 409 and reply.json()["code"] == "in_progress"):
                time.sleep(0.05)
                continue
            assert reply.status_code < 500, reply.text
            # An account that is gone was closed by an attempt whose answer was cut off.
            gone = cut and method == "DELETE" and reply.status_code == 401
            return httpx.Response(204) if gone else reply

    def sign_up(self) -> None:
        self.http.headers.pop("Authorization", None)
        name = f"c{self.chance.getrandbits(80):x}"
        reply = self.ask("POST", "/v1/accounts", {"name": name, "password": PASSWORD})
        assert reply.status_code == 201, reply.text
        self.http.headers["Authorization"] = f"Bearer {reply.json()['token']}"
        self.told.append({"name": name, "opened": {}, "left": [], "refills": 0, "closed": False})
        self.running = []

    def open(self) -> None:
        if len(self.running) >= TABLES:
            return self.move()
        reply = self.ask("POST", "/v1/tables", {"kind": "coin", "stake": self.chance.choice(STAKES)})
        if reply.status_code == 201:
            table = reply.json()
            self.told[-1]["opened"][table["id"]] = table["stake"]
            self.running.append(table["id"])
            return None
        assert reply.json()["code"] == "not_enough_coins", reply.text
        return self.refill()

    def quick(self) -> None:
        """Sit down with another, or wait for one."""
        if len(self.running) >= TABLES:
            return self.move()
        reply = self.ask("POST", "/v1/tables/quick", {"stake": self.chance.choice(STAKES[:2])})
        if reply.status_code == 201:
            table = reply.json()
            self.told[-1]["opened"][table["id"]] = table["stake"]
            if table["id"] not in self.running:  # Where it waits already it is told of that.
                self.running.append(table["id"])
            return None
        assert reply.json()["code"] == "not_enough_coins", reply.text
        return self.refill()

    def refill(self) -> None:
        reply = self.ask("POST", "/v1/wallet/refills")
        if reply.status_code == 201:
            self.told[-1]["refills"] += 1
            return
        assert reply.json()["code"] == "refill_not_due", reply.text
        if not self.running:
            self.finish()
            self.sign_up()

    def move(self) -> None:
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
        elif hand["legal_moves"]:
            reply = self.ask("POST", f"/v1/hands/{hand['id']}/moves", choice(self.chance, hand))
            assert reply.status_code in (200, 409), reply.text
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


def run(url: str, seed: str, operations: int) -> dict[str, Any]:
    client = Client(url, random.Random(seed))
    client.sign_up()
    client.quick()  # Whatever comes later, some sit with another.
    often = [client.move] * 12
    done = [*often, client.open, client.open, client.quick, client.quick, client.leave, client.refill, client.close]
    while client.asked < operations:
        client.chance.choice(done)()
    client.finish()
    return {"told": client.told, "asked": client.asked, "cut": client.cut}


if __name__ == "__main__":
    _, url, seed, operations, file = sys.argv
    Path(file).write_text(json.dumps(run(url, seed, int(operations))))
