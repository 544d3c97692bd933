"""The README says what is so: its tables are the code's, and its lines are run as they stand."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ginapi.api.errors import EXPLAINED
from ginapi.settings import SETTINGS
from tests.served.conftest import Served

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def block(heading: str, language: str) -> str:
    """The first fenced block of a language under a heading."""
    section = README.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    found = re.search(rf"```{language}\n(.*?)```", section, re.DOTALL)
    assert found, f"{heading} has no block of {language}"
    return found[1]


def settings_table() -> str:
    rows = [f"| `{one.name}` | {f'`{one.default}`' if one.default else ''} | {one.meaning} |" for one in SETTINGS]
    return "\n".join(["| Setting | Default | What it means |", "|---|---|---|", *rows])


def refusals_table() -> str:
    rows = [f"| `{reason.value}` | {one.status} | {one.title} |" for reason, one in EXPLAINED.items()]
    return "\n".join(["| Code | Status | Meaning |", "|---|---|---|", *rows])


@pytest.mark.parametrize("table", [settings_table(), refusals_table()], ids=["settings", "refusals"])
def test_a_table_of_the_readme_is_the_one_in_the_code(table: str) -> None:
    assert table in README, f"The README should have:\n{table}"


def test_the_two_commands_are_there() -> None:
    assert "scripts/run" in block("Start", "sh") and "scripts/test" in block("Start", "sh")
    for command in ("scripts/run", "scripts/test", ".ci/run"):
        assert (ROOT / command).stat().st_mode & 0o111, f"{command} cannot be executed"
    assert "scripts/test" in (ROOT / ".ci/run").read_text()


def test_two_people_sit_down_and_one_sees_what_the_other_did(served: Served, tmp_path: Path) -> None:
    shell = block("Two people", "sh").replace("localhost:8000", served.server.url.removeprefix("http://"))
    ran = subprocess.run(["bash", "-euc", shell], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    mover, waiter = (json.loads(line) for line in ran.stdout.strip().splitlines())
    assert (mover["seat"], mover["phase"], mover["version"]) == (0, "discard", 1)
    assert (waiter["seat"], waiter["id"], waiter["version"]) == (1, mover["id"], 1)
    assert mover["drawn_card"] and waiter["drawn_card"] is None


def test_the_table_of_two_people_is_followed(served: Served, tmp_path: Path) -> None:
    shell = block("Two people", "sh") + block("Following a table", "sh")
    assert re.search(r"^curl -N ", shell, re.MULTILINE)
    # It would go on for as long as the match does.
    shell = re.sub(r"^curl -N ", "curl -sN --max-time 3 ", shell, flags=re.MULTILINE)
    shell = shell.replace("localhost:8000", served.server.url.removeprefix("http://"))
    ran = subprocess.run(["bash", "-uc", shell], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert re.findall(r"^event: (.*)$", ran.stdout, re.MULTILINE) == ["table", "seat", "seat", "dealt", "move"]


def test_a_hand_is_played_in_at_most_six_curl_lines_and_its_deal_checked(served: Served, tmp_path: Path) -> None:
    lines = block("A hand", "sh")
    assert len(re.findall(r"^curl|\$\(curl", lines, re.MULTILINE)) <= 6
    check = block("Checking a deal", "python")
    assert len(check.strip().splitlines()) <= 20
    shell = lines.replace("localhost:8000", served.server.url.removeprefix("http://"))
    ran = subprocess.run(["bash", "-euc", shell], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    finished = json.loads(ran.stdout.strip().splitlines()[-1])
    assert finished["phase"] == "finished"
    assert finished["result"]["kind"] == "knock" and finished["result"]["winner"] == 0
    (tmp_path / "check.py").write_text(check)
    first, last = tmp_path / "hand.json", tmp_path / "last.json"
    last.write_text(json.dumps(finished))
    command = [sys.executable, "check.py", first.name, last.name]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout == "The deck was fixed before the first move.\n"
    finished["result"]["deal"]["deck"].reverse()
    last.write_text(json.dumps(finished))
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode != 0 and "NOT" in ran.stderr
