"""What a look at a table's log costs the database: it is what every stream does at each heartbeat."""

import hashlib

from ginapi.service import following
from ginapi.store import log
from tests.api.caller import Api
from tests.online.pairs import Pair
from tests.service.test_statements import verb


def test_a_heartbeat_of_a_seat_costs_two_reads(api: Api, pair: Pair) -> None:
    known = hashlib.sha256(pair.seats[0].token.encode()).digest()
    following.look(api.house, known, pair.id, 4)
    with api.statements() as sent:
        assert following.look(api.house, known, pair.id, 4).records == []
    assert [verb(statement) for statement in sent] == ["SELECT", "SELECT"]


def test_the_names_of_the_seats_are_looked_up_only_where_they_are_told(api: Api, pair: Pair) -> None:
    known = hashlib.sha256(pair.seats[0].token.encode()).digest()
    with api.statements() as sent:
        assert len(following.look(api.house, known, pair.id, 0).seats) == 2
    assert [verb(statement) for statement in sent] == ["SELECT"] * 3


def test_a_page_is_read_by_the_key_of_the_log(api: Api, pair: Pair) -> None:
    if not api.database.is_sqlite:
        return  # PostgreSQL plans by how much there is.
    with api.database.read() as tx:
        statement = str(log._RECORDS.compile(dialect=tx.dialect))
        plan = tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", (pair.id, 2, 200, 0)).all()
    steps = [row[3] for row in plan]
    assert len(steps) == 1 and "USING INDEX" in steps[0] and "table_id=? AND number>?" in steps[0], steps
