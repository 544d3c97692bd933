"""What every test run says first: the seed, and whether the counted properties run whole."""

from tests import shares


def pytest_report_header() -> str:
    """The seed stands above every run, passed or not, so that any of them can be run again."""
    return f"GINAPI_TEST_SEED={shares.SEED}, counted properties {'whole' if shares.FULL else 'as a share'}"
