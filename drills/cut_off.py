"""PostgreSQL behind a network that is cut and heals: 503 in time while it is cut, and healthy in time once it is whole.

The servers are in a network namespace of their own and reach PostgreSQL over a pair of virtual devices; while one end
is down, whatever either side sends is lost without a word. As root on Linux: `python -m drills.cut_off`.
"""

import argparse
import os
import random
import secrets
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from drills.checker import counted, faults
from drills.held import Held
from drills.probe import Probe, dealt
from drills.stack import ENDLESS, Stack, playing, running, seconds_until_healthy, see_play
from ginapi.store.database import Database
from tests.postgres import DURABLE
from tests.postgres import Server as PostgreSQL

HERE, THERE = "10.91.73.1", "10.91.73.2"
PORT = 5432
CLIENTS = 4
CUT_S = (7.0, 12.0)
REFUSED_S = 6.0
HEALTHY_S = 2.0
HELD_S = 6.0
"""The longest that the side that was cut off may hold a row."""
LIMIT_S = 1_800.0


class Network:
    """A namespace for the servers, and the pair of devices between it and PostgreSQL."""

    def __init__(self) -> None:
        self.name = f"ginapi{os.getpid()}"
        self._here, self._there = f"gh{os.getpid()}", f"gt{os.getpid()}"

    def make(self) -> None:
        ip("netns", "add", self.name)
        ip("link", "add", self._here, "type", "veth", "peer", "name", self._there, "netns", self.name)
        ip("address", "add", f"{HERE}/30", "dev", self._here)
        ip("link", "set", self._here, "up")
        ip("-n", self.name, "address", "add", f"{THERE}/30", "dev", self._there)
        ip("-n", self.name, "link", "set", self._there, "up")
        ip("-n", self.name, "link", "set", "lo", "up")

    def remove(self) -> None:
        subprocess.run(["ip", "link", "delete", self._here], check=False)
        subprocess.run(["ip", "netns", "delete", self.name], check=False)

    def cut(self) -> None:
        ip("link", "set", self._here, "down")

    def heal(self) -> None:
        ip("link", "set", self._here, "up")


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


@contextmanager
def network() -> Iterator[Network]:
    made = Network()
    try:
        made.make()
        yield made
    finally:
        made.remove()


@contextmanager
def postgresql() -> Iterator[PostgreSQL]:
    """A server that listens at this end of the network."""
    server = PostgreSQL(DURABLE + f"listen_addresses = '{HERE}'\nport = {PORT}\n")
    try:
        with open(server.folder / "data" / "pg_hba.conf", "a") as access:
            access.writelines(f"host all all {address}/32 trust\n" for address in (HERE, THERE))
        server.run("SELECT pg_reload_conf()")
        server.run("CREATE DATABASE drill")
        yield server
    finally:
        server.stop()


def cut_once(wire: Network, stack: Stack, db: Database, cut_s: float) -> tuple[float, float, float]:
    """Seconds that the longest refusal took while it was cut, until healthy, and that rows were held for at most."""
    held = Held(db)
    with Probe(lambda: dealt(stack.urls[0])) as probe:
        before = len(probe.answers)
        wire.cut()
        ends = time.monotonic() + cut_s
        while time.monotonic() < ends:
            held.look()
            time.sleep(0.1)
        wire.heal()
        healthy_s = seconds_until_healthy(stack.servers, LIMIT_S)
    seen = probe.answers[before:]
    refused_s = [answer.took_s for answer in seen if answer.status != 201]
    assert refused_s and all(answer.status in (201, 503) for answer in seen), seen
    return max(refused_s), healthy_s, held.longest_s


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=6)
    parser.add_argument("--seed", default=secrets.token_hex(4))
    asked = parser.parse_args()
    print(f"seed {asked.seed}", flush=True)
    chance = random.Random(asked.seed)
    times: list[tuple[float, float, float]] = []
    with tempfile.TemporaryDirectory() as name, network() as wire, postgresql() as server:
        folder = Path(name)
        url = f"postgresql+psycopg://ginapi@{HERE}:{PORT}/drill"
        near = f"postgresql+psycopg://ginapi@/drill?host={server.folder}&port={PORT}"
        with running(folder, url, servers=2, prefix=("ip", "netns", "exec", wire.name)) as stack:
            with closing(Database(near)) as db, playing(stack, CLIENTS, ENDLESS, asked.seed) as clients:
                for _ in range(asked.times):
                    see_play(stack)
                    time.sleep(chance.uniform(0.5, 2.0))  # the moment is what varies: nothing is waited for
                    times.append(cut_once(wire, stack, db, chance.uniform(*CUT_S)))
                see_play(stack)
                clients.end()
                told = clients.wait(LIMIT_S)
            found = faults(near, told)
    refused_s, healthy_s, held_s = (max(figures) for figures in zip(*times, strict=True))
    missed = [
        f"{what} {took_s:.1f} s, asked {most_s:.0f}"
        for what, took_s, most_s in (
            ("refused only after", refused_s, REFUSED_S),
            ("healthy only after", healthy_s, HEALTHY_S),
            ("a row was held for", held_s, HELD_S),
        )
        if took_s > most_s
    ]
    print("\n".join([*found, *missed]), end="\n" if found or missed else "")
    print(
        f"cut {len(times)} times: 503 after {refused_s:.1f} s at the longest (asked {REFUSED_S:.0f}), healthy "
        f"{healthy_s:.1f} s after it healed (asked {HEALTHY_S:.0f}), no row held for more than {held_s:.1f} s; "
        f"{counted(told)}; {len(found)} faults"
    )
    if found or missed:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
