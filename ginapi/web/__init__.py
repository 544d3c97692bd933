"""The web table: files that a browser is given as they stand. They speak to the service as any other client does."""

import gzip
from hashlib import sha256
from pathlib import Path

from flask import Blueprint, Response, abort, request

blueprint = Blueprint("web", __name__)

FILES = Path(__file__).parent / "play"
KINDS = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}

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
    "Vary": "Accept-Encoding",
}


@blueprint.get("/play")
def play() -> Response:
    return play_file("index.html")


@blueprint.get("/play/<name>")
def play_file(name: str) -> Response:
    path = FILES / name
    # A file of this folder and of no other, whatever the name leads to.
    if path.parent != FILES or path.suffix not in KINDS or not path.is_file():
        abort(404)
    body, headers = path.read_bytes(), dict(_HEADERS)
    if request.accept_encodings.quality("gzip"):
        body = gzip.compress(body, mtime=0)
        headers["Content-Encoding"] = "gzip"
    reply = Response(body, headers=headers, mimetype=KINDS[path.suffix])
    reply.set_etag(sha256(body).hexdigest()[:32])
    reply.make_conditional(request)
    return reply
