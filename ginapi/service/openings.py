"""Whether new tables are opened: the operator closes the openings of all hosts at once, before an upgrade.

Who opens a table asks; nobody who plays does. Matches that run, their next hands and tables that wait go on.
"""

from sqlalchemy import Connection

from ginapi.config import OPENINGS_AGAIN_S
from ginapi.errors import Reason, Refused
from ginapi.service.house import House
from ginapi.store import acts
from ginapi.store.acts import Act

_OPENINGS = "openings"
_CLOSED, _OPENED = "closed", "opened"


def close(house: House, why: str) -> None:
    """From now on no table is opened, on any host."""
    _act(house, _CLOSED, why)


def reopen(house: House, why: str) -> None:
    """Tables are opened again."""
    _act(house, _OPENED, why)


def _act(house: House, act: str, why: str) -> None:
    with house.db.write() as tx:
        acts.add(tx, _OPENINGS, Act(act, why, house.now_in(tx)))


def closed_by(house: House) -> Act | None:
    """What closed the openings; None while tables are opened."""
    with house.db.read() as tx:
        return _closing(tx)


def refuse_closed(tx: Connection) -> None:
    """Raise `unavailable` while no new tables are opened."""
    if _closing(tx) is not None:
        raise Refused(
            Reason.UNAVAILABLE,
            "No new tables are opened for a while: the service is about to be upgraded. Matches that run go on, and a "
            "table that waits for its second player can be joined.",
            again_s=OPENINGS_AGAIN_S,
        )


def _closing(tx: Connection) -> Act | None:
    newest = acts.newest(tx, _OPENINGS)
    return newest if newest is not None and newest.act == _CLOSED else None
