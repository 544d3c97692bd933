"""The service with its time, ids and secrets held fixed, so that the same requests get the same bytes."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from ginapi.api import create_app
from ginapi.config import Config
from ginapi.players import Choose, choose_by_level
from ginapi.service.house import House
from ginapi.service.limiting import Limiting
from ginapi.store.database import Database

START_MS = 1_790_000_000_000
REQUEST_ID = "a-fixed-request"


class Request(NamedTuple):
    """A request as it is sent; `body` is sent as it stands, or as JSON where it is no bytes."""

    method: str
    path: str
    body: Any = None
    headers: Mapping[str, str] = {}


class Told(NamedTuple):
    """Everything that an answer tells."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Fixed:
    """A service on a database of its own, whose time stands still until `now_ms` is set and whose chance is counted."""

    def __init__(self, url: str, choose: Choose = choose_by_level) -> None:
        self.now_ms = START_MS
        self.database = Database(url)
        self.drawn = Counter[int]()
        """How often a number of random bytes was drawn."""
        config = Config.from_env({"GINAPI_DATABASE_URL": url, "GINAPI_LOG_LEVEL": "CRITICAL"})
        house = House(self.database, lambda: self.now_ms, self._random_hex, choose)
        self._app = create_app(config, house)
        # As if about to end: a stream tells all that there is, and ends where it would wait.
        self._app.extensions["ginapi"].watch.is_stopping = lambda: True
        self._client = self._app.test_client(use_cookies=False)

    def _random_hex(self, count: int) -> str:
        # Counted by length, so that ids stay the same when something else comes to draw.
        self.drawn[count] += 1
        return hashlib.shake_256(f"{count}|{self.drawn[count]}".encode()).hexdigest(count)

    def ask(self, request: Request, token: str | None = None) -> Told:
        """What a request is answered with; `token` is sent as the bearer's where the request names none itself."""
        self._forget_requests()
        headers = {"X-Request-Id": REQUEST_ID, **request.headers}
        if token is not None:
            headers.setdefault("Authorization", f"Bearer {token}")
        sent: dict[str, Any] = {}
        if isinstance(request.body, bytes):
            sent["data"] = request.body
            headers.setdefault("Content-Type", "application/json")
        elif request.body is not None:
            sent["json"] = request.body
        response = self._client.open(request.path, method=request.method, headers=headers, **sent)
        return Told(response.status_code, tuple(sorted(response.headers.items())), response.data)

    def _forget_requests(self) -> None:
        """Each request is the first: how many came before would tell apart what is else the same."""
        held = self._app.extensions["ginapi"]
        limiting = Limiting(held.house, held.config.rate_limits, held.config.worker_count)
        self._app.extensions["ginapi"] = replace(held, limiting=limiting)

    def close(self) -> None:
        self.database.close()
