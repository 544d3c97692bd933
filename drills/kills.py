"""Workers, masters, the scheduler and PostgreSQL killed at random, while clients play: nothing acknowledged is lost.

Run as `python -m drills.kills --database postgresql --moves 20000 --kills 50`.
"""

import argparse
import random
import secrets
import tempfile
import time
from collections import Counter
from pathlib import Path

from drills.checker import Told, counted, faults, ledger_faults, sat_together
from drills.stack import Stack, database, kill_process, playing, running
from ginapi.service.house import House
from ginapi.store.database import Database
from tests.postgres import Server as PostgreSQL

CLIENTS = 8
SERVERS = 2
PAUSE_S = (0.2, 1.5)
LIMIT_S = 3_600.0


class Killer:
    """Kills what a service is made of, at moments of chance, and starts again what does not start by itself."""

    def __init__(self, stack: Stack, postgresql: PostgreSQL | None, chance: random.Random) -> None:
        self._stack, self._postgresql, self._chance = stack, postgresql, chance
        self.killed: Counter[str] = Counter()

    def kill_one(self) -> None:
        """One of them, a worker most often."""
        kinds = ["worker"] * 5 + ["scheduler"] * 2 + ["master"] * 2
        kind = self._chance.choice(kinds if self._postgresql is None else [*kinds, "postmaster"])
        if getattr(self, f"_{kind}")():
            self.killed[kind] += 1

    def _worker(self) -> bool:
        workers = self._stack.workers(self._chance.randrange(len(self._stack.servers)))
        return bool(workers) and kill_process(self._chance.choice(workers))

    def _master(self) -> bool:
        server = self._chance.choice(self._stack.servers)
        server.kill()
        server.start()
        return True

    def _scheduler(self) -> bool:
        scheduler = self._chance.choice(self._stack.schedulers)
        scheduler.kill()
        scheduler.start()
        return True

    def _postmaster(self) -> bool:
        assert self._postgresql is not None
        self._postgresql.kill()
        self._postgresql.revive()
        return True


def drill(stack: Stack, postgresql: PostgreSQL | None, moves: int, kills: int, seed: str) -> tuple[Told, Killer]:
    """Kill while clients play, until at least so many moves were acknowledged and so many killed; both are told.

    Clients play the moves; where there were too few kills by then, others come and play as many again.
    """
    chance = random.Random(f"{seed}/kills")
    killer = Killer(stack, postgresql, chance)
    db = Database(stack.database_url)
    ends = time.monotonic() + LIMIT_S
    told: Told = []
    try:
        while not told or killer.killed.total() < kills:
            with playing(stack, CLIENTS, moves, f"{seed}/{len(told)}") as clients:
                while clients.are_playing() and time.monotonic() < ends:
                    time.sleep(chance.uniform(*PAUSE_S))  # the moment is what varies: nothing is waited for
                    killer.kill_one()
                    # At any moment, with all of it going on, every account and every escrow adds up.
                    assert ledger_faults(House(db)) == []
                told += clients.wait(1.0)
    finally:
        db.close()
    assert sat_together(stack.database_url), "nobody sat down with another"
    return told, killer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="postgresql")
    parser.add_argument("--moves", type=int, default=20_000, help="acknowledged moves, at the least")
    parser.add_argument("--kills", type=int, default=50, help="processes killed, at the least")
    parser.add_argument("--seed", default=secrets.token_hex(4))
    asked = parser.parse_args()
    print(f"seed {asked.seed}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with database(asked.database, folder) as (url, postgresql), running(folder, url, servers=SERVERS) as stack:
            told, killer = drill(stack, postgresql, asked.moves, asked.kills, asked.seed)
            found = faults(url, told)
    print("\n".join([*found, f"{dict(killer.killed)} killed; {counted(told)}; {len(found)} faults"]))
    if found:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
