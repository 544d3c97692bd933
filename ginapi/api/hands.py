"""Hands over HTTP: opened, seen, moved in, looked back at."""

from typing import Any

from flask import Response
from flask_smorest import Blueprint
from sqlalchemy import Connection

from ginapi.api.current import house
from ginapi.api.cursors import cursor_at, numbers_in, page_of
from ginapi.api.incoming import Incoming, bearer_token, read_query
from ginapi.api.openapi import ANYBODY, MOVE_REASONS, PRIVATE, asks
from ginapi.api.presenting import hand_json, records_json
from ginapi.api.replies import PRIVATE as PRIVATE_HEADERS
from ginapi.api.replies import answer_reply, hand_etag, json_reply, seen_reply, text_reply
from ginapi.api.schemas_hand import Hand, MoveAnswer, OpenedHand, RecordList
from ginapi.api.schemas_in import NoQuery, RecordsQuery, WaitQuery
from ginapi.api.schemas_moves import AnyMove
from ginapi.api.schemas_tables_in import OpenPractice
from ginapi.api.waiting import in_time
from ginapi.config import WHOLE_NUMBER
from ginapi.errors import Reason
from ginapi.game.rules import RULES
from ginapi.service import hands, opening
from ginapi.service.asking import Answer
from ginapi.service.callers import Seated
from ginapi.service.opening import PracticeTerms
from ginapi.service.seen import SeenHand
from ginapi.tables.records import Record
from ginapi.tables.values import Outcome

blueprint = Blueprint(
    "hands",
    __name__,
    url_prefix="/v1/hands",
    description="Hands at tables where you sit, and finished ones of public tables.",
)


def terms_in(loaded: dict[str, Any]) -> PracticeTerms:
    """How a practice table is to be opened, from a body that has been read."""
    return PracticeTerms(
        level=loaded["level"],
        opener=1 if loaded["opener"] == "computer" else 0,
        target=loaded["target"],
        seed=loaded.get("seed"),
        deck=tuple(loaded["deck"]) if "deck" in loaded else None,
        move_ms=loaded["clock"]["move_ms"] if "clock" in loaded else None,
        rules=RULES[loaded["rules"]],
    )


def hand_location(hand_id: str) -> dict[str, str]:
    """The header that says where a hand stands."""
    return {"Location": f"/v1/hands/{hand_id}"}


def hand_answer(seen: SeenHand, played: tuple[Record, ...], status: int = 200) -> Answer:
    """A hand after a write, and what the write added."""
    body = {**hand_json(seen), "played": records_json(played, seen)}
    headers = {"ETag": hand_etag(seen)}
    if status == 201:
        headers |= hand_location(seen.hand_id)
    return Answer(status, body, headers)


@blueprint.post("")
@blueprint.response(201, OpenedHand)
@asks(
    body=OpenPractice,
    keyed=True,
    security=ANYBODY,
    refuses=(Reason.BAD_TOKEN, Reason.TOO_MANY_TABLES),
    summary="Open a practice table and deal its first hand",
    operationId="open_hand",
)
def open_hand() -> Response:
    """No account is needed: without a token the answer brings one."""
    incoming = Incoming()

    def read_terms() -> PracticeTerms:
        return terms_in(incoming.read(OpenPractice))

    def answer(tx: Connection, seated: Seated, outcome: Outcome, token: str | None) -> Answer:
        opened = hand_answer(hands.seen_after(seated, outcome), outcome.played, 201)
        return Answer(201, {**opened.body, "token": None}, opened.headers, token)

    return answer_reply(opening.open_table(house(), incoming.ask, read_terms, answer))


@blueprint.get("/<hand_id>")
@blueprint.response(200, Hand)
@asks(
    query=WaitQuery,
    security=ANYBODY,
    if_none_match=True,
    refuses=PRIVATE,
    summary="The hand as you see it",
    operationId="see_hand",
)
def see_hand(hand_id: str) -> Response:
    """With `after` and `wait_ms`, answers once that version is passed or the hand is over, or when the time is up."""
    token = bearer_token()
    seen = hands.see(house(), token, hand_id)
    query = read_query(WaitQuery)
    after = query.get("after")
    if after is not None:
        seen = in_time(
            seen,
            lambda: hands.see(house(), token, hand_id),
            lambda seen: seen.view.version > after or seen.view.result is not None,
            query["wait_ms"],
        )
    return seen_reply(hand_json(seen), hand_etag(seen))


@blueprint.post("/<hand_id>/moves")
@blueprint.response(200, MoveAnswer)
@asks(
    body=AnyMove,
    keyed=True,
    if_match=True,
    refuses=(*PRIVATE, Reason.NOT_ALLOWED, *MOVE_REASONS),
    summary="Draw, pass, discard, knock or lay off",
    operationId="make_move",
)
def make_move(hand_id: str) -> Response:
    """One of `legal_moves` as it stands, or a knock or lay-off with the melds of your choice."""
    incoming = Incoming()
    answer = hands.move(
        house(), incoming.ask, hand_id, lambda: incoming.read(AnyMove), incoming.decided_on(), hand_answer
    )
    return answer_reply(answer)


@blueprint.get("/<hand_id>/moves")
@blueprint.response(200, RecordList)
@asks(
    query=RecordsQuery,
    security=ANYBODY,
    refuses=PRIVATE,
    summary="What was played in the hand",
    operationId="list_moves",
)
def list_moves(hand_id: str) -> Response:
    """The records after a version, in order, with what of each you may see."""
    token = bearer_token()
    hands.see(house(), token, hand_id)
    query = read_query(RecordsQuery)
    after = min(numbers_in(query["cursor"], "after", 1)[0], WHOLE_NUMBER) if "cursor" in query else query["after"]
    limit = query["limit"]
    seen, records = hands.moves(house(), token, hand_id, after, limit + 1)
    page, following = page_of(records, limit, lambda record: cursor_at("after", record.version or 0))
    return json_reply({"items": records_json(page, seen), "next": following}, headers=PRIVATE_HEADERS)


@blueprint.get("/<hand_id>/record")
@blueprint.response(200, {"type": "string"}, content_type="text/plain", description="The record.")
@asks(
    security=ANYBODY,
    refuses=(*PRIVATE, Reason.NOT_ALLOWED),
    summary="A finished hand as text that replays",
    operationId="hand_record",
)
def hand_record(hand_id: str) -> Response:
    """Deck, salt, every move and the result, a line each: the hand can be played again from it."""
    text = hands.record(house(), bearer_token(), hand_id)
    read_query(NoQuery)
    return text_reply(text)
