"""An open table closes, and an offered rematch lapses, at an instant of its own: whoever looks, and however late."""

from collections.abc import Callable
from typing import Any

import orjson
import pytest
from sqlalchemy import select

from ginapi import scheduler
from ginapi.store import schema
from tests.accounts.people import open_account, refused, told
from tests.api.caller import BEGAN_MS, Api
from tests.coins.seated import balances, faults, operate
from tests.online.pairs import Pair, open_online

OPEN_MS, OFFER_MS = 600_000, 60_000
LATE_MS = (0, 1, 4_999, 3_600_000)


class Looked:
    """A table that somebody comes to; `token` is of one who sits there, `other` of one who may not, or not yet."""

    def __init__(self, api: Api, table_id: str, token: str, other: str) -> None:
        self.api, self.id, self.token, self.other = api, table_id, token, other

    def get(self, token: str | None = None, path: str = "") -> Any:
        return self.api.get(path or f"/v1/tables/{self.id}", token)

    def post(self, path: str, token: str, body: Any = None) -> Any:
        return self.api.post(f"/v1/tables/{self.id}/{path}", body, token)

    def last_record(self) -> tuple[int, Any]:
        """When the newest record is from, since the tests began, and what it says."""
        records = schema.records
        with self.api.database.read() as tx:
            rows = select(records.c.at_ms, records.c.body).where(records.c.table_id == self.id)
            at_ms, body = tx.execute(rows.order_by(records.c.number.desc())).first()
        return at_ms - BEGAN_MS, orjson.loads(body)


LOOKS: dict[str, Callable[[Looked], object]] = {
    "its seat": lambda at: told(at.get(at.token)),
    "an onlooker": lambda at: told(at.get()),
    "an onlooker with a token": lambda at: told(at.get(at.other)),
    "the lobby": lambda at: told(at.get(None, "/v1/tables")),
    "a list of one's own": lambda at: told(at.get(at.token, "/v1/tables?mine=true")),
    "leaving": lambda at: refused(at.post("leave", at.token)) == (409, "table_over") or pytest.fail("left"),
    "the scheduler": lambda at: scheduler.settle_due(at.api.house),
    "the operator": lambda at: operate(at.api, "table", "void", at.id, "--why", "a test"),
}
AT_OPEN: dict[str, Callable[[Looked], object]] = {
    "joining": lambda at: refused(at.post("seats", at.other)) == (409, "table_over") or pytest.fail("sat down"),
    "a wallet": lambda at: told(at.get(at.token, "/v1/wallet")),
    "opening another": lambda at: open_online(at.api, at.token, stake=100),
}


@pytest.mark.parametrize("late_ms", LATE_MS)
@pytest.mark.parametrize("look", [*LOOKS, *AT_OPEN])
def test_an_open_table_closes_at_its_instant(look: str, late_ms: int, fresh_api: Api) -> None:
    api = fresh_api
    tokens = open_account(api), open_account(api)
    table = Looked(api, open_online(api, tokens[0], stake=100)["id"], *tokens)
    api.clock.now_ms += OPEN_MS + late_ms
    {**LOOKS, **AT_OPEN}[look](table)
    closed = {"status": "finished", "winner": None, "ended": "closed"}
    assert table.last_record() == (OPEN_MS, closed)
    for _ in range(2):  # And it does so once.
        assert told(table.get(tokens[0]))["version"] == 3
    escrow = {purse: held for purse, held in balances(api).items() if purse.startswith("table:")}
    assert sorted(escrow.values()) == ([110] if look == "opening another" else [])
    assert faults(api) == []


@pytest.mark.parametrize("late_ms", LATE_MS)
@pytest.mark.parametrize("look", LOOKS)
def test_an_offered_rematch_lapses_at_its_instant(look: str, late_ms: int, fresh_api: Api) -> None:
    api = fresh_api
    pair = Pair(api)
    told(pair.seats[1].leave())
    told(api.post(f"/v1/tables/{pair.id}/rematch", None, pair.seats[0].token), 202)
    table = Looked(api, pair.id, pair.seats[1].token, open_account(api))
    api.clock.now_ms += OFFER_MS + late_ms
    LOOKS[look](table)
    assert table.last_record() == (OFFER_MS, {"rematch": [], "rematch_table_id": None})
    assert told(table.get())["rematch"] == []
    assert faults(api) == []
