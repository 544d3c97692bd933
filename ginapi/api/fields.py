"""Strict fields: what a body or a query may hold, refused with a sentence that says what would be taken."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from ginapi.config import ERRORS_SHOWN
from ginapi.game.cards import Card, card_text, parse_card

CARD_PATTERN = "^[A2-9TJQK][shdc]$"

_NAME_SHOWN = 100
_NOT_A_CARD = "This is not a card. Write its rank (A 2 … 9 T J Q K) and its suit (s h d c), such as As, Td or 10d."


class StrictInteger(fields.Integer):
    """A whole number from `at_least` to `at_most`; no text, no fraction, no boolean.

    Both bounds are asked for: a number beyond 64 bits would fail in the database instead.
    """

    default_error_messages = {"invalid": "This is not a whole number."}

    def __init__(self, at_least: int, at_most: int, **kwargs: Any) -> None:
        bounds = validate.Range(at_least, at_most, error=f"Give a whole number from {at_least} to {at_most}.")
        super().__init__(strict=True, validate=bounds, **kwargs)


class QueryInteger(StrictInteger):
    """A whole number in a URL: digits and nothing else."""

    default_error_messages = {"not_digits": "Write a whole number with digits alone."}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if not isinstance(value, str) or not re.fullmatch("[0-9]{1,19}", value):
            raise self.make_error("not_digits")
        return int(value)


class StrictBoolean(fields.Boolean):
    """`true` or `false`; no text and no number."""

    default_error_messages = {"not_boolean": "This is not true or false."}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("not_boolean")
        return value


class Text(fields.String):
    """Text of bounded length, without what a database cannot keep: NUL and lone surrogates."""

    default_error_messages = {
        "invalid": "This is not text.",
        "not_kept": "This text holds a NUL or half of a surrogate pair.",
    }

    def __init__(self, at_least: int, at_most: int, **kwargs: Any) -> None:
        length = validate.Length(at_least, at_most, error=f"Give {at_least} to {at_most} characters.")
        metadata = {"pattern": r"^[^\x00]*$", **kwargs.pop("metadata", {})}
        super().__init__(validate=length, metadata=metadata, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise self.make_error("invalid")
        if "\x00" in value or any("\ud800" <= character <= "\udfff" for character in value):
            raise self.make_error("not_kept")
        return value


# Marks, letters and a symbol by their category that show nothing all the same: the unassigned and the format characters
# that Unicode calls default ignorable are refused by their category already.
_UNSEEN = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)


class AccountName(Text):
    """A name for an account: nothing that cannot be seen or that turns the line round; spaces only between."""

    default_error_messages = {"odd": "This name holds a character that cannot be seen, or begins or ends with a space."}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        name = unicodedata.normalize("NFC", super()._deserialize(value, attr, data, **kwargs))
        hidden = any((unicodedata.category(one)[0] in "CZ" and one != " ") or one in _UNSEEN for one in name)
        if hidden or name != name.strip(" ") or "  " in name:
            raise self.make_error("odd")
        return name


class Choice(fields.String):
    """One of a few words, written exactly."""

    default_error_messages = {"invalid": "This is not text."}

    def __init__(self, *words: str, **kwargs: Any) -> None:
        listed = ", ".join(words)
        super().__init__(validate=validate.OneOf(words, error=f"Give one of: {listed}."), **kwargs)


class CardText(fields.Field[Card]):
    """A card as text, taken in any case and as `10s` too; a `Card` once loaded.

    The published pattern names the one spelling that answers use.
    """

    default_error_messages = {"not_card": _NOT_A_CARD}

    def __init__(self, **kwargs: Any) -> None:
        metadata = {"pattern": CARD_PATTERN, "examples": ["Td"], **kwargs.pop("metadata", {})}
        super().__init__(metadata=metadata, **kwargs)

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> str | None:
        return card_text(value) if isinstance(value, int) else value

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Card:
        if not isinstance(value, str):
            raise self.make_error("not_card")
        try:
            return parse_card(value)
        except ValueError:
            raise self.make_error("not_card") from None


class Cards(fields.List[Any]):
    """A JSON array of `at_least` to `at_most` cards. That none stands twice is for `repeated_cards` to say."""

    default_error_messages = {"invalid": "This is not an array of cards."}

    def __init__(self, at_least: int, at_most: int, **kwargs: Any) -> None:
        span = str(at_least) if at_least == at_most else f"{at_least} to {at_most}"
        length = validate.Length(at_least, at_most, error=f"Give {span} cards.")
        metadata = {"uniqueItems": True, **kwargs.pop("metadata", {})}
        super().__init__(CardText(), validate=length, metadata=metadata, **kwargs)


class Body(Schema):
    """A JSON object whose every field is known."""

    error_messages = {"unknown": "There is no such field here.", "type": "This is not a JSON object."}

    class Meta:
        unknown = RAISE


class OneOf(Body):
    """A body of one of several schemas, told apart by a word in it; loads as what that schema makes of it.

    In the OpenAPI document it is the union that `ginapi.api.openapi_unions` registers.
    """

    told_by: ClassVar[str]
    """The field that holds the word; the schema declares it too, so that it is known to be required."""
    members: ClassVar[Mapping[str, Body]]

    def load(self, data: Any, **kwargs: Any) -> Any:
        """What the named schema makes of `data`; raises ValidationError."""
        if not isinstance(data, Mapping):
            raise ValidationError({"_schema": [self.error_messages["type"]]})
        word = data.get(self.told_by)
        if not isinstance(word, str) or word not in self.members:
            raise ValidationError({self.told_by: [f"Give one of: {', '.join(self.members)}."]})
        return self.members[word].load(data)


class Query(Schema):
    """The names that a URL's query may hold; each value is text."""

    error_messages = {"unknown": "There is no such name in this query.", "type": "This is not a query."}

    class Meta:
        unknown = RAISE


