"""What every run that counts properties says at its end: from which seed, and whether they ran whole."""

import pytest

from tests import shares


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The seed stands below every run, passed or not, so that any of them can be run again."""
    terminalreporter.write_line(
        f"GINAPI_TEST_SEED={shares.SEED}, counted properties {'whole' if shares.FULL else 'as a share'}"
    )
