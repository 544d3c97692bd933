"""Something that the service needs, gone and back while clients play: how soon it is well again, and what is lost."""

import random
import time
from collections.abc import Callable
from typing import NamedTuple

from drills.checker import Told, counted
from drills.stack import Clients, Stack, seconds_until_healthy, see_play

HEALTHY_S = 5.0
LIMIT_S = 1_800.0


class Taken(NamedTuple):
    """How to take it away and to bring it back, and for how long it stays before the one and after the other."""

    away: Callable[[], None]
    back: Callable[[], None]
    pause_s: tuple[float, float]
    away_s: tuple[float, float]


def drill(stack: Stack, taken: Taken, clients: Clients, times: int, chance: random.Random) -> tuple[Told, list[float]]:
    """Take it away so many times; what the clients were told, and how long it took to be healthy each time."""
    took_s: list[float] = []
    for _ in range(times):
        see_play(stack)
        time.sleep(chance.uniform(*taken.pause_s))  # the moments are what varies: nothing is waited for
        taken.away()
        time.sleep(chance.uniform(*taken.away_s))
        taken.back()
        took_s.append(seconds_until_healthy(stack.servers, LIMIT_S))
    see_play(stack)
    clients.end()
    return clients.wait(LIMIT_S), took_s


def report(told: Told, took_s: list[float], found: list[str]) -> None:
    """Print each fault and the line of figures; status 1 where there is one, or it took too long."""
    late = [f"healthy only after {s:.1f} s" for s in took_s if s > HEALTHY_S]
    print("\n".join([*found, *late]), end="\n" if found or late else "")
    print(
        f"away {len(took_s)} times, healthy again after {max(took_s):.1f} s at the longest (asked {HEALTHY_S:.0f}); "
        f"{counted(told)}; {len(found)} faults"
    )
    if found or late:
        raise SystemExit(1)
