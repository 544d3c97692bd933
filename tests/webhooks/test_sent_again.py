"""What was not taken is sent again, ever later and with the same id, and holds up no other."""

import json
from collections.abc import Callable, Mapping

import pytest

from ginapi.config import DELIVERY_KEPT_MS, DELIVERY_LEASE_MS, DELIVERY_PAUSE_MS
from ginapi.service import sending, serving
from ginapi.service.delivering import SLOW_MS, SLOW_RECEIVER_WAITS, deliver_next, pause_ms
from ginapi.service.house import House
from tests.api.caller import Api
from tests.online.pairs import Pair
from tests.webhooks.hooked import HAND, MATCH, TURN, hook, hooked, waiting, webhook_row
from tests.webhooks.posting import HOUR_MS, Post, deliver_all, left_table
from tests.webhooks.receiver import Receiver

FIRST_MS, LONGEST_MS = DELIVERY_PAUSE_MS


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


def test_what_waits_goes_back_with_the_time(fresh_api: Api, house: House, post: Post) -> None:
    token, _ = hooked(fresh_api)
    Pair(fresh_api, (token, None))
    serving.beat(house)
    post.answers = [500, 500]
    deliver_all(house, post)
    fresh_api.clock.now_ms += FIRST_MS
    deliver_all(house, post)
    serving.beat(house)
    fresh_api.clock.now_ms -= HOUR_MS
    serving.beat(house)
    fresh_api.clock.now_ms += 2 * FIRST_MS - 1
    assert deliver_all(house, post) == 0
    fresh_api.clock.now_ms += 1
    assert deliver_all(house, post) == 1
    assert waiting(fresh_api.database) == []
