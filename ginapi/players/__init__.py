"""Computer players: each sees one seat's view, draws its numbers from outside, and gives a move."""

from collections.abc import Callable

from ginapi.game.moves import Move
from ginapi.game.shuffle import DrawNumber
from ginapi.game.view import View
from ginapi.players import easy, hard, medium

Choose = Callable[[str, View, DrawNumber], Move]
"""Gives the move of the player of a level."""

LEVELS: dict[str, Callable[[View, DrawNumber], Move]] = {
    "easy": easy.choose,
    "medium": medium.choose,
    "hard": hard.choose,
}


def choose_by_level(level: str, view: View, draw_number: DrawNumber) -> Move:
    """The move that the player of this level makes on its turn: legal by what the view shows."""
    return LEVELS[level](view, draw_number)
