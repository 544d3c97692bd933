"""A table between people: opened by one, joined by another, and played at once more where both ask for it."""

from ginapi.errors import Reason, Refused
from ginapi.game import hand as hands
from ginapi.game.cards import Card
from ginapi.game.shuffle import deck_from_seed
from ginapi.game.terms import HOUSE_TERMS
from ginapi.players import choose_by_level
from ginapi.tables.clock import ClockTerms
from ginapi.tables.course import Course
from ginapi.tables.values import Dealt, Offer, Outcome, Table, fresh_table, hand_id_of


def open_online(
    table_id: str,
    seed: str,
    now_ms: int,
    *,
    stake: int,
    clock: ClockTerms,
    private: bool = False,
    invite: str | None = None,
    opener: int = 0,
    target: int = 100,
    fair: bool = True,
    deck: tuple[Card, ...] | None = None,
) -> Outcome:
    """A table that waits for its second player (R21). `deck` stacks the first hand; the later ones come from `seed`."""
    cards = deck_from_seed(seed, 1) if deck is None else deck
    ready = Dealt(hand_id_of(table_id, 0), 0, "", "", (0, 0), hands.deal(cards, opener))
    table = fresh_table(
        table_id,
        seed,
        now_ms,
        ready,
        kind="online",
        level=None,
        clock=clock,
        status="open",
        fair=fair,
        target=target,
        opener=opener,
        stake=stake,
        private=private,
        invite=invite,
    )
    return Course(table, now_ms, choose_by_level).opened().outcome()


def refuse_full(table: Table) -> None:
    """Raise `table_over` or `table_full` where nobody can sit down any more."""
    if table.status == "finished":
        raise Refused(Reason.TABLE_OVER, "This table is closed: open another, or POST /v1/tables/quick.")
    if table.status != "open":
        raise Refused(Reason.TABLE_FULL, "Both seats are taken: open another table, or POST /v1/tables/quick.")


def join(table: Table, now_ms: int) -> Outcome:
    """The second seat is filled, and the first hand dealt. Raises as `refuse_full`."""
    refuse_full(table)
    return Course(table, now_ms, choose_by_level).joined().outcome()


def refuse_rematch(table: Table) -> None:
    """Raise `table_over` where nobody else sat down, `hand_running` where the match is not over yet."""
    if table.status != "finished":
        raise Refused(Reason.HAND_RUNNING, "A rematch can be asked for once the match is over.")
    if not table.is_full:
        raise Refused(Reason.TABLE_OVER, "Nobody else sat down here: open another table.")


def is_agreed(table: Table, seat: int) -> bool:
    """Whether the other seat has asked for a rematch already: `seat` only has to ask too."""
    return table.offer is not None and table.offer.seat != seat


def offer_rematch(table: Table, seat: int, now_ms: int) -> Outcome:
    """A seat asks for a rematch. Asked again while its offer stands, nothing changes."""
    refuse_rematch(table)
    # The wall clock may have stepped back since: by it the offer would lapse, in the log, before it was made.
    asked_ms = max(now_ms, table.changed_ms)
    course = Course(table, now_ms, choose_by_level)
    if table.offer is None:
        course.offered(Offer(seat, asked_ms + HOUSE_TERMS.rematch_offer_ms))
    return course.outcome()


def play_on(table: Table, seats: list[int], rematch_table_id: str, now_ms: int) -> Outcome:
    """The `seats` that had to ask for a rematch have: it is played at another table."""
    refuse_rematch(table)
    return Course(table, now_ms, choose_by_level).played_on(rematch_table_id, seats).outcome()


def rematch_seats(table: Table) -> list[int]:
    """The seats that have asked for a rematch, as long as it stands."""
    if table.rematch_table_id is not None:
        return [0, 1] if table.computer_seat is None else [0]
    return [] if table.offer is None else [table.offer.seat]
