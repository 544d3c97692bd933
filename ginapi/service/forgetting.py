"""What has been kept for long enough, forgotten: some a transaction, so that nobody who plays waits for it."""

from collections.abc import Iterator

from sqlalchemy import Connection

from ginapi.config import LIMITS_KEPT_MS
from ginapi.service.callers import ACCOUNT, GUEST, LASTS_MS
from ginapi.service.house import House
from ginapi.store import limits, retention, tickets

ROWS_AT_ONCE = 500
TABLES_AT_ONCE = 50


def forget(house: House) -> Iterator[int]:
    """Forget tokens that have lapsed, late tickets, old windows of limits and old practice tables.

    After each transaction it says how much went. It ends where another process is at it.
    """
    for chore in (_guests, _accounts, _tickets, _limits):
        count = ROWS_AT_ONCE
        while count == ROWS_AT_ONCE:
            with house.db.write() as tx:
                if not retention.hold(tx):
                    return
                # Not by this host's own clock, which may be wrong: what is forgotten does not come back.
                count = chore(tx, house.now_in(tx))
            yield count
    yield from _practice(house)


def _guests(tx: Connection, now_ms: int) -> int:
    return retention.forget_tokens(tx, GUEST, now_ms - LASTS_MS[GUEST], ROWS_AT_ONCE)


def _accounts(tx: Connection, now_ms: int) -> int:
    return retention.forget_tokens(tx, ACCOUNT, now_ms - LASTS_MS[ACCOUNT], ROWS_AT_ONCE)


def _tickets(tx: Connection, now_ms: int) -> int:
    return tickets.forget_late(tx, now_ms, ROWS_AT_ONCE)


def _limits(tx: Connection, now_ms: int) -> int:
    return limits.forget(tx, now_ms - LIMITS_KEPT_MS, ROWS_AT_ONCE)


def _practice(house: House) -> Iterator[int]:
    """After the tokens: where a guest sat, nobody can come back to once its token is gone."""
    after = retention.BEGINNING
    while True:
        with house.db.write() as tx:
            if not retention.hold(tx):
                return
            before_ms = house.now_in(tx) - house.terms.practice_kept_ms
            places = retention.practice_after(tx, after, before_ms, TABLES_AT_ONCE)
            count = retention.forget_practice(tx, [place.table_id for place in places], before_ms)
        yield count
        if len(places) < TABLES_AT_ONCE:
            return
        after = places[-1]
