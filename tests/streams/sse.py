"""Server-sent events as their standard has a browser read them, and nothing of the product."""

import json
from typing import Any, NamedTuple


class Event(NamedTuple):
    """An event as a page would be given it."""

    id: str
    event: str
    data: Any


class Reader:
    """Takes a stream in pieces, wherever it is cut, and gives the events that are whole."""

    def __init__(self) -> None:
        self._rest = b""
        self._fields: dict[str, str] = {}
        self.last_id = ""
        self.retry: int | None = None
        self.comments = 0

    def take(self, piece: bytes) -> list[Event]:
        *lines, self._rest = (self._rest + piece).split(b"\n")
        events = []
        for line in lines:
            event = self._line(line.decode())
            if event is not None:
                events.append(event)
        return events

    def _line(self, line: str) -> Event | None:
        if not line:
            fields, self._fields = self._fields, {}
            self.last_id = fields.get("id", self.last_id)
            if "data" not in fields:
                return None
            return Event(self.last_id, fields.get("event", "message"), json.loads(fields["data"]))
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not name:
            self.comments += 1
        elif name == "retry":
            self.retry = int(value)
        else:
            assert name in ("id", "event", "data"), line
            # Each stands once: the data is one line.
            assert name not in self._fields, line
            self._fields[name] = value
        return None

    @property
    def is_whole(self) -> bool:
        """Whether nothing has begun that has not ended."""
        return not self._rest and not self._fields


def events_of(text: bytes) -> list[Event]:
    """The events of a stream that has ended."""
    reader = Reader()
    events = reader.take(text)
    assert reader.is_whole, text[-200:]
    return events
