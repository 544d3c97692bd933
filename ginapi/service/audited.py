"""What an audit says of one thing that it looked at."""

from dataclasses import dataclass

LEDGER = "ledger"
STANDINGS = "standings"
WHOLES = (LEDGER, STANDINGS)
"""The names of what is looked at as a whole; tables and accounts go by their ids."""


@dataclass(frozen=True, slots=True)
class Audited:
    """A table, an account, the ledger or all standings, and what is wrong with it."""

    name: str
    faults: tuple[str, ...]

    @property
    def told(self) -> tuple[str, ...]:
        """The faults, each a line that says of what."""
        return tuple(f"{self.name}: {fault}" for fault in self.faults)
