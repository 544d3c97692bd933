"""A connection that a client keeps open, and does not look at before it sends something down it."""

from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

import httpx


class Connection(httpx.BaseTransport):
    """One connection to a server at a time, made when there is none.

    That of httpx sees that a connection was closed while nothing was sent, and makes another without a word. Others do
    not: what they send down such a one gets no answer. So it is here, that it can be counted.
    """

    def __init__(self, url: str, patience_s: float) -> None:
        at = urlsplit(url)
        assert at.hostname is not None
        self._http = HTTPConnection(at.hostname, at.port, timeout=patience_s)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        try:
            self._http.request(
                request.method, request.url.raw_path.decode(), request.read() or None, dict(request.headers)
            )
            reply = self._http.getresponse()
            return httpx.Response(reply.status, headers=reply.getheaders(), content=reply.read())
        except (OSError, HTTPException) as error:
            self._http.close()
            raise httpx.TransportError(type(error).__name__) from error

    def close(self) -> None:
        self._http.close()
