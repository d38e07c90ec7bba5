"""Sending: to the address that was judged, by TLS for the name, within a time; nothing is followed, nothing is read."""

from __future__ import annotations

import datetime
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from referee.infrastructure.webhooks.http_client import Reply, WebhookSender
from referee.infrastructure.webhooks.url_policy import parse_networks
from tests.infrastructure.receiver import Receiver

LOOPBACK = parse_networks(["127.0.0.0/8"])
BODY = b'{"type":"webhook.test"}'


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as made:
        yield made


def plain(**how: Any) -> WebhookSender:
    return WebhookSender(LOOPBACK, **how)


def test_a_message_arrives_as_it_is(receiver: Receiver) -> None:
    reply = plain().send(f"{receiver.url}/in?k=v", {"webhook-id": "msg_1"}, BODY)
    assert reply == Reply(204)
    assert reply.is_accepted
    (got,) = receiver.got
    assert (got.method, got.path, got.body) == ("POST", "/in?k=v", BODY)
    assert got.headers["webhook-id"] == "msg_1"
    assert got.headers["content-type"] == "application/json"
    assert got.headers["host"] == receiver.url.removeprefix("http://")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(receiver: Receiver, status: int) -> None:
    with Receiver() as other:
        receiver.answer = lambda _: (status, {"Location": f"{other.url}/x"}, b"")
        reply = plain().send(receiver.url, {}, BODY)
        assert reply.status == status
        assert not reply.is_accepted
        assert not other.got
    assert len(receiver.got) == 1


@pytest.mark.parametrize(
    ("status", "after", "expected"),
    [(200, "", None), (410, "", None), (429, "30", 30), (503, "7", 7), (500, "x", None), (429, "9" * 9, None)],
)
def test_status_and_patience_are_told(receiver: Receiver, status: int, after: str, expected: int | None) -> None:
    receiver.answer = lambda _: (status, {"Retry-After": after} if after else {}, b"?")
    assert plain().send(receiver.url, {}, BODY) == Reply(status, "", expected)


def test_a_body_without_an_end_is_not_read(receiver: Receiver) -> None:
    receiver.answer = lambda _: (200, {"Content-Length": str(10**12)}, b"x" * 100_000)
    began = time.monotonic()
    assert plain().send(receiver.url, {}, BODY).is_accepted
    assert time.monotonic() - began < 12, "an attempt may last for 15"


def raw(behave: Callable[[socket.socket], None]) -> tuple[str, socket.socket]:
    """A server that does with its lines as it likes."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                line, _ = listener.accept()
            except OSError:
                return
            try:
                behave(line)
            except OSError:
                pass  # the sender has hung up: that is what is tested
            finally:
                line.close()

    threading.Thread(target=serve, daemon=True).start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}/", listener


def drips(line: socket.socket) -> None:
    """A header that never ends, a byte at a time: no single read takes long."""
    line.sendall(b"HTTP/1.1 200 OK\r\nX: ")
    for _ in range(1000):
        line.sendall(b"x")
        time.sleep(0.05)


def silent(line: socket.socket) -> None:
    """Until the sender hangs up."""
    while line.recv(65536):
        pass


@pytest.mark.parametrize("behave", [drips, silent])
def test_whoever_dawdles_is_cut_off_in_time(behave: Callable[[socket.socket], None]) -> None:
    url, listener = raw(behave)
    with listener:
        began = time.monotonic()
        assert plain(seconds=0.5).send(url, {}, BODY) == Reply(None, "timeout")
        assert time.monotonic() - began < 20


def test_a_tls_handshake_that_dawdles_is_cut_off_too() -> None:
    url, listener = raw(silent)
    with listener:
        began = time.monotonic()
        assert plain(seconds=0.5).send(url.replace("http:", "https:"), {}, BODY) == Reply(None, "timeout")
        assert time.monotonic() - began < 20


@pytest.mark.parametrize(
    "said", [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 500]
)
def test_what_is_no_http_is_a_broken_answer(said: bytes) -> None:
    def behave(line: socket.socket) -> None:
        line.recv(65536)
        line.sendall(said)

    url, listener = raw(behave)
    with listener:
        assert plain().send(url, {}, BODY) == Reply(None, "broken")


def test_where_nobody_listens_is_unreachable() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        assert plain().send(f"http://127.0.0.1:{port}/", {}, BODY) == Reply(None, "unreachable")


def test_inside_and_nowhere_look_the_same_from_outside(receiver: Receiver, caplog: pytest.LogCaptureFixture) -> None:
    """Nor does a log hold what stands in the path of a URL."""

    def nowhere(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(-2, "unknown")

    port = receiver.url.rpartition(":")[2]
    inside = WebhookSender((), lookup_to("127.0.0.1")).send(
        f"https://hooks.example.org:{port}/s3cret?t=s3cret", {}, BODY
    )
    gone = WebhookSender((), nowhere).send(f"https://hooks.example.org:{port}/s3cret?t=s3cret", {}, BODY)
    form = WebhookSender().send(f"http://127.0.0.1:{port}/s3cret", {}, BODY)
    assert inside == gone == form == Reply(None, "unreachable")
    assert not receiver.got
    assert "127.0.0.1" in caplog.text  # the operator is told
    assert "s3cret" not in caplog.text


def lookup_to(*addresses: str) -> Any:
    """A name server that tells one address after the other, each time another one."""
    left = list(addresses)

    def lookup(host: str, port: int, **how: Any) -> list[Any]:
        assert left, "the name was looked up once more"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (left.pop(0), port))]

    return lookup


def test_a_name_that_changes_its_mind_leads_to_the_address_that_was_judged(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS rebinding: whoever looked the name up a second time would be led elsewhere."""
    seen: list[str] = []
    real = socket.getaddrinfo

    def elsewhere(host: Any, *args: Any, **how: Any) -> Any:
        seen.append(str(host))
        return real(host, *args, **how) if host == "127.0.0.1" else real("127.0.0.2", *args, **how)

    monkeypatch.setattr(socket, "getaddrinfo", elsewhere)
    port = receiver.url.rpartition(":")[2]
    reply = WebhookSender(LOOPBACK, lookup_to("127.0.0.1")).send(f"http://hooks.example.org:{port}/", {}, BODY)
    assert reply.is_accepted
    assert receiver.got[0].headers["host"] == f"hooks.example.org:{port}"
    assert set(seen) <= {"127.0.0.1"}  # the judged address, never the name


