"""One write, at most once: the idempotency key claimed, the work done and the answer kept in one transaction."""

import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import orjson
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from ginapi.config import KEY_KEPT_MS
from ginapi.errors import Reason, Refused
from ginapi.service import callers, settling
from ginapi.service.house import House
from ginapi.store import requests
from ginapi.store.faults import Busy, Deadlock, fault_of

FORGOTTEN_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class Ask:
    """What a request brought: who asks (a token, or nobody), for what, and under which idempotency key."""

    token: str | None
    method: str
    path: str
    body: Any
    """The body as JSON values: what is compared when a key comes again."""
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A 2xx answer. `token` is new and shown this once: it stands beside the body, which is kept without it.

    Where a webhook was added it is the secret of that.
    """

    status: int
    body: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict)
    token: str | None = None
    replayed: bool = False


class Once:
    """The idempotency key of one request inside its transaction; nothing of it is done where no key was sent."""

    def __init__(self, house: House, tx: Connection, ask: Ask) -> None:
        self._house, self._tx, self._ask = house, tx, ask
        self._earlier: requests.Kept | None = None
        self._salt: bytes | None = None
        if ask.key is None:
            return
        principal = "" if ask.token is None else callers.find(house, tx, ask.token).principal
        self._salt = house.new_salt()
        self._key = {
            "principal": principal,
            "method": ask.method,
            "path": ask.path,
            "key_hash": hashlib.sha256(ask.key.encode()).digest(),
        }
        # Under the key and not bare: a body may hold what should not be guessed from its hash.
        # Whatever JSON may hold has to pass here, before it is refused: orjson knows no 10**30 and no lone surrogate.
        said = json.dumps(ask.body, sort_keys=True)
        self._fingerprint = hmac.digest(ask.key.encode(), said.encode(), "sha256")
        self._claim()

    def _claim(self) -> None:
        now_ms = self._house.now_ms()
        requests.forget(self._tx, self._key, now_ms - KEY_KEPT_MS)
        try:
            if requests.claim(self._tx, self._key, self._fingerprint, self._salt, now_ms):
                return
        except DBAPIError as error:
            fault = fault_of(error)
            if isinstance(fault, Busy) and not isinstance(fault, Deadlock):
                raise Refused(
                    Reason.IN_PROGRESS,
                    "The request that has this key is still running: send this one again in a moment.",
                ) from error
            raise
        self._earlier = requests.find(self._tx, self._key)
        self._salt = self._earlier.salt

    def check(self) -> None:
        """Let the first request with its key pass; end a later one with the kept answer, or refuse it."""
        earlier = self._earlier
        if earlier is None:
            return
        if not hmac.compare_digest(earlier.fingerprint, self._fingerprint):
            raise Refused(Reason.KEY_REUSED, "This Idempotency-Key was sent before with another body: use a new one.")
        token = self.new_token(earlier.token_kind) if earlier.token_kind is not None else None
        raise Replayed(Answer(earlier.status, orjson.loads(earlier.body), dict(earlier.headers), token, True))

    def new_token(self, kind: str) -> str:
        """A new token: random, or made of the key and its salt, so that the same request is told the same."""
        if self._ask.key is None or self._salt is None:
            return callers.token_of(kind, self._house.new_salt())
        return callers.token_of(kind, hmac.digest(self._ask.key.encode(), self._salt, "sha256"))

    def keep(self, answer: Answer) -> None:
        """The answer goes beside the key: it commits together with what it tells."""
        if self._ask.key is not None:
            kind = None if answer.token is None else callers.kind_of(answer.token)
            requests.keep(self._tx, self._key, answer.status, answer.headers, orjson.dumps(answer.body), kind)


class Replayed(Exception):
    """The request had been answered before; nothing is done again."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer


def write(house: House, ask: Ask, work: Callable[[Connection, Once], Answer]) -> Answer:
    """What `work` answers, committed before it is told.

    `work` looks up what it acts on and reads the body first, then calls `Once.check`, then acts: a repeated request is
    authorised anew, and gets its answer before anything is judged on a state that it has itself changed.
    """

    def run(tx: Connection) -> Answer:
        once = Once(house, tx, ask)
        answer = work(tx, once)
        once.keep(answer)
        return answer

    while True:
        try:
            return house.db.transact(run)
        except Replayed as replayed:
            return replayed.answer
        except settling.Overdue as overdue:
            # Settled and committed first: what is judged then stands, whether or not the request is refused.
            settling.settle(house, overdue.table_id)


def forget_lapsed(house: House) -> bool:
    """Forget some of the answers that have been kept for long enough; whether there may be more."""
    with house.db.write() as tx:
        return requests.forget_before(tx, house.now_in(tx) - KEY_KEPT_MS, FORGOTTEN_AT_ONCE)
