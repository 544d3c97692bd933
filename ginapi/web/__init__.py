"""The web table: files that a browser is given as they stand. They speak to the service as any other client does."""

from pathlib import Path

from flask import Blueprint, Response, send_from_directory

blueprint = Blueprint("web", __name__)

FILES = Path(__file__).parent / "play"

# Nothing is loaded from, sent to or shown within anything but this service; no script or style stands in the page.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # An invite stands in the address.
    "Referrer-Policy": "no-referrer",
    # A browser asks each time whether its copy still stands: pages of two versions never mix for long.
    "Cache-Control": "no-cache",
}


@blueprint.get("/play")
def play() -> Response:
    return play_file("index.html")


@blueprint.get("/play/<path:name>")
def play_file(name: str) -> Response:
    reply = send_from_directory(FILES, name, mimetype="text/javascript" if name.endswith(".js") else None)
    reply.headers.update(_HEADERS)
    return reply
