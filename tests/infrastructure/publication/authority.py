"""A timestamp authority of our own making: OpenSSL answers, behind a small server."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

CONFIG = """
[req]
distinguished_name = name
prompt = no
[name]
CN = {name}
[ca]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign
[tsa]
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
[stamping]
default_policy = 1.2.3.4.1
digests = sha256, sha512
signer_digest = sha256
serial = {folder}/serial
accuracy = secs:1
ordering = no
tsa_name = yes
ess_cert_id_chain = no
"""


@dataclass
class Authority:
    """A certificate authority and a timestamp authority under it."""

    folder: Path
    name: str = "Clock of the town hall"
    asked: list[bytes] = field(default_factory=list)

    @property
    def root(self) -> Path:
        return self.folder / "root.pem"

    def found(self) -> Authority:
        """Make keys and certificates."""
        self.folder.mkdir()
        (self.folder / "serial").write_text("01\n")
        (self.folder / "config").write_text(CONFIG.format(name=self.name, folder=self.folder))
        key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-config", "config")
        self.call("req", "-x509", *key, "-keyout", "root.key", "-out", "root.pem", "-extensions", "ca", "-days", "9")
        self.call("req", *key, "-keyout", "tsa.key", "-out", "tsa.csr")
        signing = ("-CA", "root.pem", "-CAkey", "root.key", "-CAcreateserial", "-extfile", "config")
        self.call("x509", "-req", "-in", "tsa.csr", *signing, "-extensions", "tsa", "-out", "tsa.pem", "-days", "9")
        return self

    def call(self, *words: str) -> None:
        subprocess.run(["openssl", *words], cwd=self.folder, check=True, capture_output=True, timeout=60)

    def answer(self, request: bytes) -> bytes:
        """Return the answer to a request."""
        self.asked.append(request)
        (self.folder / "in").write_bytes(request)
        signing = ("-signer", "tsa.pem", "-inkey", "tsa.key")
        self.call(
            "ts", "-reply", "-config", "config", "-section", "stamping", "-queryfile", "in", *signing, "-out", "out"
        )
        return (self.folder / "out").read_bytes()


def build_authority(folder: Path) -> Authority:
    """Return an authority, or skip the test where no OpenSSL is."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    return Authority(folder).found()


@contextmanager
def serve_bytes(answer: object, status: int = 200, media_type: str = "application/timestamp-reply") -> Iterator[str]:
    """Serve what a function makes of each request, and yield the address."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            made = answer(body) if callable(answer) else answer
            assert isinstance(made, bytes)
            self.send_response(status)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(made)))
            self.end_headers()
            self.wfile.write(made)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
