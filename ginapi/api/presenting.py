"""Hands, tables and records as the JSON of the contract, built by naming what is shown."""

from collections.abc import Iterable
from typing import Any

from ginapi.game.cards import CARD_TEXTS, texts
from ginapi.game.hand import Declared
from ginapi.game.moves import laid_off_dicts, meld_texts, move_dict
from ginapi.game.score import Result, layout_kept
from ginapi.service.moments import moment as moment
from ginapi.service.seen import SeenDeal, SeenHand, SeenTable
from ginapi.tables.clock import Clock
from ginapi.tables.coins import NOTE
from ginapi.tables.online import rematch_seats
from ginapi.tables.records import Record, shown_to
from ginapi.tables.table import payout
from ginapi.tables.values import hand_id_of


def hand_json(seen: SeenHand) -> dict[str, Any]:
    """The contract's hand; for an onlooker without what a seat alone sees."""
    view = seen.view
    melds, deadwood = layout_kept(view.cards, view.rules, view.just_taken)
    shown = {
        "id": seen.hand_id,
        "table_id": seen.table_id,
        "number": seen.number,
        "version": view.version,
        "seat": seen.seat,
        "opener": view.opener,
        "rules": view.rules.name,
        "phase": view.phase,
        "turn": view.turn,
        "cards": texts(view.cards),
        "melds": meld_texts(melds),
        "deadwood": deadwood,
        "just_taken": _card(view.just_taken),
        "drawn_card": _card(view.drawn_card),
        "opponent": {"cards_count": view.opponent_cards_count, "known_cards": texts(view.opponent_known)},
        "stock_count": view.stock_count,
        "discard_pile": texts(view.pile),
        "knock": None if view.knock is None else _knock_json(view.knock),
        "legal_moves": [move_dict(move) for move in seen.legal_moves],
        "clock": _running_clock_json(seen.clock, view.turn, seen.now_ms),
        "scores": list(view.scores),
        "target": seen.target,
        "result": None if view.result is None else result_json(view.result, view.scores, seen.deal),
        "commitment": seen.commitment,
        "next_hand_id": seen.next_hand_id,
        "next_hand_at": _next_hand_at(seen.clock),
        "server_time": moment(seen.now_ms),
    }
    return shown if seen.seat is not None else {**shown, **_NO_SEATS_OWN}


_NO_SEATS_OWN: dict[str, Any] = {"cards": [], "melds": [], "deadwood": None, "opponent": None}
"""What stands for the cards of a seat where the caller has none; the result of a finished hand shows both."""


def _running_clock_json(clock: Clock | None, turn: int | None, now_ms: int) -> dict[str, Any] | None:
    """A clock that runs for a seat; the grace is not counted down."""
    if clock is None or turn is None or clock.deadline_ms is None:
        return None
    return {
        "seat": turn,
        "deadline": moment(clock.deadline_ms),
        "remaining_ms": max(0, clock.deadline_ms - now_ms),
        "move_ms": clock.terms.move_ms,
        "grace_ms": clock.terms.grace_ms,
        "missed_in_a_row": clock.missed[turn],
        "pace": "computer" if clock.is_fast(turn) else "full",
    }


def _table_clock_json(clock: Clock | None, turn: int | None, now_ms: int) -> dict[str, Any] | None:
    """A table's clock: its lengths always, the rest while it runs."""
    if clock is None:
        return None
    still = {
        "seat": None,
        "deadline": None,
        "remaining_ms": None,
        "move_ms": clock.terms.move_ms,
        "grace_ms": clock.terms.grace_ms,
        "missed_in_a_row": None,
        "pace": None,
    }
    return _running_clock_json(clock, turn, now_ms) or still


def _next_hand_at(clock: Clock | None) -> str | None:
    return None if clock is None or clock.next_hand_at_ms is None else moment(clock.next_hand_at_ms)


def _card(card: int | None) -> str | None:
    return None if card is None else CARD_TEXTS[card]


def _knock_json(knock: Declared) -> dict[str, Any]:
    return {
        "seat": knock.seat,
        "melds": meld_texts(knock.melds),
        "deadwood_cards": texts(knock.deadwood_cards),
        "deadwood": knock.deadwood,
    }


def result_json(result: Result, scores: tuple[int, int], deal: SeenDeal | None) -> dict[str, Any]:
    """The contract's result; `scores` are the match's after the hand, `deal` is null where none was dealt."""
    return {
        "kind": result.kind,
        "winner": result.winner,
        "knocker": result.knocker,
        "points": result.points,
        "scores": list(scores),
        "seats": [
            {
                "cards": texts(seat.cards),
                "melds": meld_texts(seat.melds),
                "layoffs": laid_off_dicts(seat.layoffs),
                "deadwood": seat.deadwood,
            }
            for seat in result.seats
        ],
        "deal": None if deal is None else {"deck": texts(deal.deck), "salt": deal.salt},
    }


def record_json(record: Record, seat: int | None, over: bool) -> dict[str, Any]:
    """A move's record as a seat may see it; `over` once the hand is finished."""
    return {
        "version": record.version,
        "seat": record.seat,
        "by": record.by,
        "action": record.action,
        "at": moment(record.at_ms),
        **shown_to(record, seat, over),
    }


def records_json(records: Iterable[Record], seen: SeenHand) -> list[dict[str, Any]]:
    """Records of a hand as the one who sees it may see them."""
    over = seen.view.result is not None
    return [record_json(record, seen.seat, over) for record in records]


def table_json(seen: SeenTable) -> dict[str, Any]:
    """The contract's table; `note` stands beside coins wherever they are shown (R26)."""
    table = seen.table
    return {
        "id": table.id,
        "kind": table.kind,
        "status": table.status,
        "fair": table.fair,
        "rules": table.rules.name,
        "target": table.target,
        "level": table.level,
        "private": table.private,
        "invite": table.invite if table.status == "open" and seen.seat is not None else None,
        "seats": [
            {
                "seat": seat.seat,
                "name": seat.name,
                "kind": seat.kind,
                "score": table.scores[seat.seat],
                "you": seat.seat == seen.seat,
            }
            for seat in seen.seats
        ],
        "stake": table.stake,
        "leaving_fee": table.leaving_fee,
        "clock": _table_clock_json(table.clock, table.dealt.hand.turn, seen.now_ms),
        "hand_id": table.dealt.id if table.is_full else None,
        "next_hand_at": _next_hand_at(table.clock),
        "hands": [
            {
                "id": hand_id_of(table.id, hand.number),
                "number": hand.number,
                "kind": hand.kind,
                "winner": hand.winner,
                "points": hand.points,
            }
            for hand in seen.finished
        ],
        "winner": table.winner,
        "ended": table.ended,
        "payout": payout(table),
        "rematch": rematch_seats(table),
        "rematch_table_id": table.rematch_table_id,
        "version": table.version,
        "note": NOTE if table.stake else None,
        "server_time": moment(seen.now_ms),
    }
