"""Coins while workers and the scheduler are killed at random: what was acknowledged is in the ledger, once."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import text

from ginapi.service import audit, ledgers
from ginapi.service.house import House
from ginapi.store import ledger
from ginapi.store.database import Database
from tests.conftest import KINDS, Databases
from tests.served.server import TOP, Server, environment
from tests.shares import SEED, numbers, share

CLIENTS = 8
OPERATIONS = share(20_000, 240)
LIMIT_S = share(3_600, 180)


@dataclass
class Killable:
    """A server of three workers, and the scheduler that settles beside it."""

    server: Server
    settings: dict[str, str]
    folder: Path
    killed: list[str] = field(default_factory=list)
    _scheduler: subprocess.Popen[bytes] | None = None

    def start_scheduler(self) -> None:
        with open(self.folder / "scheduler.log", "ab") as log:
            program = [sys.executable, "-c", "from ginapi.cli import main; main()", "scheduler"]
            self._scheduler = subprocess.Popen(program, env=environment(**self.settings), stdout=log, stderr=log)

    def kill_scheduler(self) -> None:
        assert self._scheduler is not None and self._scheduler.poll() is None
        self._scheduler.kill()
        self._scheduler.wait()
        self.killed.append("scheduler")

    def workers(self) -> list[int]:
        master = self.server.pid
        return [int(pid) for pid in Path(f"/proc/{master}/task/{master}/children").read_text().split()]

    def kill_worker(self, place: int) -> None:
        workers = self.workers()
        if workers:
            os.kill(workers[place % len(workers)], signal.SIGKILL)
            self.killed.append("worker")


@pytest.fixture(params=KINDS)
def killable(request: pytest.FixtureRequest, make_database: Databases, tmp_path: Path) -> Iterator[Killable]:
    settings = {
        "WEB_CONCURRENCY": "3",
        "GINAPI_DATABASE_URL": make_database(request.param, migrated=False),
        "GINAPI_SCHEDULER": "process",
        # Short, so that the scheduler ends matches of its own beside those that are left.
        "GINAPI_COIN_MOVE_MS": "500",
        "GINAPI_ONLINE_MOVE_MS": "5000",
        "GINAPI_GRACE_MS": "0",
        "GINAPI_COMPUTER_TURN_MS": "0",
        "GINAPI_DEAL_AFTER_MS": "50",
        "GINAPI_RATE_LIMITS": "off",
    }
    killable = Killable(Server(tmp_path, settings), settings, tmp_path)
    try:
        killable.start_scheduler()
        yield killable
        killable.kill_scheduler()
        assert killable.server.stop() == 0
    finally:
        killable.server.kill()
        make_database.drop(settings["GINAPI_DATABASE_URL"])


def test_what_was_acknowledged_is_in_the_ledger_once(killable: Killable) -> None:
    chance = numbers("coins killed")
    files = [killable.folder / f"client{number}.json" for number in range(CLIENTS)]
    program = (sys.executable, "-m", "tests.coins.client", killable.server.url)
    clients = [
        subprocess.Popen(
            [*program, f"{SEED}/{number}", str(OPERATIONS // CLIENTS), str(file)],
            env=environment(),
            cwd=TOP,
        )
        for number, file in enumerate(files)
    ]
    database = Database(killable.settings["GINAPI_DATABASE_URL"])
    house = House(database)
    looks = 0
    deadline = time.monotonic() + LIMIT_S
    try:
        while any(client.poll() is None for client in clients):
            assert time.monotonic() < deadline, "the clients did not come to an end"
            time.sleep(chance.uniform(0.3, 2.0))  # the moment is what varies: nothing is waited for
            if "worker" in killable.killed and chance.random() < 0.4:
                killable.kill_scheduler()
                killable.start_scheduler()
            else:
                killable.kill_worker(chance.randrange(3))
            # At any moment, with all of it going on, every account and every escrow adds up.
            assert [found for found in ledgers.audit(house) if found.faults] == []
            looks += 1
        assert [client.returncode for client in clients] == [0] * CLIENTS
        check_books(house, files)
    finally:
        for client in clients:
            if client.poll() is None:
                client.kill()
            client.wait()
        database.close()
    workers, schedulers = (killable.killed.count(kind) for kind in ("worker", "scheduler"))
    print(f"looked {looks} times, killed {workers} workers and {schedulers} schedulers")
    assert "worker" in killable.killed


def check_books(house: House, files: list[Path]) -> None:
    """What the clients were told is what the ledger holds, and nothing else."""
    told = [json.loads(file.read_text()) for file in files]
    accounts = [account for client in told for account in client["told"]]
    print(f"{sum(client['asked'] for client in told)} requests, {sum(client['cut'] for client in told)} cut off")
    with house.db.read() as tx:
        purses = ledger.balances(tx)
        stored = {row.id: row for row in tx.execute(text("SELECT id, kind, stake, status, ended FROM tables"))}
        moved = {row.id: row.coins for row in tx.execute(text("SELECT id, coins FROM transfers"))}
        names = set(tx.execute(text("SELECT name FROM accounts WHERE name <> ''")).scalars())
        closed = tx.execute(text("SELECT count(*) FROM accounts WHERE name = ''")).scalar_one()
    assert names == {account["name"] for account in accounts if not account["closed"]}
    assert closed == sum(account["closed"] for account in accounts)
    opened = {table_id: stake for account in accounts for table_id, stake in account["opened"].items()}
    assert set(stored) == set(opened)
    for table_id, stake in opened.items():
        table = stored[table_id]
        both = stake if table.ended != "closed" else None  # Closed where nobody else sat down.
        assert moved[f"table:{table_id}:stake:0"] == stake
        assert moved.get(f"table:{table_id}:stake:1") == both
        assert moved[f"table:{table_id}:fee:0"] == stake // 10
        between = table.kind == "online" and both is not None
        assert moved.get(f"table:{table_id}:fee:1") == (stake // 10 if between else None)
    print(Counter((table.kind, table.ended) for table in stored.values()))
    assert any(table.kind == "online" and table.ended != "closed" for table in stored.values())
    for account in accounts:
        for table_id in account["left"]:
            assert moved[f"table:{table_id}:forfeit:fee"] == account["opened"][table_id] // 10
            assert stored[table_id].ended == "left"
    assert sum(purses.values()) == 0
    assert all(held >= 0 for purse, held in purses.items() if purse != "house")
    for table_id, table in stored.items():
        held = purses.get(f"table:{table_id}:0", 0), purses.get(f"table:{table_id}:1", 0)
        running = table.status != "finished"
        assert not (running and table.kind == "online")
        assert held == ((table.stake + table.stake // 10, table.stake) if running else (0, 0))
    assert [found for found in audit.audit(house) if found.faults] == []
