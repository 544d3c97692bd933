"""What people ask of the service: its use cases as requests, each of which can be sent again as it was."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from ginapi.game.moves import Move, move_dict
from ginapi.service import accounts, hands, joining, opening, rematches, tables, wallets
from ginapi.service.asking import Answer, Ask
from ginapi.service.callers import Seated
from ginapi.service.house import House
from ginapi.service.opening import AnyTerms, CoinTerms, OnlineTerms
from ginapi.service.seen import SeenHand, SeenTable
from ginapi.service.wallets import Wallet
from ginapi.store.accounts import Account
from ginapi.tables.records import Record
from ginapi.tables.values import Outcome


@dataclass(frozen=True, slots=True)
class Call:
    """A request of one kind, for `send` to send with a token and a key of its caller's."""

    kind: str
    path: str
    body: Any
    table_id: str | None
    """The table that it is about, where there is one already."""
    run: Callable[[House, Ask], Answer]

    def send(self, house: House, token: str | None, key: str | None) -> Answer:
        """What the service answers. Raises as its use cases do."""
        return self.run(house, Ask(token, "POST", self.path, self.body, key))


def _sat_down(tx: Connection, seated: Seated, outcome: Outcome, token: str | None) -> Answer:
    table = seated.table
    return Answer(201, {"table_id": table.id, "seat": seated.seat, "invite": table.invite}, {}, token)


def _hand_told(seen: SeenHand, played: tuple[Record, ...]) -> Answer:
    made = [record.version for record in played if record.seat == seen.seat and record.by == "player"]
    return Answer(200, {"hand_id": seen.hand_id, "made": made})


def _table_told(seen: SeenTable) -> Answer:
    return Answer(200, {"table_id": seen.table.id, "status": seen.table.status})


def account_opened(name: str) -> Call:
    """An account, with its first token."""

    def answer(account: Account, token: str) -> Answer:
        return Answer(201, {"account": "opened"}, {}, token)

    def run(house: House, ask: Ask) -> Answer:
        return accounts.open_account(house, ask, lambda: (name, "a password"), answer)

    return Call("account", "/v1/accounts", {"name": name}, None, run)


def table_opened(terms: AnyTerms) -> Call:
    """A table of one's own."""
    needs_account = isinstance(terms, CoinTerms) or (isinstance(terms, OnlineTerms) and terms.stake > 0)

    def run(house: House, ask: Ask) -> Answer:
        return opening.open_table(house, ask, lambda: terms, _sat_down, needs_account=needs_account)

    return Call("open", "/v1/tables", {"terms": repr(terms)}, None, run)


def table_found(stake: int) -> Call:
    """The best table that waits, or one of one's own."""

    def run(house: House, ask: Ask) -> Answer:
        return joining.quick(house, ask, lambda: stake, _sat_down, needs_account=stake > 0)

    return Call("quick", "/v1/tables/quick", {"stake": stake}, None, run)


def table_joined(table_id: str, invite: str | None) -> Call:
    """The second seat of a table."""

    def run(house: House, ask: Ask) -> Answer:
        return joining.join(house, ask, table_id, invite, lambda: None, _sat_down)

    return Call("join", f"/v1/tables/{table_id}/seats", {"invite": invite}, table_id, run)


def move_made(table_id: str, hand_id: str, move: Move, version: int | None) -> Call:
    """A move, decided on at a version where one is given."""
    decided_on = None if version is None else frozenset({version})

    def run(house: House, ask: Ask) -> Answer:
        return hands.move(house, ask, hand_id, lambda: move, decided_on, _hand_told)

    return Call("move", f"/v1/hands/{hand_id}/moves", move_dict(move), table_id, run)


def hand_dealt(table_id: str, number: int | None) -> Call:
    """The next hand."""

    def run(house: House, ask: Ask) -> Answer:
        return tables.deal_next(house, ask, table_id, lambda: number, _hand_told)

    return Call("deal", f"/v1/tables/{table_id}/hands", {"number": number}, table_id, run)


def table_left(table_id: str) -> Call:
    """Up and away."""

    def run(house: House, ask: Ask) -> Answer:
        return tables.leave(house, ask, table_id, lambda: None, _table_told)

    return Call("leave", f"/v1/tables/{table_id}/leave", {}, table_id, run)


def rematch_asked(table_id: str) -> Call:
    """The same again."""

    def answer(tx: Connection, seated: Seated, is_new: bool) -> Answer:
        return Answer(201 if is_new else 202, {"table_id": seated.table.id, "seat": seated.seat})

    def run(house: House, ask: Ask) -> Answer:
        return rematches.ask_for(house, ask, table_id, lambda: None, answer)

    return Call("rematch", f"/v1/tables/{table_id}/rematch", {}, table_id, run)


def coins_refilled() -> Call:
    """Coins again for whoever has next to none."""

    def answer(wallet: Wallet) -> Answer:
        return Answer(200, {"balance": wallet.balance})

    def run(house: House, ask: Ask) -> Answer:
        return wallets.refill(house, ask, lambda: None, answer)

    return Call("refill", "/v1/wallet/refills", {}, None, run)
