"""Who may read `/metrics`, and what it says of the database."""

import re
from typing import Any

import pytest

from ginapi import scheduler
from ginapi.api.metrics import may_read, report
from ginapi.service.house import House
from ginapi.service.readiness import Heart
from ginapi.store import faults
from ginapi.store.database import Database
from tests.api.caller import Api
from tests.clock.clocked import FULL_MS, Now, drawer
from tests.clock.spoiled import spoil
from tests.clock.stored import opened, seat
from tests.conftest import KINDS, Databases
from tests.metrics.scraped import samples_of
from tests.served.server import TOP

TOKEN = "0123456789abcdef-metrics"
OURS = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module", params=KINDS)
def guarded(request: pytest.FixtureRequest, make_database: Databases) -> Any:
    """The service with a token for its metrics, behind one proxy that it believes."""
    api = Api(make_database(request.param), GINAPI_METRICS_TOKEN=TOKEN, GINAPI_TRUSTED_PROXIES="1")
    yield api
    api.close()


def status(api: Api, peer: str, headers: dict[str, str] | None = None) -> int:
    """Of a scrape over a connection from this address."""
    return api.get("/metrics", headers=headers, environ_base={"REMOTE_ADDR": peer}).status_code


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
def test_the_machine_itself_may_read(api: Api, guarded: Api, peer: str) -> None:
    assert (status(api, peer), status(guarded, peer)) == (200, 200)


@pytest.mark.parametrize("peer", ["192.0.2.7", "10.0.0.1", "::ffff:192.0.2.7", "fe80::1", "", "unix:"])
def test_from_elsewhere_the_token_opens_it_and_nothing_else(api: Api, guarded: Api, peer: str) -> None:
    assert (status(api, peer), status(api, peer, OURS)) == (404, 404)
    assert (status(guarded, peer), status(guarded, peer, OURS)) == (404, 200)
    for wrong in (f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", "Bearer ", f"Basic {TOKEN}", TOKEN, "Bearer é"):
        assert status(guarded, peer, {"Authorization": wrong}) == 404


@pytest.mark.parametrize(
    "header",
    ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via", "Origin"],
)
def test_what_a_proxy_on_the_same_machine_passes_on_is_not_the_machines_own(
    api: Api, guarded: Api, header: str
) -> None:
    passed_on = {header: "127.0.0.1"}
    assert (status(api, "127.0.0.1", passed_on), status(guarded, "127.0.0.1", passed_on)) == (404, 404)
    assert status(guarded, "127.0.0.1", passed_on | OURS) == 200


def test_an_address_that_a_proxy_tells_of_opens_nothing(guarded: Api) -> None:
    """Which whoever asks may have made up, where the proxy is not the one that the settings mean."""
    assert status(guarded, "192.0.2.7", {"X-Forwarded-For": "127.0.0.1"}) == 404


def test_whoever_may_not_read_is_told_what_is_told_of_any_address_where_nothing_is(guarded: Api) -> None:
    far = {"REMOTE_ADDR": "192.0.2.7"}
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
        told = [
            guarded.ask(method, path, environ_base=far, headers={"X-Request-Id": "the-same-one"}).json
            for path in ("/metrics", "/nothing")
        ]
        assert told[0] == told[1] and told[0]["code"] == "not_found", method


def test_the_limits_on_requests_do_not_count_it(api: Api) -> None:
    assert "r=" in api.get("/v1/rules").headers["RateLimit"]
    before = api.get("/v1/rules").headers["RateLimit"].split(";")[1]
    api.get("/metrics")
    after = api.get("/v1/rules").headers["RateLimit"].split(";")[1]
    assert int(after.removeprefix("r=")) == int(before.removeprefix("r=")) - 1


def test_it_is_text_as_prometheus_reads_it_and_nobody_keeps_it(api: Api) -> None:
    answer = api.get("/metrics")
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert samples_of(answer.text)["ginapi_database_up"] == 1


def told(house: House) -> dict[str, float]:
    """What is asked of the database."""
    names = ("overdue_seconds", "settling_age_seconds", "ledger_faults", "ledger_age_seconds", "database_up")
    found = samples_of(report(house).decode())
    return {name: found[f"ginapi_{name}"] for name in names if f"ginapi_{name}" in found}


def test_the_table_that_is_overdue_longest_is_told_with_how_long(house: House, now: Now) -> None:
    assert told(house) == {"database_up": 1, "overdue_seconds": 0, "ledger_faults": 0}
    seat(house.db, *(opened(number, choose=drawer) for number in (1, 2)))
    assert told(house)["overdue_seconds"] == 0
    now.ms = FULL_MS + 4_000
    assert told(house)["overdue_seconds"] == 4
    spoil(house.db, 1, "no JSON")
    scheduler.settle_due(house)
    now.ms += 60_000
    # The one that cannot be settled is counted by itself: it would hide the others.
    assert told(house)["overdue_seconds"] < 60


def test_when_a_scheduler_last_settled_is_told(house: House, now: Now) -> None:
    heart = Heart(house)
    scheduler.settle_due(house, beat=heart.beat)
    now.ms += 7_500
    assert told(house)["settling_age_seconds"] == 7.5


def test_a_database_that_is_away_is_told_and_hides_nothing_that_was_counted(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> None:
        raise faults.Unavailable("away")

    monkeypatch.setattr(Database, "read", fail)
    found = samples_of(api.get("/metrics").text)
    assert found["ginapi_database_up"] == 0
    assert 'ginapi_moves_total{by="player"}' in found and "ginapi_overdue_seconds" not in found


def test_a_scrape_costs_the_same_few_reads_however_much_there_is(api: Api) -> None:
    with api.statements() as sent:
        api.get("/metrics")
    reads = 3 if api.database.is_sqlite else 4  # PostgreSQL is asked for the time too.
    assert [statement.split()[0] for statement in sent] == ["SELECT"] * reads
    assert all("LIMIT" in one or "WHERE" in one or "clock_timestamp" in one for one in sent)


def test_no_header_of_a_proxy_can_be_left_out_by_its_case() -> None:
    environ = {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": ""}
    assert not may_read(environ, None)


def test_the_page_for_operators_names_every_metric_and_no_other(house: House, now: Now) -> None:
    Heart(house).beat()
    scheduler.check_ledger(house)
    told = set(re.findall(r"^# TYPE (ginapi_\w+) ", report(house).decode(), re.MULTILINE))
    page = (TOP / "docs" / "operating.md").read_text()
    named = {name.removesuffix("_bucket") for name in re.findall(r"\bginapi_\w+", page)}
    assert named == told
