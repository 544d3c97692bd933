"""While openings are closed nothing new is opened, and whatever runs or waits goes on."""

from typing import Any

import pytest

from tests.accounts.people import open_account, told
from tests.api.caller import Api, Player, drawer
from tests.online.pairs import Pair, open_online
from tests.operating.conftest import Command

WHY = ("--why", "version 2 at noon")
KEY = "an-idempotency-key-of-enough-characters"
OPENINGS: list[tuple[str, Any]] = [
    ("/v1/hands", {}),
    ("/v1/tables", {"kind": "practice"}),
    ("/v1/tables", {"kind": "coin", "stake": 100}),
    ("/v1/tables", {"kind": "online", "private": True}),
    ("/v1/tables/quick", {"stake": 0}),
]


def refused_for_now(answer: Any) -> None:
    assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
    assert answer.headers["Retry-After"] == "60"
    assert answer.json["detail"].startswith("No new tables are opened for a while")


@pytest.mark.parametrize(("path", "body"), OPENINGS, ids=lambda of: str(of))
def test_nothing_is_opened_until_openings_are_open_again(fresh_api: Api, ginapi: Command, path: str, body: Any) -> None:
    token = open_account(fresh_api)
    assert ginapi("openings", "close", *WHY).exit_code == 0
    before = fresh_api.rows()
    refused_for_now(fresh_api.post(path, body, token))
    if body.get("kind") != "coin":
        refused_for_now(fresh_api.post(path, body, key=KEY))  # Nobody has become a guest by it.
    assert fresh_api.rows() == before
    assert ginapi("openings", "open", *WHY).exit_code == 0
    assert fresh_api.post(path, body, token).status_code == 201


def test_what_is_wrong_with_a_request_is_said_first(fresh_api: Api, ginapi: Command) -> None:
    ginapi("openings", "close", *WHY)
    assert fresh_api.post("/v1/hands", {"level": "?"}).status_code == 422
    assert fresh_api.post("/v1/tables", {"kind": "coin", "stake": 100}).status_code == 401
    poor = fresh_api.post("/v1/tables", {"kind": "coin", "stake": 10_000}, open_account(fresh_api))
    assert poor.json["code"] == "not_enough_coins"


def test_moves_next_hands_and_leaving_go_on(fresh_api: Api, ginapi: Command) -> None:
    player = Player(fresh_api, target=1000, level="easy")
    ginapi("openings", "close", *WHY)
    player.play_out(lambda hand: hand["legal_moves"][-1])
    assert player.deal().status_code == 201
    assert player.leave().status_code == 200


def test_a_table_that_waits_is_joined_by_its_id_and_by_quick(fresh_api: Api, ginapi: Command) -> None:
    by_id, first = open_online(fresh_api), open_online(fresh_api)
    waiting = told(fresh_api.post("/v1/tables/quick", {"stake": 0}, by_id["token"]), 201)
    ginapi("openings", "close", *WHY)
    assert told(fresh_api.post(f"/v1/tables/{by_id['id']}/seats"), 201)["status"] == "playing"
    if waiting["id"] != first["id"]:
        again = told(fresh_api.post("/v1/tables/quick", {"stake": 0}, first["token"]), 201)
        assert again["id"] == first["id"]
    assert told(fresh_api.post("/v1/tables/quick", {"stake": 0}), 201)["status"] == "playing"


def test_no_rematch_is_offered_or_agreed(fresh_api: Api, ginapi: Command) -> None:
    practice, offered, fresh = Player(fresh_api), Pair(fresh_api), Pair(fresh_api)
    practice.leave()
    for pair in (offered, fresh):
        assert pair.seats[0].leave().status_code == 200
    assert fresh_api.post(f"/v1/tables/{offered.id}/rematch", None, offered.seats[0].token).status_code == 202
    ginapi("openings", "close", *WHY)
    before = fresh_api.rows()
    refused_for_now(fresh_api.post(f"{practice.table_path}/rematch", None, practice.token))
    refused_for_now(fresh_api.post(f"/v1/tables/{offered.id}/rematch", None, offered.seats[1].token))
    refused_for_now(fresh_api.post(f"/v1/tables/{fresh.id}/rematch", None, fresh.seats[0].token))
    assert fresh_api.rows() == before


def test_a_table_that_was_opened_before_is_told_again_to_its_key(fresh_api: Api, ginapi: Command) -> None:
    first = fresh_api.post("/v1/hands", {}, key=KEY)
    ginapi("openings", "close", *WHY)
    again = fresh_api.post("/v1/hands", {}, key=KEY)
    assert (again.status_code, again.json) == (201, first.json)
    assert again.headers["Idempotent-Replayed"] == "true"


def test_a_move_asks_nothing_more(fresh_api: Api, ginapi: Command) -> None:
    fresh_api.choose = drawer
    player = Player(fresh_api, seed="openings")
    ginapi("openings", "close", *WHY)
    with fresh_api.statements() as sent:
        player.move("draw", source="stock")
    assert not any("acts" in statement for statement in sent)


def test_the_command_says_how_it_stands_and_why(fresh_api: Api, ginapi: Command) -> None:
    assert ginapi("openings", "show").output == "New tables are opened.\n"
    assert ginapi("openings", "close").exit_code == 2  # A reason has to be given.
    assert ginapi("openings", "close", *WHY).output == "No new tables are opened.\n"
    said = ginapi("openings", "show").output
    assert said.startswith("No new tables are opened since 20") and said.endswith("Z: version 2 at noon\n")
    ginapi("openings", "open", *WHY)
    assert ginapi("openings", "show").output == "New tables are opened.\n"
