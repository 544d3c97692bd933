"""The house that the tables stand in: its database, its clock, its terms, and where chance comes from."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from sqlalchemy import Connection

from ginapi.config import Config
from ginapi.players import Choose, choose_by_level
from ginapi.store import clock
from ginapi.store.database import Database
from ginapi.tables.clock import ClockTerms

_DAY_MS = 24 * 3_600_000


def wall_clock_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Terms:
    """What new tables and accounts are given, where webhooks may lead, and for how long practice is kept."""

    coin_clock: ClockTerms
    online_clock: ClockTerms
    stakes: tuple[int, ...]
    welcome_coins: int
    webhook_private: bool
    practice_kept_ms: int
    """After so long in which nothing happened there a practice table is forgotten."""

    @classmethod
    def of(cls, config: Config) -> "Terms":
        """As the settings say."""
        coin_clock = ClockTerms(config.coin_move_ms, config.grace_ms, config.computer_turn_ms, config.deal_after_ms)
        online_clock = coin_clock._replace(move_ms=config.online_move_ms)
        kept_ms = config.practice_kept_days * _DAY_MS
        return cls(coin_clock, online_clock, config.stakes, config.welcome_coins, config.webhook_private, kept_ms)

    def clock_of(self, move_ms: int) -> ClockTerms:
        """The clock of a table whose creator asked for one (R21, R22)."""
        return self.coin_clock._replace(move_ms=move_ms)


@dataclass(frozen=True, slots=True)
class House:
    """What every use case needs. Time and chance enter here, and nowhere else."""

    db: Database
    now_ms: Callable[[], int] = wall_clock_ms
    random_hex: Callable[[int], str] = secrets.token_hex
    """So many random bytes, as hex digits."""
    choose: Choose = choose_by_level
    """Who plays the computer's seats, and for whoever lets the clock run out."""
    terms: Terms = field(default_factory=lambda: Terms.of(Config.from_env({})))

    @property
    def own_ms(self) -> int | None:
        """The time where it was given to this house to keep, and None where it is to be asked for."""
        return None if self.now_ms is wall_clock_ms else self.now_ms()

    def at(self, database_ms: int | None) -> int:
        """The time: the database's, which all hosts share, where it told one and the house keeps none of its own."""
        return self.now_ms() if database_ms is None or self.own_ms is not None else database_ms

    def now_in(self, tx: Connection) -> int:
        """The time in a transaction, as `at` says."""
        return self.at(clock.now_ms(tx))

    def new_table_id(self) -> str:
        return self.random_hex(10)

    def new_webhook_id(self) -> str:
        return self.random_hex(10)

    def new_invite(self) -> str:
        return self.random_hex(16)

    def new_seed(self) -> str:
        return self.random_hex(32)

    def new_principal(self, kind: str) -> str:
        return f"{kind}:{self.random_hex(16)}"

    def new_salt(self) -> bytes:
        return bytes.fromhex(self.random_hex(32))
