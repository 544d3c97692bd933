"""Idempotency keys as rows: which request each belongs to, and the answer that it got."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import Connection, bindparam, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from ginapi.store.schema import requests

_KEY = ("principal", "method", "path", "key_hash")


@dataclass(frozen=True, slots=True)
class Kept:
    """A request that was answered: what it said, and its answer. `salt` makes its new token again, of `token_kind`."""

    fingerprint: bytes
    status: int
    headers: Mapping[str, str]
    body: bytes
    salt: bytes | None
    token_kind: str | None


_THIS = [requests.c[name] == bindparam(f"of_{name}") for name in _KEY]
_CLAIM = {
    "sqlite": sqlite.insert(requests).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(requests).on_conflict_do_nothing(),
}
_FIND = select(requests).where(*_THIS)
_ANSWER = (
    update(requests)
    .where(*_THIS)
    .values(
        status=bindparam("new_status"),
        headers=bindparam("new_headers"),
        body=bindparam("new_body"),
        token_kind=bindparam("new_token_kind"),
    )
)
_FORGET = delete(requests).where(requests.c.created_ms < bindparam("before_ms"), *_THIS)
_FORGET_ALL = delete(requests).where(requests.c.principal == bindparam("of_principal"))


def claim(tx: Connection, key: Mapping[str, Any], fingerprint: bytes, salt: bytes | None, now_ms: int) -> bool:
    """Whether this transaction is the first with the key; a second waits here until the first has ended.

    `key` has `principal`, `method`, `path` and `key_hash`.
    """
    row = {**key, "fingerprint": fingerprint, "salt": salt, "created_ms": now_ms}
    # Of an insert the count is kept only when asked for: psycopg has none to give once its cursor is closed.
    claimed = tx.execute(_CLAIM[tx.dialect.name], row, execution_options={"preserve_rowcount": True})
    return claimed.rowcount == 1


def find(tx: Connection, key: Mapping[str, Any]) -> Kept:
    """The answered request of a key that could not be claimed."""
    row = tx.execute(_FIND, {f"of_{name}": key[name] for name in _KEY}).one()
    return Kept(row.fingerprint, row.status, orjson.loads(row.headers), row.body, row.salt, row.token_kind)


def keep(
    tx: Connection,
    key: Mapping[str, Any],
    status: int,
    headers: Mapping[str, str],
    body: bytes,
    token_kind: str | None,
) -> None:
    """The answer to the request that claimed the key, to be given again, and of what kind its new token was."""
    named = {f"of_{name}": key[name] for name in _KEY}
    text = orjson.dumps(dict(headers)).decode()
    tx.execute(
        _ANSWER, {**named, "new_status": status, "new_headers": text, "new_body": body, "new_token_kind": token_kind}
    )


def forget(tx: Connection, key: Mapping[str, Any], before_ms: int) -> None:
    """Forget the key where it was used before that time."""
    tx.execute(_FORGET, {**{f"of_{name}": key[name] for name in _KEY}, "before_ms": before_ms})


def forget_all(tx: Connection, principal: str) -> None:
    """Forget every key of somebody, and what was answered to it."""
    tx.execute(_FORGET_ALL, {"of_principal": principal})
