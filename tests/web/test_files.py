"""The files of the web table as they are served: their policy, their size, and that they ask nothing of others."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from setuptools import Distribution

from ginapi.api import bare_app
from ginapi.web import FILES, POLICY

SERVED = sorted(path.name for path in FILES.iterdir())
WIRE_BYTES = 75_000
TOP = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def client() -> Iterator[FlaskClient]:
    with bare_app().test_client() as client:
        yield client


def text_of(name: str) -> str:
    return (FILES / name).read_text()


@pytest.mark.parametrize(
    ("path", "mimetype"),
    [
        ("/play", "text/html"),
        ("/play/main.js", "text/javascript"),
        ("/play/base.css", "text/css"),
        ("/play/icon.svg", "image/svg+xml"),
    ],
)
def test_each_file_is_served_as_what_it_is_under_the_policy(client: FlaskClient, path: str, mimetype: str) -> None:
    with client.get(path) as reply:
        assert (reply.status_code, reply.mimetype) == (200, mimetype)
        assert reply.headers["Content-Security-Policy"] == POLICY
        assert reply.get_data() and reply.headers["Cache-Control"] == "no-cache"
    with client.get(path, headers={"If-None-Match": reply.headers["ETag"]}) as again:
        assert again.status_code == 304


def test_the_policy_allows_nothing_inline_and_nobody_else() -> None:
    assert "default-src 'none'" in POLICY
    assert "unsafe" not in POLICY and "http" not in POLICY and "*" not in POLICY


@pytest.mark.parametrize("path", ["/play/no_such.js", "/play/../__init__.py", "/play/..%2f__init__.py", "/play/.."])
def test_nothing_else_is_served(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_all_of_it_together_is_no_more_than_may_go_over_the_wire(client: FlaskClient) -> None:
    plain = [client.get(f"/play/{name}") for name in SERVED]
    packed = [client.get(f"/play/{name}", headers={"Accept-Encoding": "gzip, br"}) for name in SERVED]
    assert sum(len(reply.data) for reply in packed) <= WIRE_BYTES
    for one, other in zip(plain, packed, strict=True):
        assert gzip.decompress(other.data) == one.data
        assert one.headers["ETag"] != other.headers["ETag"]
        assert one.headers["Vary"] == other.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("name", [name for name in SERVED if name != "index.html"])
def test_no_file_names_another_host(name: str) -> None:
    named = re.findall(r"https?://[^\s'\"`)]+|@import|url\(", text_of(name))
    assert [one for one in named if not one.startswith("http://www.w3.org/2000/svg")] == []


@pytest.mark.parametrize("name", [name for name in SERVED if name.endswith(".js")])
def test_a_module_is_short_and_imports_what_is_there(name: str) -> None:
    text = text_of(name)
    assert len(text.splitlines()) < 300
    assert text.startswith("// "), "it opens with what it knows"
    assert set(re.findall(r"^import .*?'\./([^']+)';$", text, re.M)) <= set(SERVED)


def test_the_page_has_no_script_or_style_of_its_own() -> None:
    page = text_of("index.html")
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)", page)


def test_the_page_asks_for_all_modules_at_once() -> None:
    named = re.findall(r'(?:modulepreload" href|module" src)="/play/([^"]+)"', text_of("index.html"))
    assert sorted(named) == [name for name in SERVED if name.endswith(".js")]


def test_a_wheel_has_every_file() -> None:
    distribution = Distribution()
    distribution.parse_config_files([str(TOP / "setup.cfg")])
    patterns = distribution.package_data["ginapi"]
    for name in SERVED:
        assert any(Path("web/play", name).match(pattern.replace("**/", "*/")) for pattern in patterns), name
