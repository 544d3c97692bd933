"""The one place where a Reason becomes an HTTP status, and the words of each refusal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ginapi.config import BODY_BYTES, TABLES_PER_PLAYER, WAIT_MS
from ginapi.errors import Reason

PROBLEM_TYPE = "application/problem+json"
PAGES = "/problems/"
"""Under this path every problem's `type` has its page: `/problems/<code>`."""


@dataclass(frozen=True, slots=True)
class Explained:
    """What a reason is over HTTP: its status, a title, and what it means and what to do."""

    status: int
    title: str
    meaning: str


EXPLAINED: dict[Reason, Explained] = {
    Reason.TOO_LARGE: Explained(
        413,
        "The body is too large",
        f"The body is longer than the {BODY_BYTES} bytes that the service reads. No request of this API needs that "
        "many; send only the fields that the request has.",
    ),
    Reason.UNSUPPORTED_MEDIA_TYPE: Explained(
        415,
        "The body is not declared as JSON",
        "Send a body with the header `Content-Type: application/json`. A request without a body needs no such header "
        "and stands for `{}`.",
    ),
    Reason.BAD_JSON: Explained(
        400,
        "The body is not JSON",
        "The body could not be read as JSON in UTF-8. Check quotes, commas and the end of the text.",
    ),
    Reason.NO_TOKEN: Explained(
        401,
        "A token is needed",
        "This is shown to those who sit at the table, so the request must say who asks: send "
        "`Authorization: Bearer <token>` with the token that came when the table was opened.",
    ),
    Reason.BAD_TOKEN: Explained(
        401,
        "The token is not valid",
        "No seat is known by this token: it was mistyped, has been revoked, or has not been used for so long that it "
        "lapsed. Open a new table without a token to get another.",
    ),
    Reason.BAD_CREDENTIALS: Explained(
        401,
        "Name and password do not belong together",
        "No account has this name and password. Which of the two is wrong is not told.",
    ),
    Reason.TOO_MANY_REQUESTS: Explained(
        429,
        "Too many requests",
        "A limit is used up, the one of which `RateLimit` says that nothing is left (`r=0`); or so many passwords are "
        "being checked that this one cannot wait in line. Send the request again after the seconds in `Retry-After`. "
        "`GET /v1/limits` lists the limits. A legal move is never refused for one.",
    ),
    Reason.NOT_FOUND: Explained(
        404,
        "There is nothing here for you",
        "Either nothing has this address or you are not one of those who may see it; which of the two is not told. "
        "Check the id, and that the token is the one of that table.",
    ),
    Reason.METHOD_NOT_ALLOWED: Explained(
        405,
        "This address does not take that method",
        "The address is right and the method is not. The header `Allow` lists the ones that it takes.",
    ),
    Reason.NOT_ALLOWED: Explained(
        403,
        "You may look but not do that",
        "You can see this, but not do that with it, or not yet: only those seated at a table play there, the record of "
        "a hand is shown once it is finished and its review then to those who sat there, hints are given at practice "
        "tables alone, coins and webhooks need an account, that has so many webhooks and no more, and one that is "
        "banned is given no token.",
    ),
    Reason.INVALID_REQUEST: Explained(
        422,
        "The request holds something that is not taken",
        "`errors` lists what is wrong and where, as JSON pointers into the body or names of the query: a field that is "
        "unknown, missing, of the wrong kind or out of its bounds, a text that names no card, or a card named twice. "
        "Nothing was done.",
    ),
    Reason.KEY_REUSED: Explained(
        422,
        "The idempotency key belongs to another request",
        "This `Idempotency-Key` came before with another body. Use a new key for every new request, and the same one "
        "only to send the same request again.",
    ),
    Reason.IN_PROGRESS: Explained(
        409,
        "The same request is still running",
        "An earlier request with this `Idempotency-Key` has not finished. Send it again in a moment to get its answer.",
    ),
    Reason.STALE_VERSION: Explained(
        412,
        "The hand has moved on",
        "`If-Match` named another version than the one that holds. Look at `hand`, decide again, and send the move "
        "with the version found there. `If-Match: *` is not taken on a move.",
    ),
    Reason.HAND_OVER: Explained(
        409,
        "The hand is over",
        "No more moves are taken in this hand; `result` says how it ended. Deal the next one, unless the match is won.",
    ),
    Reason.TOO_LATE: Explained(
        409,
        "The time for this move had run out",
        "The table played the move when its time was up, so yours came too late. Look at `hand` for what was played "
        "and go on from there: a move made in time puts the full clock back.",
    ),
    Reason.NOT_YOUR_TURN: Explained(
        409,
        "It is not your turn",
        f"The other seat has to move first. Wait with `?after=<version>&wait_ms=<up to {WAIT_MS}>` until it has.",
    ),
    Reason.WRONG_PHASE: Explained(
        409,
        "That move does not belong to this phase",
        "It is your turn, but something else is due: draw first, then discard or knock; lay off only after the other "
        "seat's knock. `hand.legal_moves` lists what is taken now.",
    ),
    Reason.CARD_NOT_IN_HAND: Explained(
        409,
        "You do not hold that card",
        "A card can only be shed by the seat that holds it. `hand.cards` lists what you hold.",
    ),
    Reason.CARD_JUST_TAKEN: Explained(
        409,
        "The card just taken cannot be shed",
        "The card that you took from the discard pile this turn must be kept until your next one (R5). Shed another.",
    ),
    Reason.BAD_MELDS: Explained(
        409,
        "Those are not melds of your cards",
        "Each meld must be 3 or 4 cards of one rank, or 3 or more in a row in one suit with the Ace low, all from your "
        "own cards and no card in two (R6). Leave `melds` out and the table lays out the best.",
    ),
    Reason.BAD_LAYOFF: Explained(
        409,
        "That card cannot be laid off there",
        "A lay-off adds the fourth card of a set or either end of a run of the knocker's declared melds, which `onto` "
        "counts from 0, in the order given (R11). Leave `layoffs` out and the table lays off the best.",
    ),
    Reason.TOO_MUCH_DEADWOOD: Explained(
        409,
        "Too much deadwood to knock",
        "What the declared melds leave is worth more than the knock limit (R8). Knock with another card or another "
        "layout, or discard.",
    ),
    Reason.TABLE_OVER: Explained(
        409,
        "The match at this table is over",
        "Nothing more is dealt or played here; `ended` and `winner` say why. Open a new table.",
    ),
    Reason.ALREADY_SEATED: Explained(
        409,
        "You sit at a running table",
        "Nobody sits at a table twice; and an account cannot be closed "
        "while you sit at a table that is not finished. Finish its match, or leave it, first.",
    ),
    Reason.TABLE_FULL: Explained(
        409,
        "The table is full",
        "Somebody else has the second seat. Open a table of your own, or let `POST /v1/tables/quick` find one.",
    ),
    Reason.HAND_RUNNING: Explained(
        409,
        "A hand is still running",
        "The next hand is dealt once this one is finished. Play it to its end; `hand_id` of the table names it.",
    ),
    Reason.STAKE_NOT_OFFERED: Explained(
        409,
        "No table has that stake",
        "Stakes come from a published list: `GET /v1/stakes` has it, with the leaving fee of each.",
    ),
    Reason.TOO_MANY_TABLES: Explained(
        409,
        "You sit at too many tables",
        f"A caller may sit at {TABLES_PER_PLAYER} running tables at once. Finish or leave one of them first.",
    ),
    Reason.NOT_ENOUGH_COINS: Explained(
        409,
        "You have too few coins",
        "Sitting down takes the stake, and the leaving fee beside it, which comes back at the end (R27). "
        "`GET /v1/stakes` says where you can sit. Coins have no cash value and cannot be cashed out.",
    ),
    Reason.NAME_TAKEN: Explained(
        409,
        "The name is taken",
        "Another account has this name, or one that differs only in upper and lower case. Choose another.",
    ),
    Reason.REFILL_NOT_DUE: Explained(
        409,
        "No refill is due",
        "Coins are refilled once in 24 hours, and only for an account whose coins, held ones included, cannot seat it "
        "at the smallest stake (R29).",
    ),
    Reason.INTERNAL: Explained(
        500,
        "Something went wrong here",
        "The fault is the service's. It is safe to send the request again with the same `Idempotency-Key`. If it "
        "happens again, report it with the `request_id`.",
    ),
    Reason.UNAVAILABLE: Explained(
        503,
        "The service is not ready",
        "The service or its database cannot answer right now, or no new tables are opened for a while, and what runs "
        "goes on. Send the request again after the seconds in `Retry-After`, with the same `Idempotency-Key` if it had "
        "one.",
    ),
}


def problem(
    reason: Reason,
    detail: str,
    request_id: str,
    errors: Sequence[tuple[str, str]] = (),
    hand: Mapping[str, Any] | None = None,
    checks: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The problem document (RFC 9457) of a refusal.

    `hand` is the caller's own view, on a refused move; `checks` say what was looked at where the service is not ready.
    """
    explained = EXPLAINED[reason]
    document: dict[str, Any] = {
        "type": f"{PAGES}{reason.value}",
        "title": explained.title,
        "status": explained.status,
        "detail": detail,
        "code": reason.value,
        "request_id": request_id,
    }
    if errors:
        document["errors"] = [{"pointer": pointer, "detail": what} for pointer, what in errors]
    if hand is not None:
        document["hand"] = dict(hand)
    if checks is not None:
        document["checks"] = dict(checks)
    return document
