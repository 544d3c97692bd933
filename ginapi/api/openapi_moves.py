"""The union of the four moves in the OpenAPI document: a thing that marshmallow has no word for."""

from typing import Any

from apispec import APISpec

from ginapi.api.schemas_moves import MOVES, AnyMove

_DESCRIPTION = "One of the four moves, told apart by `action`. A legal move of a hand can be posted as it stands."


def register_moves(spec: APISpec) -> None:
    """Make the component `AnyMove` the union of the four moves, whether or not something refers to it already."""
    references: dict[str, str] = {}
    for action, schema in MOVES.items():
        name = type(schema).__name__
        spec.components.schema(name, schema=schema)
        references[action] = f"#/components/schemas/{name}"
    union: dict[str, Any] = {
        "description": _DESCRIPTION,
        "oneOf": [{"$ref": reference} for reference in references.values()],
        "discriminator": {"propertyName": "action", "mapping": references},
    }
    if AnyMove.__name__ not in spec.components.schemas:
        spec.components.schema(AnyMove.__name__, schema=AnyMove)
    spec.components.schemas[AnyMove.__name__] = union
