"""Hands: opened, seen, moved in, looked back at."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from sqlalchemy import Connection

from ginapi.errors import Reason, Refused
from ginapi.game.hand import legal_moves
from ginapi.game.moves import Move
from ginapi.game.notation import HandRecord, read, replay, result_line, write
from ginapi.game.view import view
from ginapi.service import asking, callers
from ginapi.service.asking import Answer, Ask, Once
from ginapi.service.house import House
from ginapi.service.seen import RefusedAtHand, SeenDeal, SeenHand
from ginapi.store import tables
from ginapi.store.tables import Seated
from ginapi.tables import table as at_table
from ginapi.tables.records import Record, entry_of
from ginapi.tables.table import Dealt, Outcome, Table, hand_id_of

_HAND_ID = re.compile(r"([0-9a-f]{20})-([1-9][0-9]{0,5})")


def see(house: House, token: str | None, hand_id: str) -> SeenHand:
    """The hand as the caller sees it."""
    with reading(house, token, table_id_in(hand_id)) as (tx, seated):
        return seen_hand(seated, found_hand(tx, seated.table, hand_id))


def move(
    house: House,
    ask: Ask,
    hand_id: str,
    read_move: Callable[[], Move],
    is_current: Callable[[int], bool],
    answer: Callable[[SeenHand, tuple[Record, ...]], Answer],
) -> Answer:
    """Make a move, and the computer's answer with it.

    `is_current` judges the hand's version, as If-Match asks. Raises `RefusedAtHand` with the hand as it stands.
    """

    def work(tx: Connection, once: Once) -> Answer:
        seated = callers.seated(house, tx, ask.token, table_id_in(hand_id), to_write=True)
        dealt = found_hand(tx, seated.table, hand_id)
        try:
            wanted = read_move()
            once.check()
            if not is_current(dealt.hand.version):
                raise Refused(
                    Reason.STALE_VERSION, f"The hand is at version {dealt.hand.version}: look at it and decide again."
                )
            if dealt.number != seated.table.dealt.number:
                raise Refused(
                    Reason.HAND_OVER, f"Hand {dealt.number} is over: hand {seated.table.dealt.number} is the newest."
                )
            outcome = at_table.play(seated.table, seated.seat, wanted, house.now_ms(), house.choose)
        except Refused as refused:
            raise RefusedAtHand(refused, seen_hand(seated, dealt)) from refused
        tables.save(tx, outcome, seated.table.version)
        return answer(seen_after(seated, outcome), outcome.played)

    return asking.write(house, ask, work)


def moves(house: House, token: str | None, hand_id: str, after: int, limit: int) -> tuple[SeenHand, list[Record]]:
    """The hand, and the records of its moves after a version, at most `limit`."""
    with reading(house, token, table_id_in(hand_id)) as (tx, seated):
        dealt = found_hand(tx, seated.table, hand_id)
        records = tables.find_moves(tx, seated.table.id, dealt.number, after, limit)
        return seen_hand(seated, dealt), records


def record(house: House, token: str | None, hand_id: str) -> str:
    """A finished hand as text that replays. Raises `not_allowed` while it runs."""
    with reading(house, token, table_id_in(hand_id)) as (tx, seated):
        dealt = found_hand(tx, seated.table, hand_id)
        if dealt.hand.result is None:
            raise Refused(Reason.NOT_ALLOWED, "The record shows both hands: it is there once the hand is finished.")
        return write(hand_record(tx, seated.table.id, dealt))


def replayed(house: House, hand_id: str) -> str:
    """The record of a finished hand, once it has been played again; for the operator, who sees every hand.

    Raises LookupError where there is none, ValueError where it cannot be played as written.
    """
    with house.db.read() as tx:
        table = tables.find_table(tx, table_id_in(hand_id))
        if table is None:
            raise LookupError(hand_id)
        dealt = found_hand(tx, table, hand_id)
        if dealt.hand.result is None:
            raise LookupError(hand_id)
        text = write(hand_record(tx, table.id, dealt))
    replay(read(text))
    return text


def hand_record(tx: Connection, table_id: str, dealt: Dealt) -> HandRecord:
    """The record of a finished hand."""
    entries = tuple(entry_of(record) for record in tables.find_moves(tx, table_id, dealt.number))
    deck, opener = dealt.hand.deal.deck, dealt.hand.deal.opener
    return HandRecord(dealt.id, opener, deck, dealt.salt, entries, result_line(dealt.hand))


@contextmanager
def reading(house: House, token: str | None, table_id: str) -> Iterator[tuple[Connection, Seated]]:
    """A read by one who sits at the table."""
    with house.db.read() as tx:
        seated = callers.seated(house, tx, token, table_id)
        yield tx, seated
    if token is not None and callers.is_to_note(seated.used_ms, house.now_ms()):
        callers.note_use(house, token)


def table_id_in(hand_id: str) -> str:
    """The table that a hand's id names; text that is no such id names a table that nobody sits at."""
    match = _HAND_ID.fullmatch(hand_id)
    return match[1] if match else ""


def found_hand(tx: Connection, table: Table, hand_id: str) -> Dealt:
    """The hand of a table by its id. Raises `not_found`."""
    match = _HAND_ID.fullmatch(hand_id)
    dealt = tables.find_hand(tx, table, int(match[2])) if match else None
    if dealt is None:
        raise callers.unseen()
    return dealt


def seen_hand(seated: Seated, dealt: Dealt) -> SeenHand:
    """A hand of the caller's table as the caller sees it."""
    table, hand = seated.table, dealt.hand
    return SeenHand(
        hand_id=dealt.id,
        table_id=table.id,
        number=dealt.number,
        view=view(hand, seated.seat, dealt.scores),
        legal_moves=legal_moves(hand, seated.seat),
        commitment=dealt.commitment,
        target=table.target,
        deal=None if hand.result is None else SeenDeal(hand.deal.deck, dealt.salt),
        next_hand_id=None if dealt.number == table.dealt.number else hand_id_of(table.id, dealt.number + 1),
        table_version=table.version,
    )


def seen_after(seated: Seated, outcome: Outcome) -> SeenHand:
    """The newest hand of the caller's table after a call."""
    return seen_hand(replace(seated, table=outcome.table), outcome.table.dealt)
