"""The books checked: every hand played again from its records and held against what is stored."""

from collections.abc import Iterator
from dataclasses import dataclass

from ginapi.game.match import winner_of
from ginapi.game.notation import played
from ginapi.game.shuffle import commitment
from ginapi.service.house import House
from ginapi.store import tables
from ginapi.tables.records import Record, entry_of
from ginapi.tables.table import Dealt, Table


@dataclass(frozen=True, slots=True)
class Audited:
    """A table and what is wrong with it."""

    table_id: str
    faults: tuple[str, ...]


def audit(house: House) -> Iterator[Audited]:
    """Every table, one read transaction each, in the order of their ids."""
    last = ""
    while True:
        with house.db.read() as tx:
            found = tables.find_after(tx, last)
            if found is None:
                return
            stored = {hand.number: hand for hand in tables.all_finished(tx, found.id)}
            records = tables.find_records(tx, found.id)
        last = found.id
        yield Audited(found.id, tuple(faults_of(found, stored, records)))


def faults_of(table: Table, stored: dict[int, Dealt], records: list[Record]) -> Iterator[str]:
    """What of a table is not as its records say; `stored` are its finished hands by number."""
    if [record.number for record in records] != list(range(1, table.version + 1)):
        yield f"the log does not count from 1 to {table.version}"
    hands = {**stored, table.dealt.number: table.dealt}
    if sorted(hands) != list(range(1, table.dealt.number + 1)):
        yield f"hands are missing before hand {table.dealt.number}"
    scores = (0, 0)
    for number, dealt in sorted(hands.items()):
        if dealt.scores_before != scores:
            yield f"hand {number} begins at {dealt.scores_before}, not at {scores}"
        scores = dealt.scores
        yield from (f"hand {number}: {fault}" for fault in _hand_faults(table, dealt, stored.get(number), records))
    if table.status == "finished" and table.ended == "target" and winner_of(scores, table.target) != table.winner:
        yield f"seat {table.winner} did not win at {scores}"


def _hand_faults(table: Table, dealt: Dealt, stored: Dealt | None, records: list[Record]) -> Iterator[str]:
    of_hand = [record for record in records if record.hand_number == dealt.number]
    deals = [record for record in of_hand if record.event == "dealt"]
    if len(deals) != 1:
        yield f"it was dealt {len(deals)} times"
        return
    hand = dealt.hand
    if commitment(dealt.id, dealt.salt, hand.deal.deck) != dealt.commitment:
        yield "its commitment does not open"
    if deals[0].body["commitment"] != dealt.commitment:
        yield "its commitment is not the one it was dealt with"
    entries = [entry_of(record) for record in of_hand if record.event == "move"]
    try:
        again = played(hand.deal.deck, hand.deal.opener, entries)
    except ValueError as error:
        yield str(error)
        return
    if again != hand:
        yield "played again, it comes to another state"
    if (stored is not None) != (hand.result is not None):
        yield "it is finished in one place and not in the other"
    elif stored is not None and stored != dealt:
        yield "its two copies differ"
