"""On whose behalf a line of the log was written: a request's, by its id, or a scheduler's job's."""

import io
import json
import logging
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from ginapi import logs, scheduler
from ginapi.api import events
from ginapi.service import callers, delivering, settling
from ginapi.service.house import House
from ginapi.store.faults import Busy
from tests.api.caller import Api, Player
from tests.metrics.scraped import Meter

SENT = "a-request-of-mine"
ID = {"X-Request-Id": SENT}


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """The service's log as it goes to standard error."""
    out = io.StringIO()
    logger = logging.getLogger("ginapi")
    kept = logger.handlers, logger.level, logger.propagate
    monkeypatch.setattr("sys.stderr", out)
    logger.handlers = []
    logs.set_up_logs("DEBUG")
    yield out
    logger.handlers, logger.level, logger.propagate = kept


def lines(written: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in written.getvalue().splitlines()]


def test_a_line_of_any_part_of_the_service_has_the_id_of_the_request_that_it_was_written_for(
    api: Api, written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    hash_of = callers.hash_of

    def warn(token: str | None) -> Any:
        logging.getLogger("ginapi.store.database").warning("from further down")
        return hash_of(token)

    monkeypatch.setattr(callers, "hash_of", warn)
    player = Player(api)
    player.see(headers=ID)
    mine = [line for line in lines(written) if line.get("request_id") == SENT]
    assert [line["message"] for line in mine] == ["from further down", "request"]
    assert {"timestamp", "level", "logger", "process", "path", "method", "status", "took_ms"} <= set(mine[-1])


@pytest.mark.parametrize(("fault", "code"), [(Busy("held"), "unavailable"), (ZeroDivisionError("Kd"), "internal")])
def test_a_problem_and_the_line_of_its_fault_have_the_same_id(
    api: Api, written: io.StringIO, monkeypatch: pytest.MonkeyPatch, fault: Exception, code: str
) -> None:
    player = Player(api)

    def fail(*given: object) -> None:
        raise fault

    monkeypatch.setattr(callers, "hash_of", fail)
    meter = Meter(api.house)
    problem = player.see(headers=ID).json
    assert (problem["code"], problem["request_id"]) == (code, SENT)
    told = next(line for line in lines(written) if line["message"] == code)
    assert (told["request_id"], told["fault"]) == (SENT, type(fault).__name__)
    assert "Kd" not in written.getvalue()
    assert meter.added().get("ginapi_faults_total", 0) == (code == "internal")


def test_what_is_written_between_two_requests_is_on_nobodys_behalf(api: Api, written: io.StringIO) -> None:
    api.get("/healthz", headers=ID)
    logging.getLogger("ginapi.other").warning("afterwards")
    assert "request_id" not in lines(written)[-1]


def test_a_streams_lines_have_its_id_though_it_goes_on_after_its_request(
    api: Api, written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = Player(api)

    def fail(*given: object) -> None:
        logging.getLogger("ginapi.service.following").warning("in the stream")
        raise ZeroDivisionError

    monkeypatch.setattr(events, "event_text", fail)
    headers = {**ID, "Authorization": f"Bearer {player.token}"}
    answer = api.app.test_client().get(f"{player.table_path}/events", headers=headers)
    meanwhile = threading.Thread(target=api.get, args=["/healthz"])
    meanwhile.start()
    meanwhile.join(10)
    with pytest.raises(ZeroDivisionError):
        assert answer.data
    told = {line["message"]: line.get("request_id") for line in lines(written)}
    assert (told["in the stream"], told["internal"]) == (SENT, SENT)
    logging.getLogger("ginapi.other").warning("afterwards")
    assert "request_id" not in lines(written)[-1]


def test_requests_at_once_keep_their_ids_apart(api: Api, written: io.StringIO) -> None:
    gate = threading.Barrier(4)

    def ask(number: int) -> None:
        with api.app.test_client() as client:
            gate.wait(10)
            client.get("/healthz", headers={"X-Request-Id": f"request-{number}"})

    threads = [threading.Thread(target=ask, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert sorted(line["request_id"] for line in lines(written)) == [f"request-{number}" for number in range(4)]


def test_a_schedulers_lines_say_which_job_they_belong_to_and_a_fault_ends_none(
    api: Api, written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = {"settle": threading.Event(), "deliver": threading.Event()}
    tries: dict[str, int] = {"settle": 0, "deliver": 0}

    def failing(job: str, fault: Exception) -> Any:
        def fail(house: House) -> bool:
            tries[job] += 1
            if tries[job] == 2:
                failed[job].set()
            raise fault

        return fail

    monkeypatch.setattr(settling, "settle_next", failing("settle", Busy("held")))
    monkeypatch.setattr(delivering, "deliver_next", failing("deliver", ZeroDivisionError("Kd")))
    running = scheduler.start(api.house, settles=True, serves=False)
    try:
        assert all(event.wait(20) for event in failed.values()), tries
    finally:
        running.shutdown()
    told = {(line["message"], line["job"], line["fault"]) for line in lines(written) if "job" in line}
    assert ("settling stopped", "settle", "Busy") in told
    assert ("a job failed", "deliver", "ZeroDivisionError") in told
    assert "Kd" not in written.getvalue() and "Traceback" not in written.getvalue()


def test_of_a_request_that_fails_beyond_the_app_gunicorn_says_what_kind_of_fault_it_was_and_where() -> None:
    logger = logging.getLogger("not gunicorn's own")
    logger.addFilter(logs.without_what_was_sent)
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    logger.addHandler(handler)
    try:
        raise ZeroDivisionError("As Kd")
    except ZeroDivisionError:
        logger.exception("Error handling request %s %s", "GET", "/x?ticket=secret")
    logger.warning("Invalid request from ip=127.0.0.1: Bearer secret")
    logger.warning("Something else: %s", "kept")
    logger.removeHandler(handler)
    first, *rest = stream.getvalue().splitlines()
    assert first.startswith("Error handling request. ZeroDivisionError at ") and "test_logs.py:" in first
    assert rest == ["Invalid request.", "Something else: kept"]
