"""Coins as transfers: whole numbers that move from one purse to another, each once, by what caused them (R25–R29).

Coins have no cash value and cannot be cashed out. A purse is text: `house`, an account's id (`account:…`) for what it
may stake, and `table:<id>:<seat>` for what a seat has put up there. All purses together hold nothing: the house's is
below zero by what the others hold.
"""

from typing import NamedTuple

from ginapi.game.terms import HOUSE_TERMS

NOTE = "Coins have no cash value and cannot be cashed out."
HOUSE = "house"
ACCOUNT = "account:"
"""How the id of every account begins; it is the name of its purse too."""
TABLE = "table:"
"""How the name of every escrow begins."""
FEE_PERCENT = HOUSE_TERMS.leaving_fee_percent
"""What leaving costs beside the stake (R28)."""


class Transfer(NamedTuple):
    """Coins from one purse to another. The `id` is made of the cause, so that none is posted twice."""

    id: str
    debit: str
    credit: str
    coins: int
    reason: str


def purse_of(principal: str | None) -> str:
    """The purse of whoever sits somewhere; the house's for the computer."""
    return HOUSE if principal is None else principal


def seat_purse(table_id: str, seat: int) -> str:
    """What a seat has put up at a table, stake and fee together."""
    return f"{TABLE}{table_id}:{seat}"


def leaving_fee(stake: int) -> int:
    """What leaving costs beside the stake (R28); stakes are multiples of 10, so it is whole."""
    return stake * FEE_PERCENT // 100


def welcome(account_id: str, coins: int) -> tuple[Transfer, ...]:
    """What a new account is granted (R29)."""
    return _grant(f"{account_id}:welcome", account_id, coins, "Welcome coins")


def refill(account_id: str, number: int, coins: int) -> tuple[Transfer, ...]:
    """A refill, counted from 1 (R29)."""
    return _grant(f"{account_id}:refill:{number}", account_id, coins, "Refill")


def granted(account_id: str, grant_id: str, coins: int, why: str) -> tuple[Transfer, ...]:
    """What an operator granted, and why."""
    return _grant(f"{account_id}:grant:{grant_id}", account_id, coins, why)


def closed(account_id: str, coins: int) -> tuple[Transfer, ...]:
    """What an account still had when it was closed goes back to the house."""
    return _some(Transfer(f"{account_id}:closed", account_id, HOUSE, coins, "Account closed"))


def _grant(transfer_id: str, account_id: str, coins: int, reason: str) -> tuple[Transfer, ...]:
    return _some(Transfer(transfer_id, HOUSE, account_id, coins, reason))


def put_up(table_id: str, seat: int, purse: str, stake: int, fee: int) -> tuple[Transfer, ...]:
    """The stake into escrow, and the fee beside it (R27). The house puts up no fee."""
    escrow = seat_purse(table_id, seat)
    return _some(
        Transfer(f"table:{table_id}:stake:{seat}", purse, escrow, stake, "Stake"),
        Transfer(f"table:{table_id}:fee:{seat}", purse, escrow, fee, "Leaving fee set aside"),
    )


def won(table_id: str, winner: int, purses: tuple[str, str], stake: int, fees: tuple[int, int]) -> tuple[Transfer, ...]:
    """A match played to its end: both stakes to the winner, and to each the fee that it set aside (R27)."""
    return _stakes_to(table_id, winner, purses[winner], stake, "Payout") + _fees_back(table_id, purses, fees)


def left(
    table_id: str, leaver: int, purses: tuple[str, str], stake: int, fees: tuple[int, int]
) -> tuple[Transfer, ...]:
    """A match that a seat left: its stake to the other seat, its fee to the house (R28)."""
    other = 1 - leaver
    fee = Transfer(f"table:{table_id}:forfeit:fee", seat_purse(table_id, leaver), HOUSE, fees[leaver], "Leaving fee")
    kept = (0, fees[1]) if leaver == 0 else (fees[0], 0)
    return (
        _stakes_to(table_id, other, purses[other], stake, "Payout: the other seat left")
        + _some(fee)
        + _fees_back(table_id, purses, kept)
    )


def voided(
    table_id: str, purses: tuple[str, str], stake: int, fees: tuple[int, int], seats: tuple[int, ...] = (0, 1)
) -> tuple[Transfer, ...]:
    """A match that does not count, or was never begun: to each of the `seats` that were taken what it put up."""
    return _some(
        *(
            Transfer(f"table:{table_id}:void:{seat}", seat_purse(table_id, seat), purses[seat], stake, "Stake back")
            for seat in seats
        )
    ) + _fees_back(table_id, purses, tuple(fee if seat in seats else 0 for seat, fee in enumerate(fees)))


def _stakes_to(table_id: str, winner: int, purse: str, stake: int, reason: str) -> tuple[Transfer, ...]:
    return _some(
        *(
            Transfer(f"table:{table_id}:payout:{seat}", seat_purse(table_id, seat), purse, stake, reason)
            for seat in (0, 1)
        )
    )


def _fees_back(table_id: str, purses: tuple[str, str], fees: tuple[int, ...]) -> tuple[Transfer, ...]:
    return _some(
        *(
            Transfer(
                f"table:{table_id}:fee-back:{seat}", seat_purse(table_id, seat), purses[seat], fees[seat], "Fee back"
            )
            for seat in (0, 1)
        )
    )


def _some(*transfers: Transfer) -> tuple[Transfer, ...]:
    """Those that move anything."""
    return tuple(transfer for transfer in transfers if transfer.coins)
