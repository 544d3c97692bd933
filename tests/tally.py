"""A hand kept on paper: whose turn it is, who holds what, what may be played, in card texts and the contract's dicts.

It is the referee's half of play, as `tests.referee` is of counting, and shares nothing with ginapi either.
"""

from typing import Any

from tests import referee

ACTIONS = {"offer": {"draw", "pass"}, "draw": {"draw"}, "discard": {"discard", "knock"}, "layoff": {"layoff"}}


class Tally:
    """Rules R1 to R14 as bookkeeping; `verdict` says why a move may not be made, `apply` makes one that may."""

    def __init__(self, deck: list[str], opener: int, contest: bool = False) -> None:
        self.hands: list[set[str]] = [set(), set()]
        for place, card in enumerate(deck[:20]):
            self.hands[opener if place % 2 == 0 else 1 - opener].add(card)
        self.pile = [deck[20]]
        self.stock = deck[21:]
        self.turn: int | None = opener
        # By the rules of contests the first face-up card is offered before the play.
        self.phase = "offer" if contest else "draw"
        self.passed = 0
        self.known: list[set[str]] = [set(), set()]
        self.just_taken: str | None = None
        self.drawn: str | None = None
        self.taken_running = 0
        self.moves = 0
        self.declared: list[frozenset[str]] | None = None
        self.knocker: int | None = None
        self.result: tuple[str, int | None, int] | None = None
        # What each seat has ever seen, for what it cannot know is the rest.
        self.seen: list[set[str]] = [self.hands[0] | {deck[20]}, self.hands[1] | {deck[20]}]

    def verdict(self, seat: int, move: dict[str, Any]) -> str | None:
        """The code of the first reason against the move, None where it may be made."""
        if self.phase == "finished":
            return "hand_over"
        if seat != self.turn:
            return "not_your_turn"
        if move["action"] not in ACTIONS[self.phase]:
            return "wrong_phase"
        if move["action"] == "layoff":
            return self._verdict_on_answer(self.hands[seat], move)
        if move["action"] in ("discard", "knock"):
            return self._verdict_on_shed(self.hands[seat], move)
        if move["action"] == "draw" and move["from"] not in self._piles():
            return "wrong_phase"
        return None

    def _piles(self) -> set[str]:
        """From where a card may be drawn now."""
        if self.phase == "offer":
            return {"discard"}
        return {"stock"} if self.passed == 2 else {"stock", "discard"}

    def _verdict_on_shed(self, hand: set[str], move: dict[str, Any]) -> str | None:
        if move["card"] not in hand:
            return "card_not_in_hand"
        if move["card"] == self.just_taken:
            return "card_just_taken"
        if move["action"] == "discard":
            return None
        kept, melds = hand - {move["card"]}, move.get("melds")
        if melds is not None and not referee.is_layout(kept, melds):
            return "bad_melds"
        left = referee.deadwood(kept) if melds is None else referee.deadwood_of(kept, melds)
        return "too_much_deadwood" if left > 10 else None

    def _verdict_on_answer(self, hand: set[str], move: dict[str, Any]) -> str | None:
        assert self.declared is not None
        melds, layoffs = move.get("melds") or [], pairs(move.get("layoffs") or [])
        if not referee.is_layout(hand, melds):
            return "bad_melds"
        return "bad_layoff" if referee.answer_left(hand, self.declared, melds, layoffs) is None else None

    def apply(self, seat: int, move: dict[str, Any]) -> None:
        """A move that `verdict` has nothing against."""
        self.moves += 1
        if move["action"] == "draw":
            self._draw(seat, move["from"])
        elif move["action"] == "pass":
            self.passed += 1
            self.turn = 1 - seat
            self.phase = "draw" if self.passed == 2 else "offer"
        elif move["action"] == "layoff":
            self._answer(self.hands[seat], move)
        else:
            self._shed(seat, move)

    def _draw(self, seat: int, source: str) -> None:
        if source == "stock":
            self.drawn, self.taken_running = self.stock.pop(0), 0
        else:
            self.drawn = self.just_taken = self.pile.pop()
            self.taken_running += 1
            self.known[seat].add(self.drawn)
        self.hands[seat].add(self.drawn)
        self.seen[seat].add(self.drawn)
        self.phase, self.passed = "discard", 0

    def _shed(self, seat: int, move: dict[str, Any]) -> None:
        card = move["card"]
        self.hands[seat].remove(card)
        self.known[seat].discard(card)
        self.pile.append(card)
        self.seen[1 - seat].add(card)
        self.just_taken = self.drawn = None
        self.turn = 1 - seat
        if move["action"] == "knock":
            self._knock(seat, move.get("melds"))
        elif len(self.stock) <= 2 or self.taken_running >= 40:
            self._finish("wash", None, 0)
        else:
            self.phase = "draw"

    def _knock(self, seat: int, melds: list[list[str]] | None) -> None:
        if melds is None:
            melds = [list(meld) for meld in next(iter(referee.best_layouts(self.hands[seat])))]
        self.declared, self.knocker = [frozenset(meld) for meld in melds], seat
        self.seen[1 - seat] |= self.hands[seat]
        self.phase = "layoff"
        if referee.deadwood_of(self.hands[seat], melds) == 0:
            self._finish("gin", seat, 25 + referee.deadwood(self.hands[1 - seat]))

    def declared_as(self, melds: list[frozenset[str]]) -> None:
        """Another best layout is as good, where the table was left to choose one."""
        assert self.knocker is not None
        hand = self.hands[self.knocker]
        assert referee.is_layout(hand, melds) and referee.deadwood_of(hand, melds) == referee.deadwood(hand)
        self.declared = melds

    def _answer(self, hand: set[str], move: dict[str, Any]) -> None:
        assert self.declared is not None and self.knocker is not None
        melds, layoffs = move.get("melds"), move.get("layoffs")
        if layoffs is None:
            left = referee.best_defence(hand, self.declared, melds)
        else:
            rest = hand - {one["card"] for one in layoffs}
            left = referee.deadwood(rest) if melds is None else referee.deadwood_of(rest, melds)
        mine = referee.deadwood_of(self.hands[self.knocker], self.declared)
        if left <= mine:
            self._finish("undercut", 1 - self.knocker, 25 + mine - left)
        else:
            self._finish("knock", self.knocker, left - mine)

    def _finish(self, kind: str, winner: int | None, points: int) -> None:
        self.phase, self.turn, self.result = "finished", None, (kind, winner, points)


def pairs(layoffs: list[dict[str, Any]]) -> list[referee.LaidOff]:
    """Lay-offs as the contract writes them, as the referee takes them."""
    return [(one["card"], one["onto"]) for one in layoffs]
