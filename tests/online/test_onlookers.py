"""Who only looks: a public table's header, score and finished hands, and no card of a running hand."""

import json
from typing import Any

from tests.accounts.people import refused, told
from tests.api.caller import Api, opens
from tests.online.pairs import Pair


def strangers(api: Api) -> list[str | None]:
    return [None, told(api.post("/v1/hands"), 201)["token"]]


def test_an_onlooker_sees_the_header_and_the_score(pair: Pair) -> None:
    for token in strangers(pair.api):
        table = told(pair.api.get(f"/v1/tables/{pair.id}", token))
        assert [seat["you"] for seat in table["seats"]] == [False, False]
        own = pair.seats[0].table()
        assert {**table, "seats": 0} == {**own, "seats": 0}


def test_a_running_hand_is_for_its_seats_alone(pair: Pair) -> None:
    hand = pair.seats[0].hand
    for path in ("", "/moves", "/record"):
        assert refused(pair.api.get(f"/v1/hands/{hand['id']}{path}")) == (401, "no_token")
        token = strangers(pair.api)[1]
        assert refused(pair.api.get(f"/v1/hands/{hand['id']}{path}", token)) == (404, "not_found")
    assert refused(pair.api.post(f"/v1/hands/{hand['id']}/moves", hand["legal_moves"][0], token)) == (404, "not_found")


def test_a_finished_hand_is_for_anybody(pair: Pair) -> None:
    over = pair.play_hand()
    for token in strangers(pair.api):
        seen = told(pair.api.get(f"/v1/hands/{over['id']}", token))
        assert (seen["seat"], seen["cards"], seen["melds"], seen["deadwood"], seen["opponent"]) == (
            None,
            [],
            [],
            None,
            None,
        )
        assert seen["legal_moves"] == [] and opens(seen)
        same: dict[str, Any] = {"server_time": "", "seat": 0, "cards": 0, "melds": 0, "deadwood": 0, "opponent": 0}
        assert {**seen, **same} == {**over, **same}
        moves = told(pair.api.get(f"/v1/hands/{over['id']}/moves", token))
        assert moves == told(pair.api.get(f"/v1/hands/{over['id']}/moves", pair.seats[1].token))
        record = pair.api.get(f"/v1/hands/{over['id']}/record", token)
        assert record.status_code == 200 and record.text == pair.api.get(
            f"/v1/hands/{over['id']}/record", pair.seats[0].token
        ).text  # fmt: skip


def test_who_only_looks_may_not_act(pair: Pair) -> None:
    over = pair.play_hand()
    anonymous, token = strangers(pair.api)
    asked = (
        (f"/v1/hands/{over['id']}/moves", {"action": "draw", "from": "stock"}),
        (f"/v1/tables/{pair.id}/hands", None),
        (f"/v1/tables/{pair.id}/leave", None),
        (f"/v1/tables/{pair.id}/rematch", None),
    )
    for path, body in asked:
        assert refused(pair.api.post(path, body, token)) == (403, "not_allowed")
        assert refused(pair.api.post(path, body, anonymous)) == (401, "no_token")


def test_nothing_of_a_private_table_is_for_others(api: Api) -> None:
    pair = Pair(api, private=True)
    over = pair.play_hand()
    for path in (f"/v1/tables/{pair.id}", f"/v1/hands/{over['id']}", f"/v1/hands/{over['id']}/record"):
        assert refused(api.get(path)) == (401, "no_token")
        assert refused(api.get(path, strangers(api)[1])) == (404, "not_found")


def test_an_etag_is_the_viewers_own(pair: Pair) -> None:
    path = f"/v1/tables/{pair.id}"
    tags = [pair.api.get(path, token).headers["ETag"] for token in (None, *(seat.token for seat in pair.seats))]
    assert len(set(tags)) == 3
    for token, tag in zip((None, *(seat.token for seat in pair.seats)), tags, strict=True):
        assert pair.api.get(path, token, headers={"If-None-Match": tag}).status_code == 304


def test_a_seats_answer_names_no_card_of_the_other(pair: Pair) -> None:
    for _ in range(12):
        hand = pair.seats[0].look()
        if hand["turn"] is None:
            return
        other = pair.seats[1].look()
        hidden = set(other["cards"]) - set(hand["opponent"]["known_cards"])
        if other["drawn_card"] and other["drawn_card"] not in hidden:
            hidden.add(other["drawn_card"])
        told_to_first = json.dumps({name: value for name, value in hand.items() if name != "legal_moves"})
        assert not [card for card in hidden if f'"{card}"' in told_to_first]
        mover = pair.seats[hand["turn"]]
        drawn = next(m for m in mover.look()["legal_moves"] if m["action"] in ("draw", "discard"))
        mover.move(**{("source" if name == "from" else name): value for name, value in drawn.items()})
