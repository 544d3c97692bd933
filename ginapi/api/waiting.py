"""Long polls: a view that is answered once it is due, or at the end of the wait as it then is."""

import math
import time
from collections.abc import Callable
from typing import TypeVar

from ginapi.api.current import watch

_Seen = TypeVar("_Seen")


def in_time(
    seen: _Seen,
    look: Callable[[], _Seen],
    is_due: Callable[[_Seen], bool],
    log_at: Callable[[_Seen], tuple[str, int]],
    wait_ms: int,
) -> _Seen:
    """`seen` where it is due already, else what `look` gives once it is; `log_at` gives a view's table and version.

    What is waited for may lie more than one record on.
    """
    until = time.monotonic() + wait_ms / 1000
    while not is_due(seen):
        left_ms = math.ceil((until - time.monotonic()) * 1000)
        if left_ms <= 0:
            break
        passed = watch().wait(*log_at(seen), left_ms)
        seen = look()
        if not passed:
            break
    return seen
