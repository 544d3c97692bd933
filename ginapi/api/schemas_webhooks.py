"""What callers send and are answered about webhooks, and what a webhook is sent."""

from typing import Any

from marshmallow import ValidationError, fields

from ginapi.api.fields import Body, Text
from ginapi.api.schemas_hand import Answer, a_choice, a_moment, a_text, an_integer, described, many, one
from ginapi.config import WEBHOOK_URL_CHARACTERS
from ginapi.service.addresses import URL_PATTERN, target_of
from ginapi.tables.notices import HAND_FINISHED, MATCH_FINISHED, TURN

_ID = "3f2a9c0d1e4b5a687790"
_URL = "https://example.org/told"


class WebhookUrl(Text):
    """Where something may be sent by HTTP."""

    def __init__(self, **kwargs: Any) -> None:
        metadata = {
            "pattern": URL_PATTERN,
            "description": "`https` or `http`, without a user and a fragment.",
            "examples": [_URL],
        }
        super().__init__(10, WEBHOOK_URL_CHARACTERS, metadata=metadata, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        url = super()._deserialize(value, attr, data, **kwargs)
        try:
            target_of(url)
        except ValueError as fault:
            raise ValidationError(str(fault)) from None
        return url


class AddWebhook(Body):
    """A webhook to add."""

    url = WebhookUrl(required=True)


class Webhook(Answer):
    """Where an account is told."""

    id = a_text("", _ID)
    url = a_text("", _URL)
    created_at = a_moment("When it was added.")
    failures = an_integer("Tries to deliver there that failed, in a row; 0 once something was taken.", 0)
    disabled_at = a_moment("When it answered 410, and nothing more was sent; null else.", allow_none=True)


class NewWebhook(Webhook):
    """A webhook, and the secret that all it is sent is signed with."""

    secret = a_text("Shown this once.", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")


class Webhooks(Answer):
    """A page of webhooks, the oldest first."""

    items = many(Webhook)
    next = a_text("`cursor` for the page after this; null on the last.", allow_none=True)


class _Facts(Answer):
    """What a delivery says. No card is ever told: look at the hand."""

    table_id = a_text("", _ID)
    table_version = an_integer("The number of the table's event that it tells of.", 12)
    seat = an_integer("The account's.", 0)
    scores = fields.List(fields.Integer(), **described("The match's scores, by seat.", [31, 0]))


class _HandFacts(_Facts):
    hand_id = a_text("", f"{_ID}-1")
    number = an_integer("Which hand of the table, from 1.", 1)
    version = an_integer("The hand's.", 4)


class TurnFacts(_HandFacts):
    """A decision that waits for the account, and came about by another, by the clock or by a new deal."""

    phase = a_choice("draw", "discard", "layoff", what="What has to be done.")
    deadline = a_moment("Until when; null at a table without a clock.", allow_none=True)


class HandFinishedFacts(_HandFacts):
    """How a hand ended."""

    kind = a_choice("gin", "knock", "undercut", "wash", "left", "void")
    winner = an_integer("The seat that scored, if one did.", 0, allow_none=True)
    knocker = an_integer("The seat that knocked, if one did.", 0, allow_none=True)
    points = an_integer("What the winner scored.", 31)


class MatchFinishedFacts(_Facts):
    """How a match ended, or a table that nobody else sat down at."""

    winner = an_integer("The seat that won the match.", 0, allow_none=True)
    ended = a_choice("target", "left", "closed", "void")


class _Delivery(Answer):
    timestamp = a_moment("When it came about.")


class TurnDelivery(_Delivery):
    """It is the account's turn."""

    type = a_choice(TURN)
    data = one(TurnFacts)


class HandFinishedDelivery(_Delivery):
    """A hand is over."""

    type = a_choice(HAND_FINISHED)
    data = one(HandFinishedFacts)


class MatchFinishedDelivery(_Delivery):
    """A match is over."""

    type = a_choice(MATCH_FINISHED)
    data = one(MatchFinishedFacts)


DELIVERIES: dict[str, type[Answer]] = {
    TURN: TurnDelivery,
    HAND_FINISHED: HandFinishedDelivery,
    MATCH_FINISHED: MatchFinishedDelivery,
}
