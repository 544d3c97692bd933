"""The arithmetic of limits: what workers hand out of a quota, with time passed in."""

import random

import pytest

from ginapi.limits import LIMITS, Allowance, Limit, Portion

MINUTE_MS = 60_000
NOW_MS = 1_790_000_000_000


def limit_of(quota: int) -> Limit:
    return Limit("requests", quota, MINUTE_MS, "caller", "")


class Row:
    """What the database keeps of a limit for one caller: the window, and how much of it has been taken."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self.began_ms, self.taken, self.asked = -(10**15), 0, 0

    def take(self, began_ms: int, count: int, now_ms: int) -> tuple[int, int]:
        self.asked += 1
        if now_ms - self.began_ms >= self.limit.window_ms:
            self.began_ms, self.taken = began_ms, 0
        self.taken += count
        return self.began_ms, self.taken


def take(allowance: Allowance, row: Row, now_ms: int) -> bool:
    """As a worker does it."""
    while (may := allowance.take(now_ms)) is None:
        allowance.given(*row.take(*allowance.wanted(), now_ms))
    return may


def workers_of(limit: Limit, count: int, now_ms: int = NOW_MS) -> list[Allowance]:
    return [Allowance(limit, Portion.of(limit, count), now_ms) for _ in range(count)]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 8, 64])
@pytest.mark.parametrize("quota", [1, 2, 7, 20, 100, 600, 12_000, 36_000])
@pytest.mark.parametrize("spread", ["evenly", "one after another", "by chance", "mostly one"])
def test_a_quota_holds_across_workers_within_5_percent(count: int, quota: int, spread: str) -> None:
    limit = limit_of(quota)
    row, workers = Row(limit), workers_of(limit, count)
    chance = random.Random(f"{count} {quota} {spread}")
    each = (quota + quota // 10 + 1) // count + 1
    order = {
        "evenly": [at for _ in range(each) for at in range(count)],
        "one after another": [at for at in range(count) for _ in range(2 * each)],
        "by chance": [chance.randrange(count) for _ in range(each * count)],
        "mostly one": [chance.randrange(count) if chance.random() < 0.05 else 0 for _ in range(each * count)],
    }[spread]
    may = [take(workers[at], row, NOW_MS) for at in order]
    until_refused = may.index(False) if False in may else len(may)
    assert 0.95 * quota <= sum(may) <= 1.05 * quota
    if spread != "one after another":
        assert until_refused >= 0.95 * quota


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.name)
@pytest.mark.parametrize("servers", [1, 2])
def test_so_does_a_published_one_across_two_servers_of_four_workers(limit: Limit, servers: int) -> None:
    row = Row(limit)
    workers = [worker for _ in range(servers) for worker in workers_of(limit, 4)]
    # Each in turn to its end: whatever the others have in hand then stays unused, or was handed out in advance.
    first = workers[1:] + workers[:1]
    for worker in first:
        take(worker, row, NOW_MS)
    may = sum(sum(take(worker, row, NOW_MS) for _ in range(limit.quota)) for worker in workers)
    assert 0.95 * limit.quota <= may + len(first) <= 1.05 * limit.quota


def test_few_requests_ask_for_nothing_and_a_flood_asks_seldom() -> None:
    limit = LIMITS[0]
    row, (worker, *_) = Row(limit), workers_of(limit, 4)
    assert all(take(worker, row, NOW_MS) for _ in range(90))
    assert row.asked == 0
    assert all(take(worker, row, NOW_MS) for _ in range(limit.quota - 90))
    assert row.asked <= 201
    asked = row.asked
    assert not any(take(worker, row, NOW_MS + at) for at in range(1_000))
    assert row.asked == asked, "that nothing is left is known"


def test_a_window_begins_with_its_first_request_and_ends_by_the_clock() -> None:
    limit = limit_of(600)
    row, (one, other) = Row(limit), workers_of(limit, 2)
    while take(one, row, NOW_MS):
        pass
    assert one.left(NOW_MS + 17_000) == (0, MINUTE_MS - 17_000)
    assert not take(one, row, NOW_MS + MINUTE_MS - 1)
    # The other worker learns when the window began, though it saw its own first request later.
    assert other.left(NOW_MS + 30_000)[1] == 30_000
    assert take(other, row, NOW_MS + 30_000) and not take(other, row, NOW_MS + 30_000)
    assert other.left(NOW_MS + 30_000) == (0, 30_000)
    assert one.left(NOW_MS + MINUTE_MS) == (600, MINUTE_MS)
    later = NOW_MS + 2 * MINUTE_MS
    assert take(one, row, later) and take(other, row, later + 1_000)
    assert one.left(later + 1_000)[1] == MINUTE_MS - 1_000


def test_what_is_left_is_told_less_by_each_request() -> None:
    limit = limit_of(1_000)
    row, (worker,) = Row(limit), workers_of(limit, 1)
    told = []
    while take(worker, row, NOW_MS):
        told.append(worker.left(NOW_MS)[0])
    assert told == list(range(999, -1, -1))


def test_a_clock_that_was_set_back_keeps_nobody_waiting() -> None:
    limit = limit_of(10)
    row, (worker,) = Row(limit), workers_of(limit, 1)
    while take(worker, row, NOW_MS):
        pass
    row.began_ms = -(10**15)
    assert take(worker, row, NOW_MS - MINUTE_MS)


def test_where_nobody_can_be_asked_requests_go_on_and_are_owed() -> None:
    limit = limit_of(1_000)
    row, (worker,) = Row(limit), workers_of(limit, 1)
    handed = 0
    while handed < 300:
        if worker.take(NOW_MS):
            handed += 1
        else:
            worker.not_told()
    while worker.take(NOW_MS):
        handed += 1
    worker.given(*row.take(*worker.wanted(), NOW_MS))
    assert worker.left(NOW_MS)[0] == limit.quota - handed, "what was handed out meanwhile is taken afterwards"
