"""Hands: opened, seen, moved in, looked back at."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from sqlalchemy import Connection

from ginapi.errors import Reason, Refused
from ginapi.game.hand import legal_moves
from ginapi.game.moves import Move
from ginapi.game.notation import HandRecord, read, replay, result_line, write
from ginapi.game.view import view
from ginapi.service import asking, callers, settling
from ginapi.service.asking import Answer, Ask, Once
from ginapi.service.callers import Seated, Seeing
from ginapi.service.house import House
from ginapi.service.seen import RefusedAtHand, SeenDeal, SeenHand
from ginapi.store import log, tables
from ginapi.tables import table as at_table
from ginapi.tables.records import Record, entry_of
from ginapi.tables.values import Dealt, Outcome, hand_id_of

_Seen = TypeVar("_Seen")
_HAND_ID = re.compile(r"([0-9a-f]{20})-([1-9][0-9]{0,5})")


def see(house: House, token: str | None, hand_id: str) -> SeenHand:
    """The hand as the caller sees it."""

    def look(tx: Connection, seeing: Seeing) -> SeenHand:
        return seen_hand(seeing, found_hand(tx, seeing, hand_id))

    return reading(house, token, table_id_in(hand_id), look)


def move(
    house: House,
    ask: Ask,
    hand_id: str,
    read_move: Callable[[], Move],
    decided_on: frozenset[int] | None,
    answer: Callable[[SeenHand, tuple[Record, ...]], Answer],
) -> Answer:
    """Make a move, and the computer's answer with it.

    `decided_on` are the versions that If-Match named, None where it was not sent. Raises `RefusedAtHand` with the hand
    as it stands; the code is `too_late` where the clock has moved for the caller since.
    """

    def work(tx: Connection, once: Once) -> Answer:
        seated = _seated_at(house, tx, ask.token, hand_id)
        dealt = found_hand(tx, seated, hand_id)
        try:
            wanted = read_move()
            once.check()
            _check_version(tx, seated, dealt, decided_on)
            if dealt.number != seated.table.dealt.number:
                raise Refused(
                    Reason.HAND_OVER, f"Hand {dealt.number} is over: hand {seated.table.dealt.number} is the newest."
                )
            outcome = at_table.play(seated.table, seated.seat, wanted, seated.now_ms, house.choose)
        except Refused as refused:
            named = _named(tx, seated, dealt, refused, decided_on)
            raise RefusedAtHand(named, seen_hand(seated, dealt)) from refused
        settling.save(tx, seated.table, outcome)
        return answer(seen_after(seated, outcome), outcome.played)

    return asking.write(house, ask, work)


def _seated_at(house: House, tx: Connection, token: str | None, hand_id: str) -> Seated:
    """The table where the caller wants to move; `not_allowed` is for an onlooker who sees the hand."""
    table_id = table_id_in(hand_id)
    try:
        return callers.seated(house, tx, token, table_id, to_write=True)
    except Refused as refused:
        if refused.reason is Reason.NOT_ALLOWED:
            found_hand(tx, callers.seeing(house, tx, token, table_id), hand_id)
        raise


def _check_version(tx: Connection, seated: Seated, dealt: Dealt, decided_on: frozenset[int] | None) -> None:
    now = dealt.hand.version
    if decided_on is None or now in decided_on:
        return
    # The clock's moves since then: that is why the caller's version no longer stands.
    since = max((version for version in decided_on if version < now), default=now)
    if seated.table.clock is not None and log.has_clock_moved(tx, seated.table.id, dealt.number, seated.seat, since):
        if dealt.hand.phase == "finished":
            return  # It will be refused as `hand_over`, which goes before.
        raise _too_late()
    raise Refused(Reason.STALE_VERSION, f"The hand is at version {now}: look at it and decide again.")


_AFTER_TOO_LATE = frozenset(list(Reason)[list(Reason).index(Reason.TOO_LATE) + 1 :])


def _named(
    tx: Connection, seated: Seated, dealt: Dealt, refused: Refused, decided_on: frozenset[int] | None
) -> Refused:
    """The refusal of a move; `too_late` before all that comes after it, where the clock made the seat's last move."""
    if (
        decided_on is None
        and seated.table.clock is not None
        and refused.reason in _AFTER_TOO_LATE
        and log.was_last_move_by_clock(tx, seated.table.id, dealt.number, seated.seat)
    ):
        return _too_late()
    return refused


def _too_late() -> Refused:
    return Refused(Reason.TOO_LATE, "The time for this move had run out, and the table played it: look at the hand.")


