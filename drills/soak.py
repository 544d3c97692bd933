"""Half an hour of idle, abandoned and busy tables and open streams: no 5xx, memory and file descriptors stay flat.

Run as `python -m drills.soak`; the figures of the first third, in which caches fill, are not counted.
"""

import argparse
import random
import secrets
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from drills.stack import Stack, database, running
from tests.served.playing import choice, connected

BUSY = 6
STREAMS = 12
ABANDONED_EVERY = 4
"""Of so many hands one is left in the middle, for the clock or for nobody."""
THOUGHT_S = 0.05
LOOK_EVERY_S = 10.0
GROWS_MOST = 0.05
"""Of memory, from the second third to the last."""
GROWS_MOST_BYTES = 4 << 20
DESCRIPTORS_MORE = 8


class Visitor:
    """Somebody who opens hands and plays them to the end, or leaves them; and what each request was answered with."""

    def __init__(self, url: str, chance: random.Random) -> None:
        self._url, self._chance = url, chance
        self.statuses: Counter[int] = Counter()
        self.moves = 0

    def run(self, is_over: threading.Event) -> None:
        while not is_over.is_set():
            with connected(self._url) as http:
                terms: dict[str, Any] = {"level": self._chance.choice(["easy", "medium", "hard"])}
                if self._chance.random() < 0.3:
                    terms["clock"] = {"move_ms": 1_000}
                hand = self._ask(http, "POST", "/v1/hands", terms)
                if "token" not in hand:
                    continue  # A 5xx, which is counted.
                http.headers["Authorization"] = f"Bearer {hand['token']}"
                leaves_at = self._chance.randrange(12) if self._chance.randrange(ABANDONED_EVERY) == 0 else 10_000
                for number in range(10_000):
                    if is_over.is_set() or number == leaves_at or not hand.get("legal_moves"):
                        break
                    is_over.wait(self._chance.expovariate(1 / THOUGHT_S))
                    reply = self._ask(http, "POST", f"/v1/hands/{hand['id']}/moves", choice(self._chance, hand))
                    self.moves += 1
                    hand = reply if "legal_moves" in reply else {}

    def follow(self, is_over: threading.Event) -> None:
        """Keep a stream of a table open, and another when it ends."""
        while not is_over.is_set():
            with connected(self._url) as http:
                hand = self._ask(http, "POST", "/v1/hands", {"level": "easy"})
                if "token" not in hand:
                    continue
                http.headers["Authorization"] = f"Bearer {hand['token']}"
                ends = time.monotonic() + self._chance.uniform(5, 60)
                with http.stream("GET", f"/v1/tables/{hand['table_id']}/events", timeout=30) as stream:
                    self.statuses[stream.status_code] += 1
                    for _ in stream.iter_lines():
                        if is_over.is_set() or time.monotonic() > ends:
                            break

    def _ask(self, http: httpx.Client, method: str, path: str, body: Any) -> dict[str, Any]:
        reply = http.request(method, path, json=body)
        self.statuses[reply.status_code] += 1
        # A move may come too late; anything else that is refused is a fault of the drill's own.
        assert reply.status_code in (200, 201, 409) or reply.status_code >= 500, reply.text
        answer: dict[str, Any] = reply.json()
        return answer


def used(pids: list[int]) -> tuple[int, int]:
    """Bytes in memory and open file descriptors of these processes, all together."""
    held = descriptors = 0
    for pid in pids:
        held += int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096
        descriptors += len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return held, descriptors


def soak(stack: Stack, minutes: float, seed: str) -> tuple[list[tuple[int, int]], list[Visitor]]:
    """What the service used, look by look, and who visited it."""
    visitors = [Visitor(stack.urls[0], random.Random(f"{seed}/{number}")) for number in range(BUSY + STREAMS)]
    is_over = threading.Event()
    threads = [
        threading.Thread(target=visitor.run if number < BUSY else visitor.follow, args=[is_over])
        for number, visitor in enumerate(visitors)
    ]
    looks = []
    pids = [*stack.workers(), *(scheduler.pid for scheduler in stack.schedulers)]
    for thread in threads:
        thread.start()
    try:
        ends = time.monotonic() + minutes * 60
        while time.monotonic() < ends:
            time.sleep(LOOK_EVERY_S)
            looks.append(used(pids))
            assert stack.workers() == pids[: len(stack.workers())], "a worker was replaced"
            assert all(thread.is_alive() for thread in threads), "a visitor failed"
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
    return looks, visitors


def grown(looks: list[tuple[int, int]]) -> tuple[float, float, float]:
    """Bytes in the second third and in the last, at the median, and descriptors more in the last."""
    third = len(looks) // 3
    before, after = looks[third : 2 * third], looks[2 * third :]
    held = [median(held for held, _ in part) for part in (before, after)]
    opened = [median(descriptors for _, descriptors in part) for part in (before, after)]
    return held[0], held[1], opened[1] - opened[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="postgresql")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", default=secrets.token_hex(4))
    asked = parser.parse_args()
    print(f"seed {asked.seed}", flush=True)
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        url, _ = held.enter_context(database(asked.database, folder))
        stack = held.enter_context(running(folder, url))
        looks, visitors = soak(stack, asked.minutes, asked.seed)
        log = stack.log()
    before, after, more = grown(looks)
    statuses = sum((visitor.statuses for visitor in visitors), Counter[int]())
    bad = [
        *(f"{count} answers were {status}" for status, count in statuses.items() if status >= 500),
        *([f"memory grew from {before:,.0f} to {after:,.0f} bytes"] if _too_much(before, after) else []),
        *([f"{more:.0f} more file descriptors"] if more > DESCRIPTORS_MORE else []),
        *([f"logged: {log[:2000]}"] if log else []),
    ]
    print("\n".join(bad), end="\n" if bad else "")
    print(
        f"{asked.minutes:.0f} minutes: {sum(visitor.moves for visitor in visitors)} moves, {statuses.total()} requests "
        f"{dict(sorted(statuses.items()))}; memory {before / 1e6:.1f} MB in the second third and {after / 1e6:.1f} MB "
        f"in the last, {more:+.0f} file descriptors; {len(bad)} faults"
    )
    if bad:
        raise SystemExit(1)


def _too_much(before: float, after: float) -> bool:
    return after - before > max(GROWS_MOST * before, GROWS_MOST_BYTES)


if __name__ == "__main__":
    main()
