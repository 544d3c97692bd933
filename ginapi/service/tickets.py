"""Tickets: what opens one stream of one table, once and soon, where a browser cannot send its token."""

from collections.abc import Callable

from sqlalchemy import Connection

from ginapi.config import TICKET_MS
from ginapi.errors import Reason, Refused
from ginapi.service import asking, callers
from ginapi.service.asking import Answer, Ask, Once
from ginapi.service.house import House
from ginapi.store import tickets
from ginapi.store.tokens import hash_of

TICKET = "ticket"
"""What a ticket says that it is, where a token says `guest` or `account`."""


def issue(
    house: House, ask: Ask, table_id: str, read_body: Callable[[], object], answer: Callable[[int], Answer]
) -> Answer:
    """A new ticket for whoever sees the table with a token, as the `token` of what `answer` makes of its end.

    It speaks for that token, and no longer than that does. Raises `no_token`, `bad_token` or `not_found`.
    """

    def work(tx: Connection, once: Once) -> Answer:
        token_hash = hash_of(callers.needed(ask.token))
        seeing = callers.seeing_by(house, tx, token_hash, table_id)
        read_body()
        once.check()
        tickets.forget_late(tx, seeing.now_ms)
        ticket, expires_ms = once.new_token(TICKET), seeing.now_ms + TICKET_MS
        tickets.add(tx, hash_of(ticket), token_hash, seeing.table.id, expires_ms)
        told = answer(expires_ms)
        return Answer(told.status, told.body, told.headers, ticket)

    return asking.write(house, ask, work)


def holder(house: House, ticket: str, table_id: str) -> bytes:
    """The hash of the token that a ticket speaks for. Raises `bad_token` where it is used, late or of another table."""
    with house.db.read() as tx:
        found = tickets.find(tx, hash_of(ticket), callers.known_table_id(table_id), house.now_in(tx))
    if found is None:
        raise _unfit()
    return found


def spend(house: House, ticket: str, table_id: str) -> None:
    """Use a ticket up. Raises `bad_token` where somebody else just has."""
    with house.db.write() as tx:
        if not tickets.spend(tx, hash_of(ticket), callers.known_table_id(table_id), house.now_in(tx)):
            raise _unfit()


def _unfit() -> Refused:
    return Refused(
        Reason.BAD_TOKEN,
        "This ticket has been used, has expired or is not for this table: POST /v1/tables/<id>/tickets gives another.",
    )
