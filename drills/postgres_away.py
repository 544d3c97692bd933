"""PostgreSQL gone and back while clients play: the service is well again by itself, and nothing acknowledged is lost.

It is killed, and started again after a while. Run as `python -m drills.postgres_away`.
"""

import argparse
import random
import secrets
import tempfile
import time
from pathlib import Path

from drills.checker import Told, counted, faults
from drills.stack import Clients, Stack, database, playing, running, seconds_until_healthy
from tests.postgres import Server as PostgreSQL

CLIENTS = 4
PAUSE_S = (0.3, 1.5)
AWAY_S = (0.2, 3.0)
HEALTHY_S = 5.0
LIMIT_S = 1_800.0


def drill(
    stack: Stack, postgresql: PostgreSQL, clients: Clients, times: int, chance: random.Random
) -> tuple[Told, list[float]]:
    """Take it away so many times at least; what the clients were told, and how long it took to be healthy each time."""
    took_s: list[float] = []
    ends = time.monotonic() + LIMIT_S
    while clients.are_playing() and time.monotonic() < ends:
        time.sleep(chance.uniform(*PAUSE_S))  # the moments are what varies: nothing is waited for
        postgresql.kill()
        time.sleep(chance.uniform(*AWAY_S))
        postgresql.revive()
        took_s.append(seconds_until_healthy(stack.servers, LIMIT_S))
    told = clients.wait(1.0)
    assert len(took_s) >= times, f"the clients were done after {len(took_s)} times"
    return told, took_s


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=4_000, help="acknowledged moves at which the clients stop")
    parser.add_argument("--times", type=int, default=10, help="fewer than these fail the drill")
    parser.add_argument("--seed", default=secrets.token_hex(4))
    asked = parser.parse_args()
    print(f"seed {asked.seed}", flush=True)
    chance = random.Random(asked.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with database("postgresql", folder) as (url, postgresql), running(folder, url, servers=2) as stack:
            assert postgresql is not None
            with playing(stack, CLIENTS, -(-asked.moves // CLIENTS), asked.seed) as clients:
                told, took_s = drill(stack, postgresql, clients, asked.times, chance)
            found = faults(url, told)
    late = [f"healthy only after {s:.1f} s" for s in took_s if s > HEALTHY_S]
    print("\n".join([*found, *late]), end="\n" if found or late else "")
    print(
        f"away {len(took_s)} times, healthy again after {max(took_s):.1f} s at the longest (asked {HEALTHY_S:.0f}); "
        f"{counted(told)}; {len(found)} faults"
    )
    if found or late:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
