"""A table's log as somebody follows it: what has been, then what comes, until nothing more can."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection

from ginapi.errors import Refused
from ginapi.service.callers import Seeing
from ginapi.service.hands import reading_by
from ginapi.service.house import House
from ginapi.service.waiting import Place
from ginapi.store import log, tables
from ginapi.store.tables import Seat
from ginapi.tables.records import Record

PAGE_RECORDS = 200
HEARTBEAT_MS = 10_000
"""So long nothing may come before the follower is told that there is nothing; and as often it is let in anew."""


@dataclass(frozen=True, slots=True)
class Page:
    """What comes next in a table's log, for one who was let in when it was read."""

    seeing: Seeing
    after: int
    records: list[Record]
    seats: list[Seat]
    """Who sits there, where a record tells of a seat."""

    @property
    def read_to(self) -> int:
        """The number of the newest record that was read."""
        return self.records[-1].number if self.records else self.after

    @property
    def is_newest(self) -> bool:
        """Whether this is all that there was."""
        return self.read_to >= self.seeing.table.version

    @property
    def is_last(self) -> bool:
        """Whether nothing more can be waited for: the match is over, and nobody has asked for a rematch."""
        return self.is_newest and self.seeing.table.status == "finished" and self.seeing.table.offer is None

    def is_hand_over(self, record: Record) -> bool:
        """Whether a record is of a finished hand, of which all may be shown."""
        newest = self.seeing.table.dealt
        return record.hand_number != newest.number or newest.hand.result is not None


def look(house: House, token_hash: bytes | None, table_id: str, after: int) -> Page:
    """The next records of a table that whoever has the token with this hash, or anybody, may see."""

    def see(tx: Connection, seeing: Seeing) -> Page:
        records = log.find_records(tx, seeing.table.id, after, PAGE_RECORDS)
        tells_of_seats = any(record.event == "seat" for record in records)
        return Page(seeing, after, records, tables.find_seats(tx, seeing.table.id) if tells_of_seats else [])

    return reading_by(house, token_hash, table_id, see)


def follow(house: House, place: Place, token_hash: bytes | None, page: Page) -> Iterator[Page]:
    """This page and those after it, an empty one for every heartbeat in which nothing came.

    Ends with the last, and as soon as the place is of no more use or the follower would not be let in again.
    """
    yield page
    while not page.is_last:
        if page.is_newest:
            place.wait(page.seeing.log_at, HEARTBEAT_MS)
            if place.is_over():
                return
        try:
            page = look(house, token_hash, page.seeing.table.id, page.read_to)
        except Refused:
            return
        yield page
