"""Every refusal the project knows, named once, in the order in which they are checked."""

from enum import Enum


class Reason(Enum):
    """Why something was refused: the `code` of a problem document.

    Members stand in the contract's order of precedence. What each means over HTTP, `ginapi.api.errors` alone knows.
    """

    TOO_LARGE = "too_large"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"
    BAD_JSON = "bad_json"
    NO_TOKEN = "no_token"
    BAD_TOKEN = "bad_token"
    BAD_CREDENTIALS = "bad_credentials"
    TOO_MANY_REQUESTS = "too_many_requests"
    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    NOT_ALLOWED = "not_allowed"
    INVALID_REQUEST = "invalid_request"
    KEY_REUSED = "key_reused"
    IN_PROGRESS = "in_progress"
    STALE_VERSION = "stale_version"
    # On a move.
    HAND_OVER = "hand_over"
    TOO_LATE = "too_late"
    NOT_YOUR_TURN = "not_your_turn"
    WRONG_PHASE = "wrong_phase"
    CARD_NOT_IN_HAND = "card_not_in_hand"
    CARD_JUST_TAKEN = "card_just_taken"
    BAD_MELDS = "bad_melds"
    BAD_LAYOFF = "bad_layoff"
    TOO_MUCH_DEADWOOD = "too_much_deadwood"
    # At a table.
    TABLE_OVER = "table_over"
    ALREADY_SEATED = "already_seated"
    TABLE_FULL = "table_full"
    HAND_RUNNING = "hand_running"
    STAKE_NOT_OFFERED = "stake_not_offered"
    TOO_MANY_TABLES = "too_many_tables"
    NOT_ENOUGH_COINS = "not_enough_coins"
    # Of an account.
    NAME_TAKEN = "name_taken"
    REFILL_NOT_DUE = "refill_not_due"
    # Of the service itself.
    INTERNAL = "internal"
    UNAVAILABLE = "unavailable"


class Refused(Exception):
    """A request or move that is not carried out, and why.

    `detail` says what was tried, what holds and what would be legal. `errors` are pairs of a JSON pointer into the
    request and what is wrong there; only `Reason.INVALID_REQUEST` has them. Where the same may be taken later,
    `again_s` is after how many seconds to ask again.
    """

    def __init__(
        self, reason: Reason, detail: str, errors: tuple[tuple[str, str], ...] = (), *, again_s: int = 1
    ) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.errors = errors
        self.again_s = again_s
