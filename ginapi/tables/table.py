"""What is done at a table: opened, played at, flagged, dealt again, left; each gives an outcome and changes nothing."""

from ginapi.errors import Reason, Refused
from ginapi.game.cards import Card
from ginapi.game.moves import Move
from ginapi.players import Choose, choose_by_level
from ginapi.tables import coins
from ginapi.tables.clock import Clock, ClockTerms
from ginapi.tables.coins import HOUSE
from ginapi.tables.course import Course, deal_of
from ginapi.tables.values import Dealt, Outcome, Table, hand_id_of

__all__ = ["Dealt", "Outcome", "Table", "hand_id_of"]

MOST_AUTOMATIC_MOVES = 20
"""After so many records a call that settles what is overdue stops: the next goes on."""
COIN_LEVEL = "hard"


def open_practice(
    table_id: str,
    seed: str,
    now_ms: int,
    *,
    level: str = "medium",
    opener: int = 0,
    target: int = 100,
    fair: bool = True,
    deck: tuple[Card, ...] | None = None,
    clock: ClockTerms | None = None,
    choose: Choose = choose_by_level,
) -> Outcome:
    """A practice table with its first hand dealt (R24); the computer has made its moves where it opens.

    `deck` stacks the first hand; the later ones come from `seed`.
    """
    table = Table(
        id=table_id,
        kind="practice",
        status="playing",
        fair=fair,
        target=target,
        level=level,
        opener=opener,
        seed=seed,
        stake=0,
        clock=None if clock is None else Clock(clock),
        version=0,
        dealt=deal_of(table_id, seed, 1, opener, (0, 0), deck),
        winner=None,
        ended=None,
        created_ms=now_ms,
        changed_ms=now_ms,
    )
    return Course(table, now_ms, choose).dealt().answered().outcome()


def open_coin(
    table_id: str,
    seed: str,
    now_ms: int,
    *,
    purse: str,
    stake: int,
    clock: ClockTerms,
    target: int = 100,
    choose: Choose = choose_by_level,
) -> Outcome:
    """A coin table against the computer (R17): stake and fee out of `purse`, the other stake of the house (R27)."""
    table = Table(
        id=table_id,
        kind="coin",
        status="playing",
        fair=True,
        target=target,
        level=COIN_LEVEL,
        opener=0,
        seed=seed,
        stake=stake,
        clock=Clock(clock),
        version=0,
        dealt=deal_of(table_id, seed, 1, 0, (0, 0)),
        winner=None,
        ended=None,
        created_ms=now_ms,
        changed_ms=now_ms,
    )
    outcome = Course(table, now_ms, choose).dealt().answered().outcome()
    put_up = coins.put_up(table_id, 0, purse, stake, table.leaving_fee) + coins.put_up(table_id, 1, HOUSE, stake, 0)
    return outcome._replace(transfers=put_up)


def play(
    table: Table,
    seat: int,
    move: Move,
    now_ms: int,
    purses: tuple[str, str] = (HOUSE, HOUSE),
    choose: Choose = choose_by_level,
) -> Outcome:
    """A person's move, and what the computer answers. Raises `Refused` as `ginapi.game.hand.check` does.

    What is overdue is settled before, by `flag`. `purses` are where the seats' coins come from and go to.
    """
    return _settled(table, Course(table, now_ms, choose).moved(seat, move, "player").answered().outcome(), purses)


def flag(
    table: Table, now_ms: int, purses: tuple[str, str] = (HOUSE, HOUSE), choose: Choose = choose_by_level
) -> Outcome:
    """What has fallen due by itself until `now_ms`: moves for whoever let the clock run out (R18), the next deal (R16).

    At most about `MOST_AUTOMATIC_MOVES` at once: while `due_ms` is not after `now_ms`, there is more.
    """
    return _settled(table, Course(table, now_ms, choose).flagged(now_ms, MOST_AUTOMATIC_MOVES).outcome(), purses)


def deal_next(table: Table, now_ms: int, choose: Choose = choose_by_level) -> Outcome:
    """The next hand of the match (R2, R16). Raises `table_over` or `hand_running`."""
    if table.status == "finished":
        raise Refused(Reason.TABLE_OVER, "The match is over: open another table.")
    if table.dealt.hand.phase != "finished":
        raise Refused(Reason.HAND_RUNNING, f"Hand {table.dealt.number} is still running: finish it first.")
    return Course(table, now_ms, choose).next_dealt().outcome()


def leave(table: Table, seat: int, now_ms: int, purses: tuple[str, str] = (HOUSE, HOUSE)) -> Outcome:
    """The seat gets up: the other one wins the match, and a running hand ends with it (R28)."""
    if table.status == "finished":
        raise Refused(Reason.TABLE_OVER, "The match is over already.")
    outcome = Course(table, now_ms, choose_by_level).left(seat).outcome()
    return outcome._replace(transfers=coins.left(table.id, seat, purses, table.stake, _fees(table)))


def void(table: Table, now_ms: int, purses: tuple[str, str] = (HOUSE, HOUSE)) -> Outcome:
    """The match does not count: a running hand ends without a score, and to each goes back what it put up."""
    if table.status == "finished":
        raise Refused(Reason.TABLE_OVER, "The match is over already.")
    outcome = Course(table, now_ms, choose_by_level).voided().outcome()
    return outcome._replace(transfers=coins.voided(table.id, purses, table.stake, _fees(table)))


def is_untouched_by(table: Table, seat: int) -> bool:
    """Whether a seat has made no move itself in the table's hand yet.

    Without a clock nobody moves for it: the opener moves first, and its turn takes two moves (R4).
    """
    if table.clock is not None:
        return not table.clock.acted[seat]
    hand = table.dealt.hand
    return hand.version <= (0 if seat == hand.deal.opener else 2)


def _settled(before: Table, outcome: Outcome, purses: tuple[str, str]) -> Outcome:
    """The outcome with the coins that it moves, where it ended the match."""
    after = outcome.table
    if before.status == "finished" or after.status != "finished" or not after.stake:
        return outcome
    assert after.winner is not None
    return outcome._replace(transfers=coins.won(after.id, after.winner, purses, after.stake, _fees(after)))


def _fees(table: Table) -> tuple[int, int]:
    """What each seat set aside: the house, in the computer's seat, never leaves and sets nothing aside."""
    return (table.leaving_fee, 0 if table.computer_seat == 1 else table.leaving_fee)


def purses_of(table: Table, principals: tuple[str | None, str | None]) -> tuple[str, str]:
    """Where the seats' coins come from and go to: an account's purse, or the house's for the computer."""
    first, second = (HOUSE if one is None else coins.account_purse(one) for one in principals)
    return first, second
