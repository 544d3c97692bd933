"""One try: to an address that was checked and no other, with the name's own certificate, and never for long."""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ginapi.service import sending
from ginapi.service.sending import Failed, Found
from tests.webhooks.receiver import Receiver

PEM = Path(__file__).parent / "told.example.pem"
"""A certificate of told.example, signed by itself, and its key; of no use to anybody but these tests."""
BODY = b'{"type":"hand.turn"}'
SHORT_MS = 300
LIMIT_S = 10.0


def post(url: str, *, private: bool = True, resolve: sending.Resolve | None = None) -> int:
    return sending.post(url, {"webhook-id": "msg_1"}, BODY, private=private, resolve=resolve)


def at(*places: tuple[str, int]) -> sending.Resolve:
    """A resolver that knows these places and no others, whatever it is asked for."""
    return lambda host, port: [
        (socket.AF_INET6 if ":" in address else socket.AF_INET, (address, number)) for address, number in places
    ]


@contextmanager
def listening(serve: Callable[[socket.socket], Any]) -> Iterator[int]:
    """A port of loopback; `serve` is given the first connection there."""
    listener = socket.create_server(("127.0.0.1", 0))
    done = threading.Event()

    def accept() -> None:
        try:
            with listener.accept()[0] as connection:
                connection.settimeout(LIMIT_S)
                serve(connection)
        except OSError:
            pass  # Nobody came, or whoever came has gone.
        done.set()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.close()


def answering(*parts: bytes, every_s: float = 0.0) -> Callable[[socket.socket], None]:
    def serve(connection: socket.socket) -> None:
        connection.recv(65536)
        for part in parts:
            connection.sendall(part)
            time.sleep(every_s)

    return serve


def test_what_is_sent_is_a_post_with_the_body_and_the_name(receiver: Receiver) -> None:
    receiver.answers = [200]
    assert post(receiver.url("/told?key=a%20b")) == 200
    (sent,) = receiver.take()
    assert (sent.path, sent.body) == ("/told?key=a%20b", BODY)
    assert sent.headers["host"] == f"localhost:{receiver.port}"
    assert sent.headers["content-length"] == str(len(BODY))
    assert sent.headers["webhook-id"] == "msg_1"


@pytest.mark.parametrize("status", [200, 204, 299, 400, 404, 410, 500, 503])
def test_the_status_is_answered_whatever_it_is(receiver: Receiver, status: int) -> None:
    receiver.answers = [status]
    assert post(receiver.url()) == status


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(receiver: Receiver, other_receiver: Receiver, status: int) -> None:
    receiver.answers, receiver.location = [status], other_receiver.url()
    assert post(receiver.url()) == status
    assert len(receiver.take()) == 1
    assert other_receiver.take() == []


def test_no_proxy_of_the_environment_is_asked(
    receiver: Receiver, other_receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, other_receiver.url(""))
    assert post(receiver.url()) == 204
    assert len(receiver.take()) == 1
    assert other_receiver.take() == []


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "0x7f.1", "2130706433", "127.1", "[::1]", "0", "0.0.0.0"])
def test_loopback_is_refused_however_it_is_written(receiver: Receiver, host: str) -> None:
    with pytest.raises(Failed):
        post(f"http://{host}:{receiver.port}/", private=False)
    assert receiver.take() == []


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"],
)
def test_a_name_of_a_private_address_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    monkeypatch.setattr(sending.socket, "socket", lambda *given: made.append(given))
    with pytest.raises(Failed, match="no address that may be connected to"):
        post("http://told.example/", private=False, resolve=at((address, 80)))
    assert made == []


def test_a_name_is_looked_up_once_and_what_was_checked_is_connected_to(
    receiver: Receiver, other_receiver: Receiver
) -> None:
    """A name that stands for another address the second time it is asked for: nobody asks a second time."""
    answers = [("127.0.0.1", receiver.port), ("127.0.0.1", other_receiver.port)]
    asked: list[str] = []

    def rebinding(host: str, port: int) -> Found:
        asked.append(host)
        return at(answers[len(asked) - 1])(host, port)

    assert post("http://told.example/", resolve=rebinding) == 204
    assert asked == ["told.example"]
    assert [sent.headers["host"] for sent in receiver.take()] == ["told.example"]
    assert other_receiver.take() == []


def test_nothing_but_numbers_is_given_to_connect(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `connect` is given it does not look up: the system's resolver is asked once."""
    look_up, asked = socket.getaddrinfo, []

    def counted(host: Any, *given: Any, **named: Any) -> Any:
        asked.append(host)
        return look_up(host, *given, **named)

    monkeypatch.setattr(socket, "getaddrinfo", counted)
    assert post(receiver.url()) == 204
    assert asked == ["localhost"]


def test_of_a_name_with_several_addresses_only_those_that_may_be_are_connected_to(
    receiver: Receiver, other_receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "is_allowed", lambda address, private: address == "127.0.0.2")
    places = [("127.0.0.1", other_receiver.port), ("127.0.0.2", 9), ("127.0.0.1", receiver.port)]
    with pytest.raises(Failed, match="ConnectionRefusedError"):
        post("http://told.example/", resolve=at(*places))
    assert receiver.take() == other_receiver.take() == []


def test_where_one_address_does_not_answer_the_next_is_tried(receiver: Receiver) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert post("http://told.example/", resolve=at(("127.0.0.1", port), ("127.0.0.1", receiver.port))) == 204


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "DELIVERY_TRY_MS", SHORT_MS)


