"""Requests of plain form are read as gunicorn reads them, and nothing that it would refuse is plain."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.http import wsgi
from gunicorn.http.errors import ParseException
from gunicorn.http.parser import RequestParser

from referee.infrastructure.gunicorn.answer import Answer
from referee.infrastructure.gunicorn.plain_requests import PlainReader, PlainRequest
from referee.infrastructure.gunicorn.whole_requests import Arrival, IncomingRequest

SERVER = ("192.0.2.1", 8000)
PROXY, STRANGER = ("127.0.0.1", 40000), ("192.0.2.77", 40000)
ONLY_GUNICORNS = ("wsgi.errors", "wsgi.input", "gunicorn.socket", "wsgi.early_hints")  # objects, or for nobody
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
ODD_METHODS = ("get", "CONNECT", "TRACE", "G", "GET ", "PROPFIND", "GE#T", "")
TARGETS = (
    *(
        "/",
        "/healthz",
        "/v1/matches/a%20b/seats/0/situation?near=1&x=%2F",
        "/a?b?c",
        "/%C3%A4",
        "/a;b=1",
        "/a:b",
        "/a//b",
    ),
    *("/%zz", "/[::1]", "/?", "/a?%", '/"<>\\^`{|}'),
)
ODD_TARGETS = ("//evil/a", "*", "http://t/a", "/a#b", "/a#", "/ä", "/a b", "/a\tb", "", "t:80", "/\x00", "/\x7f", "//")
VERSIONS = ("HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "http/1.1", "HTTP/1.1 ", "HTTP/11", "")
FIELDS = (
    *("Host: t", "host:t:80", "User-Agent: Mozilla/5.0 (X11; Linux x86_64)", "Accept: application/json", "Accept:"),
    *(
        "Accept-Language:  de, en;q=0.5 \t",
        'If-None-Match: "v3"',
        "Authorization: Bearer a:b",
        "Connection: keep-alive",
    ),
    *("Connection: close", "CONNECTION: Close", "Connection: close, x", "X-Forwarded-For: 1.2.3.4", "Prefer: a\tb"),
    *("X-Forwarded-Proto: https", "X-Forwarded-Proto: http", "X-Forwarded-Ssl: on", "X-Forwarded-Protocol: ssl"),
    *(
        "Content-Type: application/json",
        "0: 0",
        "-: -",
        "Script-Name: /a",
        "Te: trailers",
        "Proxy: x",
        "X: " + "x" * 300,
    ),
)
ODD_FIELDS = (
    *("Transfer-Encoding: chunked", "transfer-encoding: identity", "Expect: 100-continue", "Upgrade: h2c", "Host : t"),
    *("X_Forwarded_For: 1.2.3.4", "Content_Length: 3", "Script_Name: /a", "Bad Name: x", ": x", "no colon", " folded"),
    *("\tfolded", "X: \x00", "X: a\rb", "X: a\nHost: b", "X: ä", "X\x00: a", "Content-Length: 3", "Content-Length: +3"),
    *("Content-Length: 3, 3", "Content-Length: 0x3", "Content-Length: -1", "Content-Length:", "Content-Length: ٣"),
    *("Content-Length: 00000000000000000000003", "X: " + "x" * 9000, "X: \x7f", "X.y: 1", "X!: 1", "\ufeffHost: t"),
)


def read_by_gunicorn(cfg: Config, raw: bytes, client: tuple[str, int]) -> tuple[Any, dict[str, Any], bytes, bytes]:
    """The request that gunicorn reads, its environ, its body, and what is left over. Raises ParseException."""
    parser = RequestParser(cfg, [raw], client)
    request = next(parser)
    _, environ = wsgi.create(request, None, client, SERVER, cfg, Answer)
    environ["wsgi.multithread"] = True
    return request, environ, environ["wsgi.input"].read(), parser.unreader.take_buffered()


def read_plainly(cfg: Config, raw: bytes, client: tuple[str, int]) -> PlainRequest | None:
    reader = PlainReader(cfg)
    connection = reader.describe_connection(client, SERVER)
    assert connection is not None
    if IncomingRequest(raw).check_arrival() is not Arrival.WHOLE:
        return None
    return reader.read(bytearray(raw), connection)


def draw(dice: random.Random, oddity: float) -> bytes:
    """A request, in which each part is odd with that likelihood."""

    def odd() -> bool:
        return dice.random() < oddity

    method = dice.choice(ODD_METHODS if odd() else METHODS)
    target = dice.choice(ODD_TARGETS if odd() else TARGETS)
    version = dice.choice(VERSIONS) if odd() else "HTTP/1.1"
    fields = dice.sample(FIELDS, dice.randrange(8))
    for _ in range(2):
        if odd():
            fields.insert(dice.randint(0, len(fields)), dice.choice((*ODD_FIELDS, "")))
    body = dice.choice(("", '{"a": 1}', "GET /x HTTP/1.1\r\n\r\n"))
    if body or dice.random() < 0.2:
        length = len(body) if not odd() else dice.choice((0, 3, 40))
        fields.insert(dice.randint(0, len(fields)), f"Content-Length: {length}")
    lines = [f"{method} {target} {version}", *fields, "", ""]
    ends = ["\n" if oddity and dice.random() < oddity / 8 else "\r\n" for _ in lines[1:]]
    head = "".join(part for pair in zip(lines, [*ends, ""], strict=True) for part in pair)
    return (head + body + dice.choice(("", "GET /next HTTP/1.1\r\n"))).encode("latin-1", "replace")


@pytest.mark.parametrize("header_map", ["drop", "refuse", "dangerous"])
def test_what_is_plain_gunicorn_reads_alike(header_map: str) -> None:
    cfg, dice, seen = Config(), random.Random(header_map), Counter[str]()
    cfg.set("header_map", header_map)
    for number in range(4000):
        raw, client = draw(dice, (0.0, 0.1)[number % 2]), dice.choice((PROXY, STRANGER))
        plain = read_plainly(cfg, raw, client)
        if plain is None:
            seen["left to gunicorn"] += 1
            continue
        request, environ, body, rest = read_by_gunicorn(cfg, raw, client)  # does not raise
        ours = {key: value for key, value in plain.environ.items() if key not in ONLY_GUNICORNS}
        assert ours == {key: value for key, value in environ.items() if key not in ONLY_GUNICORNS}, raw
        assert plain.environ["wsgi.input"].read() == body, raw
        assert raw[plain.length :] == rest, raw
        assert (plain.should_close(), plain.method) == (request.should_close(), request.method), raw
        assert [(name.upper(), value) for name, value in plain.headers] == request.headers, raw
        seen["plain"] += 1
        seen[environ["wsgi.url_scheme"]] += 1
    assert seen["plain"] > 1500, seen
    assert seen["left to gunicorn"] > 500, seen
    assert seen["https"] > 50, seen


@pytest.mark.parametrize("odd", [*ODD_FIELDS, "Host: t\r\nHost: t", "Accept: a\r\naccept: b"])
def test_an_odd_field_is_not_plain(odd: str) -> None:
    sent = f"POST / HTTP/1.1\r\nUser-Agent: t\r\n{odd}\r\nContent-Length: 3\r\n\r\nabc".encode("latin-1", "replace")
    assert read_plainly(Config(), sent, STRANGER) is None


@pytest.mark.parametrize("line", [f"{method} / HTTP/1.1" for method in ODD_METHODS])
def test_an_odd_method_is_not_plain(line: str) -> None:
    assert read_plainly(Config(), f"{line}\r\nHost: t\r\n\r\n".encode(), STRANGER) is None


@pytest.mark.parametrize("target", ODD_TARGETS)
def test_an_odd_target_is_not_plain(target: str) -> None:
    assert read_plainly(Config(), f"GET {target} HTTP/1.1\r\n\r\n".encode("latin-1"), STRANGER) is None


@pytest.mark.parametrize(
    ("setting", "value", "sent"),
    [
        ("limit_request_line", 20, "GET /" + "a" * 30 + " HTTP/1.1\r\n\r\n"),
        ("limit_request_field_size", 20, "GET / HTTP/1.1\r\nX: " + "a" * 30 + "\r\n\r\n"),
        ("limit_request_fields", 2, "GET / HTTP/1.1\r\nA: 1\r\nB: 1\r\nC: 1\r\n\r\n"),
    ],
)
def test_limits_of_heads_hold(setting: str, value: int, sent: str) -> None:
    assert read_plainly(Config(), sent.encode(), STRANGER) is not None
    cfg = Config()
    cfg.set(setting, value)
    assert read_plainly(cfg, sent.encode(), STRANGER) is None
    with pytest.raises(ParseException):
        read_by_gunicorn(cfg, sent.encode(), STRANGER)


def test_nothing_is_plain_where_a_setting_changes_what_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    cfg = Config()
    assert PlainReader(cfg).describe_connection("", "/run/socket") is None
    cfg.set("proxy_protocol", "v1")
    assert PlainReader(cfg).describe_connection(STRANGER, SERVER) is None
    monkeypatch.setenv("SCRIPT_NAME", "/under")
    assert PlainReader(Config()).describe_connection(STRANGER, SERVER) is None
