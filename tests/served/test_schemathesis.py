"""Requests made up from openapi.yaml, right and wrong ones: the service keeps to what it says of itself."""

import subprocess
import sys
from pathlib import Path

from tests.served.conftest import Served
from tests.served.playing import answered, connected, make_move, play_out
from tests.served.server import TOP, environment
from tests.shares import SEED, numbers, share

LIMIT_S = 1800
HERE = Path(__file__).parent


def tables(served: Served) -> dict[str, str]:
    """An account with a table in each state, by the names that schemathesis.toml knows them by.

    What an operation does away with for good is its own: a token that is revoked, and an account that is closed.
    """
    with connected(served.server.url) as nobody:
        person = {"name": "schemathesis", "password": "correct horse"}
        token = answered(nobody.post("/v1/accounts", json=person), 201)["token"]
        revoked = answered(nobody.post("/v1/tokens", json=person), 201)["token"]
        closed = answered(nobody.post("/v1/accounts", json={**person, "name": "closed soon"}), 201)["token"]
    with connected(served.server.url, token) as caller:
        finished = answered(caller.post("/v1/hands", json={"level": "easy", "target": 1000}), 201)
        finished = play_out(caller, finished, numbers("schemathesis"))
        running = answered(caller.post("/v1/hands"), 201)
        make_move(caller, running, {"action": "draw", "from": "stock"})
        left = answered(caller.post("/v1/hands"), 201)
        answered(caller.post(f"/v1/tables/{left['table_id']}/leave"))
        return {
            "GINAPI_TEST_TOKEN": token,
            "GINAPI_TEST_REVOKED_TOKEN": revoked,
            "GINAPI_TEST_CLOSED_TOKEN": closed,
            "GINAPI_TEST_HAND": running["id"],
            "GINAPI_TEST_TABLE": running["table_id"],
            "GINAPI_TEST_FINISHED_HAND": finished["id"],
            "GINAPI_TEST_FINISHED_TABLE": finished["table_id"],
            "GINAPI_TEST_LEFT_TABLE": left["table_id"],
        }


def test_no_request_is_answered_otherwise_than_the_document_says(served: Served, tmp_path: Path) -> None:
    seed = str(int(SEED, 16))
    program = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(HERE / "schemathesis.toml"), "run"]
    arguments = [str(TOP / "openapi.yaml"), "--url", served.server.url, "--seed", seed, "--continue-on-failure"]
    bounds = ["--phases", "examples,coverage,fuzzing", "--max-examples", str(share(300, 10))]
    settings = {**tables(served), "SCHEMATHESIS_HOOKS": "tests.served.schemathesis_hooks"}
    run = subprocess.run(
        [*program, *arguments, *bounds],
        cwd=tmp_path,
        env=environment(**settings),
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
    )
    print(f"seed {seed}")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "Tested: 38" in run.stdout, run.stdout
    # Each was sent the token that it was to do away with, and no other.
    for name, status in (("TOKEN", 200), ("REVOKED_TOKEN", 401), ("CLOSED_TOKEN", 401)):
        with connected(served.server.url, settings[f"GINAPI_TEST_{name}"]) as caller:
            answered(caller.get("/v1/me"), status)
