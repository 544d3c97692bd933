"""Bodies that are one of several, told apart by a word, in the OpenAPI document: marshmallow has no word for that."""

from collections.abc import Mapping

from apispec import APISpec
from marshmallow import Schema

from ginapi.api.schemas_moves import MOVES, AnyMove
from ginapi.api.schemas_tables_in import KINDS, OpenTable

_MOVE = "One of the four moves, told apart by `action`. A legal move of a hand can be posted as it stands."
_TABLE = (
    "A table of a kind, told apart by `kind`: a practice table takes what `POST /v1/hands` takes, a coin table its "
    "`stake` alone, an online one what two people agree on."
)


def register_unions(spec: APISpec) -> None:
    """Make the components `AnyMove` and `OpenTable` unions, whether or not something refers to them already."""
    _register(spec, AnyMove, "action", MOVES, _MOVE)
    _register(spec, OpenTable, "kind", KINDS, _TABLE)


def _register(
    spec: APISpec, union: type[Schema], told_by: str, members: Mapping[str, Schema], description: str
) -> None:
    references: dict[str, str] = {}
    for word, schema in members.items():
        name = type(schema).__name__
        spec.components.schema(name, schema=schema)
        references[word] = f"#/components/schemas/{name}"
    if union.__name__ not in spec.components.schemas:
        spec.components.schema(union.__name__, schema=union)
    spec.components.schemas[union.__name__] = {
        "description": description,
        "oneOf": [{"$ref": reference} for reference in references.values()],
        "discriminator": {"propertyName": told_by, "mapping": references},
    }
