"""Whether a move costs more where more tables run: the same moves on three databases with few and many stored tables.

Three services, one core for all of them and PostgreSQL, take turns; the tables beside those that are played at run,
fall due in many years, and nobody asks for them. Run as `python -m bench.stored`.
"""

import argparse
import os
import tempfile
from contextlib import ExitStack
from pathlib import Path

import psycopg

from bench.client import MovesPlayed
from bench.deadlines import stored
from bench.moves import GINAPI, postgresql, served
from bench.rounds import report, stay_on, take_turns
from ginapi.store.migrate import migrate

COUNTS = (10, 1_000, 100_000)
OVER_MS = 86_400_000
LEVEL = "medium"


def main() -> None:
    cores = sorted(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="rounds that count; the figure is their median")
    parser.add_argument("--seconds", type=float, default=3.0, help="seconds of moves a side and round")
    parser.add_argument("--connections", type=int, default=4)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ginapi-bench-") as folder, ExitStack() as running:
        server = running.enter_context(postgresql({cores[0]}))
        sides = {}
        for count in COUNTS:
            server.run(f"CREATE DATABASE stored_{count}")
            url = server.url(f"stored_{count}")
            migrate(url)
            stored(url, count, OVER_MS)
            with psycopg.connect(
                host=str(server.folder), dbname=f"stored_{count}", user="ginapi", autocommit=True
            ) as connection:
                connection.execute("VACUUM ANALYZE")
            port = running.enter_context(served(*GINAPI, url, Path(folder, f"{count}.log"), {cores[0]}))
            sides[f"{count:,} tables"] = MovesPlayed(port, "/v1", LEVEL, chosen.connections, chosen.seconds)
        stay_on(cores[-1])
        rates = take_turns(sides, chosen.rounds)
    print(f"Move requests on PostgreSQL, level {LEVEL}, beside so many running tables, requests a second:")
    report(rates, f"{COUNTS[-1]:,} tables", "moves/s", {})


if __name__ == "__main__":
    main()
