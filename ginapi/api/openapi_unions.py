"""Bodies that are one of several, told apart by a word, in the OpenAPI document: marshmallow has no word for that."""

from apispec import APISpec

from ginapi.api.fields import OneOf
from ginapi.api.schemas_moves import AnyMove
from ginapi.api.schemas_tables_in import OpenTable

_MOVE = "One of the five moves, told apart by `action`. A legal move of a hand can be posted as it stands."
_TABLE = (
    "A table of a kind, told apart by `kind`: a practice table takes what `POST /v1/hands` takes, a coin table its "
    "`stake` alone, an online one what two people agree on."
)


def register_unions(spec: APISpec) -> None:
    """Make the components `AnyMove` and `OpenTable` unions, whether or not something refers to them already."""
    _register(spec, AnyMove, _MOVE)
    _register(spec, OpenTable, _TABLE)


def _register(spec: APISpec, union: type[OneOf], description: str) -> None:
    references: dict[str, str] = {}
    for word, schema in union.members.items():
        name = type(schema).__name__
        spec.components.schema(name, schema=schema)
        references[word] = f"#/components/schemas/{name}"
    if union.__name__ not in spec.components.schemas:
        spec.components.schema(union.__name__, schema=union)
    spec.components.schemas[union.__name__] = {
        "description": description,
        "oneOf": [{"$ref": reference} for reference in references.values()],
        "discriminator": {"propertyName": union.told_by, "mapping": references},
    }
