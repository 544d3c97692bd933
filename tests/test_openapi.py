"""openapi.yaml: up to date, valid, and about every route that a program calls."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

from ginapi.api import bare_app
from ginapi.api.errors import EXPLAINED, PROBLEM_TYPE
from ginapi.errors import Reason

OPENAPI = Path(__file__).parent.parent / "openapi.yaml"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return yaml.safe_load(OPENAPI.read_text())


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(method, path, operation) of everything that the document describes."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method != "parameters":
                yield method, path, operation


def test_openapi_yaml_is_what_the_command_writes() -> None:
    written = bare_app().extensions["ginapi.openapi"]()
    assert OPENAPI.read_text() == written, "openapi.yaml is behind: ginapi openapi > openapi.yaml"


def test_it_is_valid_openapi_3_1(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1.")
    faults = [f"{list(error.path)}: {error.message}" for error in OpenAPIV31SpecValidator(document).iter_errors()]
    assert faults == []


def test_every_route_of_the_api_is_in_it(document: dict[str, Any]) -> None:
    routed = {
        (method.lower(), re.sub("<(?:path:|table:|name:)?([a-z_]+)>", r"{\1}", rule.rule))
        for rule in bare_app().url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/v1")
    }
    described = {(method, path) for method, path, _ in operations(document) if path.startswith("/v1")}
    assert described == routed


def test_every_operation_says_what_it_is_and_how_it_is_called(document: dict[str, Any]) -> None:
    names = [operation.get("operationId") for _, _, operation in operations(document)]
    assert None not in names and len(set(names)) == len(names)
    for method, path, operation in operations(document):
        assert operation.get("summary"), (method, path)
        assert any(status.startswith("2") for status in operation["responses"]), (method, path)


def test_every_refusal_is_a_problem_under_its_own_status(document: dict[str, Any]) -> None:
    codes = {f"`{reason.value}`": EXPLAINED[reason].status for reason in Reason}
    for method, path, operation in operations(document):
        for status, response in operation["responses"].items():
            if int(status) < 400:
                continue
            assert list(response["content"]) == [PROBLEM_TYPE], (method, path, status)
            for code in response["description"].split(", "):
                assert codes[code] == int(status), (method, path, code)


def test_nothing_in_it_is_described_and_not_used(document: dict[str, Any]) -> None:
    text = OPENAPI.read_text()
    for name in document["components"]["schemas"]:
        assert f"#/components/schemas/{name}'" in text, name
