"""Two worlds of one table that differ only in what a viewer cannot know: the rows of the one, and of the other.

What is unknown to a seat is taken from a tally on paper, which shares nothing with the product: cards that the seat has
neither held nor seen on the pile or laid open. They change places in the deck; all that was played is played again with
it. One who sits nowhere knows no card of a running hand: there the suits change places, in all that was played too.
"""

import random
import re
from dataclasses import dataclass, replace
from typing import Any

import orjson
from sqlalchemy import Table as Rows
from sqlalchemy import delete, insert, select, update

from ginapi.game.cards import card_text, parse_card, texts
from ginapi.game.moves import Leave, Void, move_dict, move_from
from ginapi.game.notation import Entry, played
from ginapi.game.rules import CONTEST
from ginapi.store import schema, tables
from ginapi.store.database import Database
from ginapi.store.state import write_dealt
from ginapi.tables.records import Record, entry_of
from ginapi.tables.values import Table
from tests import referee
from tests.fixed import Fixed, Request, Told
from tests.tally import Tally

Row = dict[str, Any]


@dataclass(frozen=True)
class World:
    """A table's rows as they stand, and the table that is read from them."""

    table: Table
    row: Row
    records: tuple[Row, ...]
    hands: tuple[Row, ...]


def world_of(database: Database, table_id: str) -> World:
    """The world as it is stored."""
    with database.read() as tx:
        found = tables.find_table(tx, table_id)
        assert found is not None

        def rows(of: Rows, column: str = "table_id") -> tuple[Row, ...]:
            ordered = select(of).where(of.c[column] == table_id).order_by(*of.primary_key.columns)
            return tuple(dict(row._mapping) for row in tx.execute(ordered))

        return World(found, rows(schema.tables, "id")[0], rows(schema.records), rows(schema.hands))


def put(database: Database, world: World) -> None:
    """Make this world the one that is stored."""
    table_id = world.table.id
    with database.write() as tx:
        tx.execute(update(schema.tables).where(schema.tables.c.id == table_id).values(world.row))
        for of, rows in ((schema.records, world.records), (schema.hands, world.hands)):
            tx.execute(delete(of).where(of.c.table_id == table_id))
            if rows:
                tx.execute(insert(of), list(rows))


def unseen(world: World, seat: int = 0) -> set[str]:
    """The cards of the running hand that a seat has never seen; none once the hand is over."""
    dealt = world.table.dealt
    if dealt.hand.phase == "finished":
        return set()
    if dealt.number == 0:  # The deck lies ready, and nobody holds a card.
        return set(referee.DECK)
    tally = Tally(texts(dealt.hand.deal.deck), dealt.hand.deal.opener, contest=dealt.hand.deal.rules == CONTEST)
    for row in _moves(world):
        tally.apply(row["seat"], {"action": row["action"], **orjson.loads(row["body"])})
    return set(referee.DECK) - tally.seen[seat]


def top_of_stock(world: World) -> str:
    hand = world.table.dealt.hand
    return card_text(hand.deal.deck[hand.stock_at])


def below_the_top(world: World) -> set[str]:
    """The stock without its top card."""
    hand = world.table.dealt.hand
    return set(texts(hand.deal.deck[hand.stock_at + 1 :]))


def other_world(chance: random.Random, world: World, swapped: set[str], *, seed_too: bool = True) -> World:
    """The world with these cards in each other's places, another salt, and another seed; the commitment is held."""
    before = sorted(swapped)
    return _with(chance, world, dict(zip(before, chance.sample(before, len(before)), strict=True)), seed_too)


def recoloured(chance: random.Random, world: World) -> World:
    """The world with other suits, another seed and another invite, for one who is shown no card of the running hand.

    What was played can be played again: the rules know no suit from another.
    """
    suits = dict(zip("shdc", chance.choice(["hdcs", "dcsh", "hscd", "cdhs"]), strict=True))
    is_over = world.table.dealt.hand.result is not None
    swap = {} if is_over else {card: card[0] + suits[card[1]] for card in referee.DECK}
    other = _with(chance, world, swap, True)
    if world.table.invite is None:
        return other
    invite = f"{chance.getrandbits(128):032x}"
    return replace(other, table=other.table._replace(invite=invite), row={**other.row, "invite": invite})


