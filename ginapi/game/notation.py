"""A whole hand as text that replays, there and back.

The first line is `ginapi-hand 1`. Then come `hand`, `rules` where they are not the house's, `opener`, `deck` (top
first) and `salt`, a line each; then a line for every record: its version, the seat, who moved for it, when
(milliseconds since 1970), and the move:

    3 0 player 1790000000000 draw stock 9c
    4 0 player 1790000000500 knock Kd 7s7h7d 2c3c4c
    5 1 computer 1790000000500 layoff 9s9h9d / 5c>1

A knock and a lay-off name every meld as it was laid, and a lay-off names the meld that it went onto, from 0. The last
line is the `result`: its kind, then winner, knocker (`-` for none) and points.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast, get_args

from ginapi.errors import Refused
from ginapi.game.cards import Card, Mask, card_text, mask_of, parse_card, texts
from ginapi.game.hand import Hand, deal, leave, play, void
from ginapi.game.moves import Act, Discard, Draw, Knock, LaidOff, LayOff, Leave, Pass, Source, Void
from ginapi.game.rules import HOUSE, RULES, Rules

_HEADER = "ginapi-hand 1"


@dataclass(frozen=True, slots=True)
class Entry:
    """One record of a hand; `card` is what a draw brought."""

    version: int
    seat: int | None
    """None where the house acted."""
    by: str
    at_ms: int
    move: Act
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class HandRecord:
    """A finished hand: everything that it takes to play it again and to check its commitment."""

    hand_id: str
    opener: int
    deck: tuple[Card, ...]
    salt: str
    entries: tuple[Entry, ...]
    result: tuple[str, int | None, int | None, int]
    """Kind, winner, knocker, points."""
    rules: Rules = HOUSE


def played(deck: tuple[Card, ...], opener: int, entries: Iterable[Entry], rules: Rules = HOUSE) -> Hand:
    """The hand that these records lead to. Raises ValueError where they cannot have been played as written."""
    hand = deal(deck, opener, rules)
    for entry in entries:
        try:
            hand = _after(hand, entry)
        except Refused as refused:
            raise ValueError(f"Record {entry.version} cannot be played: {refused.detail}") from refused
        if hand.version != entry.version:
            raise ValueError(f"Record {entry.version} stands where {hand.version} is due.")
        if isinstance(entry.move, Draw) and hand.drawn_card != entry.card:
            raise ValueError(f"Record {entry.version} draws another card than the deck gives.")
    return hand


def _after(hand: Hand, entry: Entry) -> Hand:
    if isinstance(entry.move, Void):
        return void(hand)
    if entry.seat is None:
        raise ValueError(f"Record {entry.version} is nobody's.")
    if isinstance(entry.move, Leave):
        return leave(hand, entry.seat)
    return play(hand, entry.seat, entry.move)


def replay(record: HandRecord) -> Hand:
    """The finished hand of a record. Raises ValueError where its moves cannot have led to its result."""
    hand = played(record.deck, record.opener, record.entries, record.rules)
    if hand.result is None or result_line(hand) != record.result:
        raise ValueError("The result is not what the moves lead to.")
    return hand


def result_line(hand: Hand) -> tuple[str, int | None, int | None, int]:
    """Kind, winner, knocker and points of a finished hand."""
    assert hand.result is not None
    return hand.result.kind, hand.result.winner, hand.result.knocker, hand.result.points


def write(record: HandRecord) -> str:
    """The record as text."""
    kind, winner, knocker, points = record.result
    return "".join(
        f"{line}\n"
        for line in (
            _HEADER,
            f"hand {record.hand_id}",
            *([] if record.rules == HOUSE else [f"rules {record.rules.name}"]),
            f"opener {record.opener}",
            f"deck {' '.join(texts(record.deck))}",
            f"salt {record.salt}",
            *(_entry_text(entry) for entry in record.entries),
            f"result {kind} {_or_dash(winner)} {_or_dash(knocker)} {points}",
        )
    )


def read(text: str) -> HandRecord:
    """The record that such a text holds. Raises ValueError for any other; whether it can be played, `replay` says."""
    lines = text.splitlines()
    named = lines.pop(2) if len(lines) > 2 and lines[2].startswith("rules ") else "rules house"
    if len(lines) < 6 or lines[0] != _HEADER:
        raise ValueError(f"A record begins with the line {_HEADER!r} and has a header and a result.")
    rules = _words(named, "rules", 1)[0]
    if rules not in RULES:
        raise ValueError(f"{rules!r} are no rules that are known: {', '.join(RULES)}.")
    kind, winner, knocker, points = _words(lines[-1], "result", 4)
    return HandRecord(
        hand_id=_words(lines[1], "hand", 1)[0],
        opener=int(_words(lines[2], "opener", 1)[0]),
        deck=tuple(parse_card(card) for card in _words(lines[3], "deck", 52)),
        salt=_words(lines[4], "salt", 1)[0],
        entries=tuple(_read_entry(line) for line in lines[5:-1]),
        result=(kind, _from_dash(winner), _from_dash(knocker), int(points)),
        rules=RULES[rules],
    )


def _words(line: str, name: str, count: int) -> list[str]:
    first, *words = line.split(" ")
    if first != name or len(words) != count:
        raise ValueError(f"A record has a line {name!r} with {count} words here, not {line[:40]!r}.")
    return words


def _or_dash(seat: int | None) -> str:
    return "-" if seat is None else str(seat)


def _from_dash(text: str) -> int | None:
    return None if text == "-" else int(text)


def _meld_words(melds: tuple[Mask, ...] | None) -> str:
    assert melds is not None, "records name every meld"
    return "".join(f" {''.join(texts(meld))}" for meld in melds)


def _entry_text(entry: Entry) -> str:
    return f"{entry.version} {_or_dash(entry.seat)} {entry.by} {entry.at_ms} {_move_text(entry)}"


def _move_text(entry: Entry) -> str:
    match entry.move:
        case Draw(source):
            assert entry.card is not None
            return f"draw {source} {card_text(entry.card)}"
        case Pass():
            return "pass"
        case Discard(card):
            return f"discard {card_text(card)}"
        case Knock(card, melds):
            return f"knock {card_text(card)}{_meld_words(melds)}"
        case LayOff(melds, layoffs):
            laid = "".join(f" {card_text(one.card)}>{one.onto}" for one in layoffs or ())
            return f"layoff{_meld_words(melds)} /{laid}"
        case Leave():
            return "leave"
        case Void():
            return "void"


def _read_entry(line: str) -> Entry:
    words = line.split(" ")
    if len(words) < 5:
        raise ValueError(f"{line[:60]!r} is no record of a move.")
    version, seat, by, at_ms, action, *rest = words
    card: Card | None = None
    move: Act
    match action, rest:
        case "draw", [source, drawn] if source in get_args(Source):
            move, card = Draw(cast(Source, source)), parse_card(drawn)
        case "pass", []:
            move = Pass()
        case "discard", [shed]:
            move = Discard(parse_card(shed))
        case "knock", [shed, *melds]:
            move = Knock(parse_card(shed), tuple(_read_meld(meld) for meld in melds))
        case "layoff", [*words] if "/" in words:
            split = words.index("/")
            move = LayOff(
                tuple(_read_meld(meld) for meld in words[:split]),
                tuple(_read_laid_off(laid) for laid in words[split + 1 :]),
            )
        case "leave", []:
            move = Leave()
        case "void", []:
            move = Void()
        case _:
            raise ValueError(f"{line[:60]!r} is no record of a move.")
    return Entry(int(version), _from_dash(seat), by, int(at_ms), move, card)


def _read_meld(text: str) -> Mask:
    meld = mask_of(parse_card(text[at : at + 2]) for at in range(0, len(text), 2))
    if 2 * meld.bit_count() != len(text):
        raise ValueError(f"{text!r} names a card twice.")
    return meld


def _read_laid_off(text: str) -> LaidOff:
    card, _, onto = text.partition(">")
    return LaidOff(parse_card(card), int(onto))
