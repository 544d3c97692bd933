"""PostgreSQL lost for good while clients play, its synchronous standby promoted: none lost, and soon healthy.

The database's URL names both hosts and asks for the one that takes writes. Run as `python -m drills.promoted`.
"""

import argparse
import random
import secrets
import tempfile
import time
from pathlib import Path

from drills.checker import Told, counted, faults
from drills.stack import ENDLESS, playing, running, seconds_until_healthy, see_play
from tests.postgres import DURABLE, Server

CLIENTS = 4
BEFORE_S = (2.0, 5.0)
ALONE_S = 1.0
"""How long nobody promotes the standby."""
HEALTHY_S = 10.0
LIMIT_S = 600.0


def drill(folder: Path, seed: str) -> tuple[float, Told, list[str]]:
    """Seconds from the promotion until healthy, what the clients were told, and what was wrong."""
    chance = random.Random(seed)
    primary = Server(DURABLE)
    try:
        primary.run("CREATE DATABASE drill")
        standby = Server(DURABLE, standby_of=primary)
        try:
            primary.run(f"ALTER SYSTEM SET synchronous_standby_names = '\"{standby.folder.name}\"'")
            primary.run("SELECT pg_reload_conf()")
            hosts = f"host={primary.folder},{standby.folder}&target_session_attrs=read-write"
            with running(folder, f"postgresql+psycopg://ginapi@/drill?{hosts}", servers=2) as stack:
                with playing(stack, CLIENTS, ENDLESS, seed) as clients:
                    see_play(stack)
                    time.sleep(chance.uniform(*BEFORE_S))  # the moment is what varies: nothing is waited for
                    primary.kill()
                    time.sleep(ALONE_S)
                    # Those that the dead one kept waiting for it are the standby's to answer.
                    standby.run("ALTER SYSTEM RESET synchronous_standby_names")
                    standby.run("SELECT pg_promote()")
                    took_s = seconds_until_healthy(stack.servers, LIMIT_S)
                    see_play(stack)
                    clients.end()
                    told = clients.wait(LIMIT_S)
                return took_s, told, faults(standby.url("drill"), told)
        finally:
            standby.stop()
    finally:
        primary.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--seed", default=secrets.token_hex(4))
    asked = parser.parse_args()
    print(f"seed {asked.seed}", flush=True)
    missed = False
    for number in range(asked.times):
        with tempfile.TemporaryDirectory() as folder:
            took_s, told, found = drill(Path(folder), f"{asked.seed}/{number}")
        print("\n".join([*found]), end="\n" if found else "")
        print(
            f"healthy {took_s:.1f} s after the promotion (asked {HEALTHY_S:.0f}); {counted(told)}; {len(found)} faults",
            flush=True,
        )
        missed = missed or bool(found) or took_s > HEALTHY_S
    if missed:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
