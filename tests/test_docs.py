"""What is read in a browser: it is all served from here, as what it is."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
import yaml
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ginapi.api import bare_app
from ginapi.errors import Reason

HOST = "http://localhost"
PAGES = ["/", "/docs", "/problems/", *(f"/problems/{reason.value}" for reason in Reason)]


@pytest.fixture(scope="module")
def client() -> Iterator[FlaskClient]:
    with bare_app().test_client() as client:
        yield client


def got(client: FlaskClient, path: str) -> TestResponse:
    """The reply, read to its end: a file that is sent stays open until then."""
    with client.get(path) as reply:
        reply.get_data()
        return reply


class Links(HTMLParser):
    """The addresses that a page names: `loaded` by the browser itself, `followed` by its reader."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.followed: list[str] = []
        self.inline: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in ("src", "href", "srcset", "data", "action", "poster") and value is not None:
                (self.followed if tag == "a" else self.loaded).append(value)
            if name == "style" or name.startswith("on"):
                self.inline.append(f"{tag} {name}")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_and_all_that_it_names_come_from_here(client: FlaskClient, page: str) -> None:
    reply = got(client, page)
    assert (reply.status_code, reply.mimetype) == (200, "text/html")
    links = Links(reply.text)
    assert links.loaded and not links.inline
    for address in links.loaded + links.followed:
        target = urlsplit(urljoin(HOST + page, address))
        assert f"{target.scheme}://{target.netloc}" == HOST, address
        if target.path != "/v1/rules":  # which asks for more than a bare app has
            assert got(client, target.path).status_code == 200, address


@pytest.mark.parametrize(
    ("path", "mimetype"),
    [
        ("/docs/swagger-ui.css", "text/css"),
        ("/docs/swagger-ui-bundle.js", "text/javascript"),
        ("/docs/start.js", "text/javascript"),
        ("/docs/favicon-32x32.png", "image/png"),
        ("/static/pages.css", "text/css"),
        ("/openapi.yaml", "application/yaml"),
        ("/healthz", "application/json"),
    ],
)
def test_each_thing_is_served_as_what_it_is(client: FlaskClient, path: str, mimetype: str) -> None:
    reply = got(client, path)
    assert (reply.status_code, reply.mimetype) == (200, mimetype)
    assert len(reply.data) > 10


def test_our_own_scripts_and_styles_name_no_other_host(client: FlaskClient) -> None:
    for path in ("/docs/start.js", "/static/pages.css"):
        assert not re.search(r"//[a-z]|@import|url\(", got(client, path).text), path
    # Swagger UI would ask a validator of its own if it were not told to ask none.
    assert "validatorUrl: null" in got(client, "/docs/start.js").text


def test_the_stylesheet_of_the_api_page_loads_nothing_from_elsewhere(client: FlaskClient) -> None:
    loaded = re.findall(r"url\(([^)]*)\)", got(client, "/docs/swagger-ui.css").text)
    assert loaded and all(address.strip("\"'").startswith("data:") for address in loaded)


def test_the_api_page_shows_the_document_that_is_served(client: FlaskClient) -> None:
    assert 'data-document="/openapi.yaml"' in got(client, "/docs").text
    assert yaml.safe_load(got(client, "/openapi.yaml").text)["openapi"] == "3.1.0"


@pytest.mark.parametrize("reason", list(Reason), ids=lambda reason: reason.value)
def test_every_problem_type_leads_to_its_page(client: FlaskClient, reason: Reason) -> None:
    page = got(client, f"/problems/{reason.value}").text
    assert f"<code>{reason.value}</code>" in page


@pytest.mark.parametrize("path", ["/docs/no-such-file.js", "/docs/../cli.py", "/problems/no_such_code", "/no/such"])
def test_what_is_not_there_is_a_problem_too(client: FlaskClient, path: str) -> None:
    reply = got(client, path)
    assert (reply.status_code, reply.mimetype) == (404, "application/problem+json")
    assert reply.json is not None and reply.json["code"] == "not_found"
