"""Requests of plain form, read without gunicorn's parser.

That parser takes ten times as long. Plain is what leaves nothing to decide: a common method and path of HTTP/1.1,
fields of letters, digits and dashes, none of them twice, with values of printable ASCII, and at most a content length
that says where the request ends. Whatever else comes, gunicorn's parser reads or refuses. What is plain, both read
alike (`tests/infrastructure/test_plain_requests.py`).
"""

from __future__ import annotations

import io
import os
import re
from functools import lru_cache
from typing import Any
from urllib.parse import unquote_to_bytes

from gunicorn.http.message import HeaderPolicy
from gunicorn.http.wsgi import base_environ

HEAD = re.compile(
    rb"(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (/(?!/)[!\"$-~]*+) HTTP/1\.1\r\n"
    rb"((?:[A-Za-z0-9-]++:[\t -~]*+\r\n)*+)\r\n"
)
UNUSUAL = frozenset({"HTTP_TRANSFER_ENCODING", "HTTP_EXPECT", "HTTP_UPGRADE"})
LENGTH = re.compile(r"[0-9]{1,18}")


@lru_cache(maxsize=512)
def build_environ_key(name: str) -> str:
    """Return the name under which WSGI knows a field."""
    key = name.upper().replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"


class PlainRequest:
    """A plain request, with what gunicorn's answers want to know of one."""

    version = (1, 1)

    def __init__(self, method: str, headers: list[tuple[str, str]], environ: dict[str, Any], length: int) -> None:
        self.method, self.headers, self.environ, self.length = method, headers, environ, length

    def should_close(self) -> bool:
        """Return whether the client wants the connection closed after the answer."""
        connection: str = self.environ.get("HTTP_CONNECTION", "")
        return connection.lower() == "close"


class PlainReader:
    """Reads plain requests, as gunicorn would under the same settings."""

    def __init__(self, cfg: Any) -> None:
        self._cfg = cfg
        self._environ: dict[str, Any] = base_environ(cfg) | {
            **{"wsgi.multithread": True, "wsgi.url_scheme": "http", "SERVER_PROTOCOL": "HTTP/1.1", "SCRIPT_NAME": ""},
        }
        self._applies = cfg.proxy_protocol == "off" and not cfg.is_ssl and not os.environ.get("SCRIPT_NAME")
        limits = (cfg.limit_request_line, cfg.limit_request_field_size, 4094)
        self._max_head = min(limit for limit in limits if limit > 0)  # so no line is longer than gunicorn allows
        self._max_fields = cfg.limit_request_fields
        self._scheme_fields = {build_environ_key(name): value for name, value in cfg.secure_scheme_headers.items()}

    def describe_connection(self, client: Any, server: Any) -> dict[str, Any] | None:
        """Return the part of the environ that all requests of a connection share.

        Return None if none of them can be plain.
        """
        if not self._applies or not isinstance(client, tuple):
            return None
        return self._environ | {
            **{"REMOTE_ADDR": client[0], "REMOTE_PORT": str(client[1])},
            **{"SERVER_NAME": server[0], "SERVER_PORT": str(server[1])},
        }

    def read(self, received: bytearray, connection: dict[str, Any]) -> PlainRequest | None:
        """Return the request with which the received bytes begin, if it is plain.

        All of its bytes must have come.
        """
        found = HEAD.match(received, 0, self._max_head)
        if found is None:
            return None
        method, uri, fields = found[1].decode(), found[2].decode(), found[3].decode()
        environ, headers, end = connection.copy(), [], found.end()
        for line in fields.split("\r\n")[:-1]:
            name, _, value = line.partition(":")
            key, value = build_environ_key(name), value.strip(" \t")
            if key in environ or key in UNUSUAL:
                return None
            environ[key] = value
            headers.append((name, value))
        if len(headers) > self._max_fields or not self._set_scheme(environ):
            return None
        body = b""
        if (length := environ.get("CONTENT_LENGTH")) is not None:
            if LENGTH.fullmatch(length) is None:
                return None
            start, end = end, end + int(length)
            body = bytes(received[start:end])
        path, _, query = uri.partition("?")
        environ["REQUEST_METHOD"], environ["RAW_URI"], environ["QUERY_STRING"] = method, uri, query
        environ["PATH_INFO"] = unquote_to_bytes(path).decode("latin-1") if "%" in path else path
        environ["wsgi.input"] = io.BytesIO(body)
        return PlainRequest(method, headers, environ, end)

    def _set_scheme(self, environ: dict[str, Any]) -> bool:
        """Set the scheme that a trusted proxy names; return whether it is clear."""
        named = self._scheme_fields.keys() & environ.keys()
        if not named or not self._is_trusted_proxy(environ["REMOTE_ADDR"]):
            return True
        field = named.pop()
        environ["wsgi.url_scheme"] = "https" if environ[field] == self._scheme_fields[field] else "http"
        return not named

    def _is_trusted_proxy(self, address: str) -> bool:
        policy = HeaderPolicy()
        policy.cfg, policy.peer_addr = self._cfg, (address,)
        return bool(policy._peer_is_trusted_proxy())
