"""A client that knows `legal_moves` and nothing else plays on without one refusal."""

import pytest

from tests.api.caller import Api, Player, opens
from tests.shares import numbers, share

WHOLE, PART = 1000, 12


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_a_client_that_knows_only_legal_moves_is_never_refused(api: Api, level: str) -> None:
    chance = numbers(f"legal play, {level}")
    kinds = set()
    player = Player(api, level=level, target=1000)
    for _ in range(share(WHOLE // 6 + 1, PART)):
        bold = chance.choice([0.1, 0.9, 1.0])
        while player.hand["phase"] != "finished":
            legal = player.hand["legal_moves"]
            assert legal, "it is the player's turn, or the hand is over"
            knocks = [move for move in legal if move["action"] == "knock"]
            move = chance.choice(knocks if knocks and chance.random() < bold else legal)
            answer = player.post(move, if_match=f'"{player.hand["version"]}"')
            assert answer.status_code == 200, answer.text
            assert answer.json["played"][0]["version"] == player.hand["version"] + 1
            assert answer.json["version"] == player.hand["version"] + len(answer.json["played"])
            player.hand = answer.json
        assert opens(player.hand)
        kinds.add(player.hand["result"]["kind"])
        if player.table()["status"] == "finished":
            player = Player(api, level=level, target=1000)
        else:
            assert player.deal().status_code == 201
    assert kinds <= {"gin", "knock", "undercut", "wash"}
