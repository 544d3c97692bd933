"""The Chromium that the web table is tested in: found on the PATH, or named."""

import os
import shutil
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",  # as root it does not start with one
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
HOW = "No Chromium is on the PATH: sudo apt-get install chromium, on Debian; or name one in GINAPI_TEST_CHROMIUM."


def chromium() -> str:
    """The path of a Chromium. Fails with what to do where there is none."""
    named = os.environ.get("GINAPI_TEST_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, NAMES)), None)
    assert found and Path(found).exists(), HOW
    return found