def failed_in_time(url: str, resolve: sending.Resolve | None = None) -> str:
    began = time.monotonic()
    with pytest.raises(Failed) as caught:
        post(url, resolve=resolve)
    assert time.monotonic() - began < SHORT_MS / 1000 + 2
    return str(caught.value)


@pytest.mark.usefixtures("short")
def test_whoever_says_nothing_is_waited_for_no_longer_than_a_try_takes() -> None:
    with listening(lambda connection: connection.recv(65536) and connection.recv(65536)) as port:
        assert failed_in_time(f"http://127.0.0.1:{port}/") == "TimeoutError"


@pytest.mark.usefixtures("short")
def test_nor_is_whoever_says_one_letter_at_a_time() -> None:
    drops = [bytes([letter]) for letter in b"HTTP/1.1 204 No Content\r\nX-Long: " + b"x" * 1000]
    with listening(answering(*drops, every_s=0.05)) as port:
        assert failed_in_time(f"http://127.0.0.1:{port}/") == "TimeoutError"


@pytest.mark.usefixtures("short")
def test_nor_whoever_goes_on_saying_that_it_is_at_it() -> None:
    with listening(answering(*[b"HTTP/1.1 102 Processing\r\n\r\n"] * 100, every_s=0.05)) as port:
        assert failed_in_time(f"http://127.0.0.1:{port}/") == "TimeoutError"


@pytest.mark.usefixtures("short")
def test_nor_whoever_does_not_shake_hands() -> None:
    with listening(lambda connection: connection.recv(65536) and connection.recv(65536)) as port:
        assert failed_in_time(f"https://127.0.0.1:{port}/") in ("TimeoutError", "timeout")


@pytest.mark.usefixtures("short")
def test_nor_a_resolver_that_does_not_answer() -> None:
    go_on = threading.Event()

    def slow(host: str, port: int) -> Found:
        go_on.wait(LIMIT_S)
        return []

    assert failed_in_time("http://told.example/", slow) == "TimeoutError"
    go_on.set()


@pytest.mark.usefixtures("short")
def test_look_ups_that_hang_are_not_joined_by_ever_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "_look_ups", threading.BoundedSemaphore(2))
    go_on, asked = threading.Event(), []

    def slow(host: str, port: int) -> Found:
        asked.append(host)
        go_on.wait(LIMIT_S)
        return []

    for _ in range(4):
        assert failed_in_time("http://told.example/", slow) == "TimeoutError"
    assert len(asked) == 2
    go_on.set()


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ([b"nonsense\r\n\r\n"], "RemoteProtocolError"),
        ([b""], "RemoteProtocolError"),
        ([b"HTTP/1.1 204 No"], "RemoteProtocolError"),
        ([b"HTTP/1.1 204 No Content\r\nX-Long: " + b"x" * 20_000], "RemoteProtocolError"),
    ],
    ids=["no HTTP", "nothing", "half a line", "a head without end"],
)
def test_what_is_no_answer_is_a_failure(parts: list[bytes], why: str) -> None:
    with listening(answering(*parts)) as port, pytest.raises(Failed, match=why):
        post(f"http://127.0.0.1:{port}/")


def test_of_a_long_answer_no_more_than_the_head_is_read() -> None:
    sent = 0

    def endless(connection: socket.socket) -> None:
        nonlocal sent
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
        while True:
            sent += connection.send(b"x" * 65536)

    with listening(endless) as port:
        assert post(f"http://127.0.0.1:{port}/") == 200
    assert sent < 20_000_000


def test_a_name_that_nobody_knows_is_a_failure() -> None:
    def unknown(host: str, port: int) -> Found:
        raise socket.gaierror("no such name")

    with pytest.raises(Failed, match="gaierror"):
        post("http://told.example/", resolve=unknown)


@contextmanager
def served_with_tls() -> Iterator[tuple[int, list[str | None]]]:
    """A port that answers 204 with the certificate of told.example, and the names that it was called by."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(PEM)
    called: list[str | None] = []
    context.sni_callback = lambda connection, name, of: called.append(name)

    def serve(plain: socket.socket) -> None:
        with context.wrap_socket(plain, server_side=True) as connection:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

    with listening(serve) as port:
        yield port, called


@pytest.fixture
def trusting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificate of told.example is believed."""
    context = ssl.create_default_context(cafile=str(PEM))
    monkeypatch.setattr(sending, "trust", lambda: context)


@pytest.mark.usefixtures("trusting")
@pytest.mark.parametrize("name", ["told.example", "told.example."])
def test_with_tls_the_certificate_has_to_be_the_names_and_the_name_is_called(name: str) -> None:
    with served_with_tls() as (port, called):
        assert post(f"https://{name}:{port}/", resolve=at(("127.0.0.1", port))) == 204
    assert called == ["told.example"]


@pytest.mark.usefixtures("trusting")
@pytest.mark.parametrize("name", ["other.example", "127.0.0.1"])
def test_a_certificate_of_another_name_is_refused(name: str) -> None:
    with served_with_tls() as (port, _), pytest.raises(Failed, match="SSLCertVerificationError"):
        post(f"https://{name}:{port}/", resolve=at(("127.0.0.1", port)))


def test_a_certificate_that_nobody_vouches_for_is_refused() -> None:
    with served_with_tls() as (port, _), pytest.raises(Failed, match="SSLCertVerificationError"):
        post(f"https://told.example:{port}/", resolve=at(("127.0.0.1", port)))
