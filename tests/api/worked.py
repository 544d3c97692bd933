"""The worked hands over HTTP: what is sent for a step, and whether the hand then stands as it says."""

from typing import Any

from tests.api.caller import Player


def move_in(step: dict[str, Any]) -> dict[str, Any]:
    """What a person sends for a step; the lay-off is the table's own best in all cases."""
    names = ("action",) if step["action"] == "layoff" else ("action", "from", "card", "melds")
    return {name: step[name] for name in names if name in step}


def check_shown(hand: dict[str, Any], step: dict[str, Any], version: int) -> None:
    """Whether the hand stands as the line says after a step."""
    pile = hand["discard_pile"]
    phase = None if hand["phase"] == "finished" else hand["phase"]
    shown = (hand["stock_count"], pile[-1] if pile else None, hand["turn"], phase, hand["version"])
    assert shown == (step["stock_left"], step["discard_top"], step["turn"], step["phase"], version), step


def check_record(record: dict[str, Any], step: dict[str, Any]) -> None:
    """Whether a record says what was done, to one who did not do it."""
    assert (record["seat"], record["action"], record.get("from")) == (step["seat"], step["action"], step.get("from"))
    if step["action"] in ("discard", "knock"):
        assert record["card"] == step["card"]


def listed(player: Player) -> list[dict[str, Any]]:
    """Every record of the hand, page by page."""
    page = player.api.get(f"{player.hand_path}/moves", player.token).json
    items: list[dict[str, Any]] = page["items"]
    while page["next"] is not None:
        page = player.api.get(f"{player.hand_path}/moves?cursor={page['next']}", player.token).json
        items += page["items"]
    return items
