"""What is answered without a table: counting, the rules, the document, and the pages."""

from typing import Any

import pytest
import yaml

from ginapi.errors import Reason
from tests.api.caller import Api

SEVENS = ["7s", "7h", "7d"]


def melds(api: Api, cards: list[str]) -> Any:
    answer = api.post("/v1/analysis/melds", {"cards": cards})
    assert answer.status_code == 200
    return answer.json


def test_melds_count_all_the_cards_given_and_shed_none(api: Api) -> None:
    assert melds(api, ["as"]) == {"deadwood": 1, "layouts": [[]], "may_knock_with": {}}
    assert melds(api, [*SEVENS, "10D"]) == {"deadwood": 10, "layouts": [[SEVENS]], "may_knock_with": {}}
    either = melds(api, [*SEVENS, "8d", "9d"])
    assert either["deadwood"] == 14
    assert either["layouts"] == [[["7d", "8d", "9d"]]]
    eleven = melds(api, [*SEVENS, "2c", "3c", "4c", "Ts", "Th", "Td", "Kd", "Ac"])
    assert (eleven["deadwood"], eleven["may_knock_with"]["Kd"], eleven["may_knock_with"]["Ac"]) == (10, 0, 10)
    # R14: of the ten that remain, and not of the eleven less a card.
    assert set(eleven["may_knock_with"].values()) <= set(range(11))


def test_no_more_than_fifty_layouts_are_shown(api: Api) -> None:
    fours = [rank + suit for rank in "234" for suit in "shdc"][:11]
    assert len(melds(api, fours)["layouts"]) <= 50


def test_a_showdown_is_a_result_for_one_hand_alone(api: Api) -> None:
    asked = {
        "knocker": [*SEVENS, "2c", "3c", "4c", "Ts", "Th", "Td", "As"],
        "melds": [["2c", "3c", "4c"], SEVENS, ["Ts", "Th", "Td"]],
        "defender": ["2s", "2h", "2d", "9s", "9h", "9d", "5c", "6c", "Kh", "Qh"],
    }
    result = api.post("/v1/analysis/showdown", asked).json
    assert (result["kind"], result["winner"], result["knocker"], result["points"]) == ("knock", 0, 0, 19)
    assert (result["scores"], result["deal"]) == ([19, 0], None)
    assert result["seats"][0]["melds"] == asked["melds"]
    assert result["seats"][1]["layoffs"] == [{"card": "5c", "onto": 0}, {"card": "6c", "onto": 0}]


@pytest.mark.parametrize(
    ("declared", "code"),
    [([], "too_much_deadwood"), ([SEVENS], "too_much_deadwood"), ([["7s", "7h"]], "bad_melds"),
     ([["9s", "9h", "9d"]], "bad_melds"), ([["7s", "7h", "2c"]], "bad_melds")],
)  # fmt: skip
def test_a_showdown_that_cannot_be_declared_is_refused(api: Api, declared: list[list[str]], code: str) -> None:
    asked = {
        "knocker": [*SEVENS, "2c", "3c", "4c", "Ts", "Th", "Td", "As"],
        "melds": declared,
        "defender": ["2s", "2h", "2d", "9s", "9h", "9d", "5c", "6c", "Kh", "Qh"],
    }
    answer = api.post("/v1/analysis/showdown", asked)
    assert (answer.status_code, answer.json["code"]) == (409, code)
    assert "hand" not in answer.json


def test_the_rules_are_told_as_text_as_numbers_and_as_answers(api: Api) -> None:
    rules = api.get("/v1/rules").json
    assert {f"R{number}" for number in range(1, 30)} | {"R13b"} <= {rule["id"] for rule in rules["rules"]}
    assert {rule["reading"] for rule in rules["rules"]} == {True, False}
    assert {value: rules["values"][value] for value in ("hand_size", "knock_limit", "gin_bonus", "target")} == {
        "hand_size": 10,
        "knock_limit": 10,
        "gin_bonus": 25,
        "target": 100,
    }
    asked = " ".join(question["question"].lower() for question in rules["questions"])
    for word in ("dealt", "knock", "score", "won", "time", "coins"):
        assert word in asked


def test_the_rules_tell_the_settings_in_force(database_url: str) -> None:
    api = Api(database_url, GINAPI_STAKES="10,70", GINAPI_WELCOME_COINS="123")
    assert api.get("/v1/rules").json["values"]["stakes_coins"] == [10, 70]
    assert "123" in api.get("/v1/rules").text
    api.close()


def test_the_document_names_every_route_of_the_contract(api: Api) -> None:
    answer = api.get("/openapi.yaml")
    assert answer.content_type == "application/yaml"
    document = yaml.safe_load(answer.text)
    assert document["openapi"].startswith("3.1")
    named = {(method, path) for path, of in document["paths"].items() for method in of if method != "parameters"}
    assert named >= {
        ("post", "/v1/hands"),
        ("get", "/v1/hands/{hand_id}"),
        ("post", "/v1/hands/{hand_id}/moves"),
        ("get", "/v1/hands/{hand_id}/moves"),
        ("get", "/v1/hands/{hand_id}/record"),
        ("get", "/v1/hands/{hand_id}/hint"),
        ("get", "/v1/hands/{hand_id}/review"),
        ("post", "/v1/tables"),
        ("get", "/v1/tables/{table_id}"),
        ("post", "/v1/tables/{table_id}/hands"),
        ("post", "/v1/tables/{table_id}/leave"),
        ("post", "/v1/analysis/melds"),
        ("post", "/v1/analysis/showdown"),
        ("get", "/v1/rules"),
    }


def test_every_problem_has_its_page(api: Api) -> None:
    for reason in Reason:
        page = api.get(f"/problems/{reason.value}")
        assert page.status_code == 200
        assert page.content_type.startswith("text/html")
        assert reason.value in page.text
        assert f"/problems/{reason.value}" in api.get("/problems/").text


def test_the_docs_and_all_that_they_load_come_from_here(api: Api) -> None:
    page = api.get("/docs").text
    assert "//" not in page.replace("<!doctype html>", "").replace("http://www.w3.org", "")
    for name in ("swagger-ui.css", "swagger-ui-bundle.js", "start.js"):
        assert name in page
        with api.get(f"/docs/{name}") as asset:
            assert asset.status_code == 200
    assert api.get("/docs/..%2f__init__.py").status_code == 404


def test_the_service_is_well_and_ready(api: Api) -> None:
    assert api.get("/healthz").json["status"] == "ok"
    assert api.get("/readyz").json["status"] == "ok"
    assert api.get("/").status_code == 200
