"""Deprecated operations: what their answers say, and since when and until when.

The policy stands in `referee/docs/API.md`, section Versions. An operation says it with `Endpoint.deprecation`, a member
or a parameter with `metadata={"deprecated": True}` of its field.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from flask import Response

POLICY_ADDRESS = "/docs"  # the contract, which says of each operation what to use instead
SHORTEST_NOTICE = timedelta(days=365)
HEADERS: dict[str, dict[str, Any]] = {  # of the answers of a deprecated operation, as the contract describes them
    "Deprecation": {
        "description": "Since when the operation is deprecated: `@` and seconds since 1970 (RFC 9745)",
        "schema": {"type": "string", "pattern": "^@[0-9]{1,12}$"},
    },
    "Sunset": {"description": "From when on it may be gone, as an HTTP date (RFC 8594)", "schema": {"type": "string"}},
    "Link": {
        "description": 'Where to read about it (`rel="deprecation"`), and what to use instead '
        '(`rel="successor-version"`)',
        "schema": {"type": "string"},
    },
}


@dataclass(frozen=True)
class Deprecation:
    """Since when an operation is deprecated, when it may go, and what to use instead.

    `successor` is the address of another operation, as the contract writes it; empty if there is none.
    """

    since: date
    until: date
    successor: str = ""

    def __post_init__(self) -> None:
        """Refuse a shorter notice than the policy promises. Raises ValueError."""
        if self.until - self.since < SHORTEST_NOTICE:
            raise ValueError(f"a deprecated operation stays for {SHORTEST_NOTICE.days} days at least")

    def describe(self) -> str:
        """Return a paragraph about it for the contract."""
        instead = f" Use `{self.successor}` instead." if self.successor else ""
        return f"Deprecated since {self.since.isoformat()}; may be gone from {self.until.isoformat()} on.{instead}"

    def mark_response(self, response: Response) -> Response:
        """Add the headers that say so to an answer, whatever its status is."""
        since, until = (datetime(day.year, day.month, day.day, tzinfo=UTC) for day in (self.since, self.until))
        response.headers["Deprecation"] = f"@{int(since.timestamp())}"
        response.headers["Sunset"] = format_datetime(until, usegmt=True)
        links = [f'<{POLICY_ADDRESS}>; rel="deprecation"; type="text/html"']
        if self.successor and "{" not in self.successor:  # a template is no address
            links.append(f'<{self.successor}>; rel="successor-version"')
        for link in links:
            response.headers.add("Link", link)
        return response
