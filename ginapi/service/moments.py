"""Times as text."""

from datetime import UTC, datetime


def moment(at_ms: int) -> str:
    """Epoch milliseconds as RFC 3339 UTC."""
    second, ms = divmod(at_ms, 1000)
    return f"{datetime.fromtimestamp(second, UTC).replace(tzinfo=None).isoformat()}.{ms:03d}Z"
