"""What webhooks are sent, as the OpenAPI document tells it."""

from typing import Any

from apispec import APISpec

from ginapi.api.schemas_webhooks import DELIVERIES

_HEADERS = {
    "webhook-id": "Of what is told, not of the try: the same however often it is sent.",
    "webhook-timestamp": "When it is sent, in seconds since 1970: part of what is signed.",
    "webhook-signature": "`v1,` and the HMAC-SHA256, in base64, of `<webhook-id>.<webhook-timestamp>.<body>` under the "
    "secret: what follows `whsec_`, in base64.",
}
_ANSWERS = {
    "2XX": {"description": "Taken. Any other answer, or none within 5 s, and it is sent again later."},
    "410": {"description": "Gone: nothing more is sent there."},
}


def described_webhooks(spec: APISpec) -> dict[str, Any]:
    """The document's `webhooks`, by the type of what is told; its shapes become components."""
    return {event: {"post": _operation(spec, schema)} for event, schema in DELIVERIES.items()}


def _operation(spec: APISpec, schema: type[Any]) -> dict[str, Any]:
    name = schema.__name__
    spec.components.schema(name, schema=schema)
    return {
        "summary": (schema.__doc__ or "").rstrip("."),
        "description": "Signed as Standard Webhooks says, and sent at least once.",
        "parameters": [
            {"in": "header", "name": header, "required": True, "description": what, "schema": {"type": "string"}}
            for header, what in _HEADERS.items()
        ],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}},
        },
        "responses": _ANSWERS,
    }
