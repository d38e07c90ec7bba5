"""The served program behind nginx and Caddy with TLS, configured by the files that OPERATIONS.md gives to hosts."""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from referee.cli.client import ApiClient
from tests.cli.serving import Serving
from tests.cli.test_streaming import moved, table
from tests.eventstore.replicas import free_port
from tests.infrastructure.machine import ROOT

pytestmark = pytest.mark.deep

FILES = ROOT / "referee" / "docs" / "proxies"
JOINS = 4  # a minute from one address
JSON = "Content-Type: application/json"
HEAD_WITHIN = 10.0  # seconds that both files allow for the head of a request
SLACK = 20.0  # what a busy machine may add


@dataclass
class Behind:
    """A server behind a proxy: the address of the proxy, and a context that trusts its certificate."""

    port: int
    trusted: ssl.SSLContext

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    def connect(self, source: str = "127.0.0.1") -> http.client.HTTPSConnection:
        """A connection to the proxy from an address of this machine."""
        return http.client.HTTPSConnection(
            "localhost", self.port, timeout=60, context=self.trusted, source_address=(source, 0)
        )

    def ask(self, method: str, path: str, body: str = "", source: str = "127.0.0.1", **headers: str) -> Any:
        """One request over a connection of its own; the answer, read."""
        line = self.connect(source)
        sent = {"Content-Type": "application/json"} | {name.replace("_", "-"): value for name, value in headers.items()}
        line.request(method, path, body or None, sent)
        answer = line.getresponse()
        answer.text = answer.read()  # type: ignore[attr-defined]
        line.close()
        return answer


