"""What waits is sent: signed, at least once, one at a time at each webhook, and later where it was not taken."""

import json
import threading
from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select
from standardwebhooks import Webhook, WebhookVerificationError

from ginapi.config import DELIVERY_KEPT_MS, DELIVERY_LEASE_MS, DELIVERY_PAUSE_MS
from ginapi.service import sending
from ginapi.service.delivering import SLOW_MS, SLOW_RECEIVER_WAITS, deliver_next, pause_ms, signed
from ginapi.service.house import House, wall_clock_ms
from ginapi.store import schema
from ginapi.store.deliveries import Claimed
from tests.api.caller import BEGAN_MS, Api
from tests.online.pairs import Pair
from tests.webhooks.hooked import HAND, MATCH, TURN, hook, hooked, waiting, webhook_row
from tests.webhooks.receiver import Receiver

FIRST_MS, LONGEST_MS = DELIVERY_PAUSE_MS
HOUR_MS = 3_600_000


class Post:
    """Takes the place of the network: what was sent, and when; answers what it is told to, then 204."""

    def __init__(self, api: Api, *answers: int | Exception) -> None:
        self.clock, self.answers = api.clock, list(answers)
        self.always: int | None = None
        self.sent: list[tuple[int, str, str]] = []
        self.takes_ms = 0

    def __call__(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        self.sent.append((self.clock.now_ms - BEGAN_MS, headers["webhook-id"], json.loads(body)["type"]))
        self.clock.now_ms += self.takes_ms
        if self.always is not None:
            return self.always
        answer = self.answers.pop(0) if self.answers else 204
        if isinstance(answer, Exception):
            raise answer
        return answer

    @property
    def ids(self) -> list[str]:
        return [webhook_id for _, webhook_id, _ in self.sent]

    @property
    def at_ms(self) -> list[int]:
        return [at_ms for at_ms, _, _ in self.sent]


def deliver_all(house: House, post: Post | None = None) -> int:
    count = 0
    while deliver_next(house, post):
        count += 1
    return count


def left_table(api: Api, token: str) -> Pair:
    """A table that tells its opener three things: its turn, the hand and the match over."""
    pair = Pair(api, (token, None))
    pair.seats[1].leave()
    return pair


@pytest.fixture
def post(fresh_api: Api) -> Post:
    return Post(fresh_api)


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


@pytest.mark.parametrize("status", [500, 503, 400, 404, 301, 308, 199, 300])
def test_what_is_not_taken_is_sent_again_with_the_same_id_and_body(
    fresh_api: Api, house: House, receiver: Receiver, status: int
) -> None:
    token, webhook = hooked(fresh_api, receiver.url())
    Pair(fresh_api, (token, None))
    if status == 199:  # No HTTP server says so; a number below 200 is no success all the same.
        post = Post(fresh_api, 199)
        assert deliver_all(house, post) == 1
    else:
        receiver.answers = [status]
        assert deliver_all(house) == 1
    first = receiver.take()
    fresh_api.clock.now_ms += FIRST_MS - 1
    assert deliver_all(house) == 0
    fresh_api.clock.now_ms += 1
    assert deliver_all(house) == 1
    (again,) = receiver.take()
    assert again.is_signed_with(webhook["secret"])
    for one in first:
        assert (one.id, one.body) == (again.id, again.body)
        assert int(again.headers["webhook-timestamp"]) - int(one.headers["webhook-timestamp"]) == FIRST_MS // 1000
    assert waiting(fresh_api.database) == []
    assert webhook_row(fresh_api.database, webhook["id"])["failures"] == 0


def test_the_pauses_double_up_to_an_hour() -> None:
    assert [pause_ms(failures) for failures in (1, 2, 3, 4, 5, 10)] == [
        5_000,
        10_000,
        20_000,
        40_000,
        80_000,
        2_560_000,
    ]
    assert {pause_ms(failures) for failures in (11, 12, 100, 10_000)} == {LONGEST_MS} == {HOUR_MS}


def test_one_that_is_never_taken_is_tried_ever_less_often_and_given_up_after_a_day(
    fresh_api: Api, house: House, post: Post
) -> None:
    token, webhook = hooked(fresh_api)
    Pair(fresh_api, (token, None))
    post.always = 500
    while rows := waiting(fresh_api.database):
        fresh_api.clock.now_ms = rows[0]["due_ms"]
        assert deliver_all(house, post) == 1
    expected = [0]
    while expected[-1] < DELIVERY_KEPT_MS:
        expected.append(expected[-1] + pause_ms(len(expected)))
    assert post.at_ms == expected
    assert len(set(post.ids)) == 1
    assert DELIVERY_KEPT_MS <= post.at_ms[-1] < DELIVERY_KEPT_MS + HOUR_MS
    assert webhook_row(fresh_api.database, webhook["id"])["failures"] == len(expected)


def test_one_that_is_never_taken_holds_up_no_other(fresh_api: Api, house: House) -> None:
    """A receiver that answers 500 to one kind of news is told the rest, and is given that again now and then."""
    token, _ = hooked(fresh_api)
    left_table(fresh_api, token)

    class Picky(Post):
        def __call__(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
            super().__call__(url, headers, body)
            return 500 if json.loads(body)["type"] == TURN else 204

    post = Picky(fresh_api)
    for _ in range(30):
        deliver_all(house, post)
        fresh_api.clock.now_ms += 1_000
    kinds = [kind for _, _, kind in post.sent]
    assert kinds[:4] == [TURN, HAND, MATCH, TURN]
    assert set(kinds[4:]) <= {TURN} and len(kinds) < 8


def test_while_a_webhook_fails_all_that_waits_there_waits_and_others_are_told(fresh_api: Api, house: House) -> None:
    token, _ = hooked(fresh_api, "https://dead.example/")
    other_token, _ = hooked(fresh_api, "https://alive.example/")

    class Half(Post):
        def __call__(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
            super().__call__(url, headers, body)
            if "dead" in url:
                raise sending.Failed("TimeoutError")
            return 204

    post = Half(fresh_api)
    left_table(fresh_api, token)
    left_table(fresh_api, other_token)
    assert deliver_all(house, post) == 4  # The dead one once, the other whole.
    left_table(fresh_api, token)
    assert deliver_all(house, post) == 0
    fresh_api.clock.now_ms += FIRST_MS
    assert deliver_all(house, post) == 1
    fresh_api.clock.now_ms += FIRST_MS
    assert deliver_all(house, post) == 0
    fresh_api.clock.now_ms += FIRST_MS
    assert deliver_all(house, post) == 1
    assert len(waiting(fresh_api.database)) == 6


def test_one_receiver_is_sent_one_at_a_time(fresh_api: Api, house: House, post: Post) -> None:
    token, _ = hooked(fresh_api)
    left_table(fresh_api, token)
    seen: list[bool] = []

    def nested(url: str, headers: Mapping[str, str], body: bytes) -> int:
        seen.append(deliver_next(house, post))
        return 204

    assert deliver_next(house, nested)
    assert (seen, post.sent) == ([False], [])
    assert deliver_all(house, post) == 2


def test_a_receiver_that_is_slow_is_left_alone_for_longer_than_it_took(
    fresh_api: Api, house: House, post: Post
) -> None:
    token, _ = hooked(fresh_api)
    left_table(fresh_api, token)
    post.takes_ms = SLOW_MS + 500
    assert deliver_all(house, post) == 1
    fresh_api.clock.now_ms += SLOW_RECEIVER_WAITS * post.takes_ms - 1
    assert deliver_all(house, post) == 0
    fresh_api.clock.now_ms += 1
    post.takes_ms = SLOW_MS
    assert deliver_all(house, post) == 2


class Killed(BaseException):
    """The process ends here."""


def killed(url: str, headers: Mapping[str, str], body: bytes) -> int:
    raise Killed


def test_whoever_is_killed_before_it_heard_has_it_sent_again_by_another_with_the_same_id(
    fresh_api: Api, house: House, receiver: Receiver
) -> None:
    token, webhook = hooked(fresh_api, receiver.url())
    Pair(fresh_api, (token, None))

    def sent_and_killed(url: str, headers: Mapping[str, str], body: bytes) -> int:
        assert sending.post(url, headers, body, private=True) == 204
        raise Killed

    with pytest.raises(Killed):
        deliver_next(house, sent_and_killed)
    fresh_api.clock.now_ms += DELIVERY_LEASE_MS - 1
    assert deliver_all(house) == 0
    fresh_api.clock.now_ms += 1
    assert deliver_all(house) == 1
    first, second = receiver.take()
    assert (first.id, first.body) == (second.id, second.body)
    assert second.is_signed_with(webhook["secret"])
    assert waiting(fresh_api.database) == []


def test_what_another_has_taken_over_is_not_released_by_who_comes_late(
    fresh_api: Api, house: House, post: Post
) -> None:
    """A try that took longer than its lease: it frees neither the webhook nor puts off what the other has claimed."""
    token, webhook = hooked(fresh_api)
    left_table(fresh_api, token)

    def late(url: str, headers: Mapping[str, str], body: bytes) -> int:
        fresh_api.clock.now_ms += DELIVERY_LEASE_MS
        with pytest.raises(Killed):
            deliver_next(house, killed)  # The other, which is at it still.
        return 500

    assert deliver_next(house, late)
    row = webhook_row(fresh_api.database, webhook["id"])
    assert (row["free_ms"], row["failures"]) == (fresh_api.clock.now_ms + DELIVERY_LEASE_MS, 0)
    assert deliver_all(house, post) == 0
    fresh_api.clock.now_ms += DELIVERY_LEASE_MS
    assert deliver_all(house, post) == 3


def test_whoever_says_gone_is_sent_nothing_more(fresh_api: Api, house: House) -> None:
    (token, webhook), (other_token, other) = hooked(fresh_api), hooked(fresh_api)
    Pair(fresh_api, (token, other_token)).seats[0].leave()
    post = Post(fresh_api)
    post.always = 410
    assert deliver_next(house, post)
    gone, stays = (webhook, other) if not waiting(fresh_api.database, webhook["id"]) else (other, webhook)
    assert waiting(fresh_api.database, gone["id"]) == []
    assert waiting(fresh_api.database, stays["id"])
    post.always = 204
    deliver_all(house, post)
    of_gone = token if gone is webhook else other_token
    listed = fresh_api.get("/v1/webhooks", of_gone).json["items"]
    assert [one["disabled_at"] for one in listed] == ["2026-09-21T14:13:20.000Z"]
    left_table(fresh_api, of_gone)
    assert waiting(fresh_api.database) == []
    fresh_hook = hook(fresh_api, of_gone)
    left_table(fresh_api, of_gone)
    assert {row["webhook_id"] for row in waiting(fresh_api.database)} == {fresh_hook["id"]}


def test_a_webhook_that_is_removed_while_it_is_sent_to_is_gone_all_the_same(fresh_api: Api, house: House) -> None:
    token, webhook = hooked(fresh_api)
    left_table(fresh_api, token)

    def removed(status: int) -> Callable[..., int]:
        def post(url: str, headers: Mapping[str, str], body: bytes) -> int:
            path = f"/v1/webhooks/{webhook['id']}"
            assert fresh_api.ask("DELETE", path, token=token).status_code == 204
            return status

        return post

    for status in (204, 500, 410):
        assert deliver_next(house, removed(status))
        assert waiting(fresh_api.database) == []
        assert fresh_api.rows()["webhooks"] == []
        webhook = hook(fresh_api, token)
        left_table(fresh_api, token)


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
