"""What schemathesis cannot know of the API."""

import re
import secrets
from typing import Any
from urllib.parse import urlencode

import schemathesis

# gunicorn reads request lines up to 4094 bytes; a longer one it refuses itself, before the API sees it.
_QUERY_BYTES = 3500
_KEY = re.compile(r"[!-~]{1,200}")


@schemathesis.hook
def filter_query(context: schemathesis.HookContext, query: Any) -> bool:
    """Leave out a query that never gets as far as the API."""
    return not isinstance(query, dict) or len(urlencode(query, doseq=True)) <= _QUERY_BYTES


@schemathesis.hook
def before_call(context: schemathesis.HookContext, case: schemathesis.Case, kwargs: dict[str, Any]) -> None:
    """Make a key that would be taken one that nobody sent before: with another body it would be refused as reused."""
    key = (case.headers or {}).get("Idempotency-Key")
    if key is not None and _KEY.fullmatch(str(key)):
        case.headers["Idempotency-Key"] = f"{key}{secrets.token_hex(8)}"
    if isinstance(case.body, dict):
        case.body = _whole(case.body)


def _whole(value: Any) -> Any:
    """5.0 as 5: to JSON Schema it is an integer, and this API takes no whole number that is written with a fraction."""
    if isinstance(value, dict):
        return {name: _whole(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_whole(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
