"""The `ginapi` command: what it prints, how it ends, and that its audit finds what was tampered with."""

import json
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text

from ginapi.api import create_app
from ginapi.cli import main
from ginapi.config import Config
from ginapi.game.notation import read, replay
from ginapi.service.house import House
from ginapi.store.database import Database
from ginapi.store.migrate import schema_fault
from tests.conftest import KINDS, Databases

OPENAPI = Path(__file__).parent.parent / "openapi.yaml"


def run(url: str, *arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), env={"GINAPI_DATABASE_URL": url})


@dataclass(frozen=True, slots=True)
class Played:
    """A database with a table whose first hand is over and whose second runs, and one that was left."""

    database: Database
    url: str
    table_id: str
    left_id: str

    def change(self, statement: str, **values: Any) -> None:
        """Do to the rows what the service never does."""
        with self.database.write() as tx:
            assert tx.execute(text(statement), {"id": self.table_id, **values}).rowcount == 1

    def row(self, query: str) -> Any:
        with self.database.read() as tx:
            return tx.execute(text(query), {"id": self.table_id}).first()


def play(database: Database, url: str) -> Played:
    """The same hands whenever it is called: the second table's cards are chance, and nobody plays with them."""
    client = create_app(Config.from_env({"GINAPI_DATABASE_URL": url}), House(database)).test_client()
    hand = finished(client, random.Random(1), {"level": "easy", "target": 1000, "seed": "cli"})
    assert hand["result"]["winner"] is not None
    headers = {"Authorization": f"Bearer {hand.pop('token')}"}
    assert client.post(f"/v1/tables/{hand['table_id']}/hands", headers=headers).status_code == 201
    left = client.post("/v1/hands").json
    leave = client.post(f"/v1/tables/{left['table_id']}/leave", headers={"Authorization": f"Bearer {left['token']}"})
    assert leave.status_code == 200
    return Played(database, url, hand["table_id"], left["table_id"])


@pytest.fixture
def played(database: Database, database_url: str) -> Played:
    return play(database, database_url)


@pytest.fixture(scope="module")
def original(make_database: Databases) -> Played:
    """A file to make copies of."""
    url = make_database("sqlite")
    database = Database(url)
    played = play(database, url)
    database.close()
    return played


@pytest.fixture
def copy(original: Played, tmp_path: Path) -> Iterator[Played]:
    """A copy to tamper with: what an audit finds does not depend on the kind of database."""
    shutil.copy(original.url.removeprefix("sqlite:///"), tmp_path / "copy.db")
    url = f"sqlite:///{tmp_path / 'copy.db'}"
    database = Database(url)
    yield Played(database, url, original.table_id, original.left_id)
    database.close()


def finished(client: Any, chance: random.Random, terms: dict[str, Any]) -> dict[str, Any]:
    """A hand that was opened on these terms and played to its end, with its caller's token."""
    hand = client.post("/v1/hands", json=terms).json
    headers = {"Authorization": f"Bearer {hand['token']}"}
    token = hand["token"]
    while hand["phase"] != "finished":
        knocks = [move for move in hand["legal_moves"] if move["action"] == "knock"]
        move = chance.choice(knocks or hand["legal_moves"])
        hand = client.post(f"/v1/hands/{hand['id']}/moves", json=move, headers=headers).json
    return {**hand, "token": token}


def test_openapi_writes_the_document_that_is_kept() -> None:
    ran = CliRunner().invoke(main, ["openapi"])
    assert (ran.exit_code, ran.stdout) == (0, OPENAPI.read_text())


@pytest.mark.parametrize("kind", KINDS)
def test_migrate_brings_the_schema_and_a_second_time_finds_it_there(make_database: Databases, kind: str) -> None:
    url = make_database(kind, migrated=False)
    behind = run(url, "audit")
    assert behind.exit_code == 1 and "run `ginapi migrate`" in behind.stderr
    for _ in range(2):
        ran = run(url, "migrate")
        assert (ran.exit_code, ran.output) == (0, "")
    database = Database(url)
    assert schema_fault(database) is None
    database.close()


@pytest.mark.parametrize("command", [["migrate"], ["audit"], ["replay", "3f2a9c0d1e4b5a687790-1"]])
@pytest.mark.parametrize("url", ["sqlite:////no/such/folder/x.db", "postgresql://x:secret@127.0.0.1:1/y", "mysql://x"])
def test_a_database_that_cannot_be_had_is_one_line_and_no_success(command: list[str], url: str) -> None:
    ran = run(url, *command)
    assert ran.exit_code == 1 and isinstance(ran.exception, SystemExit)
    assert len(ran.stderr.splitlines()) == 1 and "secret" not in ran.output


def test_replay_writes_the_record_of_a_finished_hand(played: Played) -> None:
    ran = run(played.url, "replay", f"{played.table_id}-1")
    assert ran.exit_code == 0
    record = read(ran.stdout)
    assert record.hand_id == f"{played.table_id}-1"
    assert replay(record).result is not None


@pytest.mark.parametrize("hand", ["2", "3", "0", "x"])
def test_replay_refuses_a_hand_that_is_not_finished(played: Played, hand: str) -> None:
    ran = run(played.url, "replay", f"{played.table_id}-{hand}")
    assert ran.exit_code == 1
    assert ran.stderr == f"Error: There is no finished hand {played.table_id}-{hand}.\n"


def test_replay_says_where_a_record_cannot_be_played(played: Played) -> None:
    played.change("DELETE FROM records WHERE table_id = :id AND hand_number = 1 AND version = 3 AND event = 'move'")
    ran = run(played.url, "replay", f"{played.table_id}-1")
    assert ran.exit_code == 1 and isinstance(ran.exception, SystemExit)
    assert ran.stderr.startswith(f"Error: {played.table_id}-1: ")


