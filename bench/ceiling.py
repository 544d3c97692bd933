"""How fast a move could be if there were no game: flask under the same gunicorn, and three statements committed.

`/core` sends them as the product does, prebuilt SQLAlchemy Core statements on the product's own connections;
`/driver` sends the same three through the bare driver. To a client both look like a hand of gin rummy, and rows and
answers are about as large as real ones. Served by `python -m bench.moves`.
"""

import os
import secrets
import threading
from contextlib import nullcontext
from typing import Any

import orjson
from flask import Flask, Response, request
from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, Text, bindparam, insert, select, update

from ginapi.config import Config
from ginapi.game.cards import CARD_TEXTS
from ginapi.store.database import Database

MOVES_A_HAND = 24

metadata = MetaData()
hands = Table(
    "ceiling_hands",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("state", Text, nullable=False),
)
records = Table(
    "ceiling_records",
    metadata,
    Column("hand_id", String(32), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("body", Text, nullable=False),
)

OPEN = insert(hands)
# As the product locks a table: the row against other writers. SQLite has no such clause and is sent none.
FIND = select(hands.c.version, hands.c.state).where(hands.c.id == bindparam("hand_id")).with_for_update(key_share=True)
SAVE = (
    update(hands)
    .where(hands.c.id == bindparam("hand_id"), hands.c.version == bindparam("stood_at"))
    .values(version=bindparam("version"), state=bindparam("state"))
)
APPEND = insert(records)

ANSWER: dict[str, Any] = {
    "id": "0123456789abcdef0123-1",
    "table_id": "0123456789abcdef0123",
    "number": 1,
    "version": 0,
    "seat": 0,
    "opener": 0,
    "phase": "discard",
    "turn": 0,
    "cards": CARD_TEXTS[:11],
    "melds": [CARD_TEXTS[0:3], CARD_TEXTS[3:6]],
    "deadwood": 43,
    "just_taken": None,
    "drawn_card": "Jd",
    "opponent": {"cards_count": 10, "known_cards": CARD_TEXTS[20:21]},
    "stock_count": 19,
    "discard_pile": CARD_TEXTS[30:42],
    "knock": None,
    "legal_moves": [{"action": "discard", "card": card} for card in CARD_TEXTS[:7]],
    "clock": None,
    "scores": [0, 0],
    "target": 100,
    "result": None,
    "commitment": "0" * 64,
    "next_hand_id": None,
    "next_hand_at": None,
    "server_time": "2000-01-01T00:00:00.000Z",
    "played": [
        {"version": 3, "seat": 0, "by": "player", "action": "discard", "at": "2000-01-01T00:00:00.000Z", "card": "Kd"},
        {"version": 4, "seat": 1, "by": "computer", "action": "draw", "at": "2000-01-01T00:00:00.000Z"},
    ],
}
"""Shaped like a hand in the middle of play, and as long as one is on average: half of them offer two moves only."""
STATE = "s" * 700
RECORD = "r" * 150
"""As long as a table's row and one record with their small columns: longer ones would flatter the product."""

app = Flask(__name__)
database = Database(Config.from_env(os.environ).database_url)
with database.write() as tx:
    metadata.create_all(tx)


def answer(hand_id: str, version: int, status: int) -> Response:
    """A hand as the client sees it, over after as many moves as a real one takes."""
    phase = "finished" if version >= MOVES_A_HAND else "discard"
    hand = ANSWER | {"id": hand_id, "version": version, "phase": phase}
    return Response(orjson.dumps(hand), status, content_type="application/json")


@app.post("/core/hands")
@app.post("/driver/hands")
def open_hand() -> Response:
    hand_id = secrets.token_hex(10)
    with database.write() as tx:
        tx.execute(OPEN, {"id": hand_id, "version": 0, "state": STATE})
    return answer(hand_id, 0, 201)


@app.post("/core/hands/<hand_id>/moves")
def move_by_core(hand_id: str) -> Response:
    move = request.get_json()
    with database.write() as tx:
        version, state = tx.execute(FIND, {"hand_id": hand_id}).one()
        saved = {"hand_id": hand_id, "stood_at": version, "version": version + 1, "state": state}
        if tx.execute(SAVE, saved).rowcount != 1:
            raise RuntimeError(f"{move} found another version.")
        tx.execute(APPEND, {"hand_id": hand_id, "version": version + 1, "body": RECORD})
    return answer(hand_id, version + 1, 200)


MARK = "?" if database.is_sqlite else "%s"
BEGIN = "BEGIN IMMEDIATE" if database.is_sqlite else "BEGIN"
LOCK = "" if database.is_sqlite else " FOR NO KEY UPDATE"
FIND_SQL = f"SELECT version, state FROM ceiling_hands WHERE id = {MARK}{LOCK}"
SAVE_SQL = f"UPDATE ceiling_hands SET version = {MARK}, state = {MARK} WHERE id = {MARK} AND version = {MARK}"
APPEND_SQL = f"INSERT INTO ceiling_records (hand_id, version, body) VALUES ({MARK}, {MARK}, {MARK})"

# SQLite's own way of waiting for another writer is to sleep; with one worker a lock in the process does it better.
one_writer = threading.Lock() if database.is_sqlite else nullcontext()
spare: list[Any] = []
"""Connections of the driver that no request uses: the last one given back is taken first, as from the pool."""
kept: list[Connection] = []
"""What SQLAlchemy holds those connections by; given up, they would go back to the pool."""


@app.post("/driver/hands/<hand_id>/moves")
def move_by_driver(hand_id: str) -> Response:
    move = request.get_json()
    connection = spare.pop() if spare else taken_from_pool()
    cursor = connection.cursor()
    with one_writer:
        cursor.execute(BEGIN)
        cursor.execute(FIND_SQL, (hand_id,))
        version, state = cursor.fetchone()
        cursor.execute(SAVE_SQL, (version + 1, state, hand_id, version))
        if cursor.rowcount != 1:
            raise RuntimeError(f"{move} found another version.")
        cursor.execute(APPEND_SQL, (hand_id, version + 1, RECORD))
        cursor.execute("COMMIT")
    cursor.close()
    spare.append(connection)
    return answer(hand_id, version + 1, 200)


def taken_from_pool() -> Any:
    """A connection of the driver, set up as the product's are; the pool does not get it back."""
    connection = database.connect()
    kept.append(connection)
    return connection.connection.driver_connection
