"""The house that the tables stand in: its database, its clock, and where chance comes from."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from ginapi.players import Choose, choose_by_level
from ginapi.store.database import Database


def wall_clock_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class House:
    """What every use case needs. Time and chance enter here, and nowhere else."""

    db: Database
    now_ms: Callable[[], int] = wall_clock_ms
    random_hex: Callable[[int], str] = secrets.token_hex
    """So many random bytes, as hex digits."""
    choose: Choose = choose_by_level
    """Who plays the computer's seats."""

    def new_table_id(self) -> str:
        return self.random_hex(10)

    def new_seed(self) -> str:
        return self.random_hex(32)

    def new_principal(self) -> str:
        return f"guest:{self.random_hex(16)}"

    def new_salt(self) -> bytes:
        return bytes.fromhex(self.random_hex(32))
