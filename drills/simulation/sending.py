"""How one person's requests go out and come back, or not, and what an answer has to be."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from drills.simulation.attempts import Place
from drills.simulation.calls import Call
from drills.simulation.hosts import Host, Lost
from drills.simulation.witness import Witness
from drills.simulation.world import Found, World
from ginapi.errors import Refused
from ginapi.service.asking import Answer
from ginapi.service.house import House
from ginapi.service.seen import RefusedAtHand

LOST_SHARE = 0.02
"""Of the answers, how many do not arrive."""
OPENS = ("open", "quick", "join", "rematch")
"""What may open a table."""

Due = Literal["taken", "refused"]
_Answer = TypeVar("_Answer")


@dataclass(slots=True)
class Sent:
    """A request that went out, and what came back so far."""

    call: Call
    token: str | None
    key: str | None
    at: Place | None
    """Where it moves, if it does."""
    answer: Answer | None = None
    refused: Refused | None = None


class Sender:
    """The requests of one person, each to some host."""

    def __init__(self, world: World, hosts: Sequence[Host], witness: Witness) -> None:
        self._world = world
        self._hosts = hosts
        self._witness = witness
        self.token: str | None = None
        self._seen_at = 0
        """How many records there were as something was looked at last."""

    @property
    def is_out(self) -> bool:
        """Whether nobody serves."""
        return self._world.out_since_ms is not None

    def look(self, read: Callable[[House, str | None], _Answer]) -> _Answer | None:
        """What is seen; None where no answer came. Raises Refused."""
        token = self.token
        try:
            seen = self._host().call(lambda house: read(house, token), LOST_SHARE)
        except Lost:
            return None
        finally:
            self._witness.look()
        self._seen_at = self._witness.record_count
        return seen

    def sent(self, call: Call, keyed: bool, at: Place | None = None, due: Due | None = None) -> Sent:
        """The request and its answer, if it came; `due` is what has to come of it where nothing came between."""
        sent = Sent(call, self.token, self._world.random_hex(16) if keyed else None, at)
        if at is not None:
            self._witness.attempts.begun(at)
        if call.kind in OPENS:
            self._witness.attempts.table_begun()
        self.again(sent)
        if due == "refused" and sent.answer is not None:
            raise Found("refused", f"{call.path} took {call.body}, decided on what no longer stood")
        if due == "taken" and sent.refused is not None and self._witness.record_count == self._seen_at:
            raise Found("taken", f"{call.path} refused {call.body}, which was legal: {sent.refused.reason}")
        return sent

    def again(self, sent: Sent) -> Sent:
        """Send it as it was."""
        table_id = sent.call.table_id
        if sent.call.kind == "deal" and table_id is not None:
            self._witness.deal_asked(table_id)
        try:
            answer = self._host().call(lambda house: sent.call.send(house, sent.token, sent.key), LOST_SHARE)
        except Lost:
            self._witness.look()
        except Refused as refused:
            self._not_done(sent, refused)
        except RefusedAtHand as refused:
            self._not_done(sent, refused.refused)
        else:
            self._done(sent, answer)
        finally:
            if sent.call.kind == "deal" and table_id is not None:
                self._witness.deal_answered(table_id)
        return sent

    def insisted(self, call: Call) -> Sent:
        """The request, sent until it is answered."""
        sent = self.sent(call, True)
        while sent.answer is None and sent.refused is None:
            self.again(sent)
        return sent

    def doubled(self, sent: Sent) -> None:
        """Send once more what was answered: the same comes back, and nothing is done."""
        assert sent.answer is not None
        try:
            answer = self._host().call(lambda house: sent.call.send(house, sent.token, sent.key))
        except Lost:
            return
        finally:
            self._witness.look()
        same = (answer.status, answer.body) == (sent.answer.status, sent.answer.body)
        if not (same and answer.replayed):
            raise Found("replayed", f"{sent.call.path} answered its key {answer.body}, and {sent.answer.body} before")
        if sent.at is not None:
            self._witness.attempts.check(sent.at)
        self._witness.attempts.check_tables()

    def _host(self) -> Host:
        return self._world.chance.choice(self._hosts)

    def _not_done(self, sent: Sent, refused: Refused) -> None:
        self._witness.look()
        sent.refused = refused
        if sent.at is not None:
            self._witness.attempts.refused(sent.at)
        if sent.call.kind in OPENS:
            self._witness.attempts.table_refused()

    def _done(self, sent: Sent, answer: Answer) -> None:
        self._witness.look()
        sent.answer = answer
        if answer.token is not None:
            self.token = answer.token
        if sent.at is not None:
            self._witness.attempts.answered(sent.at, answer.body["made"])
        if sent.call.kind in OPENS:
            is_table = answer.status == 201
            self._witness.attempts.table_opened(answer.body["table_id"] if is_table else None)