def certify(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost that is its own authority, and its key."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(key), "-out", str(cert)]
    subprocess.run([*command.split(), *names], check=True, capture_output=True)
    return cert, key


def configure_nginx(folder: Path, port: int, behind: int, cert: Path, key: Path) -> list[str]:
    """The command that runs nginx by its file, with this certificate and these ports."""
    text = (FILES / "nginx.conf").read_text()
    own = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    for there, here in (
        ("127.0.0.1:8000", f"127.0.0.1:{behind}"),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("referee.example.org;", "localhost;"),
        ("/etc/ssl/referee/fullchain.pem", str(cert)),
        ("/etc/ssl/referee/key.pem", str(key)),
        ("http {", f"http {{\naccess_log off;\n{own}"),
    ):
        assert there in text, there
        text = text.replace(there, here)
    (folder / "nginx.conf").write_text(f"daemon off;\npid {folder}/nginx.pid;\nerror_log stderr;\n{text}")
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def configure_caddy(folder: Path, port: int, behind: int, cert: Path, key: Path) -> list[str]:
    """The command that runs Caddy by its file, with this certificate and these ports."""
    text = (FILES / "Caddyfile").read_text()
    for there, here in (
        ("127.0.0.1:8000", f"127.0.0.1:{behind}"),
        ("{$SITE_ADDRESS:referee.example.org} {", f"https://localhost:{port} {{\n\tbind 127.0.0.1\n\ttls {cert} {key}"),
        ("{\n\tservers", "{\n\tadmin off\n\tauto_https disable_redirects\n\tservers"),
    ):
        assert there in text, there
        text = text.replace(there, here, 1)
    (folder / "Caddyfile").write_text(text)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


PROXIES = {"nginx": configure_nginx, "caddy": configure_caddy}


@pytest.fixture(params=PROXIES)
def behind(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Behind]:
    if shutil.which(request.param, path=f"{os.environ['PATH']}:/usr/sbin") is None:
        pytest.skip(f"{request.param} is not installed (Debian: nginx-light, caddy)")
    (tmp_path / "bare" / "notes").mkdir(parents=True)
    cert, key = certify(tmp_path)
    port = free_port()
    settings = {
        "REFEREE_LOG_LEVEL": "error", "REFEREE_TRUSTED_PROXIES": "1", "REFEREE_RATE_JOINS": str(JOINS),
        "REFEREE_PUBLIC_URL": f"https://localhost:{port}",
    }  # fmt: skip
    serving = Serving(tmp_path / "bare", "--data-dir", str(tmp_path / "data"), **settings)
    assert serving.told, serving.end()
    command = PROXIES[request.param](tmp_path, port, int(urlsplit(serving.told["url"]).port or 0), cert, key)
    home = {**os.environ, "HOME": str(tmp_path), "PATH": f"{os.environ['PATH']}:/usr/sbin"}
    with (tmp_path / "proxy.log").open("w") as log:
        proxy = subprocess.Popen(command, stdout=log, stderr=log, env=home)
    monkeypatch.setenv("SSL_CERT_FILE", str(cert))  # the program's own client then trusts it
    found = Behind(port, ssl.create_default_context(cafile=str(cert)))
    try:
        wait_until_ready(found)
        yield found
    finally:
        proxy.terminate()
        proxy.wait(60)
        print((tmp_path / "proxy.log").read_text(), serving.end())  # shown where the test fails


def wait_until_ready(behind: Behind) -> None:
    """Waits until the server answers through the proxy."""
    for _ in range(600):
        try:
            if behind.ask("GET", "/readyz").status == 200:
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise TimeoutError("nothing answers behind the proxy")


def read_event(line: http.client.HTTPResponse, name: bytes) -> float:
    """Reads a stream up to an event of that name; when it came."""
    while text := line.readline():
        if text.strip() == b"event: " + name:
            return time.monotonic()
    raise EOFError(name)


def test_a_match_is_played_behind_it_with_links_streams_and_waits(behind: Behind) -> None:
    client = ApiClient(behind.url)
    path, tokens = table(client)
    players = [client.with_token(token) for token in tokens]
    opened = client.post("/v1/matches", {"game": "mau_mau", "seats": [{"kind": "human"}] * 2}).body
    assert all(each["url"].startswith(f"{behind.url}/join#") for each in opened["invitations"])
    line = behind.connect()
    line.request("GET", f"{path}/stream", headers={"Accept": "text/event-stream", "Accept-Encoding": "gzip"})
    stream = line.getresponse()
    assert stream.headers["Content-Type"].startswith("text/event-stream")
    assert stream.headers.get("Content-Encoding") is None or stream.headers["Content-Encoding"] == "gzip"
    version = moved(path, players)
    began = time.monotonic()
    if stream.headers.get("Content-Encoding") is None:
        assert read_event(stream, b"entry") - began < SLACK  # not held back until a buffer is full
    line.close()
    waiting = behind.ask("GET", f"{path}/entries?after={version}", Prefer="wait=1")
    assert (waiting.status, waiting.headers["Preference-Applied"]) == (200, "wait=1")
    cards = behind.ask("GET", "/v1/games/munchkin/cards", Accept_Encoding="gzip")
    assert (cards.status, cards.headers["Content-Encoding"]) == (200, "gzip")
    seen = behind.ask("GET", path)
    again = behind.ask("GET", path, If_None_Match=seen.headers["ETag"])
    assert (seen.status, again.status) == (200, 304)


def test_a_client_is_counted_by_its_own_address_whatever_it_writes(behind: Behind) -> None:
    body = '{"code": "AAAA-AAAA"}'

    def join(source: str, number: int) -> int:
        answer = behind.ask(
            "POST", "/v1/join", body, source, Idempotency_Key=f"k{number}", X_Forwarded_For=f"9.9.9.{number}"
        )
        return int(answer.status)

    told = [join("127.0.0.1", number) for number in range(JOINS + 1)]
    assert told[-1] == 429, told
    assert 429 not in told[:-1]
    assert join("127.0.0.2", 9) != 429  # another client


def test_slow_and_large_requests_end_at_the_proxy(behind: Behind) -> None:
    with (
        socket.create_connection(("127.0.0.1", behind.port), timeout=HEAD_WITHIN + SLACK) as plain,
        behind.trusted.wrap_socket(plain, server_hostname="localhost") as slow,
    ):
        began = time.monotonic()
        slow.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        slow.settimeout(0.5)
        while time.monotonic() - began < HEAD_WITHIN + 2 * SLACK:
            try:
                slow.sendall(b"a")
                if not slow.recv(1000):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        assert time.monotonic() - began < HEAD_WITHIN + 2 * SLACK
    large = curl(
        "-w", "%{http_code}", "-H", JSON, "--data-binary", "@-", f"{behind.url}/v1/matches", given="x" * 18_000_000
    )
    assert large == "413"
    assert behind.ask("GET", "/healthz").status == 200


def curl(*options: str, given: str = "") -> str:
    """What curl writes; unlike the library it reads an answer that comes before all is sent."""
    fixed = ("curl", "-s", "-o", "/dev/null", "--cacert", os.environ["SSL_CERT_FILE"])
    return subprocess.run([*fixed, *options], input=given, capture_output=True, text=True, check=False).stdout


def test_http_2_is_spoken(behind: Behind) -> None:
    assert curl("--http2", "-w", "%{http_version} %{http_code}", f"{behind.url}/healthz") == "2 200"
