"""The five moves: draw, pass, discard, knock, lay off; as frozen values and as the plain dicts of the contract."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ginapi.game.cards import Card, Mask, card_text, mask_of, parse_card, texts

Source = Literal["stock", "discard"]


@dataclass(frozen=True, slots=True)
class Draw:
    """Take the top of the stock, or the top discard (R4)."""

    from_: Source


@dataclass(frozen=True, slots=True)
class Pass:
    """Leave the first face-up card, where it is offered (R3)."""


@dataclass(frozen=True, slots=True)
class Discard:
    """Shed one card face up and end the turn (R4)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Knock:
    """Shed `card` and end the hand (R8), declaring `melds`; None leaves the layout to the table (R9)."""

    card: Card
    melds: tuple[Mask, ...] | None = None


@dataclass(frozen=True, slots=True)
class LaidOff:
    """One card laid off `onto` the knocker's meld of that index, counted from 0 as declared (R11)."""

    card: Card
    onto: int


@dataclass(frozen=True, slots=True)
class LayOff:
    """Answer a knock with own melds and lay-offs in this order; None leaves a part to the table (R11)."""

    melds: tuple[Mask, ...] | None = None
    layoffs: tuple[LaidOff, ...] | None = None


Move = Draw | Pass | Discard | Knock | LayOff


@dataclass(frozen=True, slots=True)
class Leave:
    """Get up from the table: no move of the game, but a record of the hand that it ends (R28)."""


@dataclass(frozen=True, slots=True)
class Void:
    """The house calls the hand off: no seat's move, but a record of the hand that it ends."""


Act = Move | Leave | Void
"""Whatever stands in a hand's records."""

_ACTIONS: dict[type, str] = {
    Draw: "draw",
    Pass: "pass",
    Discard: "discard",
    Knock: "knock",
    LayOff: "layoff",
    Leave: "leave",
    Void: "void",
}


def action_of(move: Act) -> str:
    """The contract's word for what a move does."""
    return _ACTIONS[type(move)]


def meld_texts(melds: tuple[Mask, ...]) -> list[list[str]]:
    """Melds as lists of card texts."""
    return [texts(meld) for meld in melds]


def laid_off_dicts(layoffs: tuple[LaidOff, ...]) -> list[dict[str, Any]]:
    """Lay-offs as the contract writes them."""
    return [{"card": card_text(laid.card), "onto": laid.onto} for laid in layoffs]


def move_dict(move: Move) -> dict[str, Any]:
    """The move as the contract writes it; what is left to the table is left out."""
    match move:
        case Draw(from_):
            return {"action": "draw", "from": from_}
        case Pass():
            return {"action": "pass"}
        case Discard(card):
            return {"action": "discard", "card": card_text(card)}
        case Knock(card, melds):
            knock: dict[str, Any] = {"action": "knock", "card": card_text(card)}
            if melds is not None:
                knock["melds"] = meld_texts(melds)
            return knock
        case LayOff(melds, layoffs):
            layoff: dict[str, Any] = {"action": "layoff"}
            if melds is not None:
                layoff["melds"] = meld_texts(melds)
            if layoffs is not None:
                layoff["layoffs"] = laid_off_dicts(layoffs)
            return layoff


def _melds_from(melds: Any) -> tuple[Mask, ...] | None:
    return None if melds is None else tuple(mask_of(parse_card(text) for text in meld) for meld in melds)


def move_from(move: Mapping[str, Any]) -> Move:
    """The move that such a dict names.

    Raises ValueError or KeyError for what is none; a meld that names a card twice is the caller's to refuse.
    """
    match move["action"]:
        case "draw":
            if move["from"] not in ("stock", "discard"):
                raise ValueError(f"Cannot draw from {move['from']!r}: only from the stock or the discard pile.")
            return Draw(move["from"])
        case "pass":
            return Pass()
        case "discard":
            return Discard(parse_card(move["card"]))
        case "knock":
            return Knock(parse_card(move["card"]), _melds_from(move.get("melds")))
        case "layoff":
            layoffs = move.get("layoffs")
            return LayOff(
                _melds_from(move.get("melds")),
                None if layoffs is None else tuple(LaidOff(parse_card(laid["card"]), laid["onto"]) for laid in layoffs),
            )
        case other:
            raise ValueError(f"{other!r} is not an action: draw, pass, discard, knock or layoff.")
