"""Who looks after every call at what was added to the logs and the ledger, and holds it against its own papers."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from drills.simulation.attempts import Attempts
from drills.simulation.paper import Line, Paper, Terms
from drills.simulation.purses import Moved, Purses
from drills.simulation.world import Found, World
from ginapi.store.database import Database
from ginapi.tables.clock import ClockTerms

_RECORDS = """
    SELECT rowid, table_id, number, event, hand_number, version, seat, "by", action, at_ms, body
    FROM records WHERE rowid > ? ORDER BY rowid
"""
_TRANSFERS = "SELECT rowid, id, debit, credit, coins, table_id FROM transfers WHERE rowid > ? ORDER BY rowid"
_TABLE = """
    SELECT kind, target, opener, stake, created_ms, level, move_ms, grace_ms, computer_turn_ms, deal_after_ms
    FROM tables WHERE id = ?
"""
_SEATS = "SELECT seat, principal FROM seats WHERE table_id = ? AND kind = 'account'"
_NOW = "SELECT version, status FROM tables WHERE id = ?"
_BALANCE = "SELECT balance_coins FROM accounts WHERE id = ?"


class Witness:
    """All tables and purses on paper, as of the last look."""

    def __init__(self, world: World, db: Database) -> None:
        self._world = world
        self._connection = db.connect()
        self._cursor = self._connection.connection.cursor()
        self._record_at = self._transfer_at = 0
        self.papers: dict[str, Paper] = {}
        self.purses = Purses()
        self.attempts = Attempts(self.papers)
        self._accounts: dict[str, dict[int, str]] = {}
        """Of each table for coins, by seat."""
        self._dealing: Counter[str] = Counter()

    @property
    def record_count(self) -> int:
        """How many records there are in all."""
        return self._record_at

    def deal_asked(self, table_id: str) -> None:
        """Somebody asks for the next hand there, from now on."""
        self._dealing[table_id] += 1

    def deal_answered(self, table_id: str) -> None:
        """And now no longer."""
        self._dealing[table_id] -= 1

    def look(self) -> None:
        """Read what is new. Raises Found."""
        records = self._rows(_RECORDS, self._record_at)
        transfers = self._rows(_TRANSFERS, self._transfer_at)
        if not records and not transfers:
            return
        touched = dict.fromkeys(row[1] for row in records)  # In order, as a set is not.
        accounts = [account for row in records for account in self._read(row)]
        for rowid, *values in transfers:
            self._transfer_at = rowid
            self.purses.add(Moved(*values))
            accounts += [purse for purse in values[1:3] if purse.startswith("account:")]
        self._check(touched, dict.fromkeys(accounts))

    def _read(self, row: tuple[Any, ...]) -> Iterator[str]:
        """Take a record down; the accounts whose coins it moves."""
        self._record_at, table_id, *said, body = row
        paper = self.papers.get(table_id)
        if paper is None:
            paper = self.papers[table_id] = Paper(self._terms(table_id))
            if paper.terms.stake and paper.terms.kind == "coin":
                yield from self._sat_down(paper, 0)
        line = Line(*said, *[json.loads(body)])
        paper.add(line, self._world.served_ms, self._dealing[table_id] > 0)
        if not paper.terms.stake:
            return
        if line.event == "seat":
            yield from self._sat_down(paper, line.body["seat"])
        if line.event == "table" and line.body.get("status") == "finished":
            accounts = self._accounts[table_id]
            self.purses.ended(paper, accounts)
            yield from accounts.values()

    def _terms(self, table_id: str) -> Terms:
        [row] = self._rows(_TABLE, table_id)
        kind, target, opener, stake, created_ms, level, *clock = row
        terms = None if clock[0] is None else ClockTerms(*clock)
        return Terms(table_id, kind, target, opener, stake, created_ms, level is not None, terms)

    def _sat_down(self, paper: Paper, seat: int) -> Iterator[str]:
        account = dict(self._rows(_SEATS, paper.terms.table_id))[seat]
        self._accounts.setdefault(paper.terms.table_id, {})[seat] = account
        self.purses.sat_down(account, paper.terms.stake)
        yield account

    def _check(self, table_ids: Iterable[str], accounts: Iterable[str]) -> None:
        for table_id in table_ids:
            paper = self.papers[table_id]
            [(version, status)] = self._rows(_NOW, table_id)
            if (version, status) != (paper.number, paper.status):
                raise Found(
                    "log",
                    f"{table_id} is {status} at version {version}, and its log {paper.status} at {paper.number}",
                )
            if paper.ended is not None:
                self.purses.check_escrow(table_id)
        for account in accounts:
            [(coins,)] = self._rows(_BALANCE, account)
            self.purses.check(account, coins)

    def _rows(self, statement: str, value: str | int) -> list[tuple[Any, ...]]:
        # Outside any transaction, and past SQLAlchemy: this happens after every call, and nobody writes meanwhile.
        found: list[tuple[Any, ...]] = self._cursor.execute(statement, (value,)).fetchall()
        return found

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
