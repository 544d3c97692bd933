"""Tables: seen, dealt at again, left."""

from collections.abc import Callable
from dataclasses import replace

from sqlalchemy import Connection

from ginapi.errors import Reason, Refused
from ginapi.game.match_notation import MatchRecord, write
from ginapi.service import asking, callers, settling
from ginapi.service.asking import Answer, Ask, Once
from ginapi.service.callers import Seated, Seeing
from ginapi.service.hands import hand_record, reading, seen_after, seen_hand
from ginapi.service.house import House
from ginapi.service.seen import SeenHand, SeenTable
from ginapi.store import lobby, log, tables
from ginapi.store.lobby import Listed, Place
from ginapi.store.tokens import Caller
from ginapi.tables import table as at_table
from ginapi.tables.records import Record


def see(house: House, token: str | None, table_id: str) -> SeenTable:
    """The table as the caller sees it."""
    return reading(house, token, table_id, seen_table)


def list_tables(
    house: House, token: str | None, limit: int, after: Place | None, filters: dict[str, str | int], *, mine: bool
) -> list[tuple[SeenTable, Place]]:
    """The caller's tables and, unless only `mine` are asked for, the public ones: running ones first, then the newest.

    What is overdue at any of them is settled first.
    """
    known = callers.needed(token) if mine else token
    while True:
        with house.db.read() as tx:
            caller = None if known is None else callers.find(house, tx, known)
            now_ms = house.now_in(tx)
            overdue = [] if caller is None else tables.find_due_seated(tx, caller.principal, now_ms)
            listed = _listed(tx, caller, limit, after, filters, mine)
            overdue += [one.table.id for one in listed if settling.is_overdue(one.table, now_ms)]
            if not overdue:
                return [(seen_table(tx, _seeing(one, caller, now_ms)), one.place) for one in listed]
        for table_id in overdue:
            settling.settle(house, table_id)


def _listed(
    tx: Connection, caller: Caller | None, limit: int, after: Place | None, filters: dict[str, str | int], mine: bool
) -> list[Listed]:
    listed = [] if caller is None else lobby.list_seated(tx, caller.principal, limit, after, filters)
    if not mine:
        sat_at = {one.table.id for one in listed}
        public = lobby.list_public(tx, limit, after, filters)
        listed += [one for one in public if one.table.id not in sat_at]
    return sorted(listed, key=lambda one: one.place, reverse=True)[:limit]


def _seeing(listed: Listed, caller: Caller | None, now_ms: int) -> Seeing:
    if caller is None:
        return Seeing(listed.table, None, None, now_ms, now_ms)
    return Seeing(listed.table, listed.seat, caller.principal, caller.used_ms, now_ms)


def record(house: House, token: str | None, table_id: str) -> str:
    """A match that is over as text that replays, hand after hand. Raises `not_allowed` while it goes on."""

    def look(tx: Connection, seeing: Seeing) -> str:
        table = seeing.table
        if table.status != "finished":
            raise Refused(Reason.NOT_ALLOWED, "The record shows every card: it is there once the match is over.")
        hands = (log.find_hand(tx, table, hand.number) for hand in log.find_finished(tx, table.id))
        records = tuple(hand_record(tx, table.id, dealt) for dealt in hands if dealt is not None)
        return write(
            MatchRecord(table.id, table.target, table.opener, table.ended or "", table.winner, table.scores, records)
        )

    return reading(house, token, table_id, look)


def void(house: House, table_id: str, why: str) -> SeenTable:
    """Call a match off, as the operator decided: to each goes back what it put up. Raises LookupError, `table_over`.

    What is overdue is settled first: a match that ended before stays as it ended.
    """

    def work(tx: Connection) -> SeenTable:
        found = tables.find_to_write(tx, table_id)
        if found is None:
            raise LookupError(table_id)
        outcome = at_table.void(found.table, house.at(found.now_ms), why)
        settling.save(tx, found.table, outcome)
        now_ms = house.at(found.now_ms)
        return seen_table(tx, Seated(outcome.table, 0, "", now_ms, now_ms))

    settling.settle(house, table_id)
    return house.db.transact(work)


def deal_next(
    house: House,
    ask: Ask,
    table_id: str,
    read_number: Callable[[], int | None],
    answer: Callable[[SeenHand, tuple[Record, ...]], Answer],
) -> Answer:
    """Deal the next hand (R16), or give the one that was asked for by number and has been dealt before.

    Without a number, a hand that runs is given as long as the caller has not moved in it: whoever asks second, or
    again, gets the hand that the first was dealt.
    """

    def work(tx: Connection, once: Once) -> Answer:
        seated = callers.seated(house, tx, ask.token, table_id, to_write=True)
        number = read_number()
        once.check()
        table = seated.table
        if number is not None and number <= table.dealt.number:
            dealt = log.find_hand(tx, table, number)
            assert dealt is not None
            return answer(seen_hand(seated, dealt), ())
        if number is not None and number > table.dealt.number + 1:
            detail = f"Hand {number} is not next: the newest is hand {table.dealt.number}."
            raise Refused(Reason.INVALID_REQUEST, detail, (("/number", detail),))
        runs = table.dealt.hand.phase != "finished"
        if number is None and runs and at_table.is_untouched_by(table, seated.seat):
            return answer(seen_hand(seated, table.dealt), ())
        outcome = at_table.deal_next(table, seated.now_ms, house.choose)
        settling.save(tx, table, outcome)
        return answer(seen_after(seated, outcome), outcome.played)

    return asking.write(house, ask, work)


def leave(
    house: House, ask: Ask, table_id: str, read_body: Callable[[], object], answer: Callable[[SeenTable], Answer]
) -> Answer:
    """Get up from the table: the other seat wins the match. Nothing is at stake at a practice table."""

    def work(tx: Connection, once: Once) -> Answer:
        seated = callers.seated(house, tx, ask.token, table_id, to_write=True)
        read_body()
        once.check()
        outcome = at_table.leave(seated.table, seated.seat, seated.now_ms)
        settling.save(tx, seated.table, outcome)
        return answer(seen_table(tx, replace(seated, table=outcome.table)))

    return asking.write(house, ask, work)


def seen_table(tx: Connection, seeing: Seeing) -> SeenTable:
    """The table with its seats and finished hands."""
    table_id = seeing.table.id
    return SeenTable(
        seeing.table,
        seeing.seat,
        tables.find_seats(tx, table_id),
        log.find_finished(tx, table_id),
        seeing.log_at,
        seeing.now_ms,
    )
