"""Sitting down at a table that another has opened: at one by its id, or at the best there is."""

import hmac
from collections.abc import Callable

from sqlalchemy import Connection

from ginapi.errors import Reason, Refused
from ginapi.game.terms import HOUSE_TERMS
from ginapi.service import asking, callers, opening, settling, sitting
from ginapi.service.asking import Answer, Ask, Once
from ginapi.service.callers import Seated
from ginapi.service.house import House
from ginapi.service.opening import OnlineTerms, Told, enough_coins
from ginapi.store import ledger, lobby, tables
from ginapi.store.tokens import Caller
from ginapi.tables import online
from ginapi.tables.table import stake_put_up
from ginapi.tables.values import Outcome, Table


def join(
    house: House, ask: Ask, table_id: str, invite: str | None, read_body: Callable[[], object], answer: Told
) -> Answer:
    """Sit down at a table that waits for its second player, and have its first hand dealt.

    A private one is there only for whoever brings its `invite`. Raises `table_over`, `already_seated`, `table_full`,
    `too_many_tables` or `not_enough_coins`; at a table with a stake `no_token` or `not_allowed` without an account.
    """

    def work(tx: Connection, once: Once) -> Answer:
        caller = sitting.caller_of(house, tx, ask, needs_account=False)
        found = tables.find_to_write(tx, callers.known_table_id(table_id))
        seats = [] if found is None else tables.find_seats(tx, found.table.id)
        sits = caller is not None and caller.principal in [seat.principal for seat in seats]
        if found is None or not (sits or _is_shown(found.table, invite)):
            callers.needed(ask.token)
            raise callers.unseen()
        table, now_ms = found.table, house.at(found.now_ms)
        if table.stake and not sits:
            callers.find_account(house, tx, ask.token)
        read_body()
        once.check()
        settling.refuse_overdue(tx, table, now_ms)
        if sits and table.status != "finished":
            raise Refused(Reason.ALREADY_SEATED, "You sit at this table.")
        online.refuse_full(table)
        caller, token = sitting.arrived(house, tx, ask, once, caller, now_ms)
        outcome = _seated(tx, table, caller, now_ms)
        return answer(tx, Seated(outcome.table, 1, caller.principal, now_ms, now_ms), outcome, token)

    return enough_coins(lambda: asking.write(house, ask, work))


def _is_shown(table: Table, invite: str | None) -> bool:
    """Whether a table is there for one who does not sit at it; one against the computer never is."""
    if not table.private:
        return True
    # As bytes: what was sent may be any text.
    return table.invite is not None and hmac.compare_digest((invite or "").encode(), table.invite.encode())


def quick(
    house: House, ask: Ask, read_stake: Callable[[], int], answer: Told, *, needs_account: bool = False
) -> Answer:
    """Sit down at the best public table with this stake that waits, or open one.

    Where the caller waits at one already, that one is answered. The best is the one that waits longest, of those with
    the house's own time for a move if there are any.
    """

    def work(tx: Connection, once: Once) -> Answer:
        caller = sitting.caller_of(house, tx, ask, needs_account=needs_account)
        stake = read_stake()
        once.check()
        if stake:
            sitting.refuse_stake(house, stake)
        now_ms = house.now_in(tx)
        caller, token = sitting.arrived(house, tx, ask, once, caller, now_ms)
        outcome, seat = _found_or_opened(house, tx, caller, stake, now_ms)
        return answer(tx, Seated(outcome.table, seat, caller.principal, now_ms, now_ms), outcome, token)

    return enough_coins(lambda: asking.write(house, ask, work))


def _found_or_opened(house: House, tx: Connection, caller: Caller, stake: int, now_ms: int) -> tuple[Outcome, int]:
    since_ms = now_ms - HOUSE_TERMS.open_table_ms
    move_ms = house.terms.online_clock.move_ms
    waiting = lobby.find_waiting(tx, stake, caller.principal, since_ms)
    if waiting is not None:
        return Outcome(waiting, ()), 0
    found = lobby.find_open(tx, stake, caller.principal, since_ms, move_ms)
    if found is None:
        lobby.hold(tx, stake)
        found = lobby.find_open(tx, stake, caller.principal, since_ms, move_ms)
    if found is not None:
        return _seated(tx, found, caller, now_ms), 1
    return opening.opened(house, tx, caller, OnlineTerms(stake), now_ms), 0


def _seated(tx: Connection, table: Table, caller: Caller, now_ms: int) -> Outcome:
    """The table, which is held and waits, once the caller sits in its second seat."""
    sitting.refuse_too_many(tx, caller.principal)
    sitting.refuse_short(tx, caller.principal, table.stake)
    seat = sitting.seat_of(tx, caller, 1)
    table = sitting.told_too(tx, table, seat)
    outcome = online.join(table, now_ms)
    tables.sit(tx, table.id, (seat,))
    settling.save(tx, table, outcome)
    ledger.post(tx, stake_put_up(outcome.table, 1, caller.principal), now_ms, table.id)
    return outcome