def moves(house: House, token: str | None, hand_id: str, after: int, limit: int) -> tuple[SeenHand, list[Record]]:
    """The hand, and the records of its moves after a version, at most `limit`."""

    def look(tx: Connection, seeing: Seeing) -> tuple[SeenHand, list[Record]]:
        dealt = found_hand(tx, seeing, hand_id)
        records = log.find_moves(tx, seeing.table.id, dealt.number, after, limit)
        return seen_hand(seeing, dealt), records

    return reading(house, token, table_id_in(hand_id), look)


def record(house: House, token: str | None, hand_id: str) -> str:
    """A finished hand as text that replays. Raises `not_allowed` while it runs."""

    def look(tx: Connection, seeing: Seeing) -> str:
        dealt = found_hand(tx, seeing, hand_id)
        if dealt.hand.result is None:
            raise Refused(Reason.NOT_ALLOWED, "The record shows both hands: it is there once the hand is finished.")
        return write(hand_record(tx, seeing.table.id, dealt))

    return reading(house, token, table_id_in(hand_id), look)


def replayed(house: House, hand_id: str) -> str:
    """The record of a finished hand, once it has been played again; for the operator, who sees every hand.

    Raises LookupError where there is none, ValueError where it cannot be played as written.
    """
    with house.db.read() as tx:
        table = tables.find_table(tx, table_id_in(hand_id))
        if table is None:
            raise LookupError(hand_id)
        number = number_in(hand_id)
        dealt = log.find_hand(tx, table, number)
        if dealt is None or dealt.hand.result is None:
            raise LookupError(hand_id)
        text = write(hand_record(tx, table.id, dealt))
    replay(read(text))
    return text


def hand_record(tx: Connection, table_id: str, dealt: Dealt) -> HandRecord:
    """The record of a finished hand."""
    entries = tuple(entry_of(record) for record in log.find_moves(tx, table_id, dealt.number))
    deal = dealt.hand.deal
    return HandRecord(dealt.id, deal.opener, deal.deck, dealt.salt, entries, result_line(dealt.hand), deal.rules)


def reading(house: House, token: str | None, table_id: str, see: Callable[[Connection, Seeing], _Seen]) -> _Seen:
    """What `see` makes of the table that the caller may see, once nothing there is overdue."""
    return reading_by(house, callers.hash_of(token), table_id, see)


def reading_by(
    house: House, token_hash: bytes | None, table_id: str, see: Callable[[Connection, Seeing], _Seen]
) -> _Seen:
    """As `reading`, for whoever has the token with this hash."""

    def look() -> tuple[Seeing, _Seen]:
        with house.db.read() as tx:
            seeing = callers.seeing_by(house, tx, token_hash, table_id)
            return seeing, see(tx, seeing)

    seeing, seen = settling.until_settled(house, look)
    if token_hash is not None and callers.is_to_note(seeing.used_ms, seeing.now_ms):
        callers.note_use(house, token_hash)
    return seen


def table_id_in(hand_id: str) -> str:
    """The table that a hand's id names; text that is no such id names a table that nobody sits at."""
    match = _HAND_ID.fullmatch(hand_id)
    return match[1] if match else ""


def number_in(hand_id: str) -> int:
    """Which hand of its table an id names; 0, which nobody is shown, where it is none."""
    match = _HAND_ID.fullmatch(hand_id)
    return int(match[2]) if match else 0


def found_hand(tx: Connection, seeing: Seeing, hand_id: str) -> Dealt:
    """The hand of a table by its id: an onlooker sees finished ones alone.

    Raises `not_found`, or `no_token` where none was sent.
    """
    number = number_in(hand_id)
    dealt = log.find_hand(tx, seeing.table, number) if number else None
    if dealt is None or (seeing.seat is None and dealt.hand.result is None):
        raise callers.unseen() if seeing.principal is not None else callers.no_token()
    return dealt


def seen_hand(seeing: Seeing, dealt: Dealt) -> SeenHand:
    """A hand of a table as the caller sees it."""
    table, hand = seeing.table, dealt.hand
    return SeenHand(
        hand_id=dealt.id,
        table_id=table.id,
        number=dealt.number,
        seat=seeing.seat,
        view=view(hand, seeing.seat or 0, dealt.scores),
        legal_moves=() if seeing.seat is None else legal_moves(hand, seeing.seat),
        commitment=dealt.commitment,
        target=table.target,
        deal=None if hand.result is None else SeenDeal(hand.deal.deck, dealt.salt),
        next_hand_id=None if dealt.number == table.dealt.number else hand_id_of(table.id, dealt.number + 1),
        log_at=seeing.log_at,
        clock=table.clock if dealt.number == table.dealt.number else None,
        now_ms=seeing.now_ms,
    )


def seen_after(seeing: Seeing, outcome: Outcome) -> SeenHand:
    """The newest hand of the caller's table after a call."""
    return seen_hand(replace(seeing, table=outcome.table), outcome.table.dealt)
