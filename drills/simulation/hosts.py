"""Processes that share a database file: they run the service, and die in the middle of it."""

from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Literal, TypeVar

from sqlalchemy import Connection, Engine, event

from drills.simulation.world import Found, World
from ginapi.errors import Refused
from ginapi.service.house import House
from ginapi.service.seen import RefusedAtHand
from ginapi.store.database import Database, Transaction

MOST_TRANSACTIONS = 2_000
"""More than any one call needs: beyond it goes on for ever."""
STATEMENTS = 12
"""A process dies at one of so many statements, if there are so many."""

_Answer = TypeVar("_Answer")
Ending = Literal["before the commit", "after the commit"]


class Crashed(BaseException):
    """The process died here. Not an Exception: nothing that goes on may catch it."""


class Lost(Exception):
    """No answer came; nobody knows whether it was done."""


class Mortal(Database):
    """The database as one process has it, which may die at a statement or beside a commit.

    Before each transaction somebody else may come first: `cut_in` is called where no transaction is open.
    """

    def __init__(self, url: str, cut_in: Callable[[], None]) -> None:
        super().__init__(url)
        self._cut_in = cut_in
        self._watched: Engine | None = None
        self.count = 0
        """Transactions in this call."""
        self.dies_at: int | Ending | None = None

    def engine(self) -> Engine:
        engine = super().engine()
        if engine is not self._watched:
            self._watched = engine
            event.listen(engine, "before_cursor_execute", self._at_statement)
            event.listen(engine, "commit", self._before_commit)
        return engine

    def read(self) -> Transaction:
        self._begin()
        return super().read()

    def write(self) -> Transaction:
        self._begin()
        return _Watched(self, self._begin_write, self.file_lock)

    def _begin(self) -> None:
        self.count += 1
        if self.count > MOST_TRANSACTIONS:
            raise Found("ends", f"one call began more than {MOST_TRANSACTIONS} transactions")
        self._cut_in()

    def _at_statement(self, *_: Any) -> None:
        if isinstance(self.dies_at, int):
            self.dies_at -= 1
            if self.dies_at < 0:
                raise Crashed

    def _before_commit(self, _: Connection) -> None:
        if self.dies_at == "before the commit":
            raise Crashed

    def after_commit(self) -> None:
        """Called as a transaction has been committed."""
        if self.dies_at == "after the commit":
            raise Crashed


class _Watched(Transaction):
    """A transaction after whose commit the process may die."""

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        super().__exit__(kind, error, trace)
        if kind is None and isinstance(self._database, Mortal):
            self._database.after_commit()


class Host:
    """A process that serves or settles; one that dies is there again at once, and remembers nothing."""

    def __init__(self, world: World, url: str, cut_in: Callable[["Host"], None], crash_share: float) -> None:
        self._world = world
        self._url = url
        self._cut_in = cut_in
        self._crash_share = crash_share
        self.crash_count = 0
        self._start()

    def _start(self) -> None:
        self._db = Mortal(self._url, lambda: self._cut_in(self))
        self._house = House(self._db, self._world.wall_ms, self._world.random_hex)

    def call(self, work: Callable[[House], _Answer], lost_share: float = 0.0) -> _Answer:
        """What `work` answers, or how it is refused.

        Raises Lost where the process died in it, or the answer did not arrive; Found for what nobody may be told.
        """
        world, db = self._world, self._db
        db.count = 0
        if world.happens(self._crash_share):
            db.dies_at = world.chance.choice(
                [world.chance.randrange(STATEMENTS), "before the commit", "after the commit"]
            )
        try:
            answer = work(self._house)
        except Crashed as crashed:
            self.crash_count += 1
            self.stop()
            self._start()
            raise Lost from crashed
        except (Refused, RefusedAtHand, Found):
            raise
        except Exception as error:
            raise Found("raised", f"{type(error).__name__}: {error}") from error
        finally:
            db.dies_at = None
        if world.happens(lost_share):
            raise Lost
        return answer

    def tries(self, work: Callable[[House], object]) -> None:
        """As `call`, where nobody waits for an answer."""
        with suppress(Lost):
            self.call(work)

    def stop(self) -> None:
        """Let go of the file."""
        self._db.close()
