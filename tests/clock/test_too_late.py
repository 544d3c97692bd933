"""What a caller is told whose clock has moved: the contract's words, one after the other."""

from typing import Any

import pytest

from tests.api.caller import Api, Player
from tests.clock.clocked import drawer
from tests.tables.matches import NOW_MS

MOVE_MS, GRACE_MS = 2_000, 500
DUE_MS = MOVE_MS + GRACE_MS
DRAW = {"action": "draw", "from": "stock"}


@pytest.fixture
def sat(api: Api) -> Player:
    """One at a practice table with a clock, where nobody knocks."""
    api.choose = drawer
    return Player(api, clock={"move_ms": MOVE_MS}, seed="too late")


def at(player: Player, ms: int) -> None:
    """Set the time, since the opening."""
    player.api.clock.now_ms = NOW_MS + ms


def shed(player: Player) -> dict[str, Any]:
    """A discard that the hand, looked at now, takes."""
    return next(move for move in player.see().json["legal_moves"] if move["action"] == "discard")


def told(answer: Any) -> tuple[int, str | None]:
    return answer.status_code, answer.json.get("code")


def by_whom(player: Player, after: int = 0) -> list[tuple[int, str, str]]:
    items = player.api.get(f"{player.hand_path}/moves?after={after}", player.token).json["items"]
    return [(one["version"], one["by"], one["action"]) for one in items]


@pytest.mark.parametrize(("ms", "status"), [(0, 200), (MOVE_MS, 200), (DUE_MS - 1, 200), (DUE_MS, 409)])
@pytest.mark.parametrize("if_match", [None, '"0"'])
def test_r23_a_move_is_taken_until_its_deadline_and_the_grace(
    sat: Player, ms: int, status: int, if_match: str | None
) -> None:
    at(sat, ms)
    assert told(sat.post(DRAW, if_match=if_match)) == (status, "too_late" if status == 409 else None)
    assert by_whom(sat) == [(1, "player" if status == 200 else "clock", "draw")]


def test_a_stale_version_is_too_late_where_the_clock_has_moved_for_the_caller_since(sat: Player) -> None:
    at(sat, DUE_MS)
    assert told(sat.post(shed(sat), if_match='"0"')) == (409, "too_late")
    assert told(sat.post(DRAW, if_match='W/"0"')) == (409, "too_late")
    sat.hand = sat.post(shed(sat), if_match='"1"').json
    assert sat.hand["version"] == 4
    # Since version 0 it has, since version 1 it has not; of several the newest counts; a version to come is just wrong.
    assert told(sat.post(DRAW, if_match='"0"')) == (409, "too_late")
    for stale in ('"1"', '"0", "1"', '"2"', '"99"'):
        assert told(sat.post(DRAW, if_match=stale)) == (412, "stale_version")
    assert told(sat.post(DRAW, if_match='"4"')) == (200, None)


def test_without_a_version_a_refused_move_is_too_late_while_the_seats_last_record_is_the_clocks(sat: Player) -> None:
    at(sat, DUE_MS)
    for refused in (DRAW, {"action": "layoff"}, {"action": "discard", "card": "??"}):
        expected = (422, "invalid_request") if refused.get("card") else (409, "too_late")
        assert told(sat.post(refused)) == expected
    held = sat.see().json["cards"]
    other = next(
        card for card in ("As", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "Ts", "Js") if card not in held
    )
    assert told(sat.post({"action": "discard", "card": other})) == (409, "too_late")
    sat.move(**shed(sat))
    assert told(sat.post(shed_anything(held))) == (409, "wrong_phase")


def shed_anything(held: list[str]) -> dict[str, str]:
    return {"action": "discard", "card": held[0]}


def test_without_a_version_a_move_that_fits_the_hand_as_it_stands_is_made(sat: Player) -> None:
    at(sat, DUE_MS)
    assert told(sat.post(shed(sat))) == (200, None)


@pytest.mark.parametrize("if_match", [None, '"0"', '"1"'])
def test_hand_over_goes_before_too_late(sat: Player, if_match: str | None) -> None:
    at(sat, DUE_MS)
    sat.see()
    at(sat, 10_000_000)
    assert sat.see().json["phase"] == "finished"
    assert told(sat.post(DRAW, if_match=if_match)) == (409, "hand_over")


def test_of_a_hand_dealt_over_by_the_table_the_answer_is_hand_over(api: Api) -> None:
    api.choose = drawer
    player = Player(api, clock={"move_ms": MOVE_MS}, seed="dealt over", target=1000)
    player.move(**DRAW_)
    at(player, 35_000)
    table = player.table()
    assert [hand["kind"] for hand in table["hands"]] == ["wash"]
    assert table["hand_id"].endswith("-2")
    for if_match in (None, '"1"'):
        answer = player.post({"action": "discard", "card": "As"}, if_match=if_match)
        assert told(answer) == (409, "hand_over")
        assert answer.json["hand"]["next_hand_id"] == table["hand_id"]


DRAW_ = {"action": "draw", "source": "stock"}


