"""A coin match whose player never comes back: how long it takes to end by itself, and what a settled move costs.

Run as `python -m bench.absent`.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.deadlines import STAKE, TERMS
from bench.rounds import Rates, at, ratios, take_turns
from ginapi.game.moves import Discard, Draw, Move
from ginapi.service import hands, settling
from ginapi.service.asking import Answer, Ask
from ginapi.service.house import House
from ginapi.service.seen import SeenHand
from ginapi.store.database import Database
from ginapi.store.migrate import migrate
from ginapi.tables.table import Outcome, flag, open_coin
from ginapi.tables.values import Table
from tests.clock.stored import seat, token_of
from tests.postgres import Server

BEGAN_MS = 1_800_000_000_000
PER_TURN = 100
"""Tables that a side moves at in one turn."""


def opened(number: int, seed: str) -> Outcome:
    return open_coin(f"{number:020x}", seed, BEGAN_MS, stake=STAKE, clock=TERMS)


def ended(seed: str) -> Table:
    """A match that nobody plays but the table, at the instants at which it acts by itself."""
    table = opened(1, seed).table
    while table.status != "finished":
        assert table.due_ms is not None
        table = flag(table, table.due_ms).table
    return table


def lengths_min(matches: int, seed: str) -> list[float]:
    """How long so many matches took to end, in minutes, rising."""
    return sorted((ended(f"{seed} {number}").changed_ms - BEGAN_MS) / 60_000 for number in range(matches))


def shown(seen: SeenHand, _: object) -> Answer:
    return Answer(200, {"drawn_card": seen.view.drawn_card})


class Tables:
    """Fresh coin tables in a database, each moved at twice, by the clock or by its player: a draw and a discard."""

    def __init__(self, url: str, turns: int) -> None:
        self._db = Database(url)
        self._now_ms = BEGAN_MS
        self._house = House(self._db, lambda: self._now_ms)
        self._numbers = iter(range(1, turns * 2 * PER_TURN + 1))
        seat(self._db, *(opened(number, f"cost {number}") for number in range(1, turns * 2 * PER_TURN + 1)))

    def settled(self) -> float:
        """Moves a CPU second, made by the clock."""
        tables = [f"{next(self._numbers):020x}" for _ in range(PER_TURN)]
        began = time.process_time()
        for table_id in tables:
            for moves in (1, 2):
                self._now_ms = BEGAN_MS + moves * (TERMS.move_ms + TERMS.grace_ms)
                settling.settle(self._house, table_id)
        return 2 * PER_TURN / (time.process_time() - began)

    def asked(self) -> float:
        """Moves a CPU second, asked for by the player, as the service takes them; HTTP is not in it."""
        tables = [next(self._numbers) for _ in range(PER_TURN)]
        self._now_ms = BEGAN_MS + 1
        began = time.process_time()
        for number in tables:
            self._move(number, Discard(self._move(number, Draw("stock"))))
        return 2 * PER_TURN / (time.process_time() - began)

    def _move(self, number: int, move: Move) -> Any:
        """The card that the answer shows as drawn."""
        ask = Ask(token_of(number), "POST", "/v1/hands/moves", {})
        told = hands.move(self._house, ask, f"{number:020x}-1", lambda: move, None, shown)
        return told.body["drawn_card"]

    def close(self) -> None:
        self._db.close()


@contextmanager
def migrated(kind: str) -> Iterator[str]:
    """The URL of a database of its own."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            url = f"sqlite:///{Path(folder, 'absent.db')}"
            migrate(url)
            yield url
        return
    server = Server()
    try:
        server.run("CREATE DATABASE absent")
        migrate(server.url("absent"))
        yield server.url("absent")
    finally:
        server.stop()


def costs(kind: str, rounds: int) -> Rates:
    """Moves a CPU second of this process, by the clock and by the player, round by round."""
    with migrated(kind) as url:
        tables = Tables(url, rounds + 1)
        rates = take_turns({"settled": tables.settled, "asked": tables.asked}, rounds)
        tables.close()
    return rates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=5_000)
    parser.add_argument("--seed", default="absent")
    parser.add_argument("--rounds", type=int, default=7)
    asked = parser.parse_args()
    for kind in ("sqlite", "postgresql"):
        rates = costs(kind, asked.rounds)
        dearer = sorted(ratios(rates, "asked", "settled"))
        cpu_ms = sorted(1_000 / rate for rate in rates["settled"])
        print(
            f"A settled move, {kind}: {at(dearer, 0.5):.2f} ({dearer[0]:.2f}–{dearer[-1]:.2f}) times the CPU "
            f"of one that is asked for; {at(cpu_ms, 0.5):.2f} ms"
        )
    lengths = lengths_min(asked.matches, asked.seed)
    print(
        f"{asked.matches} matches left to the table at {TERMS.move_ms // 1_000} s a move: over after "
        f"{at(lengths, 0.5):.1f} min (median), {at(lengths, 0.999):.1f} min (99.9 %), {lengths[-1]:.1f} min (longest)"
    )


if __name__ == "__main__":
    main()
