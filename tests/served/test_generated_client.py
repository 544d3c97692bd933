"""A client made from openapi.yaml by openapi-python-client, as anybody would make one, plays against the service."""

import importlib
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.served.conftest import Served
from tests.served.server import LIMIT_S, TOP, environment
from tests.shares import numbers

PACKAGE = "ginapi_made_client"
PROGRAM = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--fail-on-warning"]


class Made:
    """The generated package: its clients, and each of its operations by tag and name."""

    def __init__(self, url: str) -> None:
        self._package = importlib.import_module(PACKAGE)
        self._url = url
        self.nobody = self._package.Client(base_url=url, timeout=60)

    def caller(self, token: str) -> Any:
        return self._package.AuthenticatedClient(base_url=self._url, token=token, timeout=60)

    def operation(self, tag: str, name: str) -> ModuleType:
        return importlib.import_module(f"{PACKAGE}.api.{tag}.{name}")

    @property
    def models(self) -> ModuleType:
        return importlib.import_module(f"{PACKAGE}.models")


@pytest.fixture(scope="session")
def made_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder that the generated package stands in; it can be imported."""
    folder = tmp_path_factory.mktemp("made")
    # Only formatting comes after; it changes nothing of what the client does.
    (folder / "config.yaml").write_text("post_hooks: []\n")
    made = subprocess.run(
        [*PROGRAM, "--path", TOP / "openapi.yaml", "--output-path", folder / PACKAGE, "--config", "config.yaml"],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
    )
    written = made.stdout + made.stderr
    assert made.returncode == 0 and "warning" not in written.lower(), written
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE]:
        del sys.modules[name]


@pytest.fixture
def made(made_at: Path, served: Served) -> Iterator[Made]:
    client = Made(served.server.url)
    with client.nobody:
        yield client


def legal(chance: random.Random, hand: Any) -> Any:
    """A legal move, as the model that the client read it as."""
    knocks = [move for move in hand.legal_moves if move.action == "knock"]
    return chance.choice(knocks or hand.legal_moves)


def test_it_plays_a_hand_and_reads_all_about_it(made: Made) -> None:
    chance = numbers("generated client")
    opening = made.models.OpenPractice(level=made.models.OpenPracticeLevel.EASY)
    opened = made.operation("hands", "open_hand").sync(client=made.nobody, body=opening)
    assert isinstance(opened, made.models.OpenedHand)
    with made.caller(opened.token) as caller:
        make_move = made.operation("hands", "make_move").sync
        hand, moves = opened, 0
        while hand.phase != "finished":
            key = f"move-{moves}-of-{hand.id}"
            hand = make_move(
                hand.id,
                client=caller,
                body=legal(chance, hand),
                if_match=f'"{hand.version}"',
                idempotency_key=key,
            )
            assert isinstance(hand, made.models.MoveAnswer), hand
            moves += 1
        seen = made.operation("hands", "see_hand").sync(opened.id, client=caller)
        assert (seen.version, seen.result) == (hand.version, hand.result)
        assert len(seen.result.deal.deck) == 52
        records = made.operation("hands", "list_moves").sync(opened.id, client=caller)
        assert [record.version for record in records.items] == list(range(1, hand.version + 1))
        assert sum(record.by == "player" for record in records.items) == moves
        table = made.operation("tables", "see_table").sync(opened.table_id, client=caller)
        assert (table.hand_id, table.seats[0].you, table.hands[0].kind) == (opened.id, True, hand.result.kind)
        assert opened.id in made.operation("hands", "hand_record").sync(opened.id, client=caller)
        left = made.operation("tables", "leave_table").sync(opened.table_id, client=caller)
        assert (left.table.ended, left.forfeited, left.fee) == ("left", 0, 0)


def test_it_opens_a_table_and_deals_its_next_hand(made: Made) -> None:
    chance = numbers("generated client, next hand")
    opening = made.models.OpenPracticeTable(kind=made.models.OpenPracticeTableKind.PRACTICE, target=1000)
    table = made.operation("tables", "open_table").sync(client=made.nobody, body=opening)
    with made.caller(table.token) as caller:
        hand = made.operation("hands", "see_hand").sync(table.hand_id, client=caller)
        while hand.phase != "finished":
            hand = made.operation("hands", "make_move").sync(hand.id, client=caller, body=legal(chance, hand))
        dealt = made.operation("tables", "deal_hand").sync(table.id, client=caller, body=made.models.NextHand(number=2))
        assert (dealt.number, dealt.id) == (2, f"{table.id}-2")


def test_it_opens_an_account_and_plays_for_coins(made: Made) -> None:
    person = made.models.NameAndPassword(name=f"made {time.time_ns() % 10**12}", password="correct horse")
    account = made.operation("accounts", "open_account").sync(client=made.nobody, body=person)
    assert isinstance(account, made.models.OpenedAccount)
    with made.caller(account.token) as caller:
        opening = made.models.OpenCoinTable(kind=made.models.OpenCoinTableKind.COIN, stake=100)
        table = made.operation("tables", "open_table").sync(client=caller, body=opening)
        assert (table.kind, table.stake, table.leaving_fee, table.clock.pace) == ("coin", 100, 10, "full")
        hand = made.operation("hands", "see_hand").sync(table.hand_id, client=caller)
        hand = made.operation("hands", "make_move").sync(hand.id, client=caller, body=hand.legal_moves[0])
        assert (hand.phase, hand.clock.seat, hand.clock.missed_in_a_row) == ("discard", 0, 0)
        wallet = made.operation("coins", "see_wallet").sync(client=caller)
        assert (wallet.balance, wallet.held) == (890, 110)
        left = made.operation("tables", "leave_table").sync(table.id, client=caller)
        assert (left.table.ended, left.forfeited, left.fee) == ("left", 100, 10)
        entries = made.operation("coins", "list_entries").sync(client=caller)
        assert entries.items[-1].coins == 1000 and entries.items[0].balance == 890
        stakes = made.operation("coins", "list_stakes").sync(client=caller)
        assert [one.stake for one in stakes.items if one.can_sit] == [50, 100, 250, 500]
        tables = made.operation("tables", "list_tables").sync(client=caller)
        assert [one.id for one in tables.items] == [table.id]
        assert made.operation("accounts", "see_me").sync(client=caller).name == person.name
        assert made.operation("accounts", "close_me").sync_detailed(client=caller).status_code == 204


def test_it_counts_melds_and_reads_the_rules(made: Made) -> None:
    cards = "7s 7h 7d Kd 2c 3c 4c 9h 9s 9d Qc".split()
    answer = made.operation("analysis", "analyse_melds").sync(
        client=made.nobody, body=made.models.MeldsAnalysis(cards=cards)
    )
    assert (answer.deadwood, answer.may_knock_with.to_dict()) == (20, {"Kd": 10, "Qc": 10})
    body = made.models.ShowdownAnalysis(
        knocker="7s 7h 7d 2c 3c 4c 9h 9s 9d Qc".split(),
        melds=[["7s", "7h", "7d"], ["2c", "3c", "4c"], ["9h", "9s", "9d"]],
        defender="5c 6c 9c Ks Kh Kd As 2h 3h 4s".split(),
    )
    result = made.operation("analysis", "analyse_showdown").sync(client=made.nobody, body=body)
    assert result.knocker == 0 and {laid.card for laid in result.seats[1].layoffs} >= {"5c", "6c", "9c"}
    rules = made.operation("pages", "rules").sync(client=made.nobody)
    assert {"R1", "R13b"} <= {rule.id for rule in rules.rules} and rules.values.target == 100
    assert made.operation("pages", "readyz").sync(client=made.nobody).status == "ok"


def test_it_reads_a_refusal_as_a_problem(made: Made) -> None:
    with made.caller("ginapi_guest_nobody") as caller:
        refused = made.operation("hands", "see_hand").sync("3f2a9c0d1e4b5a687790-1", client=caller)
    assert isinstance(refused, made.models.Problem) and refused.code == "bad_token"