def test_another_address_of_the_name_is_tried_where_nobody_listens(receiver: Receiver) -> None:
    def lookup(host: str, port: int, **how: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in ("127.0.0.9", "127.0.0.1")]

    port = receiver.url.rpartition(":")[2]
    assert WebhookSender(LOOPBACK, lookup).send(f"http://hooks.example.org:{port}/", {}, BODY).is_accepted


def test_no_proxy_of_the_environment_is_used(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert plain().send(receiver.url, {}, BODY).is_accepted


# -- TLS --------------------------------------------------------------------------------------------------------------


def certified(folder: Path, *names: str, days: int = 1) -> tuple[Path, ssl.SSLContext]:
    """A certificate for these names, as a file with its key, and a context that trusts it alone."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hooks")])
    alternatives: list[x509.GeneralName] = [
        x509.IPAddress(ipaddress.ip_address(one)) if one[0].isdigit() else x509.DNSName(one) for one in names
    ]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=3))
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName(alternatives), False)
        .add_extension(x509.BasicConstraints(True, None), True)
        .sign(key, hashes.SHA256())
    )
    pem = made.public_bytes(serialization.Encoding.PEM)
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = folder / "server.pem"
    path.write_bytes(secret + pem)
    return path, ssl.create_default_context(cadata=pem.decode())


@pytest.mark.parametrize(
    ("names", "host", "days", "expected"),
    [
        (("hooks.example.org",), "hooks.example.org", 1, Reply(204)),
        (("127.0.0.1",), "127.0.0.1", 1, Reply(204)),
        (("other.example.org",), "hooks.example.org", 1, Reply(None, "tls")),
        (("127.0.0.1",), "hooks.example.org", 1, Reply(None, "tls")),
        (("hooks.example.org",), "127.0.0.1", 1, Reply(None, "tls")),
        (("hooks.example.org",), "hooks.example.org", -1, Reply(None, "tls")),
    ],
)
def test_the_certificate_has_to_be_of_the_hosts_name(
    tmp_path: Path, names: tuple[str, ...], host: str, days: int, expected: Reply
) -> None:
    pem, trusting = certified(tmp_path, *names, days=days)
    with Receiver(pem) as receiver:
        port = receiver.url.rpartition(":")[2]
        sender = WebhookSender(LOOPBACK, lookup_to("127.0.0.1"), trusting)
        assert sender.send(f"https://{host}:{port}/", {}, BODY) == expected
        assert len(receiver.got) == (expected.status == 204)
        if host == "hooks.example.org" and expected.status:
            assert receiver.got[0].headers["host"] == f"hooks.example.org:{port}"


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    pem, _ = certified(tmp_path, "127.0.0.1")
    with Receiver(pem) as receiver:
        assert plain().send(receiver.url, {}, BODY) == Reply(None, "tls")
        assert not receiver.got
