"""Passwords are checked two at a time, behind a line that has an end."""

import threading
from collections import Counter
from typing import Any

import pytest
from argon2 import PasswordHasher

from ginapi.service import passwords
from tests.accounts.people import PASSWORD, ask, new_name, open_account, refused
from tests.api.caller import Api

ASKED = 40


def test_two_at_once_a_bounded_line_and_then_429(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    name = new_name()
    open_account(api, name)
    gate, lock = threading.Event(), threading.Lock()
    running: list[int] = [0, 0]  # now, and at most

    def slow(self: PasswordHasher, stored: str, password: str) -> bool:
        with lock:
            running[0] += 1
            running[1] = max(running)
        assert gate.wait(30)
        with lock:
            running[0] -= 1
        return True

    monkeypatch.setattr(PasswordHasher, "verify", slow)
    answers: list[Any] = []
    refusals = threading.Semaphore(0)

    def run() -> None:
        body = {"name": name, "password": PASSWORD}
        answer = api.app.test_client().post("/v1/tokens", json=body)
        answers.append(answer)
        if answer.status_code == 429:
            refusals.release()

    threads = [threading.Thread(target=run) for _ in range(ASKED)]
    for thread in threads:
        thread.start()
    # The line is full: whoever comes now is told at once, while nobody in it has been answered.
    for _ in range(ASKED - passwords.AT_ONCE - passwords.WAITING):
        assert refusals.acquire(timeout=30)
    told = ask(api, "POST", "/v1/accounts", {"name": new_name(), "password": PASSWORD})
    assert refused(told) == (429, "too_many_requests")
    assert told.headers["Retry-After"].isdecimal()
    assert running == [passwords.AT_ONCE, passwords.AT_ONCE]
    gate.set()
    for thread in threads:
        thread.join(60)
    served = passwords.AT_ONCE + passwords.WAITING
    assert Counter(answer.status_code for answer in answers) == {201: served, 429: ASKED - served}
    assert {answer.headers["Retry-After"].isdecimal() for answer in answers if answer.status_code == 429} == {True}
    assert running == [0, passwords.AT_ONCE]
    # And all are let in again.
    assert ask(api, "POST", "/v1/tokens", {"name": name, "password": PASSWORD}).status_code == 201
