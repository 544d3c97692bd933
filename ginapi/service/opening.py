"""Opening a practice table, for whoever asks: the one who asks without a token becomes a guest (R24)."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from ginapi.config import TABLES_PER_PLAYER
from ginapi.errors import Reason, Refused
from ginapi.game.cards import Card
from ginapi.service import asking, callers
from ginapi.service.asking import Answer, Ask, Once
from ginapi.service.house import House
from ginapi.store import tables, tokens
from ginapi.store.tables import Seat, Seated
from ginapi.tables import table as at_table
from ginapi.tables.table import Outcome


@dataclass(frozen=True, slots=True)
class PracticeTerms:
    """How a practice table is to be opened; `opener` is a seat, the caller's 0 or the computer's 1."""

    level: str
    opener: int
    target: int
    seed: str | None = None
    deck: tuple[Card, ...] | None = None


def open_practice(
    house: House,
    ask: Ask,
    read_terms: Callable[[], PracticeTerms],
    answer: Callable[[Connection, Seated, Outcome, str | None], Answer],
) -> Answer:
    """Open a practice table and deal its first hand. `answer` is given the new token, where there is one."""

    def work(tx: Connection, once: Once) -> Answer:
        caller = None if ask.token is None else callers.find(house, tx, ask.token)
        terms = read_terms()
        once.check()
        now_ms = house.now_ms()
        token: str | None = None
        if caller is None:
            token = once.new_token()
            caller = tokens.Caller(house.new_principal(), "guest", now_ms)
            tokens.add(tx, token, caller.principal, caller.kind, now_ms)
        elif tables.count_running(tx, caller.principal) >= TABLES_PER_PLAYER:
            raise Refused(
                Reason.TOO_MANY_TABLES,
                f"You sit at {TABLES_PER_PLAYER} running tables, the most allowed: finish or leave one first.",
            )
        elif ask.token is not None and callers.is_to_note(caller.used_ms, now_ms):
            tokens.use(tx, tokens.hash_of(ask.token), now_ms)
        outcome = _opened(house, terms, now_ms)
        sitting = (Seat(0, caller.kind, caller.kind, caller.principal), Seat(1, "computer", terms.level, None))
        tables.add(tx, outcome, sitting)
        return answer(tx, Seated(outcome.table, 0, caller.principal, now_ms), outcome, token)

    return asking.write(house, ask, work)


def _opened(house: House, terms: PracticeTerms, now_ms: int) -> Outcome:
    return at_table.open_practice(
        house.new_table_id(),
        terms.seed if terms.seed is not None else house.new_seed(),
        now_ms,
        level=terms.level,
        opener=terms.opener,
        target=terms.target,
        fair=terms.seed is None and terms.deck is None,
        deck=terms.deck,
        choose=house.choose,
    )
