"""A hand as JSON, as its row keeps it, there and back."""

from typing import Any

import orjson

from ginapi.game.hand import Deal, Declared, Hand
from ginapi.game.moves import LaidOff
from ginapi.game.rules import HOUSE, RULES
from ginapi.game.score import Result, SeatResult
from ginapi.tables.values import Dealt, hand_id_of


def write_dealt(dealt: Dealt) -> str:
    """The hand, its salt and its commitment as text."""
    hand = dealt.hand
    return orjson.dumps(
        {
            "number": dealt.number,
            "salt": dealt.salt,
            "commitment": dealt.commitment,
            "scores_before": dealt.scores_before,
            "deck": hand.deal.deck,
            "opener": hand.deal.opener,
            "rules": hand.deal.rules.name,
            "version": hand.version,
            "phase": hand.phase,
            "turn": hand.turn,
            "cards": hand.cards,
            "known": hand.known,
            "stock_at": hand.stock_at,
            "pile": hand.pile,
            "just_taken": hand.just_taken,
            "drawn_card": hand.drawn_card,
            "pile_draws": hand.pile_draws,
            "passes": hand.passes,
            "knock": None if hand.knock is None else _knock(hand.knock),
            "result": None if hand.result is None else _result(hand.result),
        }
    ).decode()


def read_dealt(table_id: str, text: str) -> Dealt:
    """The hand of a table that `write_dealt` wrote; before there were others, every hand was by the house's rules."""
    state = orjson.loads(text)
    hand = Hand(
        deal=Deal(tuple(state["deck"]), state["opener"], RULES[state.get("rules", HOUSE.name)]),
        version=state["version"],
        phase=state["phase"],
        turn=state["turn"],
        cards=tuple(state["cards"]),
        known=tuple(state["known"]),
        stock_at=state["stock_at"],
        pile=tuple(state["pile"]),
        just_taken=state["just_taken"],
        drawn_card=state["drawn_card"],
        pile_draws=state["pile_draws"],
        knock=None if state["knock"] is None else _read_knock(state["knock"]),
        result=None if state["result"] is None else _read_result(state["result"]),
        passes=state.get("passes", 0),
    )
    scores_before = tuple(state["scores_before"])
    number: int = state["number"]
    return Dealt(hand_id_of(table_id, number), number, state["salt"], state["commitment"], scores_before, hand)


def _knock(knock: Declared) -> dict[str, Any]:
    return {
        "seat": knock.seat,
        "melds": knock.melds,
        "deadwood_cards": knock.deadwood_cards,
        "deadwood": knock.deadwood,
    }


def _read_knock(state: dict[str, Any]) -> Declared:
    return Declared(state["seat"], tuple(state["melds"]), state["deadwood_cards"], state["deadwood"])


def _result(result: Result) -> dict[str, Any]:
    return {
        "kind": result.kind,
        "winner": result.winner,
        "knocker": result.knocker,
        "points": result.points,
        "seats": [
            {
                "cards": seat.cards,
                "melds": seat.melds,
                "layoffs": [[laid.card, laid.onto] for laid in seat.layoffs],
                "deadwood": seat.deadwood,
            }
            for seat in result.seats
        ],
    }


def _read_result(state: dict[str, Any]) -> Result:
    first, second = (
        SeatResult(
            seat["cards"],
            tuple(seat["melds"]),
            tuple(LaidOff(card, onto) for card, onto in seat["layoffs"]),
            seat["deadwood"],
        )
        for seat in state["seats"]
    )
    return Result(state["kind"], state["winner"], state["knocker"], state["points"], (first, second))
