"""The record of a match: text that replays, for whoever may see the table, once it is over."""

import pytest

from ginapi.game.match_notation import read, replay, write
from tests.accounts.people import refused, told
from tests.api.caller import Api, Player
from tests.online.pairs import Pair, open_online


@pytest.mark.parametrize("ends", ["target", "left", "left between hands"])
def test_a_match_that_is_over_can_be_played_again(api: Api, ends: str) -> None:
    pair = Pair(api, private=True, target=40)
    path = f"/v1/tables/{pair.id}/record"
    assert refused(api.get(path, pair.seats[0].token)) == (403, "not_allowed")
    if ends == "target":
        pair.play_match()
    else:
        if ends == "left between hands":
            pair.play_hand()
        pair.seats[1].leave()
    answer = api.get(path, pair.seats[1].token)
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    record, table = read(answer.text), pair.seats[0].table()
    assert write(record) == answer.text
    replay(record)
    assert [hand.hand_id for hand in record.hands] == [hand["id"] for hand in table["hands"]]
    assert (record.winner, record.ended, record.target) == (table["winner"], table["ended"], 40)
    assert list(record.scores) == [seat["score"] for seat in table["seats"]]
    for hand in record.hands:
        alone = api.get(f"/v1/hands/{hand.hand_id}/record", pair.seats[0].token).text
        assert f"\n\n{alone}" in answer.text


def test_a_table_that_closed_has_a_record_without_hands(api: Api) -> None:
    opened = open_online(api)
    api.post(f"/v1/tables/{opened['id']}/leave", None, opened["token"])
    text = api.get(f"/v1/tables/{opened['id']}/record").text
    assert text.splitlines()[-1] == "end closed - 0 0"
    assert write(read(text)) == text


def test_it_is_for_those_who_may_see_the_table(api: Api) -> None:
    player = Player(api)
    told(player.leave())
    path = f"{player.table_path}/record"
    assert refused(api.get(path)) == (401, "no_token")
    assert refused(api.get(path, Player(api).token)) == (404, "not_found")
    replay(read(api.get(path, player.token).text))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ginapi-match 1", "ginapi-match 2"),
        ("target 40", "target"),
        ("end left 0 ", "end left 0 1"),
        ("-1\n", "-2\n"),
        ("opener 0\nend", "opener 1\nend"),
    ],
)
def test_another_text_is_not_taken(api: Api, old: str, new: str) -> None:
    pair = Pair(api, private=True, target=40)
    pair.seats[1].leave()
    text = api.get(f"/v1/tables/{pair.id}/record", pair.seats[0].token).text
    assert old in text
    with pytest.raises(ValueError):
        replay(read(text.replace(old, new, 1)))
