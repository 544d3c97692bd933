"""The ledger checked as the service runs: a walk over all accounts, some at a time, by whoever settles.

By its shape a transfer takes as much as it gives, so that all purses together always hold 0. What can go wrong is that
an account, or its statement, says otherwise than the transfers, or that coins stay at a table that is over. That is
looked for here; `ginapi audit` looks at everything, whole.
"""

import logging

from ginapi.service.house import House
from ginapi.store import ledger_checks
from ginapi.store.ledger_checks import Walk

STEP_EVERY_MS = 10_000
ACCOUNTS_A_STEP = 200

_log = logging.getLogger(__name__)


def check_next(house: House) -> None:
    """Hold the next accounts against the ledger, if nobody has for a while."""
    claimed = _claim(house)
    if claimed is not None:
        # In a transaction that holds up nobody: on SQLite all who write would wait.
        with house.db.read() as tx:
            found = ledger_checks.step(tx, claimed.after, ACCOUNTS_A_STEP)
        for account_id in found.faulty:
            _log.error("an account does not add up: see `ginapi audit`", extra={"account_id": account_id})
        for table_id in found.uncleared:
            _log.error("a table is over and holds coins: see `ginapi audit`", extra={"table_id": table_id})
        fault_count = claimed.fault_count + len(found.faulty) + len(found.uncleared)
        if found.last is None:
            after = Walk("", 0, claimed.stepped_ms, 0, claimed.began_ms, fault_count)
        else:
            after = claimed._replace(after=found.last, fault_count=fault_count)
        with house.db.write() as tx:
            ledger_checks.move(tx, claimed, after)


def _claim(house: House) -> Walk | None:
    """The walk, for whoever takes its next step; None where somebody has just taken one. A walk that is over begins."""
    with house.db.read() as tx:
        stands = ledger_checks.stands(tx)
        now_ms = house.now_in(tx)
    # Either way: a clock that was set back must not end it.
    if abs(now_ms - stands.stepped_ms) < STEP_EVERY_MS:
        return None
    begins = stands.after == ""
    claimed = stands._replace(stepped_ms=now_ms, began_ms=now_ms if begins else stands.began_ms)
    with house.db.write() as tx:
        return claimed if ledger_checks.move(tx, stands, claimed) else None
