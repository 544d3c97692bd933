"""What an audit says of one thing that it looked at."""

from dataclasses import dataclass

LEDGER = "ledger"
"""The name of the ledger as a whole; tables and accounts go by their ids."""


@dataclass(frozen=True, slots=True)
class Audited:
    """A table, an account or the ledger, and what is wrong with it."""

    name: str
    faults: tuple[str, ...]
