"""The bodies and queries that callers send: what is taken, what is refused and where; and what a refusal says."""

from typing import Any

import pytest

from ginapi.api.errors import EXPLAINED, PAGES, problem
from ginapi.api.schemas_in import (
    MeldsAnalysis,
    NextHand,
    NoQuery,
    PageQuery,
    RecordsQuery,
    ShowdownAnalysis,
    WaitQuery,
    read,
)
from ginapi.api.schemas_moves import AnyMove
from ginapi.api.schemas_tables_in import OpenPractice, OpenTable
from ginapi.errors import Reason, Refused
from ginapi.game.cards import CARD_TEXTS, mask_of, parse_card
from ginapi.game.moves import Discard, Draw, Knock, LaidOff, LayOff

DECK = list(CARD_TEXTS)
PRACTICE = {"level": "medium", "opener": "player", "target": 100, "rules": "house"}
SEVENS = ["7s", "7h", "7d"]


def cards(text: str) -> list[int]:
    return [parse_card(card) for card in text.split()]


def meld(text: str) -> int:
    return mask_of(cards(text))


TAKEN: list[tuple[Any, Any, Any]] = [
    (OpenPractice, {}, PRACTICE),
    (OpenPractice, {"level": "easy", "opener": "computer"}, {**PRACTICE, "level": "easy", "opener": "computer"}),
    (OpenPractice, {"seed": "s" * 128, "target": 1}, {**PRACTICE, "seed": "s" * 128, "target": 1}),
    (OpenPractice, {"deck": DECK, "target": 1000}, {**PRACTICE, "deck": list(range(52)), "target": 1000}),
    (OpenPractice, {"clock": {"move_ms": 500}}, {**PRACTICE, "clock": {"move_ms": 500}}),
    (OpenPractice, {"clock": {"move_ms": 600_000}}, {**PRACTICE, "clock": {"move_ms": 600_000}}),
    (OpenTable, {"kind": "practice"}, {**PRACTICE, "kind": "practice"}),
    (
        OpenTable,
        {"kind": "practice", "clock": {"move_ms": 30_000}},
        {**PRACTICE, "kind": "practice", "clock": {"move_ms": 30_000}},
    ),
    # Whether it is offered is for the house to say: stake_not_offered.
    (OpenTable, {"kind": "coin", "stake": 0}, {"kind": "coin", "stake": 0}),
    (OpenTable, {"kind": "coin", "stake": 2147483647}, {"kind": "coin", "stake": 2147483647}),
    (AnyMove, {"action": "draw", "from": "stock"}, Draw("stock")),
    (AnyMove, {"action": "draw", "from": "discard"}, Draw("discard")),
    (AnyMove, {"action": "discard", "card": "10D"}, Discard(parse_card("Td"))),
    (AnyMove, {"action": "knock", "card": "Kd"}, Knock(parse_card("Kd"))),
    (AnyMove, {"action": "knock", "card": "Kd", "melds": []}, Knock(parse_card("Kd"), ())),
    (AnyMove, {"action": "knock", "card": "Kd", "melds": [SEVENS]}, Knock(parse_card("Kd"), (meld("7s 7h 7d"),))),
    # Whether they are melds is for the rules to say: bad_melds.
    (AnyMove, {"action": "knock", "card": "Kd", "melds": [["7s", "7h"]]}, Knock(parse_card("Kd"), (meld("7s 7h"),))),
    (AnyMove, {"action": "layoff"}, LayOff()),
    (AnyMove, {"action": "layoff", "melds": [], "layoffs": []}, LayOff((), ())),
    (
        AnyMove,
        {"action": "layoff", "melds": [SEVENS], "layoffs": [{"card": "5c", "onto": 1}, {"card": "6c", "onto": 1}]},
        LayOff((meld("7s 7h 7d"),), (LaidOff(parse_card("5c"), 1), LaidOff(parse_card("6c"), 1))),
    ),
    (NextHand, {}, {}),
    (NextHand, {"number": 10_000}, {"number": 10_000}),
    (MeldsAnalysis, {"cards": ["As"]}, {"cards": [0]}),
    (MeldsAnalysis, {"cards": DECK[:11]}, {"cards": list(range(11))}),
    (
        ShowdownAnalysis,
        {"knocker": DECK[:10], "melds": [DECK[:10]], "defender": DECK[10:20]},
        {"knocker": list(range(10)), "melds": [list(range(10))], "defender": list(range(10, 20))},
    ),
    (WaitQuery, {}, {"wait_ms": 0}),
    (WaitQuery, {"after": "0", "wait_ms": "25000"}, {"after": 0, "wait_ms": 25000}),
    (PageQuery, {}, {"limit": 100}),
    (PageQuery, {"limit": "1", "cursor": "c" * 200}, {"limit": 1, "cursor": "c" * 200}),
    (RecordsQuery, {"after": "2147483647"}, {"limit": 100, "after": 2147483647}),
    (NoQuery, {}, {}),
]

