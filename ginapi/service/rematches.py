"""A rematch: at once against the computer, and between people as soon as both have asked for it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from sqlalchemy import Connection

from ginapi.errors import Reason, Refused
from ginapi.service import asking, callers, opening, openings, settling, sitting
from ginapi.service.asking import Answer, Ask, Once
from ginapi.service.callers import Seated
from ginapi.service.house import House
from ginapi.service.opening import AnyTerms, CoinTerms, PracticeTerms, enough_coins
from ginapi.store import accounts, ledger, tables
from ginapi.store.tokens import Caller
from ginapi.tables import online
from ginapi.tables import table as at_table
from ginapi.tables.coins import NOTE
from ginapi.tables.values import Table


def ask_for(
    house: House,
    ask: Ask,
    table_id: str,
    read_body: Callable[[], object],
    answer: Callable[[Connection, Seated, bool], Answer],
) -> Answer:
    """Ask for a rematch once the match is over.

    `answer` is given the new table and True, or, while the other seat has yet to ask, the table that is over and False.
    Whoever asks again gets the new table again. Raises `hand_running` while the match goes on, `table_over` where there
    is nobody to play with, and what opening a table raises.
    """

    def work(tx: Connection, once: Once) -> Answer:
        seated = callers.seated(house, tx, ask.token, table_id, to_write=True)
        read_body()
        once.check()
        table = seated.table
        online.refuse_rematch(table)
        if table.rematch_table_id is not None:
            found = tables.find_table(tx, table.rematch_table_id)
            if found is None:
                raise Refused(
                    Reason.TABLE_OVER, "The rematch is so long over that it is forgotten: open another table."
                )
            settling.refuse_overdue(tx, found, seated.now_ms)
            return answer(tx, replace(seated, table=found), True)
        if table.stake:
            # A match that the clock has ended by now has moved coins of either.
            for seat in tables.find_seats(tx, table.id):
                callers.refuse_overdue(tx, seat.principal, seated.now_ms)
        if table.kind != "online":
            caller = Caller(seated.principal, tables.find_seats(tx, table.id)[seated.seat].kind, seated.used_ms)
            new = opening.opened(house, tx, caller, _same_terms(table), seated.now_ms).table
            settling.save(tx, table, online.play_on(table, [seated.seat], new.id, seated.now_ms))
        elif online.is_agreed(table, seated.seat):
            new = _opened_between(house, tx, table, seated.principal, seated.now_ms)
            settling.save(tx, table, online.play_on(table, [0, 1], new.id, seated.now_ms))
        else:
            _refuse_gone(tx, table, 1 - seated.seat)
            sitting.refuse_too_many(tx, seated.principal)
            sitting.refuse_short(tx, seated.principal, table.stake)
            openings.refuse_closed(tx)
            offered = online.offer_rematch(table, seated.seat, seated.now_ms)
            if offered.records:
                settling.save(tx, table, offered)
            return answer(tx, replace(seated, table=offered.table), False)
        return answer(tx, replace(seated, table=new), True)

    return enough_coins(lambda: asking.write(house, ask, work))


def _refuse_gone(tx: Connection, table: Table, seat: int) -> None:
    """Raise `table_over` where whoever sat in a seat has closed the account: nobody could say yes."""
    principal = tables.find_seats(tx, table.id)[seat].principal
    account = None if principal is None else accounts.find(tx, principal)
    if account is not None and account.is_closed:
        raise _gone()


def _gone() -> Refused:
    return Refused(Reason.TABLE_OVER, "The other player is gone: open another table.")


def _same_terms(table: Table) -> AnyTerms:
    """How a table against the computer is opened again; the deals are new ones."""
    if table.kind == "coin":
        return CoinTerms(table.stake)
    assert table.level is not None
    move_ms = None if table.clock is None else table.clock.terms.move_ms
    return PracticeTerms(table.level, table.opener, table.target, move_ms=move_ms, rules=table.rules)


def _of_the_other(refused: Refused, stake: int) -> Refused:
    """What one is told of why the other cannot sit down: not how many coins or tables it has."""
    if refused.reason is Reason.BAD_TOKEN:
        return _gone()
    if refused.reason is Reason.TOO_MANY_TABLES:
        return Refused(refused.reason, "The other player sits at the most tables allowed.")
    return Refused(refused.reason, f"The other player has too few coins for a stake of {stake}. {NOTE}")


def _opened_between(house: House, tx: Connection, over: Table, asker: str, now_ms: int) -> Table:
    """A table with the same two people and terms, the other seat opening, its stakes put up and its hand dealt."""
    seats = tables.find_seats(tx, over.id)
    principals = sorted(seat.principal for seat in seats if seat.principal is not None)
    # All tokens, and then all accounts, are held in one order, so that no two wait for each other.
    for refuse in (sitting.refuse_too_many, partial(sitting.refuse_short, stake=over.stake)):
        for principal in principals:
            try:
                refuse(tx, principal)
            except Refused as refused:
                raise refused if principal == asker else _of_the_other(refused, over.stake) from None
    openings.refuse_closed(tx)
    seats = tables.find_seats(tx, over.id)  # Again, now that nobody can be renamed any more.
    assert over.clock is not None
    opened = online.open_online(
        house.new_table_id(),
        house.new_seed(),
        now_ms,
        stake=over.stake,
        clock=over.clock.terms,
        private=over.private,
        invite=house.new_invite() if over.private else None,
        opener=1 - over.opener,
        target=over.target,
    )
    opened = opened._replace(table=opened.table._replace(told=sitting.is_told(tx, seats)))
    joined = online.join(opened.table, now_ms)
    tables.add(tx, opened, tuple(seats))
    settling.save(tx, opened.table, joined)
    put_up = at_table.stakes_put_up(joined.table, settling.purses(tx, joined.table))
    ledger.post(tx, put_up, now_ms, joined.table.id)
    return joined.table
