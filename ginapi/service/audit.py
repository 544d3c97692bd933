"""The books checked: every hand played again from its records and held against what is stored."""

from collections.abc import Iterator

from ginapi.game.match import winner_of
from ginapi.game.notation import played
from ginapi.game.shuffle import commitment
from ginapi.service import ledgers, standing
from ginapi.service.audited import Audited
from ginapi.service.house import House
from ginapi.store import log, tables
from ginapi.store.log import FinishedHand
from ginapi.tables.course import deal_body
from ginapi.tables.records import Record, entry_of, result_body
from ginapi.tables.values import Dealt, Table


def audit(house: House) -> Iterator[Audited]:
    """Every table, and then every account against the ledger and its standing against the tables."""
    yield from _tables(house)
    yield from ledgers.audit(house)
    yield standing.audit(house)


def _tables(house: House) -> Iterator[Audited]:
    """One read transaction each, in the order of their ids."""
    last = ""
    while True:
        with house.db.read() as tx:
            found = tables.find_after(tx, last)
            if found is None:
                return
            stored = {hand.number: hand for hand in log.all_finished(tx, found.id)}
            listed = log.find_finished(tx, found.id)
            records = log.find_records(tx, found.id)
            coin_faults = tuple(ledgers.table_faults(tx, found))
        last = found.id
        yield Audited(found.id, (*faults_of(found, stored, records), *_score_faults(stored, listed), *coin_faults))


def faults_of(table: Table, stored: dict[int, Dealt], records: list[Record]) -> Iterator[str]:
    """What of a table is not as its records say; `stored` are its finished hands by number."""
    if [record.number for record in records] != list(range(1, table.version + 1)):
        yield f"the log does not count from 1 to {table.version}"
    hands = {**stored, table.dealt.number: table.dealt} if table.is_full else stored
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
    ends = [
        {name: record.body[name] for name in ("status", "winner", "ended")}
        for record in records
        if record.event == "table" and "ended" in record.body
    ]
    runs = {"status": "playing" if table.is_full else "open", "winner": None, "ended": None}
    now = {"status": table.status, "winner": table.winner, "ended": table.ended}
    if now != (ends[-1] if ends else runs):
        yield "its log ends the match otherwise"


def _score_faults(stored: dict[int, Dealt], listed: list[FinishedHand]) -> Iterator[str]:
    """What the table's score sheet says otherwise than its hands."""
    results = {number: dealt.hand.result for number, dealt in stored.items()}
    for line in listed:
        result = results[line.number]
        if result is None or (line.kind, line.winner, line.points) != (result.kind, result.winner, result.points):
            yield f"hand {line.number}: the score sheet has another result"


def _hand_faults(table: Table, dealt: Dealt, stored: Dealt | None, records: list[Record]) -> Iterator[str]:
    of_hand = [record for record in records if record.hand_number == dealt.number]
    deals = [record for record in of_hand if record.event == "dealt"]
    if len(deals) != 1:
        yield f"it was dealt {len(deals)} times"
        return
    hand = dealt.hand
    if commitment(dealt.id, dealt.salt, hand.deal.deck) != dealt.commitment:
        yield "its commitment does not open"
    if deals[0].body != deal_body(dealt):
        yield "it was dealt otherwise"
    results = [record.body for record in of_hand if record.event == "result"]
    if results != ([] if hand.result is None else [result_body(hand.result, dealt.scores)]):
        yield "its log says another result"
    try:
        entries = [entry_of(record) for record in of_hand if record.event == "move"]
        again = played(hand.deal.deck, hand.deal.opener, entries, hand.deal.rules)
    except (ValueError, KeyError) as error:
        yield f"it cannot be played again: {error}"
        return
    if again != hand:
        yield "played again, it comes to another state"
    if (stored is not None) != (hand.result is not None):
        yield "it is finished in one place and not in the other"
    elif stored is not None and stored != dealt:
        yield "its two copies differ"
