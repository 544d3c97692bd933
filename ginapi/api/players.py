"""Players over HTTP: one by name, and the leaderboard."""

import struct
from typing import Any

from flask import Response
from flask_smorest import Blueprint
from marshmallow import ValidationError

from ginapi.api.current import house
from ginapi.api.cursors import cursor_at, numbers_in, page_of
from ginapi.api.fields import AccountName
from ginapi.api.incoming import read_query
from ginapi.api.openapi import NOBODY, asks
from ginapi.api.presenting import moment
from ginapi.api.replies import json_reply
from ginapi.api.schemas_in import NoQuery, PageQuery
from ginapi.api.schemas_players import Leaderboard
from ginapi.api.schemas_players import Player as PlayerAnswer
from ginapi.config import NAME_CHARACTERS, WHOLE_NUMBER
from ginapi.errors import Reason
from ginapi.service import players
from ginapi.service.players import Player
from ginapi.store.standings import Place
from ginapi.tables.coins import ACCOUNT
from ginapi.tables.standing import PROVISIONAL_DEVIATION

blueprint = Blueprint("players", __name__, url_prefix="/v1", description="Who plays here, and how well.")

_FRESH = {"Cache-Control": "no-cache"}
_NAME = AccountName(*NAME_CHARACTERS)
_HALF = 64  # bits of an account's id in each of the two numbers that a cursor has it as


@blueprint.get("/players/<name:name>")
@blueprint.response(200, PlayerAnswer)
@asks(security=NOBODY, refuses=(Reason.NOT_FOUND,), summary="A player's rating and record", operationId="see_player")
def see_player(name: str) -> Response:
    """By name, in upper or lower case.

    Every match between people that was played to its end, or left, is in the record. Those between accounts at fair
    public tables are rated (Glicko-2, each match a rating period of its own). Whoever let the clock make more than a
    quarter of its moves cannot gain by a match, only lose.
    """
    try:
        known = _NAME.deserialize(name)
    except ValidationError:
        raise players.no_player() from None  # Not every database would take it to look it up.
    player = players.see(house(), known)
    read_query(NoQuery)
    return json_reply(_player_json(player), headers=_FRESH)


@blueprint.get("/leaderboard")
@blueprint.response(200, Leaderboard)
@asks(query=PageQuery, security=NOBODY, summary="The best players", operationId="list_leaderboard")
def list_leaderboard() -> Response:
    """Whoever has a rated match, by rating. A page goes on below the rating that the one before it ended with."""
    query = read_query(PageQuery)
    before, after = _place_in(query["cursor"]) if "cursor" in query else (0, None)
    limit = query["limit"]
    found = players.leaderboard(house(), limit + 1, after)
    page, following = page_of(found, limit, lambda one: _cursor_after(before + limit, one[1]))
    items = [{"place": before + at, **_player_json(player)} for at, (player, _) in enumerate(page, 1)]
    return json_reply({"items": items, "next": following}, headers=_FRESH)


def _player_json(player: Player) -> dict[str, Any]:
    rating, standing = player.rating, player.standing
    return {
        "name": player.name,
        "since": moment(player.created_ms),
        "rating": {
            "rating": round(rating.rating),
            "deviation": round(rating.deviation),
            "volatility": round(rating.volatility, 5),
            "rated_count": standing.rated_count,
            "provisional": rating.deviation > PROVISIONAL_DEVIATION,
        },
        "record": {
            "played": standing.played_count,
            "won": standing.won_count,
            "lost": standing.lost_count,
            "left": standing.left_count,
        },
    }


def _cursor_after(count: int, place: Place) -> str:
    # The rating to its last bit: of two that are alike on the page, one may be the higher.
    (bits,) = struct.unpack(">Q", struct.pack(">d", place.rating))
    number = int(place.account_id.removeprefix(ACCOUNT), 16)
    return cursor_at("leaderboard", count, bits, *divmod(number, 1 << _HALF))


def _place_in(cursor: str) -> tuple[int, Place]:
    count, bits, high, low = numbers_in(cursor, "leaderboard", 4)
    (rating,) = struct.unpack(">d", struct.pack(">Q", bits % (1 << 64)))
    return min(count, WHOLE_NUMBER), Place(rating, f"{ACCOUNT}{(high << _HALF) + low:032x}")
