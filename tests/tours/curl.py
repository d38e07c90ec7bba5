"""Calls over real HTTP that are told as the curl lines that would make them, with what came back, shortened."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import urllib3

DEEP, MANY, LONG = 4, 4, 160  # how much of an answer is told: levels, members of a list, characters of a text
Told = Callable[[str], None]


@dataclass(frozen=True)
class Answer:
    """What came back: the status, the headers that matter, and the body as data."""

    status: int
    headers: dict[str, str]
    body: Any

    @property
    def slug(self) -> str:
        """The name of the problem; empty if there is none."""
        kind = self.body.get("type", "") if isinstance(self.body, dict) and self.status >= 400 else ""
        return str(kind).rpartition("/")[2]


@dataclass
class Teller:
    """Somebody who calls, and tells each call that is worth it. Tokens and long names are told as shell variables."""

    url: str
    tell: Told
    lang: str = "en"
    names: dict[str, str] = field(default_factory=dict)
    pool: urllib3.PoolManager = field(default_factory=lambda: urllib3.PoolManager(retries=False, timeout=60))

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        by: str | None = None,
        shows: tuple[str, ...] | None = (),
        **headers: str,
    ) -> Answer:
        """One call; whoever asks too often waits as he is told to. `by`: whose token. `shows`: the parts of the answer
        that are told, dotted; (): all of it; None: the call is not told at all."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if method != "GET":
            sent["Idempotency-Key"] = secrets.token_hex(16)
        if by:
            sent["Authorization"] = f"Bearer {by}"
        while True:
            found = self._once(method, path, body, sent)
            if found.status != 429:
                break
            seconds = int(found.headers.get("retry-after", "1"))
            self.tell(f"# asked too often; waits {seconds} s, as Retry-After says")
            time.sleep(seconds)
        if shows is not None:
            self._told(method, path, body, by, headers, found, shows)
        return found

    def _once(self, method: str, path: str, body: Any, sent: dict[str, str]) -> Answer:
        data = None if body is None else json.dumps(body).encode()
        kind = {"Content-Type": "application/json"} if data else {}
        came = self.pool.request(method, self.url + path, body=data, headers={**sent, **kind})
        there = {name.lower(): value for name, value in came.headers.items()}
        is_json = "json" in there.get("content-type", "") and "ndjson" not in there.get("content-type", "")
        return Answer(came.status, there, json.loads(came.data) if is_json and came.data else came.data.decode())

    def _told(
        self,
        method: str,
        path: str,
        body: Any,
        by: str | None,
        headers: dict[str, str],
        found: Answer,
        shows: tuple[str, ...],
    ) -> None:
        line = ["curl -s"] + ([f"-X {method}"] if method != "GET" and (body is None or method != "POST") else [])
        line.append(f'"$api{self.named(path.removeprefix("/v1"))}"')
        if by:
            line.append(f'-H "Authorization: Bearer {self.named(by)}"')
        if method != "GET":
            line.append('-H "Idempotency-Key: $(key)"')
        line += [f"-H '{name.replace('_', '-')}: {value}'" for name, value in headers.items()]
        if body is not None:
            text = self.named(json.dumps(body, ensure_ascii=False)).replace("'", "'\\''")
            line.append(f"-H 'Content-Type: application/json' \\\n    -d '{text}'")
        self.tell("\n$ " + " ".join(line))
        body_told = found.body if not shows or found.status >= 400 else {name: part(found.body, name) for name in shows}
        etag = f"   ETag {found.headers['etag']}" if "etag" in found.headers else ""
        self.tell(f"{found.status}{etag}")
        text = body_told if isinstance(body_told, str) else written(short(body_told, self.lang))
        self.tell(self.named("\n".join("  " + each for each in text.splitlines()[:40])))

    def named(self, text: str) -> str:
        """A text with the variables in place of what they stand for."""
        for value, name in self.names.items():
            text = text.replace(value, name)
        return text


def part(body: Any, dotted: str) -> Any:
    """A part of an answer: `dispute.rulings.-1.reason`; None where there is none."""
    for key in dotted.split("."):
        try:
            body = body[int(key)] if isinstance(body, list) else body[key]
        except (KeyError, IndexError, TypeError, ValueError):
            return None
    return body


def short(data: Any, lang: str, deep: int = DEEP) -> Any:
    """Data as it is told: of texts one language, of lists the first members, of what lies deep that it is there."""
    if isinstance(data, dict):
        if set(data) == {"en", "de"}:
            return short(data[lang], lang, deep)
        if not deep:
            return "{…}" if data else {}
        return {name: short(value, lang, deep - 1) for name, value in data.items()}
    if isinstance(data, list):
        if not deep and any(isinstance(each, dict | list) for each in data):
            return f"[… {len(data)}]"
        told = [short(each, lang, deep - 1) for each in data[:MANY]]
        return told + ([f"… {len(data) - MANY} more"] if len(data) > MANY else [])
    if isinstance(data, str) and len(data) > LONG:
        return data[:LONG] + "…"
    return data


def written(data: Any) -> str:
    """Data as JSON, a member a line at the first level."""
    if not isinstance(data, dict):
        return json.dumps(data, ensure_ascii=False)
    members = (f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in data.items())
    return "{" + ",\n ".join(members) + "}"
