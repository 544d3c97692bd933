"""PostgreSQL gone and back while clients play: the service is well again by itself, and nothing acknowledged is lost.

It is killed, and started again after a while. Run as `python -m drills.postgres_away`.
"""

import argparse
import random
import secrets
import tempfile
from pathlib import Path

from drills.away import Taken, drill, report
from drills.checker import faults
from drills.stack import ENDLESS, database, playing, running
from tests.postgres import Server as PostgreSQL

CLIENTS = 4
PAUSE_S = (0.3, 1.5)
AWAY_S = (0.2, 3.0)


def taken(postgresql: PostgreSQL) -> Taken:
    return Taken(postgresql.kill, postgresql.revive, PAUSE_S, AWAY_S)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10, help="how often it is taken away")
    parser.add_argument("--seed", default=secrets.token_hex(4))
    asked = parser.parse_args()
    print(f"seed {asked.seed}", flush=True)
    chance = random.Random(asked.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with database("postgresql", folder) as (url, postgresql), running(folder, url, servers=2) as stack:
            assert postgresql is not None
            with playing(stack, CLIENTS, ENDLESS, asked.seed) as clients:
                told, took_s = drill(stack, taken(postgresql), clients, asked.times, chance)
            found = faults(url, told)
    report(told, took_s, found)


if __name__ == "__main__":
    main()
