"""Interleaved rounds: every side takes its turn in each round, under one stopwatch, so that a busy minute hits all.

A figure is the ratio of two sides within one round; what is printed is its median over the rounds, and its range.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from statistics import median

Side = Callable[[], float]
"""One turn of one side: how many it did a second."""
Rates = dict[str, list[float]]


def stay_on(core: int) -> None:
    """Pins this process, and whatever it starts from now on, to one core."""
    os.sched_setaffinity(0, {core})


def last_core() -> int:
    """The core that the machine's own chores use least, by custom."""
    return max(os.sched_getaffinity(0))


def take_turns(sides: Mapping[str, Side], rounds: int) -> Rates:
    """The rates of each side, round by round, after one round that is not counted. The order turns round each time."""
    rates: Rates = {name: [] for name in sides}
    names = list(sides)
    for number in range(rounds + 1):
        for name in names:
            rate = sides[name]()
            if number:
                rates[name].append(rate)
        names.reverse()
    return rates


def ratios(rates: Rates, ours: str, theirs: str) -> list[float]:
    """Ours over theirs, round by round."""
    return [one / other for one, other in zip(rates[ours], rates[theirs], strict=True)]


def spread(values: Sequence[float], form: str) -> str:
    """The median and the range, each written by `form`."""
    return f"{median(values):{form}} ({min(values):{form}}–{max(values):{form}})"


def report(rates: Rates, ours: str, unit: str, beside: Mapping[str, str]) -> None:
    """Prints each side's rate, what stands `beside` it, and how many times as many `ours` did."""
    for name, of_side in rates.items():
        ratio = "" if name == ours else f"   {ours} does {spread(ratios(rates, ours, name), '.2f')} times as many"
        print(f"  {name:<26} {spread(of_side, ',.0f')} {unit}{beside.get(name, '')}{ratio}", flush=True)


def at(rising: Sequence[float], share: float) -> float:
    """The value that this share does not exceed."""
    return rising[min(len(rising) - 1, int(len(rising) * share))]
