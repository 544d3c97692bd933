"""What anybody may read: the rules, the document and its page, the page of each problem, and whether all is well."""

from pathlib import Path

import flask
import flask_swagger_ui
from flask import Response, abort, current_app, g, render_template, send_from_directory
from flask_smorest import Blueprint

from ginapi.api.current import held
from ginapi.api.errors import EXPLAINED
from ginapi.api.incoming import read_query
from ginapi.api.openapi import NOBODY, asks
from ginapi.api.replies import json_reply, problem_reply
from ginapi.api.schemas_in import NoQuery
from ginapi.api.schemas_out import Healthy, Ready, Rules
from ginapi.config import Config
from ginapi.errors import Reason, Refused
from ginapi.game.questions import questions
from ginapi.game.rulebook import rulebook, values
from ginapi.game.rules import HOUSE
from ginapi.game.terms import Terms
from ginapi.service import readiness

blueprint = Blueprint("pages", __name__, description="What anybody may read.")
# What is read and not called: it does not stand in the OpenAPI document.
browsed = flask.Blueprint("browsed", __name__)

_PUBLIC = {"Cache-Control": "public, max-age=300"}
_ASSETS = Path(flask_swagger_ui.__file__).parent / "dist"


def terms_of(config: Config) -> Terms:
    """The numbers of clock and coins that this service is set to."""
    return Terms(
        coin_move_ms=config.coin_move_ms,
        online_move_ms=config.online_move_ms,
        grace_ms=config.grace_ms,
        computer_turn_ms=config.computer_turn_ms,
        deal_after_ms=config.deal_after_ms,
        welcome_coins=config.welcome_coins,
        stakes_coins=config.stakes,
    )


@blueprint.get("/v1/rules")
@blueprint.response(200, Rules)
@asks(security=NOBODY, summary="The house rules", operationId="rules")
def rules() -> Response:
    """Every rule as text, every number as data, and the questions that players ask."""
    read_query(NoQuery)
    terms = terms_of(held().config)
    body = {
        "rules": [{"id": entry.id, "text": entry.text, "reading": entry.reading} for entry in rulebook(HOUSE, terms)],
        "values": values(HOUSE, terms),
        "questions": [{"question": asked.question, "answer": asked.answer} for asked in questions(HOUSE, terms)],
    }
    return json_reply(body, headers=_PUBLIC)


@browsed.get("/openapi.yaml")
def openapi_yaml() -> Response:
    return Response(current_app.extensions["ginapi.openapi"](), headers=_PUBLIC, content_type="application/yaml")


@browsed.get("/docs")
def docs() -> str:
    return render_template("docs.html", document="/openapi.yaml", assets="/docs")


@browsed.get("/docs/<path:name>")
def docs_asset(name: str) -> Response:
    if name == "start.js":
        return current_app.send_static_file("docs.js")
    return send_from_directory(_ASSETS, name, max_age=3600)


@browsed.get("/problems/<code>")
def problem_page(code: str) -> str:
    reason = next((reason for reason in Reason if reason.value == code), None)
    if reason is None:
        abort(404)
    return render_template("problem.html", code=code, explained=EXPLAINED[reason])


@browsed.get("/problems/")
def problem_pages() -> str:
    return render_template("problems.html", explained={reason.value: EXPLAINED[reason] for reason in Reason})


@browsed.get("/")
def front() -> str:
    return render_template("front.html")


@blueprint.get("/healthz")
@blueprint.response(200, Healthy)
@asks(security=NOBODY, limited=False, summary="Whether the process answers", operationId="healthz")
def healthz() -> Response:
    """It asks nothing of the database."""
    read_query(NoQuery)
    return json_reply({"status": "ok"})


@blueprint.get("/readyz")
@blueprint.response(200, Ready)
@asks(security=NOBODY, limited=False, summary="Whether the service can play", operationId="readyz")
def readyz() -> Response:
    """Its database answers, has the schema that this version needs, and a scheduler settles what is overdue.

    Where one of the three fails, 503 says which, and how, in `checks`.
    """
    read_query(NoQuery)
    here = held()
    found = readiness.check(here.house, settles=here.config.scheduler != "off", up_ms=here.up_ms)
    if found.faults:
        return problem_reply(Refused(Reason.UNAVAILABLE, " ".join(found.faults)), g.request_id, checks=found._asdict())
    return json_reply({"status": "ok", **found._asdict()})