REFUSED: list[tuple[Any, Any, list[str]]] = [
    (OpenPractice, [], [""]),
    (OpenPractice, {"clock": None}, ["/clock"]),
    (OpenPractice, {"clock": 500}, ["/clock"]),
    (OpenPractice, {"clock": {}}, ["/clock/move_ms"]),
    (OpenPractice, {"clock": {"move_ms": 499}}, ["/clock/move_ms"]),
    (OpenPractice, {"clock": {"move_ms": 600_001, "grace_ms": 0}}, ["/clock/grace_ms", "/clock/move_ms"]),
    (OpenPractice, {"clock": {"move_ms": "500"}}, ["/clock/move_ms"]),
    (OpenPractice, {"kind": "practice"}, ["/kind"]),
    (
        OpenPractice,
        {"level": "gold", "opener": 0, "seed": "", "target": "5"},
        ["/level", "/opener", "/seed", "/target"],
    ),
    (OpenPractice, {"seed": "s" * 129, "target": 10**30}, ["/seed", "/target"]),
    (OpenPractice, {"seed": None, "level": None}, ["/level", "/seed"]),
    (OpenPractice, {"deck": DECK[:51]}, ["/deck"]),
    (OpenPractice, {"deck": [*DECK, "As"]}, ["/deck"]),
    (OpenPractice, {"deck": [*DECK[:51], "as"]}, ["/deck/51"]),
    (OpenPractice, {"deck": [*DECK[:51], "Xc"]}, ["/deck/51"]),
    (OpenTable, {}, ["/kind"]),
    (OpenTable, {"kind": "chess"}, ["/kind"]),
    (OpenTable, [], [""]),
    (OpenTable, {"kind": ["coin"]}, ["/kind"]),
    (OpenTable, {"kind": "coin"}, ["/stake"]),
    (OpenTable, {"kind": "coin", "stake": "100"}, ["/stake"]),
    (OpenTable, {"kind": "coin", "stake": -1}, ["/stake"]),
    (OpenTable, {"kind": "coin", "stake": 2147483648}, ["/stake"]),
    (OpenTable, {"kind": "coin", "stake": 100, "seed": "s", "target": 5}, ["/seed", "/target"]),
    (OpenTable, {"kind": "coin", "stake": 100, "clock": {"move_ms": 30_000}}, ["/clock"]),
    (OpenTable, {"kind": "online", "clock": {"move_ms": 300}, "private": 0}, ["/clock/move_ms", "/private"]),
    (OpenTable, {"kind": "online", "deck": [], "opener": "player"}, ["/deck", "/opener"]),
    (OpenTable, {"kind": "practice", "clock": None, "stake": 100}, ["/clock", "/stake"]),
    (AnyMove, None, [""]),
    (AnyMove, [], [""]),
    (AnyMove, {}, ["/action"]),
    (AnyMove, {"action": "fold"}, ["/action"]),
    (AnyMove, {"action": ["draw"]}, ["/action"]),
    (AnyMove, {"action": "draw"}, ["/from"]),
    (AnyMove, {"action": "draw", "from": "pile"}, ["/from"]),
    (AnyMove, {"action": "draw", "from": "stock", "card": "As"}, ["/card"]),
    (AnyMove, {"action": "draw", "from_": "stock"}, ["/from", "/from_"]),
    (AnyMove, {"action": "discard"}, ["/card"]),
    (AnyMove, {"action": "discard", "card": "As", "from": "stock", "melds": []}, ["/from", "/melds"]),
    (AnyMove, {"action": "knock", "melds": []}, ["/card"]),
    (AnyMove, {"action": "knock", "card": "As", "layoffs": []}, ["/layoffs"]),
    (AnyMove, {"action": "knock", "card": "As", "melds": None}, ["/melds"]),
    (AnyMove, {"action": "knock", "card": "As", "melds": [[]]}, ["/melds/0"]),
    (AnyMove, {"action": "knock", "card": "As", "melds": [DECK[1:13]]}, ["/melds/0"]),
    (AnyMove, {"action": "knock", "card": "As", "melds": [[card] for card in DECK[1:13]]}, ["/melds"]),
    (AnyMove, {"action": "knock", "card": "7s", "melds": [SEVENS]}, ["/melds/0/0"]),
    (AnyMove, {"action": "knock", "card": "As", "melds": [SEVENS, ["7D", "8d", "9d"]]}, ["/melds/1/0"]),
    (AnyMove, {"action": "knock", "card": "As", "melds": [["7s", "7h", "7x"]]}, ["/melds/0/2"]),
    (AnyMove, {"action": "layoff", "card": "As"}, ["/card"]),
    (AnyMove, {"action": "layoff", "layoffs": {}}, ["/layoffs"]),
    (AnyMove, {"action": "layoff", "layoffs": [{"card": "As"}]}, ["/layoffs/0/onto"]),
    (AnyMove, {"action": "layoff", "layoffs": [{"card": "As", "onto": -1}]}, ["/layoffs/0/onto"]),
    (AnyMove, {"action": "layoff", "layoffs": [{"card": "As", "onto": True}]}, ["/layoffs/0/onto"]),
    (AnyMove, {"action": "layoff", "layoffs": [{"card": "As", "onto": 0, "by": 1}]}, ["/layoffs/0/by"]),
    (AnyMove, {"action": "layoff", "layoffs": [{"card": card, "onto": 0} for card in DECK[:11]]}, ["/layoffs"]),
    (AnyMove, {"action": "layoff", "melds": [SEVENS], "layoffs": [{"card": "7s", "onto": 0}]}, ["/layoffs/0/card"]),
    (NextHand, {"number": 0}, ["/number"]),
    (NextHand, {"number": 10_001}, ["/number"]),
    (MeldsAnalysis, {}, ["/cards"]),
    (MeldsAnalysis, {"cards": []}, ["/cards"]),
    (MeldsAnalysis, {"cards": DECK[:12]}, ["/cards"]),
    (MeldsAnalysis, {"cards": ["Ts", "10s"]}, ["/cards/1"]),
    (ShowdownAnalysis, {}, ["/defender", "/knocker", "/melds"]),
    (ShowdownAnalysis, {"knocker": DECK[:10], "melds": [], "defender": DECK[9:19]}, ["/defender/0"]),
    (ShowdownAnalysis, {"knocker": DECK[:9], "melds": [], "defender": DECK[10:21]}, ["/defender", "/knocker"]),
    (ShowdownAnalysis, {"knocker": DECK[:10], "melds": [DECK[:3], DECK[2:5]], "defender": DECK[10:20]}, ["/melds/1/0"]),
    (WaitQuery, {"after": "2147483648", "wait_ms": "25001", "wait": "1"}, ["/after", "/wait", "/wait_ms"]),
    (WaitQuery, {"after": "-1"}, ["/after"]),
    (PageQuery, {"limit": "0"}, ["/limit"]),
    (PageQuery, {"limit": "101", "cursor": "c" * 201}, ["/cursor", "/limit"]),
    (NoQuery, {"after": "1"}, ["/after"]),
]


