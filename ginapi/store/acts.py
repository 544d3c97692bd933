"""What an operator did, as rows: each act, what it was done to, why and when; the newest says how that stands."""

from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, insert, select

from ginapi.store.schema import acts


@dataclass(frozen=True, slots=True)
class Act:
    """Something that an operator did to an account, or to the whole house."""

    act: str
    why: str
    at_ms: int


_ADD = insert(acts)
_OF = (
    select(acts.c.act, acts.c.why, acts.c.at_ms)
    .where(acts.c.subject == bindparam("of_subject"))
    .order_by(acts.c.number.desc())
)
_NEWEST = _OF.limit(1)


def add(tx: Connection, subject: str, act: Act) -> None:
    """Keep what was done."""
    tx.execute(_ADD, {"subject": subject, "act": act.act, "why": act.why, "at_ms": act.at_ms})


def newest(tx: Connection, subject: str) -> Act | None:
    """What was done last to a subject."""
    row = tx.execute(_NEWEST, {"of_subject": subject}).one_or_none()
    return None if row is None else Act(*row)


def of(tx: Connection, subject: str) -> list[Act]:
    """All that was done to a subject, the newest first."""
    return [Act(*row) for row in tx.execute(_OF, {"of_subject": subject})]
