"""What clients were told, held against the database: each acknowledged move there once, no other, and coins whole."""

from collections import defaultdict
from typing import Any

import orjson
from sqlalchemy import text

from ginapi.service import audit, ledgers
from ginapi.service.house import House
from ginapi.store import ledger
from ginapi.store.database import Database

Told = list[dict[str, Any]]


def faults(database_url: str, told: Told) -> list[str]:
    """What is wrong, a sentence each, once all clients are done; `told` is what each wrote down."""
    db = Database(database_url)
    try:
        house = House(db)
        accounts = [account for client in told for account in client["told"]]
        return [
            *(fault for client in told for fault in client["faults"]),
            *(line for found in audit.audit(house) for line in found.told),
            *_move_faults(db, accounts),
            *_coin_faults(db, accounts),
        ]
    finally:
        db.close()


def ledger_faults(house: House) -> list[str]:
    """What of the ledger does not add up at this moment, whatever goes on meanwhile."""
    return [line for found in ledgers.audit(house) for line in found.told]


def sat_together(database_url: str) -> int:
    """At how many tables two people have sat."""
    db = Database(database_url)
    try:
        with db.read() as tx:
            asked = text("SELECT count(*) FROM tables WHERE kind = 'online' AND status <> 'open' AND ended <> 'closed'")
            count: int = tx.execute(asked).scalar_one()
            return count
    finally:
        db.close()


def counted(told: Told) -> str:
    """How much the clients did, in a line."""
    moves = sum(len(account["moves"]) for client in told for account in client["told"])
    asked, cut, put_off = (sum(client[name] for client in told) for name in ("asked", "cut", "put_off"))
    longest_s = max(client["longest_s"] for client in told)
    return (
        f"{moves} moves acknowledged, {asked} requests, {cut} cut off, {put_off} put off, "
        f"the longest answered after {longest_s:.1f} s"
    )


def _move_faults(db: Database, accounts: list[dict[str, Any]]) -> list[str]:
    """Acknowledged moves against those of players in the log: each there, once, and none that was not acknowledged."""
    told: defaultdict[tuple[str, int], list[dict[str, Any]]] = defaultdict(list)
    for account in accounts:
        for hand, version, move in account["moves"]:
            told[hand, version].append(move)
    kept: defaultdict[tuple[str, int], list[dict[str, Any]]] = defaultdict(list)
    with db.read() as tx:
        asked = text(
            "SELECT table_id, hand_number, version, action, body FROM records "
            "WHERE event = 'move' AND \"by\" = 'player' AND action <> 'leave'"
        )
        for row in tx.execute(asked):
            kept[f"{row.table_id}-{row.hand_number}", row.version].append(
                {"action": row.action, **orjson.loads(row.body)}
            )
    return [
        *(f"{at} was acknowledged {len(moves)} times" for at, moves in told.items() if len(moves) > 1),
        *(f"{at} was acknowledged and is lost" for at in told.keys() - kept.keys()),
        *(f"{at} is there {len(moves)} times" for at, moves in kept.items() if len(moves) > 1),
        *(f"{at} is there and nobody was told" for at in kept.keys() - told.keys()),
        *(
            f"{at} was acknowledged as {told[at][0]} and is kept as {kept[at][0]}"
            for at in told.keys() & kept.keys()
            if not told[at][0].items() <= kept[at][0].items()
        ),
    ]


def _coin_faults(db: Database, accounts: list[dict[str, Any]]) -> list[str]:
    """What was put up, forfeited and held, against what the clients were told."""
    with db.read() as tx:
        purses = ledger.balances(tx)
        stored = {
            row.id: row
            for row in tx.execute(text("SELECT id, kind, stake, status, ended FROM tables WHERE kind <> 'practice'"))
        }
        moved = {row.id: row.coins for row in tx.execute(text("SELECT id, coins FROM transfers"))}
        names = set(tx.execute(text("SELECT name FROM accounts WHERE name <> ''")).scalars())
        closed_count = tx.execute(text("SELECT count(*) FROM accounts WHERE name = ''")).scalar_one()
    told_count = sum(account["closed"] for account in accounts)
    opened = {table_id: stake for account in accounts for table_id, stake in account["opened"].items()}
    should: dict[str, int | None] = {}
    for table_id, stake in opened.items():
        ended = stored[table_id].ended if table_id in stored else None
        between = table_id in stored and stored[table_id].kind == "online" and ended != "closed"
        should[f"{table_id}:stake:0"] = stake
        should[f"{table_id}:stake:1"] = None if ended == "closed" else stake  # closed where nobody else sat down
        should[f"{table_id}:fee:0"] = stake // 10
        should[f"{table_id}:fee:1"] = stake // 10 if between else None
    should |= {f"{table_id}:forfeit:fee": opened[table_id] // 10 for one in accounts for table_id in one["left"]}
    running = {table_id for table_id, table in stored.items() if table.status != "finished"}
    left_over = {
        purse: coins
        for purse, coins in purses.items()
        if purse.startswith("table:") and coins and purse.split(":")[1] not in running
    }
    return [
        *(f"account {name} is not what was told" for name in names ^ _names(accounts)),
        *([f"{closed_count} accounts are closed, not {told_count}"] if closed_count != told_count else []),
        *(
            f"{table_id} was left, and ended {stored[table_id].ended}"
            for account in accounts
            for table_id in account["left"]
            if table_id in stored and stored[table_id].ended != "left"
        ),
        *(f"{table_id} between people still runs" for table_id in running if stored[table_id].kind == "online"),
        *(f"table {table_id} is not what was told" for table_id in stored.keys() ^ opened.keys()),
        *(
            f"table:{name} moved {moved.get(f'table:{name}')}, not {coins}"
            for name, coins in should.items()
            if moved.get(f"table:{name}") != coins
        ),
        *(f"{purse} holds {coins} after its match" for purse, coins in left_over.items()),
        *([f"all purses together hold {sum(purses.values())}"] if sum(purses.values()) else []),
        *(f"{purse} holds {coins}" for purse, coins in purses.items() if coins < 0 and purse != "house"),
    ]


def _names(accounts: list[dict[str, Any]]) -> set[str]:
    return {account["name"] for account in accounts if not account["closed"]}
