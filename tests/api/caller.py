"""Who calls the API in the tests: requests in process, each answer held against the shape of its route."""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from flask.testing import FlaskClient
from sqlalchemy import event, select
from werkzeug.test import TestResponse

from ginapi.api import create_app
from ginapi.config import Config
from ginapi.game.cards import card_text
from ginapi.game.moves import Discard, Draw, LayOff
from ginapi.players import Choose, choose_by_level
from ginapi.service.house import House
from ginapi.store import schema
from ginapi.store.database import Database
from tests.api.shapes import check_problem, check_shape
from tests.game.stacked import stacked

DAY_MS = 24 * 3_600_000
BEGAN_MS = 1_790_000_000_000


class Clock:
    """The house's time: it stands still until it is set."""

    def __init__(self) -> None:
        self.now_ms = BEGAN_MS

    def __call__(self) -> int:
        return self.now_ms


class Api:
    """The service on one database, and requests to it. `choose` may be set while it runs."""

    def __init__(self, database_url: str, choose: Choose = choose_by_level, **settings: str) -> None:
        self.clock = Clock()
        self.choose = choose
        self.database = Database(database_url)
        self.house = House(self.database, now_ms=self.clock, choose=lambda *asked: self.choose(*asked))
        environ = {"GINAPI_DATABASE_URL": database_url, "GINAPI_LOG_LEVEL": "CRITICAL", **settings}
        self.app = create_app(Config.from_env(environ), self.house)
        self.http: FlaskClient = self.app.test_client()

    def start_anew(self) -> None:
        """Time and the second seat as they were at first."""
        self.clock.now_ms = BEGAN_MS
        self.choose = choose_by_level

    def close(self) -> None:
        self.database.close()

    def ask(
        self, method: str, path: str, body: Any = None, *, token: str | None = None, key: str | None = None,
        if_match: str | None = None, headers: dict[str, str] | None = None, **sent: Any,
    ) -> TestResponse:  # fmt: skip
        """The answer; `body` goes as JSON, anything else that the test client takes in `sent`."""
        given = {"Authorization": token and f"Bearer {token}", "Idempotency-Key": key, "If-Match": if_match}
        all_headers = {name: value for name, value in given.items() if value is not None} | (headers or {})
        if body is not None:
            sent = {"data": json.dumps(body), "content_type": "application/json"} | sent
        answer = self.http.open(path, method=method, headers=all_headers, **sent)
        if answer.status_code >= 400:
            check_problem(answer.status_code, answer.content_type, answer.json)
            assert answer.json["request_id"] == answer.headers["X-Request-Id"]
        elif answer.is_json:
            check_shape(method, path.partition("?")[0], answer.json)
        return answer

    def get(self, path: str, token: str | None = None, **given: Any) -> TestResponse:
        return self.ask("GET", path, token=token, **given)

    def post(self, path: str, body: Any = None, token: str | None = None, **given: Any) -> TestResponse:
        return self.ask("POST", path, body, token=token, **given)

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """Everything that the database holds, besides how many requests there were: refused ones count too."""
        with self.database.read() as tx:
            return {
                table.name: sorted((tuple(row) for row in tx.execute(select(table))), key=repr)
                for table in schema.metadata.sorted_tables
                if table is not schema.limits
            }

    @contextmanager
    def statements(self) -> Iterator[list[str]]:
        """The statements sent to the database meanwhile, besides BEGIN, COMMIT and ROLLBACK."""
        with self.database.read() as tx:
            engine = tx.engine
        sent: list[str] = []

        def note(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
            sent.append(statement)

        event.listen(engine, "before_cursor_execute", note)
        try:
            yield sent
        finally:
            event.remove(engine, "before_cursor_execute", note)


class Player:
    """One who has opened a practice table: `hand` is the newest view of the hand, `token` speaks for the seat."""

    def __init__(self, api: Api, token: str | None = None, **terms: Any) -> None:
        self.api = api
        answer = api.post("/v1/hands", terms, token)
        assert answer.status_code == 201, answer.text
        self.opened: dict[str, Any] = answer.json
        self.token: str = token or self.opened["token"]
        self.hand: dict[str, Any] = self.opened

    @property
    def hand_path(self) -> str:
        return f"/v1/hands/{self.hand['id']}"

    @property
    def table_path(self) -> str:
        return f"/v1/tables/{self.hand['table_id']}"

    def post(self, move: Any, **given: Any) -> TestResponse:
        """The answer to a move, whatever it is."""
        return self.api.post(f"{self.hand_path}/moves", move, self.token, **given)

    def move(self, action: str, **of_move: Any) -> dict[str, Any]:
        """Make a move that is taken; a draw's `from` is given as `source`."""
        if "source" in of_move:
            of_move["from"] = of_move.pop("source")
        answer = self.post({"action": action, **of_move})
        assert answer.status_code == 200, answer.text
        self.hand = answer.json
        return self.hand

    def see(self, **given: Any) -> TestResponse:
        return self.api.get(self.hand_path, self.token, **given)

    def table(self) -> dict[str, Any]:
        table: dict[str, Any] = self.api.get(self.table_path, self.token).json
        return table

    def deal(self, body: Any = None, **given: Any) -> TestResponse:
        answer = self.api.post(f"{self.table_path}/hands", body, self.token, **given)
        if answer.status_code == 201:
            self.hand = answer.json
        return answer

    def leave(self, **given: Any) -> TestResponse:
        return self.api.post(f"{self.table_path}/leave", None, self.token, **given)

    def play_out(self, choose: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
        """Play the hand to its end by what `choose` makes of each view; the finished hand."""
        while self.hand["phase"] != "finished":
            move = dict(choose(self.hand))
            self.move(move.pop("action"), **move)
        return self.hand


def keen(hand: dict[str, Any]) -> dict[str, Any]:
    """A move out of `legal_moves`: a knock as soon as there is one, else the dearest loose card shed."""
    legal: list[dict[str, Any]] = hand["legal_moves"]
    knocks = [move for move in legal if move["action"] == "knock"]
    if knocks or len(legal) == 1 or hand["phase"] in ("offer", "draw"):
        return knocks[0] if knocks else legal[0]
    melded = {card for meld in hand["melds"] for card in meld}
    loose = [move for move in legal if move["card"] not in melded]
    return max(loose or legal, key=lambda move: "A23456789TJQK".index(move["card"][0]))


def opens(hand: dict[str, Any]) -> bool:
    """Whether the commitment is the hash that the contract says, counted here anew."""
    dealt = hand["result"]["deal"]
    text = f"{hand['id']}|{dealt['salt']}|{' '.join(dealt['deck'])}"
    return hashlib.sha256(text.encode()).hexdigest() == hand["commitment"]


def deck(*tens_and_rest: str, **named: str) -> list[str]:
    """`tests.game.stacked.stacked` as the contract writes a deck."""
    return [card_text(card) for card in stacked(*tens_and_rest, **named)]


def drawer(level: str, view: Any, draw_number: Any) -> Any:
    """A second seat that never knocks and sheds what it drew: it changes nothing."""
    if view.phase == "draw":
        return Draw("stock")
    return LayOff() if view.phase == "layoff" else Discard(view.drawn_card)
