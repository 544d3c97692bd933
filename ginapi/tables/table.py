"""What is done at a table: opened, played at, flagged, dealt again, left; each gives an outcome and changes nothing."""

from ginapi.errors import Reason, Refused
from ginapi.game.cards import Card
from ginapi.game.moves import Move
from ginapi.game.rules import HOUSE, Rules
from ginapi.players import Choose, choose_by_level
from ginapi.tables import coins
from ginapi.tables.clock import ClockTerms, Gap
from ginapi.tables.coins import Transfer
from ginapi.tables.course import Course, deal_of
from ginapi.tables.values import Outcome, Table, fresh_table

MOST_RECORDS_AT_ONCE = 20
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
    rules: Rules = HOUSE,
    choose: Choose = choose_by_level,
) -> Outcome:
    """A practice table with its first hand dealt (R24); the computer has made its moves where it opens.

    `deck` stacks the first hand; the later ones come from `seed`.
    """
    table = fresh_table(
        table_id,
        seed,
        now_ms,
        deal_of(table_id, seed, 1, opener, (0, 0), deck, rules),
        kind="practice",
        level=level,
        clock=clock,
        fair=fair,
        target=target,
        opener=opener,
    )
    return Course(table, now_ms, choose).dealt().answered().outcome()


def open_coin(
    table_id: str,
    seed: str,
    now_ms: int,
    *,
    stake: int,
    clock: ClockTerms,
    target: int = 100,
    choose: Choose = choose_by_level,
) -> Outcome:
    """A coin table against the computer, with its first hand dealt (R17); the stakes move by `stakes_put_up`."""
    dealt = deal_of(table_id, seed, 1, 0, (0, 0))
    table = fresh_table(
        table_id, seed, now_ms, dealt, kind="coin", level=COIN_LEVEL, clock=clock, target=target, stake=stake
    )
    return Course(table, now_ms, choose).dealt().answered().outcome()


def play(table: Table, seat: int, move: Move, now_ms: int, choose: Choose = choose_by_level) -> Outcome:
    """A person's move, and what the computer answers. Raises `Refused` as `ginapi.game.hand.check` does.

    What is overdue is settled before, by `flag`.
    """
    return Course(table, now_ms, choose).moved(seat, move, "player").answered().outcome()


def flag(table: Table, now_ms: int, choose: Choose = choose_by_level, gaps: tuple[Gap, ...] = ()) -> Outcome:
    """What has fallen due by itself until `now_ms`: moves for whoever let the clock run out (R18), the next deal (R16).

    At most about `MOST_RECORDS_AT_ONCE`: while `due_ms` is not after `now_ms`, there is more. `gaps` are those
    in which nobody could serve, since the table changed last.
    """
    return Course(table, now_ms, choose).flagged(now_ms, MOST_RECORDS_AT_ONCE, gaps).outcome()


def deal_next(table: Table, now_ms: int, choose: Choose = choose_by_level) -> Outcome:
    """The next hand of the match (R2, R16). Raises `table_over` or `hand_running`."""
    if table.status == "finished":
        raise Refused(Reason.TABLE_OVER, "The match is over: open another table.")
    if table.status == "open":
        raise Refused(Reason.HAND_RUNNING, "The first hand is dealt as the second player sits down.")
    if table.dealt.hand.phase != "finished":
        raise Refused(Reason.HAND_RUNNING, f"Hand {table.dealt.number} is still running: finish it first.")
    return Course(table, now_ms, choose).next_dealt().outcome()


def leave(table: Table, seat: int, now_ms: int) -> Outcome:
    """The seat gets up: the other one wins the match, and a running hand ends with it (R28).

    A table that still waits for its second player closes.
    """
    _refuse_finished(table)
    return Course(table, now_ms, choose_by_level).left(seat).outcome()


def void(table: Table, now_ms: int, why: str) -> Outcome:
    """The house calls the match off, and says why: it does not count, and a running hand ends without a score."""
    _refuse_finished(table)
    return Course(table, now_ms, choose_by_level).voided(why).outcome()


def stake_put_up(table: Table, seat: int, purse: str) -> tuple[Transfer, ...]:
    """The coins that a seat puts up as it sits down (R27)."""
    return coins.put_up(table.id, seat, purse, table.stake, _fees(table)[seat])


def stakes_put_up(table: Table, purses: tuple[str, str]) -> tuple[Transfer, ...]:
    """All that the seats taken so far have put up."""
    return tuple(moved for seat in _taken(table) for moved in stake_put_up(table, seat, purses[seat]))


def settlement(table: Table, purses: tuple[str, str]) -> tuple[Transfer, ...]:
    """The coins that the end of a match moves, from escrow to where they belong (R27, R28)."""
    assert table.status == "finished"
    if table.ended in ("void", "closed"):
        return coins.voided(table.id, purses, table.stake, _fees(table), _taken(table))
    assert table.winner is not None
    if table.ended == "left":
        return coins.left(table.id, 1 - table.winner, purses, table.stake, _fees(table))
    return coins.won(table.id, table.winner, purses, table.stake, _fees(table))


def payout(table: Table) -> int | None:
    """What the winner was paid; None at a table without a stake, or without a winner."""
    return 2 * table.stake if table.stake and table.winner is not None else None


def _taken(table: Table) -> tuple[int, ...]:
    return (0, 1) if table.is_full else (0,)


def _fees(table: Table) -> tuple[int, int]:
    """What each seat sets aside: the house, in the computer's seat, never leaves and sets nothing aside."""
    return table.leaving_fee, 0 if table.computer_seat == 1 else table.leaving_fee


def _refuse_finished(table: Table) -> None:
    if table.status == "finished":
        raise Refused(Reason.TABLE_OVER, "The match is over already.")


def is_untouched_by(table: Table, seat: int) -> bool:
    """Whether a seat has made no move itself in the table's hand yet.

    Without a clock nobody moves for it: the opener moves first, and its turn takes two moves (R4), unless it passes and
    the other seat answers the offer (R3).
    """
    if table.clock is not None:
        return table.is_full and not table.clock.acted[seat]
    hand = table.dealt.hand
    if seat == hand.deal.opener:
        return hand.version == 0
    return hand.version < 2 or (hand.version == 2 and not hand.passes and hand.phase != "discard")
