"""Who asks: a token to whom it speaks for, as long as it lasts; new tokens; and the table that the caller sits at."""

import re
from base64 import b64encode, urlsafe_b64encode
from dataclasses import dataclass

from sqlalchemy import Connection

from ginapi.config import ACCOUNT_TOKEN_MS, GUEST_TOKEN_MS, TOKEN_NOTED_MS
from ginapi.errors import Reason, Refused
from ginapi.service import settling
from ginapi.service.house import House
from ginapi.service.waiting import LogAt
from ginapi.store import tables, tokens
from ginapi.tables.values import Table

GUEST, ACCOUNT = "guest", "account"
WEBHOOK = "webhook"
_WEBHOOK_PREFIX = "whsec_"  # as Standard Webhooks has it
LASTS_MS = {GUEST: GUEST_TOKEN_MS, ACCOUNT: ACCOUNT_TOKEN_MS}
_TABLE_ID = re.compile("[0-9a-f]{20}")


@dataclass(frozen=True, slots=True)
class Seeing:
    """A table that the caller may see, as it stood at `now_ms`, with nothing overdue.

    An onlooker has no seat, and one who sent no token no principal.
    """

    table: Table
    seat: int | None
    principal: str | None
    used_ms: int
    now_ms: int

    @property
    def log_at(self) -> LogAt:
        """Where the table's log stood."""
        due_ms = self.table.due_ms
        due_in_ms = None if due_ms is None else due_ms - self.now_ms
        return LogAt(self.table.id, self.table.version, due_in_ms, self.principal)


@dataclass(frozen=True, slots=True)
class Seated(Seeing):
    """A table where the caller sits."""

    seat: int
    principal: str


def token_of(kind: str, secret: bytes) -> str:
    """A token that says what it is; of a webhook, the secret that its deliveries are signed with."""
    if kind == WEBHOOK:
        return _WEBHOOK_PREFIX + b64encode(secret).decode()
    return f"ginapi_{kind}_{urlsafe_b64encode(secret).rstrip(b'=').decode()}"


def hash_of(token: str | None) -> bytes | None:
    """What a caller is known by: its token's hash, or nothing where none was sent."""
    return None if token is None else tokens.hash_of(token)


def kind_of(token: str) -> str:
    """What a token of ours says that it is."""
    return WEBHOOK if token.startswith(_WEBHOOK_PREFIX) else token.split("_")[1]


def needed(token: str | None) -> str:
    """The token, where one was sent."""
    if token is None:
        raise no_token()
    return token


def no_token() -> Refused:
    """The refusal of whoever asks for a private thing without a token."""
    return Refused(Reason.NO_TOKEN, "This is private: send Authorization: Bearer <token>.")


def unseen() -> Refused:
    """The refusal of whatever is not there, or not for the caller to see."""
    return Refused(Reason.NOT_FOUND, "There is no such table or hand that you can see.")


def unknown() -> Refused:
    """The refusal of a token that speaks for nobody."""
    return Refused(
        Reason.BAD_TOKEN, "This token is not known, or has lapsed: a table opened without one brings another."
    )


def find(house: House, tx: Connection, token: str) -> tokens.Caller:
    """Whom the token speaks for. Raises `bad_token`."""
    return find_by(house, tx, tokens.hash_of(token))


def find_by(house: House, tx: Connection, token_hash: bytes) -> tokens.Caller:
    """Whom a token speaks for, by its hash. Raises `bad_token`."""
    caller = tokens.find(tx, token_hash)
    if caller is None or has_lapsed(caller.kind, caller.used_ms, house.now_ms()):
        raise unknown()
    return caller


def account_of(house: House, tx: Connection, token: str | None) -> tokens.Caller:
    """The account that the token speaks for. Raises `not_allowed` for a guest."""
    caller = find(house, tx, needed(token))
    if caller.kind != ACCOUNT:
        raise Refused(Reason.NOT_ALLOWED, "This needs an account: POST /v1/accounts opens one.")
    return caller


def find_account(house: House, tx: Connection, token: str | None) -> tokens.Caller:
    """The account that the token speaks for, with nothing overdue at its tables.

    Raises `not_allowed` for a guest, and `settling.Overdue`.
    """
    caller = account_of(house, tx, token)
    # A match that the clock has ended by now has moved its coins: what an account has is judged after that.
    refuse_overdue(tx, caller.principal, house.now_in(tx))
    return caller


