"""Players as anybody may see them: one by name, and all that are rated, best first."""

from dataclasses import dataclass

from ginapi.errors import Reason, Refused
from ginapi.service import callers, settling
from ginapi.service.house import House
from ginapi.store import accounts, standings
from ginapi.store.standings import Place
from ginapi.tables.rating import Rating
from ginapi.tables.standing import Standing


@dataclass(frozen=True, slots=True)
class Player:
    """An account in public; `rating` is as it stands now, its deviation grown since the last rated match."""

    name: str
    created_ms: int
    rating: Rating
    standing: Standing


def no_player() -> Refused:
    """The refusal of a name that no account has."""
    return Refused(Reason.NOT_FOUND, "No player has this name.")


def see(house: House, name: str) -> Player:
    """The player of a name, without case; matches that are over by now are counted. Raises `not_found`."""

    def look() -> Player:
        with house.db.read() as tx:
            account = accounts.find_by_name(tx, name)
            if account is None or account.is_closed:
                raise no_player()
            now_ms = house.now_in(tx)
            callers.refuse_overdue(tx, account.id, now_ms)
            standing = standings.find(tx, [account.id])[account.id]
            return Player(account.name, account.created_ms, standing.rating_at(now_ms), standing)

    return settling.until_settled(house, look)


def leaderboard(house: House, limit: int, after: Place | None) -> list[tuple[Player, Place]]:
    """The players that have been rated, best first, each with its place; by the matches that have been settled."""
    with house.db.read() as tx:
        now_ms = house.now_in(tx)
        return [
            (Player(one.name, one.created_ms, one.standing.rating_at(now_ms), one.standing), one.place)
            for one in standings.list_ranked(tx, limit, after)
        ]
