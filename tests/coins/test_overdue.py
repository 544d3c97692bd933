"""What an account has is told, and judged, once every match that the clock has ended has moved its coins."""

from ginapi.api import create_app
from ginapi.service.house import House
from ginapi.store.database import Database
from tests.served.server import config_of

A_DAY_MS = 24 * 3_600_000


def test_the_wallet_and_the_statement_settle_what_is_overdue_first(database_url: str) -> None:
    now = [1_800_000_000_000]
    house = House(Database(database_url), now_ms=lambda: now[0])
    client = create_app(config_of(database_url), house).test_client()
    opened = client.post("/v1/accounts", json={"name": "ana", "password": "ana's own password"}).get_json()
    own = {"Authorization": f"Bearer {opened['token']}"}
    table = client.post("/v1/tables", json={"kind": "coin", "stake": 50}, headers=own).get_json()
    assert client.get("/v1/wallet", headers=own).get_json()["held"] == 55
    now[0] += A_DAY_MS
    wallet = client.get("/v1/wallet", headers=own).get_json()
    assert wallet["held"] == 0
    ended = client.get(f"/v1/tables/{table['id']}", headers=own).get_json()
    assert ended["ended"] == "target"
    assert wallet["balance"] == (1_050 if ended["winner"] == 0 else 950)
    newest = client.get("/v1/wallet/entries", headers=own).get_json()["items"][0]
    assert newest["balance"] == wallet["balance"]
    # Sitting at no running table any more, the account can be closed.
    assert client.delete("/v1/me", headers=own).status_code == 204
    house.db.close()