@pytest.mark.parametrize("if_match", [None, '"0"'])
def test_a_refused_move_shows_the_hand_and_does_not_undo_what_the_clock_played(
    sat: Player, if_match: str | None
) -> None:
    at(sat, 3 * DUE_MS + 700)
    answer = sat.post({"action": "layoff"}, if_match=if_match)
    assert told(answer) == (409, "too_late")
    shown = answer.json["hand"]
    rows = [row for row in sat.api.rows()["records"] if row[0] == sat.hand["table_id"] and row[2] == "move"]
    assert [row[6] for row in sorted(rows, key=lambda row: row[1])] == [
        "clock", "clock", "computer", "computer", "clock", "clock", "computer", "computer",
    ]  # fmt: skip
    seen = sat.see().json
    assert shown == seen
    assert (seen["version"], seen["phase"], seen["turn"]) == (8, "draw", 0)


def test_the_clock_is_shown(sat: Player) -> None:
    def moment(ms: int) -> str:
        from ginapi.api.presenting import moment as shown

        return shown(NOW_MS + ms)

    at(sat, 1_234)
    for shown in (sat.see().json, sat.table()):
        assert shown["clock"] == {
            "seat": 0, "deadline": moment(MOVE_MS), "remaining_ms": MOVE_MS - 1_234, "move_ms": MOVE_MS,
            "grace_ms": GRACE_MS, "missed_in_a_row": 0, "pace": "full",
        }  # fmt: skip
        assert (shown["server_time"], shown["next_hand_at"]) == (moment(1_234), None)
    at(sat, MOVE_MS + 100)
    assert sat.see().json["clock"]["remaining_ms"] == 0  # The grace is not counted down.
    for missed, ms in ((1, DUE_MS), (2, 2 * DUE_MS)):
        at(sat, ms)
        clock = sat.see().json["clock"]
        assert (clock["missed_in_a_row"], clock["pace"], clock["remaining_ms"]) == (missed, "full", MOVE_MS)
    at(sat, 3 * DUE_MS)
    clock = sat.see().json["clock"]
    assert (clock["missed_in_a_row"], clock["pace"], clock["remaining_ms"]) == (3, "computer", 667)
    at(sat, 10_000_000)
    hand, table = sat.see().json, sat.table()
    assert (hand["phase"], hand["clock"], table["ended"]) == ("finished", None, "closed")
    assert table["clock"] == {
        "seat": None, "deadline": None, "remaining_ms": None, "move_ms": MOVE_MS, "grace_ms": GRACE_MS,
        "missed_in_a_row": None, "pace": None,
    }  # fmt: skip


def test_between_hands_next_hand_at_is_shown(api: Api) -> None:
    api.choose = drawer
    player = Player(api, clock={"move_ms": MOVE_MS}, seed="between", target=1000)
    player.move(**DRAW_)
    for ms in range(0, 60_000, 250):
        at(player, ms)
        hand = player.see().json
        if hand["phase"] == "finished":
            break
    table = player.table()
    assert hand["next_hand_at"] == table["next_hand_at"] is not None
    assert (hand["clock"], table["clock"]["deadline"], table["status"]) == (None, None, "playing")
    at(player, ms + 10_000)
    dealt = player.api.get(f"/v1/hands/{table['id']}-2", player.token).json
    assert (dealt["number"], dealt["clock"]["missed_in_a_row"], dealt["clock"]["pace"]) == (2, 0, "full")


def test_after_a_return_the_records_show_all_that_was_played_meanwhile(sat: Player) -> None:
    sat.move(**DRAW_)
    at(sat, 3 * DUE_MS)
    assert by_whom(sat, after=1) == [
        (2, "clock", "discard"),
        (3, "computer", "draw"),
        (4, "computer", "discard"),
        (5, "clock", "draw"),
        (6, "clock", "discard"),
        (7, "computer", "draw"),
        (8, "computer", "discard"),
    ]


def test_the_etag_changes_with_the_deadline_and_not_with_the_time_that_is_left(sat: Player) -> None:
    first = sat.see()
    at(sat, 1_000)
    again = sat.see(headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.headers["ETag"]) == (304, first.headers["ETag"])
    sat.move(**DRAW_)
    seen = {first.headers["ETag"], sat.see().headers["ETag"]}
    at(sat, 1_000 + DUE_MS)
    seen.add(sat.see().headers["ETag"])
    assert len(seen) == 3


READS = ["hand", "table", "moves", "record", "tables"]
WRITES = ["move", "deal", "leave"]


@pytest.mark.parametrize("how", READS + WRITES)
def test_whoever_touches_a_table_settles_it_first(sat: Player, how: str) -> None:
    at(sat, DUE_MS)
    paths = {
        "hand": sat.hand_path,
        "table": sat.table_path,
        "moves": f"{sat.hand_path}/moves",
        "record": f"{sat.hand_path}/record",
        "tables": "/v1/tables?mine=true",
    }
    if how in READS:
        answer = sat.api.get(paths[how], sat.token)
        assert answer.status_code == (403 if how == "record" else 200)
    elif how == "move":
        sat.post({"action": "nonsense"})
    else:
        (sat.deal if how == "deal" else sat.leave)()
    rows = [row for row in sat.api.rows()["records"] if row[0] == sat.hand["table_id"] and row[2] == "move"]
    assert [row[6] for row in sorted(rows, key=lambda row: row[1])][:1] == ["clock"]
    if how == "tables":
        assert answer.json["items"][0]["clock"]["remaining_ms"] == MOVE_MS
