"""The worked cases: read where the shared folder stands beside the checkout, else from the copies kept here."""

import json
from pathlib import Path
from typing import Any

COPIES = Path(__file__).parent / "cases"
ORIGINALS = Path(__file__).parents[2] / "shared" / "cases"
NAMES = ("melds", "showdowns", "hands", "traps")


def lines(name: str) -> list[dict[str, Any]]:
    """Every case of one file, in its order."""
    folder = ORIGINALS if ORIGINALS.is_dir() else COPIES
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text().splitlines()]