def repeated_cards(places: Sequence[tuple[tuple[str | int, ...], Card]]) -> dict[str | int, Any]:
    """Errors, nested as marshmallow nests them, at every place whose card an earlier place has named already."""
    seen: set[Card] = set()
    errors: dict[str | int, Any] = {}
    for path, card in places:
        if card in seen:
            at = errors
            for step in path[:-1]:
                at = at.setdefault(step, {})
            at[path[-1]] = [f"{card_text(card)} stands twice in this body."]
        seen.add(card)
    return errors


def card_places(name: str, cards: Sequence[Any]) -> list[tuple[tuple[str | int, ...], Card]]:
    """Each card of a field that is an array of them, and where it stands, for `repeated_cards`."""
    return [((name, index), card) for index, card in enumerate(cards)]


def refuse_repeated(places: Sequence[tuple[tuple[str | int, ...], Card]]) -> None:
    """Raises ValidationError where `repeated_cards` finds any."""
    errors = repeated_cards(places)
    if errors:
        raise ValidationError(errors)


def errors_of(error: ValidationError) -> tuple[tuple[str, str], ...]:
    """(JSON pointer (RFC 6901), what is wrong there) for each failure, at most `ERRORS_SHOWN` of them."""
    return tuple(_flat("", error.normalized_messages()))[:ERRORS_SHOWN]


def _flat(pointer: str, messages: Any) -> list[tuple[str, str]]:
    if isinstance(messages, dict):
        return [
            found
            for key, below in messages.items()
            for found in _flat(pointer if key == "_schema" else f"{pointer}/{_step(key)}", below)
        ]
    if isinstance(messages, list):
        return [found for below in messages for found in _flat(pointer, below)]
    return [(pointer, str(messages))]


def _step(key: object) -> str:
    """A caller may send any name at all: it is cut, and half a surrogate pair in it would not go out as UTF-8."""
    name = str(key)[:_NAME_SHOWN].encode("utf-8", "replace").decode()
    return name.replace("~", "~0").replace("/", "~1")
