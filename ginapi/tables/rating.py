"""Glicko-2: how strong a player is, how surely that is known, and what results make of it.

Written from Mark Glickman's "Example of the Glicko-2 system" (2022), whose steps are named where they are taken. What
goes in and comes out is on the scale round 1500; the steps count on the paper's inner scale round 0.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

SCALE = 173.7178
"""Points of rating in one of the paper's inner scale (step 2)."""
NEW_POINTS = 1500.0
NEW_DEVIATION = 350.0
"""Nobody is known less than one who has not played."""
NEW_VOLATILITY = 0.06
TAU = 0.5
"""How much volatility itself may change (step 1)."""
CONVERGED = 0.000001
"""How near step 5 comes to the volatility that it looks for."""
IDLE_PERIOD_MS = 24 * 3_600_000
"""In how long without a rated match a deviation grows as much as by a rating period in which nothing was played."""


class Rating(NamedTuple):
    """What is known of a player's strength: within two deviations of the rating, with 95 % confidence."""

    rating: float = NEW_POINTS
    deviation: float = NEW_DEVIATION
    volatility: float = NEW_VOLATILITY


class Met(NamedTuple):
    """An opponent as rated before the period, and how the player did: 1 for a win, 0 for a loss."""

    opponent: Rating
    score: float


def after_idle(player: Rating, idle_ms: int) -> Rating:
    """The player after a time without a rated match: step 6, in proportion to the time."""
    periods = max(0, idle_ms) / IDLE_PERIOD_MS
    phi = math.hypot(player.deviation / SCALE, math.sqrt(periods) * player.volatility)
    return player._replace(deviation=min(phi * SCALE, NEW_DEVIATION))


def after_period(player: Rating, met: Sequence[Met]) -> Rating:
    """The player after a rating period (steps 2 to 8); the order of its results does not matter."""
    if not met:
        return after_idle(player, IDLE_PERIOD_MS)
    mu, phi = (player.rating - NEW_POINTS) / SCALE, player.deviation / SCALE
    sums = [_of_one(mu, one) for one in met]
    v = 1 / math.fsum(information for information, _ in sums)  # Step 3.
    surprise = math.fsum(more_than_expected for _, more_than_expected in sums)
    sigma = _volatility(phi, player.volatility, v, v * surprise)  # Steps 4 and 5.
    phi = 1 / math.sqrt(1 / (phi**2 + sigma**2) + 1 / v)  # Steps 6 and 7.
    mu += phi**2 * surprise
    return Rating(mu * SCALE + NEW_POINTS, min(phi * SCALE, NEW_DEVIATION), sigma)


def _of_one(mu: float, met: Met) -> tuple[float, float]:
    """What one result adds to the sums of steps 3 and 4."""
    phi = met.opponent.deviation / SCALE
    g = 1 / math.sqrt(1 + 3 * phi**2 / math.pi**2)
    x = g * (mu - (met.opponent.rating - NEW_POINTS) / SCALE)
    # Both ways round: one less a number next to one would be nothing, where two are very far apart.
    win, loss = 1 / (1 + math.exp(-x)), 1 / (1 + math.exp(x))
    return g**2 * win * loss, g * (met.score * loss - (1 - met.score) * win)


def _volatility(phi: float, sigma: float, v: float, delta: float) -> float:
    """The new volatility: step 5, by the Illinois algorithm."""
    start = math.log(sigma**2)

    def f(x: float) -> float:
        # The paper's, in an order in which no square of a square is taken.
        whole = phi**2 + v + math.exp(x)
        return math.exp(x) / whole * (delta**2 / whole - 1) / 2 - (x - start) / TAU**2

    a, b = start, _other_side(f, start, delta**2 - phi**2 - v)
    fa, fb = f(a), f(b)
    while abs(b - a) > CONVERGED:
        c = a + (a - b) * fa / (fb - fa)
        fc = f(c)
        if fc * fb <= 0:
            a, fa = b, fb
        else:
            fa /= 2
        b, fb = c, fc
    return math.exp(a / 2)


def _other_side(f: Callable[[float], float], start: float, excess: float) -> float:
    """Where `f` has crossed zero, seen from `start` (step 5.2)."""
    if excess > 0:
        return math.log(excess)
    k = 1
    while f(start - k * TAU) < 0:
        k += 1
    return start - k * TAU
