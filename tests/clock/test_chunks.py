"""However often a table is looked at meanwhile, it comes to the same: the same records, at the same instants."""

import random
from collections.abc import Iterator

from ginapi.players import choose_by_level
from ginapi.tables.clock import ClockTerms
from ginapi.tables.records import Record
from ginapi.tables.table import Outcome, Table, deal_next, flag, open_coin, open_practice, play
from tests.clock.clocked import drawer
from tests.shares import numbers, share
from tests.tables.matches import NOW_MS, TABLE_ID, TEMPERS, Temper, person_move

Step = tuple[int, int, bool]
"""When the person comes, the seed of what it then does, and whether it asks for the next hand."""


class Script:
    """A table to be opened, and when its person comes to it."""

    def __init__(self, chance: random.Random) -> None:
        self.seed = f"{chance.getrandbits(256):064x}"
        self.kind = chance.choice(["coin", "practice"])
        self.level = chance.choice(["easy", "medium", "hard"])
        self.opener = chance.randrange(2)
        self.target = chance.choice([1, 30, 100])
        self.terms = ClockTerms(
            chance.choice([500, 5_000, 90_000]),
            chance.choice([0, 500]),
            chance.choice([0, 1, 667]),
            chance.choice([0, 10_000]),
        )
        self.choose = drawer if chance.random() < 0.1 else choose_by_level
        self.temper: Temper = chance.choice(TEMPERS)
        self.steps: list[Step] = []
        at_ms = NOW_MS
        for _ in range(chance.choice([0, 0, 3, 30, 100])):
            at_ms += chance.choice([0, 1, 300, 667, self.terms.move_ms, self.terms.move_ms * 3, 20_000])
            self.steps.append((at_ms, chance.getrandbits(32), chance.random() < 0.5))
        # Against one who never knocks a match has no end.
        ends = self.choose is choose_by_level
        self.until_ms = at_ms + chance.choice([0, 10_000, 1_000_000, 100_000_000] if ends else [0, 10_000, 60_000])

    def opened(self) -> Outcome:
        if self.kind == "coin":
            return open_coin(
                TABLE_ID, self.seed, NOW_MS, stake=50, clock=self.terms, target=self.target, choose=self.choose
            )
        return open_practice(
            TABLE_ID,
            self.seed,
            NOW_MS,
            level=self.level,
            opener=self.opener,
            target=self.target,
            clock=self.terms,
            choose=self.choose,
        )

    def played(self, looks: random.Random | None) -> tuple[Table, list[Record]]:
        """The table at the end of its script; with `looks` it is flagged at random instants in between."""
        outcome = self.opened()
        table, log = outcome.table, list(outcome.records)
        for at_ms, seed, asks in [*self.steps, (self.until_ms, 0, False)]:
            for look_ms in _looks(looks, table.changed_ms, at_ms):
                outcome = flag(table, look_ms, self.choose)
                table, log = outcome.table, log + list(outcome.records)
            while table.due_ms is not None and table.due_ms <= at_ms:
                outcome = flag(table, at_ms, self.choose)
                table, log = outcome.table, log + list(outcome.records)
            if table.status == "finished" or at_ms == self.until_ms:
                continue
            if table.dealt.hand.phase != "finished":
                move = person_move(random.Random(seed), table, self.temper)
                outcome = play(table, 0, move, at_ms, self.choose)
            elif asks:
                outcome = deal_next(table, at_ms, self.choose)
            else:
                continue
            table, log = outcome.table, log + list(outcome.records)
        return table, log


def _looks(looks: random.Random | None, from_ms: int, to_ms: int) -> Iterator[int]:
    """Rising instants until `to_ms`."""
    if looks is not None:
        yield from sorted(looks.randint(from_ms, max(from_ms, to_ms)) for _ in range(looks.choice([0, 1, 3, 20])))


def test_r23_a_table_comes_to_the_same_whenever_and_however_often_it_is_looked_at() -> None:
    chance = numbers("clock chunks")
    ends = set()
    for _ in range(share(2_000, 60)):
        script = Script(chance)
        whole = script.played(None)
        for _ in range(3):
            assert script.played(random.Random(chance.getrandbits(64))) == whole
        table, log = whole
        assert [record.number for record in log] == list(range(1, table.version + 1))
        assert [record.at_ms for record in log] == sorted(record.at_ms for record in log)
        assert table.due_ms is None or table.due_ms > script.until_ms or script.until_ms < NOW_MS
        ends.add(table.ended)
    assert {"target", "closed", None} <= ends
