"""What was played in a hand, looked back at: as a list, and as text that replays."""

from typing import Any

from ginapi.game.notation import read, replay
from tests.api.caller import Api, Player, deck, drawer, keen
from tests.api.test_hands import MINE, THEIRS


def test_records_are_told_by_seat_until_the_hand_is_over(api: Api) -> None:
    api.choose = drawer
    player = Player(api, deck=deck(MINE, THEIRS, up="Ks", stock="Qs Jd As"))
    player.move("draw", source="stock")
    player.move("discard", card="Qs")

    def listed(query: str = "") -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = api.get(f"{player.hand_path}/moves{query}", player.token).json["items"]
        return items

    assert [(one["version"], one.get("card")) for one in listed()] == [(1, "Qs"), (2, "Qs"), (3, None), (4, "Jd")]
    assert [one["version"] for one in listed("?after=2")] == [3, 4]
    player.move("draw", source="stock")
    over = player.move("knock", card="Kd")
    assert over["phase"] == "finished"
    assert listed()[2]["card"] == "Jd"
    assert listed()[-2:] == over["played"]


def test_records_come_in_pages(api: Api) -> None:
    player = Player(api, seed="pages")
    player.play_out(keen)
    path = f"{player.hand_path}/moves"
    whole = api.get(path, player.token).json
    assert whole["next"] is None
    assert [one["version"] for one in whole["items"]] == list(range(1, player.hand["version"] + 1))
    for limit in (1, 3, 100):
        found: list[dict[str, Any]] = []
        query = f"?limit={limit}"
        while True:
            page = api.get(path + query, player.token).json
            assert len(page["items"]) <= limit
            found += page["items"]
            if page["next"] is None:
                break
            query = f"?limit={limit}&cursor={page['next']}"
        assert found == whole["items"]
    last = f"?after={player.hand['version']}"
    assert api.get(path + last, player.token).json == {"items": [], "next": None}


def test_a_finished_hand_is_told_as_text_that_replays(api: Api) -> None:
    player = Player(api, seed="text")
    refused = api.get(f"{player.hand_path}/record", player.token)
    assert (refused.status_code, refused.json["code"]) == (403, "not_allowed")
    player.play_out(keen)
    answer = api.get(f"{player.hand_path}/record", player.token)
    assert answer.status_code == 200
    assert answer.content_type == "text/plain; charset=utf-8"
    assert answer.headers["Cache-Control"].startswith("private")
    hand = replay(read(answer.text))
    assert hand.result is not None
    assert (hand.result.kind, hand.result.points) == (
        player.hand["result"]["kind"],
        player.hand["result"]["points"],
    )
    assert hand.version == player.hand["version"]
