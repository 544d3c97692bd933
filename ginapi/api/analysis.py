"""Counting without a table: best layouts of some cards, and what a showdown comes to."""

from flask import Response
from flask_smorest import Blueprint

from ginapi.api.incoming import Incoming
from ginapi.api.openapi import NOBODY, asks
from ginapi.api.presenting import result_json
from ginapi.api.replies import json_reply
from ginapi.api.schemas_hand import Result
from ginapi.api.schemas_in import MeldsAnalysis, ShowdownAnalysis
from ginapi.api.schemas_out import MeldsAnswer
from ginapi.config import LAYOUTS_SHOWN
from ginapi.errors import Reason
from ginapi.game.cards import card_text, mask_of
from ginapi.game.defence import best_defence
from ginapi.game.legality import check_declared
from ginapi.game.match import add_up
from ginapi.game.melds import best_layouts, deadwood, deadwood_after
from ginapi.game.moves import meld_texts
from ginapi.game.rules import HOUSE
from ginapi.game.score import showdown

blueprint = Blueprint("analysis", __name__, url_prefix="/v1/analysis", description="Counting without a table.")


@blueprint.post("/melds")
@blueprint.response(200, MeldsAnswer)
@asks(body=MeldsAnalysis, security=NOBODY, summary="Every best layout of some cards", operationId="analyse_melds")
def analyse_melds() -> Response:
    """Deadwood and layouts count all the cards given; with 11, `may_knock_with` says what shedding each leaves."""
    cards = mask_of(Incoming().read(MeldsAnalysis)["cards"])
    after = deadwood_after(cards) if cards.bit_count() == HOUSE.hand_size + 1 else {}
    return json_reply(
        {
            "deadwood": deadwood(cards),
            "layouts": [meld_texts(layout) for layout in best_layouts(cards, LAYOUTS_SHOWN)],
            "may_knock_with": {card_text(card): left for card, left in after.items() if left <= HOUSE.knock_limit},
        }
    )


@blueprint.post("/showdown")
@blueprint.response(200, Result)
@asks(
    body=ShowdownAnalysis,
    security=NOBODY,
    refuses=(Reason.BAD_MELDS, Reason.TOO_MUCH_DEADWOOD),
    summary="What a knock comes to",
    operationId="analyse_showdown",
)
def analyse_showdown() -> Response:
    """The knocker is seat 0; the other seat answers with its best."""
    loaded = Incoming().read(ShowdownAnalysis)
    knocker, defender = mask_of(loaded["knocker"]), mask_of(loaded["defender"])
    declared = tuple(mask_of(meld) for meld in loaded["melds"])
    check_declared(knocker, declared, HOUSE)
    result = showdown(0, knocker, declared, defender, best_defence(defender, declared))
    return json_reply(result_json(result, add_up((0, 0), result), None))
