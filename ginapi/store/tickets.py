"""Tickets as rows: each opens one stream, once, for whoever has the token that it was made with; neither is kept."""

from sqlalchemy import Connection, bindparam, delete, insert, select

from ginapi.store.schema import tickets

_FORGOTTEN_AT_ONCE = 20  # by whoever makes another

_ADD = insert(tickets)
_THIS = (
    tickets.c.hash == bindparam("ticket_hash"),
    tickets.c.table_id == bindparam("table_id"),
    tickets.c.expires_ms > bindparam("now_ms"),
)
_FIND = select(tickets.c.token_hash).where(*_THIS)
_SPEND = delete(tickets).where(*_THIS)
_LATE = (
    select(tickets.c.hash)
    .where(tickets.c.expires_ms <= bindparam("now_ms"))
    .order_by(tickets.c.expires_ms)
    .limit(bindparam("most"))
    # Two that clear up at once do not wait for each other.
    .with_for_update(skip_locked=True)
)
_FORGET = delete(tickets).where(tickets.c.hash.in_(_LATE))


def add(tx: Connection, ticket_hash: bytes, token_hash: bytes, table_id: str, expires_ms: int) -> None:
    """A new ticket."""
    row = {"hash": ticket_hash, "token_hash": token_hash, "table_id": table_id, "expires_ms": expires_ms}
    tx.execute(_ADD, row)


def find(tx: Connection, ticket_hash: bytes, table_id: str, now_ms: int) -> bytes | None:
    """The hash of the token that a ticket for this table speaks for, until it expires."""
    wanted = {"ticket_hash": ticket_hash, "table_id": table_id, "now_ms": now_ms}
    found: bytes | None = tx.execute(_FIND, wanted).scalar_one_or_none()
    return found


def spend(tx: Connection, ticket_hash: bytes, table_id: str, now_ms: int) -> bool:
    """Use a ticket up; whether it was still there to be used."""
    wanted = {"ticket_hash": ticket_hash, "table_id": table_id, "now_ms": now_ms}
    return tx.execute(_SPEND, wanted).rowcount == 1


def forget_late(tx: Connection, now_ms: int, most: int = _FORGOTTEN_AT_ONCE) -> int:
    """Forget some of those that nobody used in time, more than one new ticket brings; how many."""
    wanted = {"now_ms": now_ms, "most": most}
    return tx.execute(_FORGET, wanted, execution_options={"preserve_rowcount": True}).rowcount
