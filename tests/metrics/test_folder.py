"""The folder in which workers count together: new at each start, and none is left behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ginapi.metrics.folder import VARIABLE, close_folder, open_folder
from tests.served.server import environment

HOLD = "import sys; from ginapi.metrics.folder import open_folder; open_folder(sys.argv[1]); print(flush=True); input()"


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, "")
    return tmp_path


def names(at: Path) -> list[str]:
    return sorted(folder.name for folder in at.iterdir())


def test_it_is_named_to_those_who_are_started_next_empty_and_for_its_user_alone(at: Path) -> None:
    open_folder(str(at))
    folder = Path(os.environ[VARIABLE])
    assert (folder.parent, list(folder.iterdir())) == (at, [])
    assert folder.stat().st_mode & 0o777 == 0o700
    close_folder()
    assert names(at) == [] and VARIABLE not in os.environ


def test_whoever_is_given_one_from_outside_makes_its_own_and_leaves_that_alone(
    at: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = at / "given"
    given.mkdir()
    monkeypatch.setenv(VARIABLE, str(given))
    close_folder()
    assert given.exists()
    open_folder(str(at))
    assert os.environ[VARIABLE] != str(given)
    close_folder()
    assert given.exists()


def test_what_a_killed_master_left_is_removed_and_what_another_uses_is_not(at: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(at)],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        (theirs,) = names(at)
        (at / theirs / "counter_1.db").touch()
        open_folder(str(at))
        assert theirs in names(at) and len(names(at)) == 2
        close_folder()
        other.kill()
        other.wait(30)
        assert names(at) == [theirs]
        open_folder(str(at))
        assert theirs not in names(at)
        close_folder()
    assert names(at) == []
