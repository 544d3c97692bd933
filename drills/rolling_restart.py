"""Workers or hosts restarted one after another under load: no request that carries a key fails after one retry.

Each client holds one kept-open connection and plays practice hands, each request with a key of its own; one that gets
no answer, or 503, is sent once more. With one host its workers are replaced (SIGHUP); with several each is stopped
(SIGTERM) and started in turn, and a retry goes to another, as a proxy would send it. Run as
`python -m drills.rolling_restart`; status 1 where anything failed.
"""

import argparse
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from drills.rolling_host import ANSWER_S, COMMAND, TOP, Fault, Host, Load

BETWEEN_S = 1.0  # two restarts, in which they play on
PAUSE_S = 0.02  # the mean; now and then a connection is left alone for longer than the service keeps it
LONG_PAUSE_S = 2.5
LONG_PAUSE_SHARE = 0.005

Json = dict[str, Any]


@dataclass(slots=True)
class Told:
    """What the clients were told, all together."""

    requests: int = 0
    retried: int = 0
    moves: int = 0
    faults: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, *, requests: int = 0, retried: int = 0, moves: int = 0, fault: str | None = None) -> None:
        with self.lock:
            self.requests += requests
            self.retried += retried
            self.moves += moves
            if fault is not None:
                self.faults.append(fault)


class Client:
    """One who plays, over one connection at a time; a request goes to the next host where the last gave no answer."""

    def __init__(self, ports: Sequence[int], told: Told, chance: random.Random) -> None:
        self._ports = ports
        self._told = told
        self._chance = chance
        self._at = chance.randrange(len(ports))
        self._http: HTTPConnection | None = None

    def play(self, is_over: Callable[[], bool]) -> None:
        """Hands, one after the other, until it is over."""
        try:
            while not is_over():
                self._play_hand(is_over)
        except Fault as fault:
            self._told.count(fault=str(fault))
        finally:
            self._hang_up()

    def _play_hand(self, is_over: Callable[[], bool]) -> None:
        hand = self.ask("POST", "/v1/hands", {"level": "easy"})
        token, path = hand["token"], f"/v1/hands/{hand['id']}"
        acknowledged: list[int] = []
        while hand["phase"] != "finished" and not is_over():
            self._pause()
            knocks = [move for move in hand["legal_moves"] if move["action"] == "knock"]
            hand = self.ask("POST", f"{path}/moves", self._chance.choice(knocks or hand["legal_moves"]), token)
            acknowledged.append(hand["played"][0]["version"])
            self._told.count(moves=1)
        records = self.ask("GET", f"{path}/moves?limit=100", None, token)["items"]
        versions = [record["version"] for record in records]
        mine = [record["version"] for record in records if record["by"] == "player"]
        if versions != list(range(1, len(versions) + 1)):
            raise Fault(f"{hand['id']}: its records count {versions}")
        if mine != acknowledged[: len(mine)] or (len(versions) < 100 and mine != acknowledged):
            raise Fault(f"{hand['id']}: moves {acknowledged} were acknowledged, and {mine} are there")

    def _pause(self) -> None:
        is_long = self._chance.random() < LONG_PAUSE_SHARE
        time.sleep(LONG_PAUSE_S if is_long else self._chance.expovariate(1 / PAUSE_S))

    def ask(self, method: str, path: str, body: Json | None, token: str | None = None) -> Json:
        """The answer to a request that is sent once more, with the same key, where there was none. Raises Fault."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": secrets.token_urlsafe(24)}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        self._told.count(requests=1)
        text = None if body is None else json.dumps(body)
        status, said = self._sent(method, path, text, headers)
        if status in (None, 503):
            self._told.count(retried=1)
            self._at += 1
            status, said = self._sent(method, path, text, headers)
        if status not in (200, 201):
            raise Fault(f"{method} {path} failed after one retry: {status or 'no answer'} {said}")
        answer: Json = json.loads(said)
        return answer

    def _sent(self, method: str, path: str, text: str | None, headers: dict[str, str]) -> tuple[int | None, str]:
        if self._http is None:
            self._http = HTTPConnection("127.0.0.1", self._ports[self._at % len(self._ports)], timeout=ANSWER_S)
        try:
            self._http.request(method, path, text, headers)
            answer = self._http.getresponse()
            return answer.status, answer.read().decode()
        except (OSError, HTTPException) as error:
            self._hang_up()
            return None, type(error).__name__

    def _hang_up(self) -> None:
        if self._http is not None:
            self._http.close()
            self._http = None


def run(load: Load) -> tuple[str, list[str]]:
    """A line of figures, and what was found wrong."""
    told, over = Told(), threading.Event()
    began = time.monotonic()
    until = began + load.within_s
    hosts: list[Host] = []
    with tempfile.TemporaryDirectory(prefix="ginapi-drill-") as folder:
        try:
            for number in range(load.hosts):
                hosts.append(Host(load, Path(folder), number))
                hosts[-1].wait_until_ready(until)
            ports = [host.port for host in hosts]
            clients = [Client(ports, told, random.Random(f"rolling restart {at}")) for at in range(load.clients)]
            threads = [threading.Thread(target=client.play, args=[over.is_set]) for client in clients]
            for thread in threads:
                thread.start()
            try:
                for number in range(load.restarts):
                    over.wait(BETWEEN_S)
                    host = hosts[number % len(hosts)]
                    if load.hosts == 1:
                        host.replace_workers(until)
                    else:
                        host.restart(until)
            finally:
                over.set()
                for thread in threads:
                    thread.join()
            for host in hosts:
                host.stop()
        except Fault as fault:
            told.count(fault=str(fault))
        finally:
            for host in hosts:
                host.kill()
    _audit(load.database_url, told)
    what = "replaced the workers of one host" if load.hosts == 1 else f"stopped one of {load.hosts} hosts"
    figures = (
        f"{load.restarts} restarts, each {what}, in {time.monotonic() - began:.0f} s: {told.requests} requests with "
        f"keys, {told.retried} sent twice, {told.moves} moves acknowledged; {len(told.faults)} faults"
    )
    return figures, told.faults


def _audit(database_url: str, told: Told) -> None:
    given = {name: value for name, value in os.environ.items() if not name.startswith("GINAPI_")}
    settings = {**given, "GINAPI_DATABASE_URL": database_url, "PYTHONPATH": str(TOP)}
    audited = subprocess.run([*COMMAND, "audit"], cwd=TOP, env=settings, capture_output=True, text=True)
    if audited.returncode != 0:
        told.count(fault=f"ginapi audit: {audited.stdout}{audited.stderr}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usual = Load("")
    parser.add_argument("--restarts", type=int, default=usual.restarts)
    parser.add_argument("--hosts", type=int, default=usual.hosts, help="more than one: stopped and started in turn")
    parser.add_argument("--workers", type=int, default=usual.workers, help="of each host")
    parser.add_argument("--clients", type=int, default=usual.clients)
    parser.add_argument("--within-s", type=float, default=usual.within_s, help="a fault where it takes longer")
    parser.add_argument("--database-url", help="a database of its own that is empty; a SQLite file where none is given")
    asked = vars(parser.parse_args())
    with tempfile.TemporaryDirectory(prefix="ginapi-drill-") as folder:
        database_url = asked.pop("database_url") or f"sqlite:///{folder}/drill.db"
        figures, faults = run(Load(database_url, **asked))
    print(figures)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
