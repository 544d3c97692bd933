"""The web table: files that a browser is given as they stand. They speak to the service as any other client does."""

import gzip
from functools import cache
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
    packed = bool(request.accept_encodings.quality("gzip"))
    body, etag = _sent(path, packed)
    headers = {**_HEADERS, "Content-Encoding": "gzip"} if packed else _HEADERS
    reply = Response(body, headers=headers, mimetype=KINDS[path.suffix])
    reply.set_etag(etag)
    reply.make_conditional(request)
    return reply


@cache
def _sent(path: Path, packed: bool) -> tuple[bytes, str]:
    """A file as it is sent, and its ETag: it stays as it is for as long as this version serves."""
    body = path.read_bytes()
    if packed:
        body = gzip.compress(body, mtime=0)
    return body, sha256(body).hexdigest()[:32]
