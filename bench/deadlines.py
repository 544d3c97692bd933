"""How late a move is played for whoever let the clock run out: from the due time to the commit, on PostgreSQL.

Many running coin tables fall due, evenly spread over some seconds, while `ginapi scheduler` runs; nobody asks for them.
Run as `python -m bench.deadlines`.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import psycopg

from bench.rounds import at
from ginapi.store.database import Database
from ginapi.store.migrate import migrate
from ginapi.tables.clock import ClockTerms
from ginapi.tables.table import Outcome, open_coin
from tests.clock.stored import seat
from tests.postgres import DURABLE, Server

CHECKOUT = Path(__file__).resolve().parent.parent
TERMS = ClockTerms(move_ms=90_000, grace_ms=500, computer_turn_ms=667, deal_after_ms=10_000)
FAR_MS = 4_000_000_000_000
LEAD_MS = 6_000
"""Before the first falls due all schedulers have started."""
AFTER_MS = 5_000
STAKE = 50
BROUGHT_NEAR = """
    UPDATE tables SET created_ms = created_ms - %(ahead_ms)s, changed_ms = changed_ms - %(ahead_ms)s,
        deadline_ms = deadline_ms - %(ahead_ms)s, due_ms = due_ms - %(ahead_ms)s
"""
# The commit of each record as the server timed it, to its microsecond; not rounded, so that early would show.
LATENESS = """
    SELECT extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000 - at_ms FROM records
    WHERE "by" = 'clock' ORDER BY 1
"""
TWICE = """
    SELECT count(*) FROM (SELECT 1 FROM records WHERE "by" = 'clock' GROUP BY table_id HAVING count(*) > 1) AS twice
"""


def opened(number: int, due_ms: int) -> Outcome:
    """A coin table whose first move is due at an instant."""
    began_ms = due_ms - TERMS.move_ms - TERMS.grace_ms
    return open_coin(f"{number:020x}", f"deadlines {number}", began_ms, stake=STAKE, clock=TERMS)


def stored(url: str, count: int, over_ms: int) -> None:
    """Open so many tables, due at even steps, the first far ahead: opening them takes a while."""
    db = Database(url)
    outcomes = [opened(number + 1, FAR_MS + number * over_ms // count) for number in range(count)]
    for first in range(0, count, 500):
        seat(db, *outcomes[first : first + 500])
    db.close()


def scheduler(url: str, log: Path) -> "subprocess.Popen[bytes]":
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GINAPI_")}
    environ |= {"GINAPI_DATABASE_URL": url, "GINAPI_SCHEDULER": "process", "GINAPI_LOG_LEVEL": "WARNING"}
    program = [sys.executable, "-c", "from ginapi.cli import main; main()", "scheduler"]
    with open(log, "ab") as output:
        return subprocess.Popen(program, cwd=CHECKOUT, env=environ, stdout=output, stderr=output)


def measured(count: int, over_ms: int, processes: int) -> tuple[list[float], int]:
    """Lateness of every automatic move in milliseconds, rising, and at how many tables there was more than one."""
    # The server notes when each commit was.
    server = Server(DURABLE + "track_commit_timestamp = on\n")
    try:
        server.run("CREATE DATABASE deadlines")
        url = server.url("deadlines")
        migrate(url)
        stored(url, count, over_ms)
        with psycopg.connect(host=str(server.folder), dbname="deadlines", user="ginapi", autocommit=True) as connection:
            first_due_ms = time.time_ns() // 1_000_000 + LEAD_MS
            connection.execute(BROUGHT_NEAR, {"ahead_ms": FAR_MS - first_due_ms})
            connection.execute("VACUUM ANALYZE")
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "log")
            running = [scheduler(url, log) for _ in range(processes)]
            try:
                ends_s = (first_due_ms + over_ms + AFTER_MS) / 1000
                time.sleep(max(0.0, ends_s - time.time()))
            finally:
                for process in running:
                    process.terminate()
                statuses = [process.wait(30) for process in running]
            assert statuses == [0] * processes, log.read_text()
            print(log.read_text(), end="")
        with psycopg.connect(host=str(server.folder), dbname="deadlines", user="ginapi") as connection:
            late_ms = [float(row[0]) for row in connection.execute(LATENESS)]
            [[twice]] = connection.execute(TWICE).fetchall()
        return late_ms, twice
    finally:
        server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=2_000)
    parser.add_argument("--over", type=int, default=20, help="seconds over which they fall due")
    parser.add_argument("--processes", type=int, default=1, help="schedulers beside each other")
    asked = parser.parse_args()
    late_ms, twice = measured(asked.tables, asked.over * 1_000, asked.processes)
    print(
        f"{len(late_ms)} of {asked.tables} tables over {asked.over} s, {asked.processes} scheduler(s): committed after "
        f"{median(late_ms):.0f} ms (median), {at(late_ms, 0.99):.0f} ms (99 %), {late_ms[-1]:.0f} ms (the latest), "
        f"{late_ms[0]:.1f} ms (the earliest); {twice} played twice"
    )
    if len(late_ms) != asked.tables or twice or late_ms[0] < 0:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
