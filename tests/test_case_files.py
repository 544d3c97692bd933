"""The copies of the worked cases are the cases."""

import pytest

from tests import case_files


@pytest.mark.parametrize("name", case_files.NAMES)
def test_the_copies_equal_the_originals(name: str) -> None:
    original = case_files.ORIGINALS / f"{name}.jsonl"
    copy = (case_files.COPIES / f"{name}.jsonl").read_bytes()
    # Outside the project's own folders there is only the copy, and then it is what must not be empty.
    assert copy == (original.read_bytes() if original.exists() else copy)
    assert len(case_files.lines(name)) == len(copy.splitlines()) > 0
