"""One person, from visit to visit: sits down, plays, sends again what was not answered, goes."""

from dataclasses import dataclass

from drills.simulation import attempts, calls, people
from drills.simulation.calls import Call
from drills.simulation.sending import OPENS, Due, Sender, Sent
from drills.simulation.world import World
from ginapi.errors import Reason, Refused
from ginapi.game.moves import Discard, Draw, LayOff, Move
from ginapi.game.rules import RULES
from ginapi.players import choose_by_level
from ginapi.service import hands, tables
from ginapi.service.opening import AnyTerms, CoinTerms, OnlineTerms, PracticeTerms
from ginapi.service.seen import SeenHand


@dataclass(slots=True)
class Seat:
    """A seat that the person has, as it remembers it."""

    table_id: str
    seat: int
    hand_number: int = 1


class Person:
    """Somebody with a temper; `step` is what it does next, and says when it does the next thing."""

    def __init__(
        self,
        world: World,
        sender: Sender,
        name: str,
        temper: people.Temper,
        invites: dict[str, str],
        *,
        has_account: bool,
    ) -> None:
        self._world = world
        self._sender = sender
        self.name = name
        self._temper = temper
        self._invites = invites
        """To private tables, by their ids: everybody passes on what it has."""
        self._wants_account = has_account
        self._unanswered: Sent | None = None
        self.places: list[Seat] = []

    def step(self) -> int:
        """Do one thing; after how many milliseconds the next."""
        if self._sender.is_out:
            return self._world.between(*people.AGAIN_MS)
        if self._unanswered is not None:
            self._heard(self._sender.again(self._unanswered))
            return self._pause()
        if self._wants_account and self._sender.token is None:
            self._send(calls.account_opened(self.name))
            return self._pause()
        chance = self._world.chance
        if self.places and (len(self.places) == people.MOST_TABLES or not self._world.happens(0.01)):
            return self._play(chance.choice(self.places))
        if not self.places and self._world.happens(0.5):
            return self._world.about(people.REST_MS)
        self._sit_down()
        return self._pause()

    def _pause(self) -> int:
        if self._unanswered is not None:
            return self._world.between(*people.AGAIN_MS)
        return self._world.between(*self._temper.think_ms)

    def leave_all(self) -> None:
        """Get up wherever it sits, and hear of it."""
        self._unanswered = None
        for place in list(self.places):
            self._heard(self._sender.insisted(calls.table_left(place.table_id)))

    def _sit_down(self) -> None:
        world, stake = self._world, 0
        chance = world.chance
        if self._wants_account and world.happens(0.7):
            stake = chance.choice(people.STAKES)
        kinds = ["practice", "online", "quick", "quick", "join"] if not stake else ["coin", "coin", "online", "quick"]
        kind = chance.choice(kinds)
        if kind == "quick":
            self._send(calls.table_found(stake))
        elif kind == "join":
            self._join_shown()
        else:
            self._send(calls.table_opened(self._terms(kind, stake)))

    def _terms(self, kind: str, stake: int) -> AnyTerms:
        world = self._world
        chance = world.chance
        target = chance.choice([20, 50, 100])
        if kind == "coin":
            return CoinTerms(stake)
        if kind == "online":
            is_private = not stake and world.happens(0.3)
            move_ms = world.chance.choice([None, None, 15_000, 120_000])
            return OnlineTerms(stake, move_ms, is_private, target if is_private else 100)
        return PracticeTerms(
            level=chance.choice(["easy", "medium", "hard"]),
            opener=chance.randrange(2),
            target=target,
            move_ms=chance.choice([None, 10_000, 60_000]),
            rules=RULES[chance.choice(["house", "house", "contest"])],
        )

    def _join_shown(self) -> None:
        """The last open table of the list, or one to which there is an invite, whoever else may be faster."""
        if self._invites:
            self._send(calls.table_joined(*self._invites.popitem()))
            return
        listed = self._sender.look(
            lambda house, token: tables.list_tables(house, token, 5, None, {"status": "open", "stake": 0}, mine=False)
        )
        if listed:
            self._send(calls.table_joined(listed[-1][0].table.id, None))

    def _play(self, place: Seat) -> int:
        world, temper = self._world, self._temper
        if world.happens(temper.wanders):
            return world.between(*people.AWAY_MS)
        if world.happens(temper.leaves):
            self._send(calls.table_left(place.table_id))
            return self._pause()
        hand_id = f"{place.table_id}-{place.hand_number}"
        try:
            seen = self._sender.look(lambda house, token: hands.see(house, token, hand_id))
        except Refused as refused:
            if refused.reason is Reason.BAD_TOKEN:
                self.places.clear()
            elif refused.reason is Reason.NOT_FOUND:
                self._look_at_table(place)
            else:
                raise
            return world.between(*people.WAIT_MS)
        if seen is None:
            return world.between(*people.AGAIN_MS)
        if seen.next_hand_id is not None:
            place.hand_number += 1
        elif seen.view.result is not None:
            self._between_hands(place)
        elif seen.legal_moves:
            self._decide(place, seen)
        elif not world.happens(temper.wrong):
            return world.between(*people.WAIT_MS)
        else:
            at = (place.table_id, seen.number, place.seat)
            self._send(calls.move_made(place.table_id, hand_id, Draw("stock"), None), at)
        return self._pause()

    def _look_at_table(self, place: Seat) -> None:
        seen = self._sender.look(lambda house, token: tables.see(house, token, place.table_id))
        if seen is not None and seen.table.status == "finished":
            self._gone(place.table_id)

    def _gone(self, table_id: str) -> None:
        self.places = [place for place in self.places if place.table_id != table_id]

    def _between_hands(self, place: Seat) -> None:
        if self._world.happens(0.7):
            number = place.hand_number + 1 if self._world.happens(0.5) else None
            self._send(calls.hand_dealt(place.table_id, number))
        else:
            self._look_at_table(place)

    def _decide(self, place: Seat, seen: SeenHand) -> None:
        world, temper = self._world, self._temper
        version: int | None = seen.view.version if world.happens(0.5) else None
        move = choose_by_level(temper.level, seen.view, world.chance.randrange)
        due: Due | None = "taken"
        if seen.view.version and world.happens(temper.stale):
            version, due = world.chance.randrange(seen.view.version), "refused"
        elif world.happens(temper.wrong):
            move, due = _wrong(seen), None
        elif world.happens(0.2):
            move = world.chance.choice(seen.legal_moves)
        at = (place.table_id, seen.number, place.seat)
        self._send(calls.move_made(place.table_id, seen.hand_id, move, version), at, due)

    def _send(self, call: Call, at: attempts.Place | None = None, due: Due | None = None) -> None:
        sent = self._sender.sent(call, self._world.happens(self._temper.keys), at, due)
        self._heard(sent)
        if sent.answer is not None and sent.key is not None and self._world.happens(self._temper.doubles):
            self._sender.doubled(sent)

    def _heard(self, sent: Sent) -> None:
        """What was answered, and what follows from it."""
        self._unanswered = sent if sent.answer is None and sent.refused is None and sent.key is not None else None
        kind, table_id = sent.call.kind, sent.call.table_id
        if sent.refused is not None:
            self._refused(kind, table_id, sent.refused)
        elif sent.answer is not None:
            if kind in OPENS and sent.answer.status == 201:
                body = sent.answer.body
                self._sits(body["table_id"], body["seat"])
                if kind == "open" and body["invite"] is not None:
                    self._invites[body["table_id"]] = body["invite"]
            if table_id is not None and (kind == "leave" or (kind == "rematch" and sent.answer.status == 201)):
                self._gone(table_id)

    def _sits(self, table_id: str, seat: int) -> None:
        if all(place.table_id != table_id for place in self.places):
            self.places.append(Seat(table_id, seat))

    def _refused(self, kind: str, table_id: str | None, refused: Refused) -> None:
        if kind == "refill" and not self.places:
            self._sender.token = None  # With nothing to stake: under another name there are coins again.
            self.name += "x"
        elif refused.reason is Reason.NAME_TAKEN:
            self.name += "x"  # Perhaps by itself, and the answer was lost.
        elif refused.reason is Reason.NOT_ENOUGH_COINS:
            self._send(calls.coins_refilled())
        if table_id is None or kind not in ("deal", "leave", "rematch"):
            return
        if kind == "deal" and refused.reason is Reason.TABLE_OVER and self._world.happens(self._temper.rematches):
            self._send(calls.rematch_asked(table_id))
        elif kind == "rematch" or refused.reason is Reason.TABLE_OVER:
            self._gone(table_id)


def _wrong(seen: SeenHand) -> Move:
    """A move that nobody could make there."""
    if seen.view.phase == "discard":
        return Draw("stock")
    return Discard(0) if seen.view.phase == "layoff" else LayOff()