def _with(chance: random.Random, world: World, swap: dict[str, str], seed_too: bool) -> World:
    table, dealt = world.table, world.table.dealt
    hand = dealt.hand
    # A finished hand shows its salt; a deck that lies ready has none yet.
    salt = dealt.salt if hand.result is not None or not table.is_full else f"{chance.getrandbits(256):064x}"
    deck = tuple(parse_card(swap.get(text, text)) for text in texts(hand.deal.deck))
    entries = [_swapped_entry(entry, swap) for entry in _entries(world)]
    other = dealt._replace(salt=salt, hand=played(deck, hand.deal.opener, entries, hand.deal.rules))
    row = {**world.row, "hand": write_dealt(other)}
    if seed_too:
        row["seed"] = f"{chance.getrandbits(256):064x}"
    records = tuple(
        _swapped_record(record, swap, salt) if record["hand_number"] == dealt.number else record
        for record in world.records
    )
    return replace(world, table=table._replace(dealt=other, seed=row["seed"]), row=row, records=records)


def _moves(world: World) -> list[Row]:
    number = world.table.dealt.number
    return [row for row in world.records if row["event"] == "move" and row["hand_number"] == number]


def _entries(world: World) -> list[Entry]:
    named = [{**row, "body": orjson.loads(row["body"])} for row in _moves(world)]
    for row in named:
        del row["table_id"]
    return [entry_of(Record(**row)) for row in named]


def _swapped_entry(entry: Entry, swap: dict[str, str]) -> Entry:
    card = None if entry.card is None else parse_card(_swapped(card_text(entry.card), swap))
    if isinstance(entry.move, Leave | Void):
        return entry
    return replace(entry, move=move_from(_swapped(move_dict(entry.move), swap)), card=card)


def _swapped_record(record: Row, swap: dict[str, str], salt: str) -> Row:
    body = _swapped(orjson.loads(record["body"]), swap)
    if record["event"] == "dealt":
        body["salt"] = salt
    return {**record, "body": orjson.dumps(body).decode()}


def suits_changed(chance: random.Random, world: World) -> World:
    """The world with the suits of the running hand in each other's places, and another seed and salt.

    It is played the same in both, so that nothing of it tells them apart but its cards.
    """
    suits = dict(zip("shdc", chance.sample("shdc", 4), strict=True))
    dealt = world.table.dealt
    assert dealt.hand.result is None
    salt = f"{chance.getrandbits(256):064x}"

    def changed(text: str) -> str:
        return re.sub(r"\b([A2-9TJQK])([shdc])\b", lambda card: card[1] + suits[card[2]], text)

    deck = tuple(parse_card(changed(text)) for text in texts(dealt.hand.deal.deck))
    records = []
    for record in world.records:
        if record["hand_number"] == dealt.number:
            body = orjson.loads(changed(record["body"]))
            body |= {"salt": salt} if record["event"] == "dealt" else {}
            record = {**record, "body": orjson.dumps(body).decode()}
        records.append(record)
    other = replace(world, records=tuple(records))
    hand = dealt._replace(salt=salt, hand=played(deck, dealt.hand.deal.opener, _entries(other), dealt.hand.deal.rules))
    row = {**world.row, "hand": write_dealt(hand), "seed": f"{chance.getrandbits(256):064x}"}
    return replace(other, table=world.table._replace(dealt=hand, seed=row["seed"]), row=row)


def _swapped(said: Any, swap: dict[str, str]) -> Any:
    """JSON values with these cards in each other's places."""
    if isinstance(said, dict):
        return {name: _swapped(value, swap) for name, value in said.items()}
    if isinstance(said, list):
        return [_swapped(value, swap) for value in said]
    return swap.get(said, said) if isinstance(said, str) else said


def told_apart(fixed: Fixed, here: World, there: World, asked: list[Request], token: str | None) -> list[Request]:
    """Which of these requests tell the worlds apart; none of them may change a thing."""
    first = [fixed.ask(request, token) for request in asked]
    assert world_of(fixed.database, here.table.id) == here
    put(fixed.database, there)
    second = [fixed.ask(request, token) for request in asked]
    assert world_of(fixed.database, here.table.id) == there
    put(fixed.database, here)
    return [request for request, one, other in zip(asked, first, second, strict=True) if one != other]


def without_deal(told: Told) -> Any:
    """The answer but for deck and salt, which are shown once a hand is over, and are what the worlds differ in."""
    hand = told.json
    if hand["result"] is None:
        return told.body
    del hand["result"]["deal"]
    return hand
