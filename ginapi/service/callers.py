"""Who asks: a token to whom it speaks for, as long as it lasts; and new guests."""

import re
from base64 import urlsafe_b64encode

from sqlalchemy import Connection

from ginapi.config import GUEST_TOKEN_MS, TOKEN_NOTED_MS
from ginapi.errors import Reason, Refused
from ginapi.service.house import House
from ginapi.store import tables, tokens
from ginapi.store.tables import Seated

GUEST_PREFIX = "ginapi_guest_"
_TABLE_ID = re.compile("[0-9a-f]{20}")


def guest_token(secret: bytes) -> str:
    """A token that says what it is."""
    return GUEST_PREFIX + urlsafe_b64encode(secret).rstrip(b"=").decode()


def needed(token: str | None) -> str:
    """The token, where one was sent."""
    if token is None:
        raise Refused(Reason.NO_TOKEN, "This is private: send Authorization: Bearer <token>.")
    return token


def unseen() -> Refused:
    """The one refusal for what is not there and for what the caller may not see: nothing tells the two apart."""
    return Refused(Reason.NOT_FOUND, "There is no such table or hand that you can see.")


def find(house: House, tx: Connection, token: str) -> tokens.Caller:
    """Whom the token speaks for. Raises `bad_token`."""
    caller = tokens.find(tx, tokens.hash_of(token))
    if caller is None or has_lapsed(caller.used_ms, house.now_ms()):
        raise Refused(
            Reason.BAD_TOKEN, "This token is not known, or has lapsed: a table opened without one brings another."
        )
    return caller


def has_lapsed(used_ms: int, now_ms: int) -> bool:
    """Whether a guest's token was used too long ago."""
    return used_ms + GUEST_TOKEN_MS < now_ms


def seated(house: House, tx: Connection, token: str | None, table_id: str, *, to_write: bool = False) -> Seated:
    """The table as the caller sits there. Raises `no_token`, `bad_token`, or `not_found` to whoever does not."""
    token_hash = tokens.hash_of(needed(token))
    # Text that is no id names a table that nobody sits at; not every database would take it to look it up.
    known_id = table_id if _TABLE_ID.fullmatch(table_id) else ""
    found = tables.find_seated(tx, token_hash, known_id, to_write=to_write)
    now_ms = house.now_ms()
    if found is None or has_lapsed(found.used_ms, now_ms):
        find(house, tx, needed(token))
        raise unseen()
    if to_write and is_to_note(found.used_ms, now_ms):
        tokens.use(tx, token_hash, now_ms)
    return found


def is_to_note(used_ms: int, now_ms: int) -> bool:
    """Whether the use of a token is written down: not at every request, which would cost each a write."""
    return now_ms - used_ms >= TOKEN_NOTED_MS


def note_use(house: House, token: str) -> None:
    """Write down that a token was used by a read."""
    with house.db.write() as tx:
        tokens.use(tx, tokens.hash_of(token), house.now_ms())