@pytest.mark.parametrize(("schema", "sent", "loaded"), TAKEN)
def test_a_request_is_taken(schema: Any, sent: Any, loaded: Any) -> None:
    assert read(schema(), sent) == loaded


@pytest.mark.parametrize(("schema", "sent", "pointers"), REFUSED)
def test_a_request_is_refused_at_its_place(schema: Any, sent: Any, pointers: list[str]) -> None:
    with pytest.raises(Refused) as caught:
        read(schema(), sent)
    assert caught.value.reason is Reason.INVALID_REQUEST
    assert sorted(pointer for pointer, _ in caught.value.errors) == pointers


def test_a_move_refuses_what_does_not_belong_to_its_action_by_name() -> None:
    with pytest.raises(Refused, match="At /card: A draw has no such field: only action and from"):
        read(AnyMove(), {"action": "draw", "from": "stock", "card": "As"})


def test_every_reason_has_a_status_a_title_and_a_meaning() -> None:
    assert set(EXPLAINED) == set(Reason)
    titles = [explained.title for explained in EXPLAINED.values()]
    assert len(set(titles)) == len(titles)
    assert all(len(explained.meaning) > 60 for explained in EXPLAINED.values())


@pytest.mark.parametrize(
    ("status", "codes"),
    [
        (400, "bad_json"),
        (401, "no_token bad_token bad_credentials"),
        (403, "not_allowed"),
        (404, "not_found"),
        (405, "method_not_allowed"),
        (409, "too_late already_seated stake_not_offered not_enough_coins name_taken refill_not_due"),
        (412, "stale_version"),
        (413, "too_large"),
        (415, "unsupported_media_type"),
        (422, "invalid_request key_reused"),
        (429, "too_many_requests"),
        (500, "internal"),
        (503, "unavailable"),
    ],
)
def test_a_code_has_its_status(status: int, codes: str) -> None:
    assert {EXPLAINED[Reason(code)].status for code in codes.split()} == {status}


def test_a_problem_has_what_rfc_9457_and_the_contract_name() -> None:
    assert problem(Reason.NOT_FOUND, "No such hand.", "r1") == {
        "type": f"{PAGES}not_found",
        "title": EXPLAINED[Reason.NOT_FOUND].title,
        "status": 404,
        "detail": "No such hand.",
        "code": "not_found",
        "request_id": "r1",
    }
    refused = problem(Reason.INVALID_REQUEST, "At /card: no.", "r2", (("/card", "no."),))
    assert refused["errors"] == [{"pointer": "/card", "detail": "no."}]
    assert problem(Reason.HAND_OVER, "Over.", "r3", hand={"id": "h"})["hand"] == {"id": "h"}
