"""Streams as the tests open them, in process."""

from collections.abc import Iterator
from typing import Any

from werkzeug.test import TestResponse

from ginapi.api import schemas_events
from ginapi.store import log
from ginapi.tables.records import Record
from tests.api.caller import Api
from tests.api.shapes import check_object
from tests.streams.sse import Event, Reader, events_of


def path_of(table_id: str) -> str:
    return f"/v1/tables/{table_id}/events"


def ended(api: Api, table_id: str, token: str | None = None, after: int = 0, **given: Any) -> list[Event]:
    """The events of a stream that ends by itself, each of the shape of its kind."""
    answer = api.get(f"{path_of(table_id)}?after={after}", token, **given)
    assert (answer.status_code, answer.mimetype) == (200, "text/event-stream"), answer.text
    events = events_of(answer.data)
    for event in events:
        check_object(schemas_events.EVENTS[event.event](), event.data, event.event)
    return events


class Stream:
    """A stream that goes on: events are taken from it one at a time."""

    def __init__(self, api: Api, path: str, token: str | None = None, **headers: str) -> None:
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        self.answer: TestResponse = api.app.test_client().get(path, headers=headers)
        assert self.answer.status_code == 200, self.answer.text
        self.reader = Reader()
        self._events = self._read()

    def _read(self) -> Iterator[Event]:
        for piece in self.answer.iter_encoded():
            yield from self.reader.take(piece)

    def next(self) -> Event | None:
        """The next event, waited for; None where the stream ends."""
        return next(self._events, None)

    def take(self, count: int) -> list[Event]:
        return [event for event in (self.next() for _ in range(count)) if event is not None]

    def rest(self) -> list[Event]:
        return list(self._events)

    def close(self) -> None:
        self.answer.close()


def records_of(api: Api, table_id: str) -> list[Record]:
    """The log as it is stored."""
    with api.database.read() as tx:
        return log.find_records(tx, table_id)
