"""Times as text."""

from datetime import UTC, datetime
from functools import lru_cache


def moment(at_ms: int) -> str:
    """Epoch milliseconds as RFC 3339 UTC."""
    second, ms = divmod(at_ms, 1000)
    return f"{_to_the_second(second)}.{ms:03d}Z"


# An answer tells several times, and the next one some of them again.
@lru_cache(maxsize=1024)
def _to_the_second(at_s: int) -> str:
    return datetime.fromtimestamp(at_s, UTC).replace(tzinfo=None).isoformat()
