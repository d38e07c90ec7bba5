"""A client of the API for the other commands: JSON over HTTP.

An error document of the API becomes a ProblemError. Each write has an idempotency key.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import urllib3

from referee.engine.codec import quote_value
from referee.infrastructure.errors import HostError

UNAVAILABLE = {
    "en": "no API answers at {url} ({cause}); `referee serve` starts one",
    "de": "unter {url} antwortet kein Server ({cause}); `referee serve` startet einen",
}
BROKEN_OFF = {
    "en": "the answer from {url} broke off ({cause})",
    "de": "die Antwort von {url} brach ab ({cause})",
}
REDIRECTED = {
    "en": "{url} leads on to {cause}, where no token is sent; set REFEREE_API_URL to that server's address",
    "de": "{url} leitet weiter nach {cause}, wohin kein Token geht; setze REFEREE_API_URL auf dessen Adresse",
}
NO_API = {
    "en": "what answers at {url} is no referee's API ({cause})",
    "de": "was unter {url} antwortet, ist kein Server von Referee ({cause})",
}
PAGE = 200  # the largest page the API gives
CHUNK_BYTES = 64 * 1024


class ApiUnavailableError(HostError):
    """No API answers at the address."""

    exit_code = 69


class ApiAddressError(HostError):
    """What was given is not the address of an API."""

    exit_code = 64  # EX_USAGE


class ApiTokenError(HostError):
    """What was given is no token."""

    exit_code = 64


class ProblemError(HostError):
    """The API refused the request.

    The message has the problem's title, detail and errors, and a hint if there is one.
    """

    def __init__(self, status: int, body: dict[str, Any], hint: str = "") -> None:
        self.status = status
        self.body = body
        listed = body.get("errors")
        errors = "".join(
            f"\n  {error.get('pointer', '')}: {error.get('detail', '')}"
            for error in (listed if isinstance(listed, list) else ())
            if isinstance(error, dict)
        )
        below = f"\n  {hint}" if hint else ""
        super().__init__(f"{status} {body.get('title', '')}: {body.get('detail', '')}{errors}{below}")


@dataclass(frozen=True)
class ApiResponse:
    """A successful answer: its JSON, or its text, and its ETag.

    `is_token_unknown`: the token is none of the match, so the answer is what the public gets.
    """

    body: Any
    etag: str | None
    is_token_unknown: bool = False


class ApiClient:
    """A client of one API, with one token or none.

    `language` is that of texts and of errors; without it, texts come in both and errors in English. What the client
    itself says of an API that does not answer is in the language `errors`, if that is given.
    """

    def __init__(
        self, url: str, token: str | None = None, timeout: float = 35.0, language: str = "", *, errors: str = ""
    ) -> None:
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
            host.encode("idna")  # as the connection will
        except ValueError:
            raise ApiAddressError(f"{url} is not the address of an API") from None
        plain = host.isprintable() and " " not in host and parts.path.isascii() and " " not in parts.path
        if not host or not plain or parts.scheme not in ("http", "https"):
            raise ApiAddressError(f"{url} is not the address of an API")
        if token and not (token.isascii() and token.isprintable()):
            raise ApiTokenError("the token has characters that no token has; copy it again, without line breaks")
        self.url = url.rstrip("/")
        address = f"[{host}]" if ":" in host else host
        self._base = f"{parts.scheme}://{address}{'' if port is None else f':{port}'}{parts.path.rstrip('/')}"
        self._token = token
        self._timeout = timeout
        self._language, self._errors = language, errors or language or "en"
        self._pool = urllib3.PoolManager(timeout=timeout, retries=False)

    def with_token(self, token: str) -> ApiClient:
        """Return a client of the same API with another token."""
        return ApiClient(self.url, token, self._timeout, self._language, errors=self._errors)

    def with_language(self, language: str) -> ApiClient:
        """Return a client of the same API, with the same token, in another language."""
        return ApiClient(self.url, self._token, self._timeout, language)

    @property
    def has_token(self) -> bool:
        """Whether the client shows a token."""
        return bool(self._token)

    def get(self, path: str, **query: Any) -> ApiResponse:
        """Read JSON. Raises ProblemError, ApiUnavailableError."""
        return self._send_request("GET", path, None, {}, query)

    def post(self, path: str, body: Any, *, if_match: str | None = None, key: str | None = None) -> ApiResponse:
        """Write JSON, under a fresh idempotency key unless one is given.

        Raises ProblemError, ApiUnavailableError.
        """
        headers = {"Idempotency-Key": key or secrets.token_urlsafe(24)}
        if if_match is not None:
            headers["If-Match"] = if_match
        return self._send_request("POST", path, body, headers, {})

    def delete(self, path: str) -> None:
        """Delete or withdraw something. Raises ProblemError, ApiUnavailableError."""
        self._send_request("DELETE", path, None, {}, {})

    def download(self, path: str, accept: str) -> Iterator[bytes]:
        """Yield a long answer piece by piece.

        Raises ProblemError before the first piece, and ApiUnavailableError also if the answer breaks off.
        """
        try:
            response = self._request("GET", path, None, {"Accept": accept})
            if response.status >= 300:
                raise self._build_error(response, response.read())
            yield from response.stream(CHUNK_BYTES)
        except urllib3.exceptions.HTTPError as wrong:
            raise self._unavailable(BROKEN_OFF, _find_cause(wrong)) from wrong

    def get_text(self, path: str) -> str:
        """Read text of any media type. Raises ProblemError, ApiUnavailableError."""
        return str(self._send_request("GET", path, None, {"Accept": "*/*"}, {}, plain=True).body)

    def get_entries(self, match: str, after: int = 0, viewer: str = "public") -> Iterator[dict[str, Any]]:
        """Yield the entries of a match after a version, page by page.

        `viewer` is `public`, `seat:0` and so on, or `full`. Raises ProblemError, ApiUnavailableError.
        """
        yield from self.get_pages(f"/v1/matches/{quote(match)}/entries", viewer=viewer, after=after)

    def get_pages(self, path: str, **query: Any) -> Iterator[Any]:
        """Yield the items of a list, page by page.

        Raises ProblemError, ApiUnavailableError.
        """
        while True:
            page = self.get(path, **query, limit=PAGE).body
            yield from page["items"]
            if page.get("next_cursor") is None:
                return
            query["after"] = page["next_cursor"]

    def is_alive(self) -> bool:
        """Whether an API answers at the address."""
        try:
            self.get("/healthz")
        except (ApiUnavailableError, ProblemError):
            return False
        return True

    def _send_request(
        self, method: str, path: str, body: Any, headers: dict[str, str], query: dict[str, Any], *, plain: bool = False
    ) -> ApiResponse:
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers = {**headers, "Content-Type": "application/json"}
        try:
            response = self._request(method, path + ("?" + urlencode(query) if query else ""), data, headers)
        except urllib3.exceptions.HTTPError as wrong:
            raise self._unavailable(UNAVAILABLE, _find_cause(wrong)) from wrong
        try:
            text = response.read()
        except urllib3.exceptions.HTTPError as wrong:
            raise self._unavailable(BROKEN_OFF, _find_cause(wrong)) from wrong
        if response.status >= 300:
            raise self._build_error(response, text)
        answer = text.decode("utf-8", "replace") if plain else self._parse_answer(text)
        return ApiResponse(answer, response.headers.get("ETag"), is_token_unknown(response.headers))

    def _parse_answer(self, text: bytes) -> Any:
        """Decode a successful answer. Raises ApiUnavailableError if it is no JSON object."""
        answer = _parse_body(text)
        if text and not isinstance(answer, dict):
            raise self._unavailable(NO_API, quote_value(text[:200].decode("utf-8", "replace")))
        return answer

    def _build_error(self, response: urllib3.BaseHTTPResponse, text: bytes) -> HostError:
        """Return the error of an answer that is no success."""
        if response.status < 400:
            return self._unavailable(REDIRECTED, quote_value(response.headers.get("Location", "")))
        answer = _parse_body(text)
        if not isinstance(answer, dict):
            answer = {"title": response.reason, **({"detail": text[:200].decode("utf-8", "replace")} if text else {})}
        return ProblemError(response.status, answer)

    def _unavailable(self, told: Mapping[str, str], cause: object) -> ApiUnavailableError:
        return ApiUnavailableError(told[self._errors].format(url=self.url, cause=cause))

    def _request(
        self, method: str, target: str, data: bytes | None, headers: dict[str, str]
    ) -> urllib3.BaseHTTPResponse:
        """Send a request, and return its answer as soon as it begins. Raises HTTPError."""
        shown = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        spoken = {"Accept-Language": self._language} if self._language else {}
        sent = {"Accept": "application/json", "User-Agent": "referee", **spoken, **headers, **shown}
        return self._pool.request(method, self._base + target, data, headers=sent, preload_content=False)


def is_token_unknown(headers: Mapping[str, str]) -> bool:
    """Whether an answer says that the token is none of the match."""
    return "invalid_token" in headers.get("WWW-Authenticate", "")


def _find_cause(wrong: urllib3.exceptions.HTTPError) -> object:
    """Return what the system said, else what the connection said."""
    cause = wrong.__cause__ or wrong.__context__
    if isinstance(cause, OSError):
        return cause
    return wrong.args[0] if wrong.args and isinstance(wrong.args[0], str) else wrong


def _parse_body(text: bytes) -> Any:
    """Decode an answer; None if it is no JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None
