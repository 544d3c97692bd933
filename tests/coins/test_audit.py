"""`ginapi audit` over coins: it finds whatever was done to the books, with a line for each and status 1."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import text

from ginapi.store.database import Database
from tests.api.caller import Api, Clock
from tests.coins.seated import Sitter, operate
from tests.conftest import Databases


@dataclass(frozen=True, slots=True)
class Kept:
    """Books, and the time by which they are looked at."""

    database: Database
    clock: Clock


@pytest.fixture(scope="module")
def original(make_database: Databases) -> str:
    """Books with one table won, one left and one that runs, all of one account, and another account."""
    url = make_database("sqlite")
    api = Api(url)
    won = Sitter(api, stake=50)
    won.win()
    Sitter(api, won.token, 100).leave()
    Sitter(api, won.token, 250)
    Sitter(api, stake=500)
    api.close()
    return url


@pytest.fixture
def kept(original: str, tmp_path: Path) -> Iterator[Kept]:
    """A copy to tamper with: what an audit finds does not depend on the kind of database."""
    shutil.copy(original.removeprefix("sqlite:///"), tmp_path / "copy.db")
    kept = Kept(Database(f"sqlite:///{tmp_path / 'copy.db'}"), Clock())
    yield kept
    kept.database.close()


LAST = "(SELECT max(number) FROM entries e WHERE e.account_id = entries.account_id)"
TAMPERINGS: dict[str, list[str]] = {
    "a balance": ["UPDATE accounts SET balance_coins = balance_coins + 1"],
    "the count of entries": ["UPDATE accounts SET entry_count = entry_count + 1"],
    "an entry's coins": ["UPDATE entries SET coins = coins + 1 WHERE number = 2"],
    "an entry's balance": ["UPDATE entries SET balance_coins = balance_coins + 1 WHERE number = 2"],
    "two entries, to one sum": [
        "UPDATE entries SET coins = coins + 1, balance_coins = balance_coins + 1 WHERE number = 2",
        "UPDATE entries SET coins = coins - 1 WHERE number = 3",
    ],
    "an entry's transfer": ["UPDATE entries SET transfer_id = (SELECT max(id) FROM transfers) WHERE number = 2"],
    "an entry removed": ["DELETE FROM entries WHERE number = 3"],
    "the last entry removed": [f"DELETE FROM entries WHERE number = {LAST}"],
    "the last entry removed and forgotten": [
        f"DELETE FROM entries WHERE number = {LAST}",
        "UPDATE accounts SET entry_count = entry_count - 1",
    ],
    "a transfer's coins": ["UPDATE transfers SET coins = coins + 1 WHERE reason = 'Stake' AND debit <> 'house'"],
    "the house's stake": ["UPDATE transfers SET coins = coins + 1 WHERE reason = 'Stake' AND debit = 'house'"],
    "whom a transfer went to": ["UPDATE transfers SET credit = 'house' WHERE reason = 'Payout'"],
    "whom a transfer came from": [
        "UPDATE transfers SET debit = 'table:00000000000000000000:0' WHERE reason = 'Payout'"
    ],
    "a transfer's reason": ["UPDATE transfers SET reason = 'Payout' WHERE reason = 'Fee back'"],
    "a transfer's table": ["UPDATE transfers SET table_id = NULL WHERE reason = 'Payout'"],
    "a transfer of the house removed": ["DELETE FROM transfers WHERE debit = 'house' AND reason = 'Stake'"],
    "the fee of a leaver removed": ["DELETE FROM transfers WHERE reason = 'Leaving fee'"],
    "what the house was paid removed": ["DELETE FROM transfers WHERE reason LIKE 'Payout: %'"],
    "a transfer added": [
        "INSERT INTO transfers VALUES ('x', 'house', 'table:00000000000000000000:1', 5, 'x', NULL, 1)"
    ],
    "an account paid twice": [
        "INSERT INTO transfers SELECT 'x', 'house', max(id), 5, 'x', NULL, 1 FROM accounts",
    ],
    "a table's stake": ["UPDATE tables SET stake = stake + 10"],
    "a table ended and not settled": ["UPDATE tables SET status = 'finished', ended = 'void' WHERE status = 'playing'"],
    "a table won by the other": ["UPDATE tables SET winner = 1 - winner WHERE ended = 'left'"],
}


@pytest.mark.parametrize("done", TAMPERINGS)
def test_audit_finds_what_was_done_to_the_coins(kept: Kept, done: str) -> None:
    ran = operate(kept, "audit")
    assert (ran.exit_code, ran.stdout) == (0, ""), ran.output
    with kept.database.write() as tx:
        for statement in TAMPERINGS[done]:
            assert tx.execute(text(statement)).rowcount >= 1
    ran = operate(kept, "audit")
    assert ran.exit_code == 1 and isinstance(ran.exception, SystemExit), ran.output
    lines = ran.stdout.splitlines()
    assert lines and all(": " in line for line in lines)
    assert ran.stderr.endswith(f"{len(lines)} faults\n")


PARTS: list[Callable[[Sitter], object]] = [lambda sitter: sitter.win(), lambda sitter: sitter.leave()]


@pytest.mark.parametrize("end", PARTS, ids=["won", "left"])
def test_an_escrow_left_at_an_ended_table_is_named(fresh_api: Api, end: Callable[[Sitter], object]) -> None:
    sitter = Sitter(fresh_api)
    end(sitter)
    with fresh_api.database.write() as tx:
        # What the ledger's own rows would let nobody do: entries hang on transfers.
        tx.execute(text("DELETE FROM entries WHERE number > 3"))
        tx.execute(text("DELETE FROM transfers WHERE debit LIKE 'table:%'"))
    ran = operate(fresh_api, "audit")
    assert ran.exit_code == 1
    for seat, held in ((0, 110), (1, 100)):
        assert f"table:{sitter.id}:{seat} holds {held}, not 0" in ran.stdout
