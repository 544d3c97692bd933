"""A process that moves at tables as their time runs out, and says how each race went, as lines of JSON.

`python -m tests.clock.racing URL` reads a line of JSON with the races that it is to run: the number of a table, when
to move there, and whether to say which version it decided on.
"""

import json
import sys
import time
from typing import Any

from ginapi.errors import Refused
from ginapi.game.moves import Draw
from ginapi.service import hands
from ginapi.service.asking import Answer, Ask
from ginapi.service.house import House, wall_clock_ms
from ginapi.service.seen import RefusedAtHand, SeenHand
from ginapi.store.database import Database
from ginapi.tables.records import Record
from tests.clock.stored import table_id, token_of


def answer(seen: SeenHand, played: tuple[Record, ...]) -> Answer:
    return Answer(200, {"version": seen.view.version, "by": [one.by for one in played], "at_ms": played[0].at_ms})


def race(house: House, number: int, decided_on: frozenset[int] | None) -> dict[str, Any]:
    """Draw from the stock, as the first move of a hand; how that went."""
    hand_id, ask = f"{table_id(number)}-1", Ask(token_of(number), "POST", "", {})
    told: dict[str, Any] = {"number": number, "sent_ms": wall_clock_ms()}
    try:
        told |= hands.move(house, ask, hand_id, lambda: Draw("stock"), decided_on, answer).body | {"code": "made"}
    except RefusedAtHand as refused:
        view = refused.seen.view
        told |= {"code": refused.refused.reason.value, "version": view.version, "phase": view.phase}
        told["drawn"] = view.drawn_card is not None or view.just_taken is not None
    except Refused as refused:
        told |= {"code": refused.reason.value}
    told["done_ms"] = wall_clock_ms()
    return told


def run() -> None:
    house = House(Database(sys.argv[1]))
    with house.db.read():
        pass  # Connected before the first race.
    print("ready", flush=True)
    for line in sys.stdin:
        for number, at_ms, says_version in json.loads(line):
            time.sleep(max(0.0, (at_ms - wall_clock_ms()) / 1000))
            print(json.dumps(race(house, number, frozenset({0}) if says_version else None)))
        print("done", flush=True)


if __name__ == "__main__":
    run()