def refuse_overdue(tx: Connection, principal: str | None, now_ms: int) -> None:
    """Raise `settling.Overdue` where something is overdue at a table of somebody's; the computer has none."""
    if principal is not None:
        for table_id in tables.find_due_seated(tx, principal, now_ms):
            raise settling.Overdue(table_id)


def check_known(house: House, token: str) -> None:
    """Raise `bad_token` where the token speaks for nobody."""
    with house.db.read() as tx:
        find(house, tx, token)


def check_public(house: House, table_id: str) -> None:
    """Raise `no_token` where only who sits at the table may look at it, or nothing is there."""
    with house.db.read() as tx:
        table = tables.find_table(tx, known_table_id(table_id))
    if table is None or table.private:
        needed(None)


def has_lapsed(kind: str, used_ms: int, now_ms: int) -> bool:
    """Whether a token was used too long ago."""
    return used_ms + LASTS_MS[kind] < now_ms


def known_table_id(table_id: str) -> str:
    """The id as it may be looked up: text that is none names a table that nobody sits at."""
    # Not every database would take it to look it up.
    return table_id if _TABLE_ID.fullmatch(table_id) else ""


def seeing(house: House, tx: Connection, token: str | None, table_id: str) -> Seeing:
    """The table as the caller sees it: from a seat, or as an onlooker where it is public.

    Raises `no_token`, `bad_token`, `not_found`, and `settling.Overdue` where something there is to be settled first.
    """
    return seeing_by(house, tx, hash_of(token), table_id)


def seeing_by(house: House, tx: Connection, token_hash: bytes | None, table_id: str) -> Seeing:
    """As `seeing`, for whoever has the token with this hash."""
    found = None if token_hash is None else _found(house, tx, token_hash, table_id, to_write=False)
    if found is not None:
        return found
    caller = None if token_hash is None else find_by(house, tx, token_hash)
    known_id = known_table_id(table_id)
    table = tables.find_table(tx, known_id) if known_id else None
    if table is None or table.private:
        raise no_token() if caller is None else unseen()
    now_ms = house.now_in(tx)
    settling.refuse_overdue(tx, table, now_ms)
    if caller is None:
        return Seeing(table, None, None, now_ms, now_ms)
    return Seeing(table, None, caller.principal, caller.used_ms, now_ms)


def seated(house: House, tx: Connection, token: str | None, table_id: str, *, to_write: bool = False) -> Seated:
    """The table as the caller sits there.

    Raises `no_token`, `bad_token`, to whoever does not sit there `not_allowed` where it is public and else `not_found`,
    and `settling.Overdue` where something there is to be settled first.
    """
    found = _found(house, tx, tokens.hash_of(needed(token)), table_id, to_write=to_write)
    if found is not None:
        return found
    seeing(house, tx, token, table_id)
    raise Refused(Reason.NOT_ALLOWED, "You do not sit at this table.")


def _found(house: House, tx: Connection, token_hash: bytes, table_id: str, *, to_write: bool) -> Seated | None:
    found = tables.find_seated(tx, token_hash, known_table_id(table_id), to_write=to_write)
    if found is None or has_lapsed(found.kind, found.used_ms, house.now_ms()):
        return None
    now_ms = house.at(found.now_ms)
    settling.refuse_overdue(tx, found.table, now_ms)
    if to_write and is_to_note(found.used_ms, now_ms):
        tokens.use(tx, token_hash, now_ms)
    return Seated(found.table, found.seat, found.principal, found.used_ms, now_ms)


def is_to_note(used_ms: int, now_ms: int) -> bool:
    """Whether the use of a token is written down: not at every request, which would cost each a write."""
    return now_ms - used_ms >= TOKEN_NOTED_MS


def noted(house: House, token: str, caller: tokens.Caller) -> None:
    """Write down that a read used the caller's token, where it is time to."""
    if is_to_note(caller.used_ms, house.now_ms()):
        note_use(house, tokens.hash_of(token))


def note_use(house: House, token_hash: bytes) -> None:
    """Write down that a token was used by a read."""
    with house.db.write() as tx:
        tokens.use(tx, token_hash, house.now_ms())
