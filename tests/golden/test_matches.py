"""A whole seeded match at each level, with everything that the API tells of it, held against the text kept here.

After a change that is meant to show, write the texts anew with `GINAPI_TEST_GOLDEN=write` in the environment, read the
difference, and commit both.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ginapi.players import LEVELS
from tests.fixed import Fixed, Request, Told

FOLDER = Path(__file__).parent
WRITE = os.environ.get("GINAPI_TEST_GOLDEN") == "write"
TARGET = 60
TERMS = {"seed": "golden", "target": TARGET}
BETWEEN_MS = 1_500
MOST_REQUESTS = 2_000
# `played` is printed by itself, the time of an answer is in its records, and a token is for nobody to keep.
LEFT_OUT = ("played", "server_time", "token")


def person_move(hand: dict[str, Any]) -> dict[str, Any]:
    """A small fixed policy that knows the answer alone: it takes what makes a set, knocks first, sheds the dearest."""
    moves: dict[tuple[str, str | None], dict[str, Any]] = {
        (move["action"], move.get("from") or move.get("card")): move for move in hand["legal_moves"]
    }
    if hand["phase"] == "draw":
        top = hand["discard_pile"][-1]
        pairs = sum(card[0] == top[0] for card in hand["cards"])
        return moves["draw", "discard" if pairs >= 2 else "stock"]
    knocks = [move for (action, _), move in moves.items() if action == "knock"]
    if hand["phase"] == "layoff" or knocks:
        return knocks[0] if knocks else moves["layoff", None]
    loose = set(hand["cards"]) - {card for meld in hand["melds"] for card in meld}
    sheds = [move["card"] for move in hand["legal_moves"] if move["action"] == "discard"]
    return moves["discard", max(sheds, key=lambda card: (card in loose, "A23456789TJQK".index(card[0]), card))]


def changes(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """A line for each field that an answer has and the one before had not, in the answer's order."""
    for name, value in after.items():
        if name not in LEFT_OUT and (name not in before or before[name] != value):
            yield f"  {name}: {spelled(value) if name == 'legal_moves' else json.dumps(value)}"


def spelled(moves: list[dict[str, str]]) -> str:
    """Moves by their words alone: they are most of what a hand has to say."""
    return ", ".join(" ".join(move.values()) for move in moves)


class Match:
    """The requests of one match, and what each was answered with, as lines."""

    def __init__(self, fixed: Fixed) -> None:
        self._fixed = fixed
        self._token: str | None = None
        self._hand: dict[str, Any] = {}
        self.lines: list[str] = []

    def play(self, level: str) -> None:
        """Open a table, play to the end of the match, and read back its records and the table."""
        hand = self._post("/v1/hands", {**TERMS, "level": level})
        for _ in range(MOST_REQUESTS):
            if hand["phase"] != "finished":
                hand = self._post(f"/v1/hands/{hand['id']}/moves", person_move(hand))
            elif max(hand["scores"]) < TARGET:
                hand = self._post(f"/v1/tables/{hand['table_id']}/hands", {})
            else:
                break
        for number in range(1, hand["number"] + 1):
            text = self._ask("GET", f"/v1/hands/{hand['table_id']}-{number}/record").body.decode()
            self.lines += [f"  {line}" for line in text.splitlines()]
        table = self._ask("GET", f"/v1/tables/{hand['table_id']}").json
        self.lines += changes({}, table)

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        hand: dict[str, Any] = self._ask("POST", path, body).json
        self._token = self._token or hand["token"]
        self.lines += [f"  + {json.dumps(record)}" for record in hand["played"]]
        self.lines += changes(self._hand, hand)
        self._hand = hand
        return hand

    def _ask(self, method: str, path: str, body: Any = None) -> Told:
        self._fixed.now_ms += BETWEEN_MS
        told = self._fixed.ask(Request(method, path, body), self._token)
        tags = "".join(f" {value}" for name, value in told.headers if name == "ETag")
        sent = "" if body is None else f" {json.dumps(body)}"
        self.lines.append(f"{method} {path}{sent} -> {told.status}{tags}")
        assert told.status < 300, told
        return told


@pytest.mark.parametrize("level", LEVELS)
def test_a_seeded_match_is_told_as_it_is_kept(level: str, database_url: str) -> None:
    fixed = Fixed(database_url)
    match = Match(fixed)
    match.play(level)
    fixed.close()
    text, path = "".join(f"{line}\n" for line in match.lines), FOLDER / f"{level}.txt"
    if WRITE:
        path.write_text(text)
    assert text.splitlines() == path.read_text().splitlines()
