"""Where a list goes on, as text that is opaque to callers."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from typing import TypeVar

from ginapi.errors import Reason, Refused

_Item = TypeVar("_Item")


def cursor_at(*place: str | int) -> str:
    """The place as a cursor."""
    return urlsafe_b64encode(" ".join(map(str, place)).encode()).decode().rstrip("=")


def page_of(found: Sequence[_Item], limit: int, cursor_after: Callable[[_Item], str]) -> tuple[list[_Item], str | None]:
    """The first `limit` of what was found, and the cursor that goes on after them; None where no more was found."""
    page = list(found[:limit])
    return page, cursor_after(page[-1]) if len(found) > limit else None


def numbers_in(cursor: str, word: str, count: int) -> tuple[int, ...]:
    """The whole numbers of a cursor that begins with `word`. Raises `invalid_request` for any other."""
    try:
        first, *rest = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().split(" ")
        if first == word and len(rest) == count and all(one.isascii() and one.isdigit() for one in rest):
            return tuple(int(one[:30]) for one in rest)
    except ValueError:
        pass
    raise Refused(Reason.INVALID_REQUEST, "This is no cursor of this list.", (("/cursor", "Give `next` of a page."),))