def test_audit_finds_nothing_where_nothing_was_done(played: Played) -> None:
    ran = run(played.url, "audit")
    assert (ran.exit_code, ran.stdout, ran.stderr) == (0, "", "2 tables and accounts, 0 faults\n")


def in_json(column: str, table: str, where: str, change: Callable[[dict[str, Any]], None]) -> Callable[[Played], None]:
    """A tampering with one JSON text."""

    def tamper(played: Played) -> None:
        (before,) = played.row(f"SELECT {column} FROM {table} WHERE {where}")
        state = json.loads(before)
        change(state)
        assert json.loads(before) != state
        played.change(f"UPDATE {table} SET {column} = :new WHERE {where}", new=json.dumps(state))

    return tamper


def in_sql(statement: str) -> Callable[[Played], None]:
    return lambda played: played.change(statement)


def another_card(body: dict[str, Any]) -> None:
    body["card"] = "As" if body["card"] != "As" else "Ks"


FIRST_SHED = "table_id = :id AND number = (SELECT min(number) FROM records WHERE table_id = :id AND action = 'discard')"
DEAL = "table_id = :id AND hand_number = 1 AND event = 'dealt'"
RESULT = "table_id = :id AND hand_number = 1 AND event = 'result'"
FINISHED = "table_id = :id AND number = 1"
RUNNING = "id = :id"
TAMPERINGS: dict[str, Callable[[Played], None]] = {
    "a record's card changed": in_json("body", "records", FIRST_SHED, another_card),
    "a record's card that is none": in_json("body", "records", FIRST_SHED, lambda body: body.update(card="Xx")),
    "a record's card missing": in_json("body", "records", FIRST_SHED, lambda body: body.pop("card")),
    "a record's seat changed": in_sql(f"UPDATE records SET seat = 1 - seat WHERE {FIRST_SHED}"),
    "a record's action changed": in_sql(f"UPDATE records SET action = 'draw' WHERE {FIRST_SHED}"),
    "a record's version changed": in_sql(f"UPDATE records SET version = 900 WHERE {FIRST_SHED}"),
    "a record moved to another hand": in_sql(f"UPDATE records SET hand_number = 2 WHERE {FIRST_SHED}"),
    "a move's record removed": in_sql(f"DELETE FROM records WHERE {FIRST_SHED}"),
    "a deal's record removed": in_sql(f"DELETE FROM records WHERE {DEAL}"),
    "a result's record removed": in_sql(f"DELETE FROM records WHERE {RESULT}"),
    "a record added": in_sql(
        "INSERT INTO records (table_id, number, event, at_ms, body) VALUES (:id, 9000, 'seat', 1, '{}')"
    ),
    "a deal's salt changed": in_json("body", "records", DEAL, lambda body: body.update(salt="00" * 32)),
    "a deal's commitment changed": in_json("body", "records", DEAL, lambda body: body.update(commitment="00" * 32)),
    "a deal's deck changed": in_json("body", "records", DEAL, lambda body: body["deck"].reverse()),
    "a result's points changed": in_json("body", "records", RESULT, lambda body: body.update(points=1)),
    "the score sheet's points changed": in_sql(f"UPDATE hands SET points = points + 1 WHERE {FINISHED}"),
    "the score sheet's winner changed": in_sql(f"UPDATE hands SET winner = 1 - winner WHERE {FINISHED}"),
    "a finished hand removed": in_sql(f"DELETE FROM hands WHERE {FINISHED}"),
    "a finished hand's points changed": in_json(
        "state", "hands", FINISHED, lambda state: state["result"].update(points=state["result"]["points"] + 1)
    ),
    "a finished hand's cards changed": in_json("state", "hands", FINISHED, lambda state: state["cards"].reverse()),
    "a finished hand's commitment changed": in_json(
        "state", "hands", FINISHED, lambda state: state.update(commitment="00" * 32)
    ),
    "a finished hand's salt changed": in_json("state", "hands", FINISHED, lambda state: state.update(salt="00" * 32)),
    "a finished hand's deck changed": in_json("state", "hands", FINISHED, lambda state: state["deck"].reverse()),
    "the score before a hand changed": in_json(
        "hand", "tables", RUNNING, lambda state: state.update(scores_before=[99, 0])
    ),
    "the running hand's cards changed": in_json("hand", "tables", RUNNING, lambda state: state["cards"].reverse()),
    "the running hand's stock changed": in_json("hand", "tables", RUNNING, lambda state: state["deck"].reverse()),
    "the running hand's turn changed": in_json(
        "hand", "tables", RUNNING, lambda state: state.update(turn=1 - state["turn"])
    ),
    "the running hand's commitment changed": in_json(
        "hand", "tables", RUNNING, lambda state: state.update(commitment="00" * 32)
    ),
    "the table's version changed": in_sql("UPDATE tables SET version = version + 1 WHERE id = :id"),
    "the match won by nobody's play": in_sql(
        "UPDATE tables SET status = 'finished', winner = 0, ended = 'target' WHERE id = :id"
    ),
    "the match left by nobody": in_sql(
        "UPDATE tables SET status = 'finished', winner = 0, ended = 'left' WHERE id = :id"
    ),
}


@pytest.mark.parametrize("tampering", TAMPERINGS)
def test_audit_finds(copy: Played, tampering: str) -> None:
    TAMPERINGS[tampering](copy)
    ran = run(copy.url, "audit")
    assert ran.exit_code == 1 and isinstance(ran.exception, SystemExit), ran.exception
    assert ran.stdout and all(line.startswith(f"{copy.table_id}: ") for line in ran.stdout.splitlines())
    assert ran.stderr == f"2 tables and accounts, {len(ran.stdout.splitlines())} faults\n"
