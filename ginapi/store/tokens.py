"""Bearer tokens as rows: who each speaks for, and when it was last used; the token itself is not kept."""

import hashlib
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from ginapi.store.schema import tokens


@dataclass(frozen=True, slots=True)
class Caller:
    """Whom a token speaks for."""

    principal: str
    kind: str
    used_ms: int


_ADD = insert(tokens)
_FIND = select(tokens.c.principal, tokens.c.kind, tokens.c.used_ms).where(tokens.c.hash == bindparam("token_hash"))
_HOLD = (
    select(tokens.c.hash)
    .where(tokens.c.principal == bindparam("principal"))
    .order_by(tokens.c.hash)
    .with_for_update(key_share=True)
)
_REVOKE = delete(tokens).where(tokens.c.hash == bindparam("token_hash"))
_REVOKE_ALL = delete(tokens).where(tokens.c.principal == bindparam("principal"))
_USE = (
    update(tokens)
    .where(tokens.c.hash == bindparam("token_hash"), tokens.c.used_ms < bindparam("now_ms"))
    .values(used_ms=bindparam("now_ms"))
)


def hash_of(token: str) -> bytes:
    """What of a token is stored: tokens are random and long, so one round of SHA-256 is enough."""
    return hashlib.sha256(token.encode()).digest()


def add(tx: Connection, token: str, principal: str, kind: str, now_ms: int) -> None:
    """A new token."""
    row = {"hash": hash_of(token), "principal": principal, "kind": kind, "created_ms": now_ms, "used_ms": now_ms}
    tx.execute(_ADD, row)


def find(tx: Connection, token_hash: bytes) -> Caller | None:
    """Whom the token speaks for, expired or not."""
    row = tx.execute(_FIND, {"token_hash": token_hash}).one_or_none()
    return None if row is None else Caller(*row)


def hold(tx: Connection, principal: str) -> bool:
    """Hold the tokens of somebody until the transaction ends; whether there are any."""
    return bool(tx.execute(_HOLD, {"principal": principal}).all())


def use(tx: Connection, token_hash: bytes, now_ms: int) -> None:
    """Note that the token was used."""
    tx.execute(_USE, {"token_hash": token_hash, "now_ms": now_ms})


def revoke(tx: Connection, token_hash: bytes) -> None:
    """Forget a token."""
    tx.execute(_REVOKE, {"token_hash": token_hash})


def revoke_all(tx: Connection, principal: str) -> None:
    """Forget every token of somebody."""
    tx.execute(_REVOKE_ALL, {"principal": principal})
