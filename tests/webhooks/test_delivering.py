"""What waits is sent: signed, in order, once, and where it is due."""

import threading
from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select
from standardwebhooks import Webhook, WebhookVerificationError

from ginapi.service import sending
from ginapi.service.delivering import deliver_next, signed
from ginapi.service.house import House, wall_clock_ms
from ginapi.store import schema
from ginapi.store.deliveries import Claimed
from tests.api.caller import BEGAN_MS, Api
from tests.online.pairs import Pair
from tests.webhooks.hooked import HAND, MATCH, TURN, hook, hooked, waiting, webhook_row
from tests.webhooks.posting import HOUR_MS, Post, deliver_all, left_table
from tests.webhooks.receiver import Receiver


def test_all_arrives_in_order_signed_and_is_forgotten(fresh_api: Api, house: House, receiver: Receiver) -> None:
    token, webhook = hooked(fresh_api, receiver.url("/told?by=ginapi"))
    left_table(fresh_api, token)
    rows = waiting(fresh_api.database)
    assert deliver_all(house) == 3
    sent = receiver.take()
    assert [one.told["type"] for one in sent] == [TURN, HAND, MATCH]
    assert [one.id for one in sent] == [row["id"] for row in rows]
    assert [one.body.decode() for one in sent] == [row["body"] for row in rows]
    assert [one.headers["webhook-timestamp"] for one in sent] == [str(BEGAN_MS // 1000)] * 3
    assert all(one.is_signed_with(webhook["secret"]) for one in sent)
    assert {one.path for one in sent} == {"/told?by=ginapi"}
    assert {one.headers["content-type"] for one in sent} == {"application/json"}
    assert waiting(fresh_api.database) == []
    assert deliver_all(house) == 0


def test_the_signature_is_that_of_the_specifications_example() -> None:
    """The one that its own libraries are tested with."""
    secret = b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    claimed = Claimed(
        id="msg_p5jXN8AQM9LWM0D4loKWxJek", webhook_id="", body='{"test": 2432232314}', created_ms=0, attempts=1,
        url="", secret=secret, failures=0, lease_ms=0, now_ms=1_614_265_330_999,
    )  # fmt: skip
    headers = signed(claimed)
    assert headers["webhook-timestamp"] == "1614265330"
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def is_genuine_by_the_readme() -> Callable[[str, Mapping[str, str], bytes], bool]:
    section = (Path(__file__).parents[2] / "README.md").read_text().split("\n## Being told\n", 1)[1]
    names: dict[str, Any] = {}
    exec(section.split("```python\n", 1)[1].split("```", 1)[0], names)
    found: Callable[[str, Mapping[str, str], bytes], bool] = names["is_genuine"]
    return found


def test_what_is_sent_is_genuine_by_the_readme_and_by_the_library_and_nothing_else_is(
    fresh_api: Api, house: House, receiver: Receiver
) -> None:
    is_genuine = is_genuine_by_the_readme()
    token, webhook = hooked(fresh_api, receiver.url())
    Pair(fresh_api, (token, None))
    fresh_api.clock.now_ms = wall_clock_ms()
    assert deliver_next(house)
    (sent,) = receiver.take()
    secret = webhook["secret"]
    assert is_genuine(secret, sent.headers, sent.body)
    assert Webhook(secret).verify(sent.body, sent.headers) == sent.told
    other_secret = hook(fresh_api, token)["secret"]
    late = sent.headers | {"webhook-timestamp": str(int(sent.headers["webhook-timestamp"]) - 400)}
    for faked in (
        (other_secret, sent.headers, sent.body),
        (secret, sent.headers, sent.body.replace(b'"seat":0', b'"seat":1')),
        (secret, sent.headers | {"webhook-id": "msg_other"}, sent.body),
        (secret, late, sent.body),
    ):
        assert not is_genuine(*faked)
        with pytest.raises(WebhookVerificationError):
            Webhook(faked[0]).verify(faked[2], faked[1])


def test_where_it_is_not_configured_nothing_is_sent_to_loopback(fresh_api: Api, receiver: Receiver) -> None:
    token, webhook = hooked(fresh_api, receiver.url())
    Pair(fresh_api, (token, None))
    assert deliver_all(fresh_api.house) == 1
    assert receiver.take() == []
    assert webhook_row(fresh_api.database, webhook["id"])["failures"] == 1
    assert len(waiting(fresh_api.database)) == 1


def test_several_schedulers_send_everything_once(fresh_api: Api, house: House) -> None:
    """Where nobody dies: four at once, and what twelve webhooks wait for."""
    sent: list[str] = []
    guard = threading.Lock()
    busy: set[str] = set()
    clashes: list[str] = []
    tokens = [hooked(fresh_api, f"https://{number}.example/")[0] for number in range(12)]
    for token in tokens:
        left_table(fresh_api, token)
    expected = {row["id"] for row in waiting(fresh_api.database)}
    assert len(expected) == 36

    def post(url: str, headers: Mapping[str, str], body: bytes) -> int:
        with guard:
            clashes.extend([url] if url in busy else [])
            busy.add(url)
            sent.append(headers["webhook-id"])
        with guard:
            busy.discard(url)
        return 204

    barrier = threading.Barrier(4)

    def run() -> None:
        barrier.wait(10)
        # A look may find nothing because another holds the one that waits longest.
        while waiting(fresh_api.database):
            deliver_next(house, post)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(sent) == sorted(expected)
    assert clashes == []


def test_what_is_logged_names_neither_url_nor_what_was_told(
    fresh_api: Api, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    token, webhook = hooked(fresh_api, "https://example.org/hidden-path?key=hidden-key")
    left_table(fresh_api, token)
    for answer in (500, sending.Failed("TimeoutError"), 410):
        deliver_next(house, Post(fresh_api, answer))
        fresh_api.clock.now_ms += HOUR_MS
    told = [record for record in caplog.records if record.name == "ginapi.service.delivering"]
    assert [record.getMessage() for record in told] == ["a delivery is put off"] * 2 + ["a webhook is gone"]
    assert [record.__dict__["fault"] for record in told] == ["status 500", "TimeoutError", "status 410"]
    assert {record.__dict__["webhook_id"] for record in told} == {webhook["id"]}
    logged = repr([record.__dict__ for record in caplog.records])
    for hidden in ("hidden", "example.org", webhook["secret"][6:], "hand_id"):
        assert hidden not in logged


def test_a_look_that_finds_nothing_changes_nothing(fresh_api: Api, house: House) -> None:
    before = fresh_api.rows()
    with fresh_api.statements() as sent:
        assert not deliver_next(house)
    assert fresh_api.rows() == before
    assert len(sent) <= 2


def test_on_postgresql_it_is_the_databases_time_that_says_what_is_due(fresh_api: Api, house: House) -> None:
    if house.db.is_sqlite:
        return
    token, _ = hooked(fresh_api)
    Pair(fresh_api, (token, None))
    with house.db.read() as tx:
        now_ms = int(tx.execute(select(func.extract("epoch", func.now()) * 1000)).scalar_one())
    own = replace(house, now_ms=wall_clock_ms)
    rows = schema.deliveries
    for due_ms, found in ((now_ms + HOUR_MS, False), (now_ms, True)):
        with house.db.write() as tx:
            tx.execute(rows.update().values(due_ms=due_ms))
        assert deliver_next(own, Post(fresh_api)) is found
